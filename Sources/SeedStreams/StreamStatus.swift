/// Where a stream stands at a moment, for a progress view or a log.
public struct StreamStatus: Sendable, Hashable {
  /// The stream's name.
  public var stream: String
  /// What it is doing.
  public var phase: StreamPhase
  /// Where the database stands; nil before that was read.
  public var position: StreamPosition?
  /// The position that the server has; nil before it is known.
  public var target: StreamPosition?
  /// The bytes that were received as bodies in this run.
  public var bytes: Int64
  /// The bytes of the objects that this run fetches, those fetched before among them; nil where
  /// that is not known.
  public var expectedBytes: Int64?
  /// The bytes of those objects that are there.
  public var fetchedBytes: Int64
  /// The rows that were applied in this run.
  public var rows: Int64
  /// The rows that the stream deletes and that ``StreamOptions/keepRows`` has kept in this run.
  public var kept: Int64
  /// The requests that were made in this run.
  public var requests: Int
  /// How the run ended, once it has ended well.
  public var result: StreamResult?
  /// Why the run ended, or why the next attempt waits; the next one starts by itself.
  public var error: StreamError?
  /// How long the wait is that has just begun, in the phase `waiting`; nil where that is not known,
  /// as without a network, and in all other phases.
  public var nextAttemptAfter: Duration?

  /// A status of a run that has just begun.
  package init(stream: String, phase: StreamPhase) {
    self.stream = stream
    self.phase = phase
    bytes = 0
    fetchedBytes = 0
    rows = 0
    kept = 0
    requests = 0
  }
}
