internal import SeedTransport

/// What passed between client and server during one call.
public struct HyperHiveExchange: Sendable, Hashable {
  /// A header of an answer.
  public struct Header: Sendable, Hashable {
    /// The header's name as it came.
    public var name: String
    /// Its value.
    public var value: String
  }

  /// The status of the last answer; nil if there was none.
  public var status: Int?
  /// The headers of the last answer, without those that carry credentials.
  public var headers: [Header] = []
  /// How many bytes of bodies came, over all tries.
  public var byteCount: Int64 = 0
  /// How often a request was repeated.
  public var retryCount = 0

  /// Nothing yet.
  public init() {}

  /// Notes an answer; what it repeats of the request's secrets is masked.
  internal mutating func take(_ head: HTTPHead, _ redaction: Redaction) {
    status = head.status
    headers = head.headers.fields
      .filter { !$0.isConfidential && !Self.credentials.contains($0.name.lowercased()) }
      .map { Header(name: $0.name, value: redaction.withoutSecrets($0.value)) }
  }

  private static let credentials: Set<String> = ["set-cookie", "set-cookie2"]
}

/// How a load has ended.
public struct HyperHiveLoad: Sendable, Hashable {
  /// What the server sent.
  public enum Outcome: String, Sendable, Hashable {
    /// The whole table.
    case whole
    /// What has changed.
    case delta
    /// That nothing has changed.
    case unchanged
  }

  /// What the server sent.
  public var outcome: Outcome
  /// The version that the database has now, if the server counts versions.
  public var version: Int64?
  /// How many rows were inserted, replaced or deleted.
  public var changedRowCount: Int64 = 0
  /// The tables of the answer, by their names in the database.
  public var tables: [String] = []
  /// What is doubtful about the answer, in words.
  public var warnings: [String] = []
  /// What passed between client and server.
  public var exchange: HyperHiveExchange

  internal init(_ outcome: Outcome, exchange: HyperHiveExchange) {
    self.outcome = outcome
    self.exchange = exchange
  }
}
