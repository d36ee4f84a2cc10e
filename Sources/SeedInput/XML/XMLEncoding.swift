/// How an XML document says what encoding it is written in (XML 1.0, section 4.3.3 and appendix F).
package struct XMLEncoding: Equatable {
  /// The encoding's name for libxml2; nil means UTF-8, which needs no decoding.
  package var name: String?
  /// The bytes of a byte order mark to skip.
  package var markCount: Int
  /// The name in the XML declaration, when the bytes show that it cannot be right.
  package var contradictedDeclaration: String?

  package init(name: String?, markCount: Int = 0, contradictedDeclaration: String? = nil) {
    self.name = name
    self.markCount = markCount
    self.contradictedDeclaration = contradictedDeclaration
  }

  /// How many bytes ``detect(in:)`` looks at.
  package static let prefixByteCount = 1_024

  /// Finds the encoding from a byte order mark, the first characters or the XML declaration.
  ///
  /// A mark outranks the declaration: files saved as UTF-8 that still declare `utf-16` are common.
  package static func detect(in prefix: [UInt8]) -> XMLEncoding {
    for (mark, name) in marks where prefix.starts(with: mark) {
      return XMLEncoding(name: name, markCount: mark.count)
    }
    for (pattern, name) in firstCharacters where prefix.starts(with: pattern) {
      return XMLEncoding(name: name)
    }
    if prefix.starts(with: EBCDICDeclaration.start) {
      return XMLEncoding(name: EBCDICDeclaration.encoding(in: prefix))
    }
    guard let declared = declaration(in: prefix)?.name, !isUTF8(declared) else {
      return XMLEncoding(name: nil)
    }
    let upper = declared.uppercased()
    if wideNames.contains(where: { upper.hasPrefix($0) }) {
      // The declaration could be read byte by byte, so the document cannot be in wide characters.
      return XMLEncoding(name: nil, contradictedDeclaration: declared)
    }
    return XMLEncoding(name: declared)
  }

  /// Takes an encoding that the user names instead of what the document says.
  ///
  /// `UTF-16` and `UTF-32` leave the order of the bytes to the document.
  package mutating func override(with encoding: String) {
    contradictedDeclaration = nil
    let upper = encoding.uppercased()
    if let name, upper == "UTF-16" || upper == "UTF-32", name.hasPrefix(upper) { return }
    name = XMLEncoding.isUTF8(encoding) ? nil : encoding
  }

  private static func isUTF8(_ name: String) -> Bool {
    ["UTF-8", "UTF8"].contains(name.uppercased())
  }

  // The four-byte mark must come before the two-byte one that it starts with.
  private static let marks: [([UInt8], String?)] = [
    ([0xEF, 0xBB, 0xBF], nil),
    ([0xFF, 0xFE, 0x00, 0x00], "UTF-32LE"), ([0x00, 0x00, 0xFE, 0xFF], "UTF-32BE"),
    ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
  ]

  /// A `<` in wide characters; the four-byte ones come first again.
  ///
  /// The standard wants a mark or a declaration after it, but nothing else starts so.
  private static let firstCharacters: [([UInt8], String)] = [
    ([0x3C, 0x00, 0x00, 0x00], "UTF-32LE"), ([0x00, 0x00, 0x00, 0x3C], "UTF-32BE"),
    ([0x3C, 0x00], "UTF-16LE"), ([0x00, 0x3C], "UTF-16BE"),
  ]

  private static let wideNames = [
    "UTF-16", "UTF16", "UTF-32", "UTF32", "UCS-2", "UCS-4", "ISO-10646-UCS",
  ]

  /// The value of `encoding` in an XML declaration that can be read as ASCII, and where it stands.
  static func declaration(in prefix: [UInt8]) -> (name: String, index: Int)? {
    guard prefix.starts(with: Array("<?xml".utf8)) else { return nil }
    let declaration = prefix.prefix { $0 != UInt8(ascii: ">") }
    let key = Array("encoding".utf8)
    var index = 5
    while index + key.count < declaration.count {
      if declaration[index..<index + key.count].elementsEqual(key) {
        return quotedValue(in: declaration, after: index + key.count)
      }
      index += 1
    }
    return nil
  }

  /// The text in quotes after `=`, or nil.
  private static func quotedValue(
    in bytes: ArraySlice<UInt8>, after start: Int
  ) -> (name: String, index: Int)? {
    let rest = bytes[start...].drop { [0x20, 0x09, 0x0D, 0x0A, UInt8(ascii: "=")].contains($0) }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    return value.isEmpty ? nil : (String(decoding: value, as: UTF8.self), value.startIndex)
  }
}
