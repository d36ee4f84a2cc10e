/// What a source has for a database at a position.
///
/// Used on the thread of the run that asked.
package enum StreamStep {
  /// Nothing newer.
  case current(pollAfter: Duration?)
  /// The source is behind the database: keep it, and ask again later.
  case stale(StreamPosition, pollAfter: Duration?)
  /// Changes to be applied one after the other.
  case segments(StreamSegments)
  /// A whole state to be merged.
  case merge(SnapshotMerge)
}

/// Changes that lead on from a position, fetched one after the other.
package struct StreamSegments {
  /// The next file, or nil after the last one.
  ///
  /// Called when the file before was applied; may block for as long as fetching takes.
  package var next: () throws -> SegmentFile?
  /// The tables that the source carries.
  ///
  /// Those, and their columns, that the database does not take are passed over. Empty where the
  /// source does not say: then all that it brings must be known.
  package var tables: [StreamTable]
  /// Whether the last file leads to the newest position, so that it need not be asked for.
  package var reachesHead: Bool
  /// How long to wait before the next look.
  package var pollAfter: Duration?
  /// The newest position, where it is known.
  package var target: StreamPosition?

  /// Changes from their parts.
  package init(
    tables: [StreamTable] = [], reachesHead: Bool, pollAfter: Duration? = nil,
    target: StreamPosition? = nil, next: @escaping () throws -> SegmentFile?
  ) {
    self.next = next
    self.tables = tables
    self.reachesHead = reachesHead
    self.pollAfter = pollAfter
    self.target = target
  }
}

/// Why a database has to be merged with a whole state.
package enum ResetReason: String, Sendable, Hashable {
  /// The changes since its position are no longer kept.
  case retention
  /// Its history is another one: a new epoch, or a fork.
  case lineage
  /// It takes other columns than before.
  case schema
  /// The changes would be larger than the whole.
  case size
}

/// A whole state and the changes after it, which are merged in one transaction.
package struct SnapshotMerge: Sendable {
  package var snapshot: SnapshotFile
  /// The changes from the snapshot to ``target``, in their order.
  package var tail: [SegmentFile]
  /// Where the database stands afterwards.
  package var target: StreamPosition
  package var reason: ResetReason
  /// The tables that the source carries; see ``StreamSegments/tables``.
  package var tables: [StreamTable]
  /// What a dynamic source is to be given back with the new position.
  package var cursor: String?
  /// How long to wait before the next look.
  package var pollAfter: Duration?
  /// Whether ``target`` is the newest position, so that it need not be asked for.
  package var reachesHead: Bool

  /// A merge from its parts.
  package init(
    snapshot: SnapshotFile, tail: [SegmentFile] = [], target: StreamPosition, reason: ResetReason,
    tables: [StreamTable] = [], cursor: String? = nil, pollAfter: Duration? = nil,
    reachesHead: Bool = true
  ) {
    self.snapshot = snapshot
    self.tail = tail
    self.target = target
    self.reason = reason
    self.tables = tables
    self.cursor = cursor
    self.pollAfter = pollAfter
    self.reachesHead = reachesHead
  }
}
