/// What a merge has done, as far as it is known without looking a second time.
package struct MergeCounts: Sendable, Hashable {
  /// Rows that were inserted or updated.
  package var written: Int64 = 0
  /// Rows among the written ones that were not there before; nil where rows came one by one, since
  /// SQLite then does not say which of the two it did.
  package var inserted: Int64? = 0
  /// Rows that were deleted, without those that an ON DELETE action took along.
  package var deleted: Int64 = 0
  /// Rows that an ON DELETE CASCADE took along, as far as they were counted.
  package var cascaded: Int64 = 0
  /// Rows that were to be deleted and stayed, as the caller asked.
  package var kept: Int64 = 0
  /// Rows that did not differ, for which nothing was written.
  package var unchanged: Int64 = 0

  /// Nothing was done.
  package init() {}

  /// Rows among the written ones that were there before; nil as ``inserted`` is.
  package var updated: Int64? { inserted.map { written - $0 } }

  /// Adds the counts of another table.
  package static func += (counts: inout MergeCounts, other: MergeCounts) {
    counts.written += other.written
    counts.deleted += other.deleted
    counts.cascaded += other.cascaded
    counts.kept += other.kept
    counts.unchanged += other.unchanged
    if let first = counts.inserted, let second = other.inserted {
      counts.inserted = first + second
    } else {
      counts.inserted = nil
    }
  }
}
