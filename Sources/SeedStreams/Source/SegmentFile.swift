/// A file with changes whose bytes were compared with their digest, ready to be applied.
///
/// Its text is that of a published segment: a header line with the ids of the checkpoints, sections
/// with rows, and a line with the count of the rows at the end.
package struct SegmentFile: Sendable, Hashable {
  /// How the text is stored.
  package enum Encoding: Sendable, Hashable {
    /// One gzip member.
    case gzip
    case plain
  }

  /// Where the file lies.
  package var path: String
  package var encoding: Encoding
  /// The length of the text, which is enforced.
  package var plainByteCount: Int64
  /// The lineage that the header must name.
  package var epoch: Int64
  /// The checkpoint before the changes, which the header must name.
  package var from: Int64
  /// The checkpoint after the changes, which the header must name.
  package var to: Int64
  /// The id that the last checkpoint must have, where it is known from elsewhere.
  package var lastID: String?
  /// Whether the numbers between ``from`` and ``to`` are no checkpoints.
  ///
  /// The header then has two ids, and the changes apply to a database exactly at ``from``.
  package var isSparse: Bool
  /// What a dynamic source is to be given back with the new position.
  package var cursor: String?

  /// A file from its parts.
  package init(
    path: String, encoding: Encoding, plainByteCount: Int64, epoch: Int64, from: Int64, to: Int64,
    lastID: String? = nil, isSparse: Bool = false, cursor: String? = nil
  ) {
    self.path = path
    self.encoding = encoding
    self.plainByteCount = plainByteCount
    self.epoch = epoch
    self.from = from
    self.to = to
    self.lastID = lastID
    self.isSparse = isSparse
    self.cursor = cursor
  }
}

/// A file with a whole state whose bytes were compared with their digest.
package struct SnapshotFile: Sendable, Hashable {
  /// How the database is stored.
  package enum Encoding: Sendable, Hashable {
    /// One gzip member.
    case gzip
    /// A SQLite file that nobody writes to.
    case database
  }

  /// Where the file lies.
  package var path: String
  package var encoding: Encoding
  /// The length of the database in bytes, which is enforced; nil where it is not known.
  package var plainByteCount: Int64?
  /// The position that its own row must name.
  package var position: StreamPosition

  /// A file from its parts.
  package init(
    path: String, encoding: Encoding, plainByteCount: Int64?, position: StreamPosition
  ) {
    self.path = path
    self.encoding = encoding
    self.plainByteCount = plainByteCount
    self.position = position
  }
}
