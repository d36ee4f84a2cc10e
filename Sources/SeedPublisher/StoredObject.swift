internal import SeedStreams

/// A segment in a file, with the digest by which it is known.
struct StoredObject {
  var sha256: String
  var file: SegmentFile
}
