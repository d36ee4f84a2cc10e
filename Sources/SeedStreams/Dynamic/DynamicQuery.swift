internal import SeedTransport

/// What a dynamic server is asked.
internal struct DynamicQuery: Sendable, Hashable {
  internal var position: StreamPosition
  internal var cursor: String?
  internal var schema: String
  /// How long the server may wait for something new; nil to be answered at once.
  internal var waitSeconds: Int?

  /// The position that no history has: a server can only answer it with a whole state.
  internal static let nowhere = StreamPosition(epoch: 0, seq: 0, id: "")

  /// The most bytes that a cursor takes in an address: servers and proxies refuse longer addresses
  /// than about 8 KB.
  internal static let cursorByteLimit = 4096

  /// Whether a cursor can be given back.
  internal static func fits(_ cursor: String) -> Bool {
    cursor.utf8.count <= cursorByteLimit && Percent.encode(cursor).utf8.count <= cursorByteLimit
  }

  /// The address with the query, its parameters sorted: equal questions have one address, which
  /// caches that many clients share can make use of.
  internal func url(_ endpoint: HTTPURL) -> HTTPURL {
    var items = [
      ("epoch", String(position.epoch)), ("id", position.id), ("schema", schema),
      ("seq", String(position.seq)),
    ]
    if let cursor { items.append(("cursor", cursor)) }
    if let waitSeconds { items.append(("wait", String(waitSeconds))) }
    let text = items.sorted { $0.0 < $1.0 }
      .map { "\($0.0)=\(Percent.encode($0.1))" }.joined(separator: "&")
    var url = endpoint
    url.query = endpoint.query.map { "\($0)&\(text)" } ?? text
    return url
  }
}
