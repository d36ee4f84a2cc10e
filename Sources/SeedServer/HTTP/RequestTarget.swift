/// The path and the query of a request, decoded.
package struct RequestTarget: Sendable, Hashable {
  /// Why a target is not taken.
  package enum Problem: Error, Sendable, Hashable {
    /// It does not start with a slash.
    case notAPath
    /// A percent sign without two digits, or bytes that are no UTF-8.
    case malformedEncoding
    /// `.`, `..`, an empty part, or a character that no name of a published file has.
    case forbiddenPart
  }

  /// The parts of the path between its slashes.
  package var parts: [String]
  /// The names and values of the query, in their order.
  package var query: [(name: String, value: String)]

  /// Reads the target of a request line.
  ///
  /// - Throws: ``Problem``.
  package init(_ text: String) throws(Problem) {
    guard text.hasPrefix("/") else { throw .notAPath }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var parts: [String] = []
    for raw in halves[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      parts.append(try Self.part(raw))
    }
    // `/` alone has no part.
    self.parts = parts == [""] ? [] : parts
    guard !self.parts.contains("") else { throw .forbiddenPart }
    query = []
    guard halves.count == 2 else { return }
    for item in halves[1].split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count == 2 ? try Self.decode(pair[1]) : ""
      query.append((try Self.decode(pair[0]), value))
    }
  }

  /// The value of the first item of a name; nil if the query has none.
  package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  private static func part(_ raw: Substring) throws(Problem) -> String {
    let part = try decode(raw)
    let isForbidden = { (byte: UInt8) in
      byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }
    guard part != ".", part != "..", !part.utf8.contains(where: isForbidden) else {
      throw .forbiddenPart
    }
    return part
  }

  private static func decode(_ text: Substring) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { throw .malformedEncoding }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .malformedEncoding }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether two targets are the same, the order of the query included.
  package static func == (first: RequestTarget, second: RequestTarget) -> Bool {
    first.parts == second.parts && first.query.elementsEqual(second.query, by: ==)
  }

  /// Feeds the path, which tells most targets apart.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts)
  }
}
