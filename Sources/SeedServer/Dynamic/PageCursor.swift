/// A place inside of a segment from which an answer can be resumed.
internal struct PageCursor: Sendable, Hashable {
  /// The object that holds the segment.
  internal var sha256: String
  /// Where the next row's line begins in its text.
  internal var offset: Int64

  internal init(sha256: String, offset: Int64) {
    self.sha256 = sha256
    self.offset = offset
  }

  /// Reads a cursor; nil if it is none that this server gives.
  internal init?(_ text: String) {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, StaticFiles.isDigest(String(halves[0])),
      let offset = Int64(halves[1]), offset > 0
    else { return nil }
    sha256 = String(halves[0])
    self.offset = offset
  }

  /// The cursor as clients give it back.
  internal var text: String { "\(sha256).\(offset)" }
}
