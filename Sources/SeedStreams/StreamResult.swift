/// What bringing a stream up to date has come to.
public struct StreamResult: Sendable, Hashable {
  /// The ways in which it ends well.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// There was nothing newer.
    case current
    /// Changes were applied.
    case applied
    /// A whole snapshot was merged.
    case merged
    /// The server is behind the database; perhaps a cache on the way is out of date.
    case stale
  }

  /// How it ended.
  public var outcome: Outcome
  /// Where the database stands now.
  public var position: StreamPosition
  /// The rows of the changes that were applied, and those that the merge of a snapshot wrote.
  public var rows: Int64
  /// The rows that the stream deletes and that ``StreamOptions/keepRows`` has kept.
  public var kept: Int64
  /// The bytes that were received as bodies.
  public var bytes: Int64
  /// The requests that were made, redirects among them.
  public var requests: Int
  /// How long the server asks to wait before the next look; nil where it says nothing.
  public var pollAfter: Duration?
  /// Whether the source, asked again at once, waits for something newer.
  internal var mayWaitForNewer = false
  /// The position that the server offered, where the database is ahead of it.
  public var stalePosition: StreamPosition?

  /// A result from its parts.
  public init(
    outcome: Outcome, position: StreamPosition, rows: Int64 = 0, kept: Int64 = 0, bytes: Int64 = 0,
    requests: Int = 0, pollAfter: Duration? = nil, stalePosition: StreamPosition? = nil
  ) {
    self.outcome = outcome
    self.position = position
    self.rows = rows
    self.kept = kept
    self.bytes = bytes
    self.requests = requests
    self.pollAfter = pollAfter
    self.stalePosition = stalePosition
  }
}
