/// The header `Content-Range` of a 206 or 416 (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
  /// The first and the last byte that the body holds; nil in `bytes */123`.
  package var bytes: ClosedRange<Int64>?
  /// The size of the whole; nil where the server does not know it.
  package var total: Int64?

  /// Reads `bytes 0-99/1234`, `bytes 0-99/*` or `bytes */1234`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let halves = HTTPText.trimmed(parts[1]).split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    if halves[1] != "*" {
      guard let total = HTTPText.number(halves[1]) else { return nil }
      self.total = total
    }
    guard halves[0] != "*" else {
      if total == nil { return nil }
      return
    }
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = HTTPText.number(ends[0]),
      let last = HTTPText.number(ends[1]), first <= last, last < total ?? .max
    else { return nil }
    bytes = first...last
  }
}
