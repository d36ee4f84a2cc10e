/// The first line of a segment: between which checkpoints of which stream it leads.
package struct SegmentHeader: Sendable, Hashable {
  /// The version of the format that this code reads and writes.
  package static let currentFormat: Int64 = 1

  /// The stream's name.
  package var stream: String
  /// The lineage.
  package var epoch: Int64
  /// The checkpoint before the change.
  package var from: Int64
  /// The checkpoint after the change.
  package var to: Int64
  /// The ids of all checkpoints from ``from`` to ``to``, both included.
  package var ids: [String]

  /// A header from its parts.
  package init(stream: String, epoch: Int64, from: Int64, to: Int64, ids: [String]) {
    self.stream = stream
    self.epoch = epoch
    self.from = from
    self.to = to
    self.ids = ids
  }
}

/// A line that opens a section: what the rows behind it are.
package struct SegmentSection: Sendable, Hashable {
  /// What is done with the rows.
  package enum Kind: String, Sendable {
    /// The rows are keys, of rows that go or that give way for a while.
    case delete
    /// The rows are inserted, or written over those of their keys.
    case upsert
  }

  /// The table's name.
  package var table: String
  /// What is done with the rows.
  package var kind: Kind
  /// The columns of each row, in their order.
  package var columns: [String]

  /// A section from its parts.
  package init(table: String, kind: Kind, columns: [String]) {
    self.table = table
    self.kind = kind
    self.columns = columns
  }
}
