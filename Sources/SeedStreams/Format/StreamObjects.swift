/// A segment as the head lists it: the net change from one checkpoint to another.
package struct SegmentEntry: Sendable, Hashable {
  /// The checkpoint before the change; the segment holds what changed after it.
  package var from: Int64
  /// The checkpoint after the change.
  package var to: Int64
  /// The SHA-256 of the stored bytes, 64 hexadecimal digits in lower case.
  package var sha256: String
  /// The length of the stored, compressed object in bytes.
  package var size: Int64
  /// The length of the text within in bytes.
  package var plainSize: Int64
  /// How many rows it upserts and deletes.
  package var rows: Int64

  /// An entry from its parts.
  package init(
    from: Int64, to: Int64, sha256: String, size: Int64, plainSize: Int64, rows: Int64
  ) {
    self.from = from
    self.to = to
    self.sha256 = sha256
    self.size = size
    self.plainSize = plainSize
    self.rows = rows
  }
}

/// The snapshot as the head lists it: a SQLite file, compressed with gzip.
package struct SnapshotEntry: Sendable, Hashable {
  /// The checkpoint that it holds.
  package var seq: Int64
  /// That checkpoint's id.
  package var id: String
  /// The SHA-256 of the stored bytes, 64 hexadecimal digits in lower case.
  package var sha256: String
  /// The length of the stored, compressed object in bytes.
  package var size: Int64
  /// The length of the SQLite file within in bytes.
  package var plainSize: Int64

  /// An entry from its parts.
  package init(seq: Int64, id: String, sha256: String, size: Int64, plainSize: Int64) {
    self.seq = seq
    self.id = id
    self.sha256 = sha256
    self.size = size
    self.plainSize = plainSize
  }
}

/// An object that no head names any more, kept for clients that still read an older one.
package struct RetiredObject: Sendable, Hashable {
  /// The object's SHA-256, 64 hexadecimal digits in lower case.
  package var sha256: String
  /// When the first head without it was published, in RFC 3339, UTC.
  package var since: String

  /// An object from its parts.
  package init(sha256: String, since: String) {
    self.sha256 = sha256
    self.since = since
  }
}
