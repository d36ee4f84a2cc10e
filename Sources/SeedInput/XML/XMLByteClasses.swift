/// What the bytes of a quoted attribute value can be, as bits that a scan collects.
struct XMLByteClasses: OptionSet {
  let rawValue: UInt8

  static let quote = XMLByteClasses(rawValue: 1 << 0)
  static let ampersand = XMLByteClasses(rawValue: 1 << 1)
  static let lessThan = XMLByteClasses(rawValue: 1 << 2)
  static let tab = XMLByteClasses(rawValue: 1 << 3)
  static let lineBreak = XMLByteClasses(rawValue: 1 << 4)
  static let control = XMLByteClasses(rawValue: 1 << 5)
  /// U+007F, with which the placeholders of ``XMLLexicalFilter`` start.
  static let delete = XMLByteClasses(rawValue: 1 << 6)
  static let nonASCII = XMLByteClasses(rawValue: 1 << 7)

  /// A table of the class of each byte, 0 for an ordinary character, which the caller frees.
  static func makeTable() -> UnsafeMutablePointer<UInt8> {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for byte in 0..<256 {
      table[byte] = XMLByteClasses(of: UInt8(byte)).rawValue
    }
    return table
  }

  /// Whether any of eight bytes has a class, found in all of them at once.
  ///
  /// The tests are the well-known ones for a zero byte in a word; they never miss one.
  @inline(__always)
  static func hasSpecial(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    // Beyond ASCII, and U+007F, which one more makes 0x80.
    var found = word | (word &+ ones)
    found |= (word &- 0x20 &* ones) & ~word
    let doubleQuote = word ^ (0x22 &* ones)
    found |= (doubleQuote &- ones) & ~doubleQuote
    // "&" and "'" differ in the lowest bit only.
    let ampersand = (word | ones) ^ (0x27 &* ones)
    found |= (ampersand &- ones) & ~ampersand
    let lessThan = word ^ (0x3C &* ones)
    found |= (lessThan &- ones) & ~lessThan
    return found & high != 0
  }

  private init(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): self = .quote
    case UInt8(ascii: "&"): self = .ampersand
    case UInt8(ascii: "<"): self = .lessThan
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .lineBreak
    case 0x00..<0x20: self = .control
    case 0x7F: self = .delete
    case 0x80...0xFF: self = .nonASCII
    default: self = []
    }
  }

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }
}
