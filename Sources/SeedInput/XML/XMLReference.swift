/// References that need no declaration: character references and the five predefined entities.
enum XMLReference {
  /// Decodes the reference at `input`, moves `input` behind it and gives the UTF-8 byte count.
  ///
  /// Gives nil for anything else, malformed or declared elsewhere; `input` is then undefined.
  static func decode(
    _ input: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
    into output: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    let start = input + 1
    guard start < end else { return nil }
    if start.pointee == UInt8(ascii: "#") {
      guard let scalar = characterReference(start + 1, end: end, next: &input) else { return nil }
      return encode(scalar, into: output)
    }
    guard let (character, count) = predefined(start, end: end) else { return nil }
    output.pointee = character
    input = start + count
    return 1
  }

  private static func predefined(
    _ name: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> (character: UInt8, count: Int)? {
    func matches(_ text: StaticString) -> Bool {
      guard end - name >= text.utf8CodeUnitCount else { return false }
      for index in 0..<text.utf8CodeUnitCount where name[index] != text.utf8Start[index] {
        return false
      }
      return true
    }
    switch name.pointee {
    case UInt8(ascii: "l"): return matches("lt;") ? (UInt8(ascii: "<"), 3) : nil
    case UInt8(ascii: "g"): return matches("gt;") ? (UInt8(ascii: ">"), 3) : nil
    case UInt8(ascii: "q"): return matches("quot;") ? (UInt8(ascii: "\""), 5) : nil
    case UInt8(ascii: "a"):
      if matches("amp;") { return (UInt8(ascii: "&"), 4) }
      return matches("apos;") ? (UInt8(ascii: "'"), 5) : nil
    default: return nil
    }
  }

  /// The number behind `&#`, when it denotes a character that XML allows.
  private static func characterReference(
    _ digits: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, next: inout UnsafePointer<UInt8>
  ) -> UInt32? {
    var cursor = digits
    let isHexadecimal = cursor < end && cursor.pointee == UInt8(ascii: "x")
    if isHexadecimal { cursor += 1 }
    var scalar: UInt32 = 0
    var digitCount = 0
    while cursor < end, cursor.pointee != UInt8(ascii: ";") {
      guard let digit = value(of: cursor.pointee, isHexadecimal: isHexadecimal) else { return nil }
      scalar = scalar * (isHexadecimal ? 16 : 10) + digit
      guard scalar <= 0x10FFFF else { return nil }
      digitCount += 1
      cursor += 1
    }
    guard cursor < end, digitCount > 0, isCharacter(scalar) else { return nil }
    next = cursor + 1
    return scalar
  }

  private static func value(of byte: UInt8, isHexadecimal: Bool) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal:
      UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F") where isHexadecimal:
      UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  /// XML 1.0's production `Char`.
  private static func isCharacter(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  private static func encode(_ scalar: UInt32, into output: UnsafeMutablePointer<UInt8>) -> Int {
    switch scalar {
    case 0..<0x80:
      output[0] = UInt8(scalar)
      return 1
    case 0x80..<0x800:
      output[0] = UInt8(0xC0 | scalar >> 6)
      output[1] = UInt8(0x80 | scalar & 0x3F)
      return 2
    case 0x800..<0x10000:
      output[0] = UInt8(0xE0 | scalar >> 12)
      output[1] = UInt8(0x80 | scalar >> 6 & 0x3F)
      output[2] = UInt8(0x80 | scalar & 0x3F)
      return 3
    default:
      output[0] = UInt8(0xF0 | scalar >> 18)
      output[1] = UInt8(0x80 | scalar >> 12 & 0x3F)
      output[2] = UInt8(0x80 | scalar >> 6 & 0x3F)
      output[3] = UInt8(0x80 | scalar & 0x3F)
      return 4
    }
  }
}
