package import SeedModel

/// A server's answer: the typed value, and what it was decoded from.
///
/// `SeedStreams` adds `store(into:)`, which writes the answer into the tables of a database.
public struct JSONAnswer<Response: Sendable>: Sendable {
  /// The typed value.
  public let value: Response
  /// The whole answer.
  package let document: LocatedJSON
  /// The envelope that the answer's data are in.
  package let envelope: AnswerEnvelope?
  /// What records are called that have no name: the last part of the request's path.
  package let name: String
  /// The address without secrets.
  package let url: String

  /// An answer from its parts.
  package init(
    value: Response, document: LocatedJSON, envelope: AnswerEnvelope?, name: String, url: String
  ) {
    self.value = value
    self.document = document
    self.envelope = envelope
    self.name = name
    self.url = url
  }
}

/// The response of a request whose answer holds nothing that matters.
public struct NoResponse: Decodable, Sendable, Hashable {
  /// The only one there is.
  public init() {}

  /// Takes any answer for it, also none.
  public init(from decoder: any Decoder) {}
}
