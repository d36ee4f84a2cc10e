/// The file `head.json` of a published stream: the newest position and the ways to it.
///
/// It is the only file of a stream that changes; all that it names is immutable and addressed by
/// its SHA-256.
package struct StreamHead: Sendable, Hashable {
  /// The version of the format that this code reads and writes.
  package static let currentFormat: Int64 = 1

  /// The stream's name.
  package var stream: String
  /// The newest checkpoint.
  package var position: StreamPosition
  /// When it was published, in RFC 3339; for people only, never compared.
  package var time: String?
  /// How many seconds a client waits before it asks again.
  package var pollAfterSeconds: Int64?
  /// The tables of the stream, sorted by name.
  package var tables: [StreamTable]
  /// The columns besides the key, by the table's name, that some published database declared
  /// NOT NULL; only publishers look at them.
  package var required: [String: Set<String>] = [:]
  /// The whole state at one checkpoint; nil where a stream has none yet.
  package var snapshot: SnapshotEntry?
  /// The changes between checkpoints, by rising ``SegmentEntry/to``.
  package var segments: [SegmentEntry]
  /// Objects that the head no longer names and that wait to be deleted.
  package var retired: [RetiredObject]

  /// A head from its parts.
  package init(
    stream: String, position: StreamPosition, time: String? = nil, pollAfterSeconds: Int64? = nil,
    tables: [StreamTable], snapshot: SnapshotEntry? = nil, segments: [SegmentEntry] = [],
    retired: [RetiredObject] = []
  ) {
    self.stream = stream
    self.position = position
    self.time = time
    self.pollAfterSeconds = pollAfterSeconds
    self.tables = tables
    self.snapshot = snapshot
    self.segments = segments
    self.retired = retired
  }
}
