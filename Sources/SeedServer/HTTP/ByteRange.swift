/// What part of a file a request asks for (RFC 9110, section 14).
package enum ByteRange: Sendable, Hashable {
  case whole
  case part(Range<Int64>)
  /// Nothing of the file lies there.
  case unsatisfiable

  /// Reads the header `Range`; one that is malformed, or asks for several parts, is passed over, as
  /// the standard allows.
  ///
  /// - Parameters:
  ///   - text: The header's value.
  ///   - byteCount: The length of the file.
  package init(_ text: String, of byteCount: Int64) {
    self = .whole
    let halves = text.split(separator: "=", maxSplits: 1)
    guard halves.count == 2, halves[0].lowercased() == "bytes" else { return }
    let ends = halves[1].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
    switch (first, last) {
    case (.some(let first), let last) where last != nil || ends[1].isEmpty:
      guard last ?? .max >= first else { return }
      guard first < byteCount else {
        self = .unsatisfiable
        return
      }
      self = .part(first..<min(last ?? .max, byteCount - 1) + 1)
    case (nil, .some(let count)) where ends[0].isEmpty:
      // The last bytes.
      self =
        count == 0 || byteCount == 0
        ? .unsatisfiable : .part(max(0, byteCount - count)..<byteCount)
    default: return
    }
  }

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // A number beyond 64 bits lies behind every file.
    return Int64(text) ?? .max
  }
}
