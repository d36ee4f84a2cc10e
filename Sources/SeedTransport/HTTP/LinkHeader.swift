/// The header `Link` (RFC 8288), which leads through the pages of a long answer.
package enum LinkHeader {
  /// The reference of the first link whose relation is `next`; nil if there is none.
  package static func next(in headers: HTTPHeaders) -> String? {
    for value in headers.values(of: "Link") {
      var reader = Reader(value)
      while let link = reader.nextLink() {
        // A link with an anchor is about another document than the one that was asked for.
        if link.relations.contains("next"), !link.hasAnchor { return link.reference }
      }
    }
    return nil
  }

  private struct Link {
    var reference: String
    var relations: [String] = []
    var hasAnchor = false
  }

  /// Reads one value of the header from its start to its end.
  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
      bytes = Array(text.utf8)
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skip(_ set: String) {
      while let byte = current, set.utf8.contains(byte) { index += 1 }
    }

    /// The bytes before any of a set, or before the end.
    private mutating func take(until set: String) -> String {
      let start = index
      while let byte = current, !set.utf8.contains(byte) { index += 1 }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    mutating func nextLink() -> Link? {
      skip(" \t,")
      guard current == UInt8(ascii: "<") else { return nil }
      index += 1
      var link = Link(reference: take(until: ">"))
      guard current != nil else { return nil }
      index += 1
      while true {
        skip(" \t")
        guard current == UInt8(ascii: ";") else { return link }
        index += 1
        skip(" \t")
        let name = HTTPText.trimmed(take(until: "=;,")).lowercased()
        let value = parameterValue()
        // Only the first `rel` of a link counts.
        if name == "rel", link.relations.isEmpty {
          link.relations = value.lowercased().split(separator: " ").map(String.init)
        }
        if name == "anchor" { link.hasAnchor = true }
      }
    }

    private mutating func parameterValue() -> String {
      guard current == UInt8(ascii: "=") else { return "" }
      index += 1
      skip(" \t")
      guard current == UInt8(ascii: "\"") else { return HTTPText.trimmed(take(until: ";,")) }
      index += 1
      var value: [UInt8] = []
      while let byte = current, byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
        value.append(bytes[index])
        index += 1
      }
      index += 1
      return String(decoding: value, as: UTF8.self)
    }
  }
}
