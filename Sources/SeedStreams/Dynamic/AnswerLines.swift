/// Cuts an answer into lines as its bytes come.
///
/// Memory is bounded by the longest line that the format allows.
internal struct AnswerLines {
  /// A line is longer than the format allows.
  internal struct TooLong: Error {}

  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []

  /// Takes the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, valid during the call.
  ///   - body: Takes each line that is complete, its line feed included; valid during the call.
  /// - Throws: ``TooLong``, or what the closure throws.
  internal mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var left = bytes[...]
    while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = UnsafeRawBufferPointer(rebasing: left[...end])
      left = left[(end + 1)...]
      if rest.isEmpty {
        try body(piece)
      } else {
        // Taken first: what the closure throws must not leave the line here.
        var line = rest
        rest.removeAll(keepingCapacity: true)
        line += piece
        try line.withUnsafeBytes { try body($0) }
      }
    }
    guard rest.count + left.count <= SegmentLimits.lineBytes else { throw TooLong() }
    rest += left
  }

  /// Whether a line has begun that has not ended.
  internal var isInsideLine: Bool { !rest.isEmpty }
}
