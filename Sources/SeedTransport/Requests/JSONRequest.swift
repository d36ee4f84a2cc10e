/// A question to a server whose answer is JSON of a known type.
///
/// A request says what is asked; a ``NetworkProvider`` says where, and sends it:
///
/// ```swift
/// struct CollectDataRequest: JSONRequest<CollectData> {
///   let path = "collect"
/// }
/// let data = try await network.send(CollectDataRequest())
/// ```
public protocol JSONRequest<Response>: Sendable {
  /// What the answer, or the data in its envelope, is decoded to.
  associatedtype Response: Decodable & Sendable

  /// What is done; `GET` unless the request says otherwise.
  var method: RequestMethod { get }

  /// The path below the provider's address, as plain text: what cannot stand in an address is
  /// percent-encoded, and a slash at the start makes no difference.
  var path: String { get }

  /// The names and values behind the question mark, in their order; none unless the request has
  /// some.
  var query: RequestQuery { get }

  /// Further headers by their names; none unless the request has some.
  var headers: [String: String] { get }

  /// What is sent with the request; nothing unless the request has something.
  var body: RequestBody? { get throws }

  /// Whether the provider's access token is sent along; it is not unless the request says so.
  ///
  /// Without a token such a request fails before anything is sent.
  var needsAccessToken: Bool { get }

  /// The object that the answer's data is wrapped in, ``AnswerEnvelope/standard`` unless the request
  /// says otherwise; nil when the answer is the data.
  var envelope: AnswerEnvelope? { get }
}

extension JSONRequest {
  /// `GET`.
  public var method: RequestMethod { .get }

  /// No query.
  public var query: RequestQuery { [:] }

  /// No further headers.
  public var headers: [String: String] { [:] }

  /// Nothing.
  public var body: RequestBody? { nil }

  /// No token.
  public var needsAccessToken: Bool { false }

  /// `{"success": …, "data": …, "message": …}`.
  public var envelope: AnswerEnvelope? { .standard }
}

/// What a request does.
public enum RequestMethod: String, Sendable, Hashable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// Whether doing it twice is the same as doing it once, so that it may be repeated (RFC 9110,
  /// section 9.2.2).
  internal var isIdempotent: Bool {
    switch self {
    case .get, .put, .delete: true
    case .post, .patch: false
    }
  }
}
