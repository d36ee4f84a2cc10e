/// An XML declaration in EBCDIC.
///
/// Its letters are the same in all of EBCDIC's code pages (the invariant character set), so that
/// the declaration can say which of them the rest of the document needs.
enum EBCDICDeclaration {
  /// `<?xm` in every EBCDIC.
  static let start: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94]

  /// The encoding that the declaration names; plain EBCDIC if it names none.
  static func encoding(in prefix: [UInt8]) -> String {
    let end: UInt8 = 0x6E
    let declaration = prefix.prefix { $0 != end }.map(ascii)
    return XMLEncoding.declaration(in: declaration)?.name ?? "EBCDIC-US"
  }

  /// The ASCII of a letter, digit or mark of the invariant set; `?` for what is none.
  private static func ascii(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x81...0x89: UInt8(ascii: "a") + (byte - 0x81)
    case 0x91...0x99: UInt8(ascii: "j") + (byte - 0x91)
    case 0xA2...0xA9: UInt8(ascii: "s") + (byte - 0xA2)
    case 0xC1...0xC9: UInt8(ascii: "A") + (byte - 0xC1)
    case 0xD1...0xD9: UInt8(ascii: "J") + (byte - 0xD1)
    case 0xE2...0xE9: UInt8(ascii: "S") + (byte - 0xE2)
    case 0xF0...0xF9: UInt8(ascii: "0") + (byte - 0xF0)
    case 0x40, 0x05, 0x0D, 0x15, 0x25: UInt8(ascii: " ")
    case 0x4C: UInt8(ascii: "<")
    case 0x4B: UInt8(ascii: ".")
    case 0x60: UInt8(ascii: "-")
    case 0x6D: UInt8(ascii: "_")
    case 0x7A: UInt8(ascii: ":")
    case 0x7D: UInt8(ascii: "'")
    case 0x7E: UInt8(ascii: "=")
    case 0x7F: UInt8(ascii: "\"")
    default: UInt8(ascii: "?")
    }
  }
}
