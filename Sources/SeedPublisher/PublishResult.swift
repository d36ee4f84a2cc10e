package import SeedStreams

/// What a publication has come to.
package struct PublishResult: Sendable, Hashable {
  /// The stream's name.
  package var stream: String
  /// The stream's newest checkpoint, where the database stands now.
  package var position: StreamPosition
  /// Whether this publication has made it.
  package var isNew: Bool
  /// The rows of the tables that were inserted or changed, and the keys of those that are gone or
  /// gave way.
  package var rows: Int64
  /// The bytes of the objects that were written.
  package var writtenBytes: Int64
  /// The size of the segment that leads to the checkpoint, packed; nil if there is none.
  package var segmentBytes: Int64?
  /// The size of the snapshot, packed, if one was written.
  package var snapshotBytes: Int64?
  /// The columns that the stream does not carry and whose values the snapshot shows all the same:
  /// constraints hold them there.
  package var uncarried: [PublishedColumn] = []
  /// The columns that the stream does not carry and that no row can be without: apps cannot insert a
  /// row.
  package var unfilled: [PublishedColumn] = []
}
