internal import SeedStreams

/// What a client of the dynamic protocol says about itself.
internal struct StreamQuery: Sendable, Hashable {
  /// A query that does not say what it has to, and what is wrong.
  internal struct Problem: Error, Sendable, Hashable {
    internal var detail: String
  }

  /// Where the client's database stands.
  internal var position: StreamPosition
  /// The digest of the tables and columns that it applies; nil where it does not say.
  internal var schema: String?
  /// What an earlier answer gave to go on from.
  internal var cursor: String?
  /// How long the client is willing to wait for something new.
  internal var wait: Duration

  /// Far more than any id or cursor that this server gives.
  private static let textByteLimit = 4096

  internal init(_ target: RequestTarget) throws(Problem) {
    for item in target.query where item.value.utf8.count > Self.textByteLimit {
      throw Problem(detail: "\"\(item.name)\" is too long")
    }
    guard let id = target["id"] else { throw Self.missing("id") }
    position = StreamPosition(
      epoch: try Self.number("epoch", target), seq: try Self.number("seq", target), id: id)
    schema = target["schema"].flatMap { $0.isEmpty ? nil : $0 }
    cursor = target["cursor"]
    wait = .zero
    if target["wait"] != nil {
      wait = .seconds(min(max(try Self.number("wait", target), 0), 86_400))
    }
  }

  private static func missing(_ name: String) -> Problem {
    Problem(
      detail: "\"\(name)\" is missing: clients say where they stand, by \"epoch\", \"seq\" and "
        + "\"id\"")
  }

  private static func number(
    _ name: String, _ target: RequestTarget
  ) throws(Problem) -> Int64 {
    guard let text = target[name] else { throw missing(name) }
    guard let number = Int64(text) else { throw Problem(detail: "\"\(name)\" is no integer") }
    return number
  }
}
