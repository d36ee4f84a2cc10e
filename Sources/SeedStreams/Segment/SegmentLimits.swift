/// The bounds of a segment's text, which no server can lift.
package enum SegmentLimits {
  /// The most bytes that the texts and blobs of one row have together (16 MiB).
  package static let rowBytes = 16 << 20
  /// The most bytes of one line (24 MiB): a blob takes a third more as Base64.
  package static let lineBytes = 24 << 20
  /// How much of a file is read at once (64 KiB).
  package static let inputBytes = 64 << 10
  /// The room for text at first (256 KiB), which grows only for longer lines.
  package static let textBytes = 256 << 10
}
