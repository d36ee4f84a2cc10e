/// Tells whether bytes are well-formed UTF-8 (Unicode, table 3-7).
internal enum UTF8Check {
  /// Whether bytes are well-formed UTF-8.
  internal static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    var index = 0
    while index < count {
      let first = bytes[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var range: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0:
        length = 3
        range = 0xA0...0xBF
      case 0xED:
        length = 3
        range = 0x80...0x9F
      case 0xE1...0xEF: length = 3
      case 0xF0:
        length = 4
        range = 0x90...0xBF
      case 0xF4:
        length = 4
        range = 0x80...0x8F
      case 0xF1...0xF3: length = 4
      default: return false
      }
      guard index + length <= count, range ~= bytes[index + 1] else { return false }
      for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return false }
      index += length
    }
    return true
  }
}
