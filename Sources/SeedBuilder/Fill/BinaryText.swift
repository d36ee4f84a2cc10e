/// Binary data written as text: base64 (RFC 4648, section 4 and 5) or hexadecimal digits.
package enum BinaryText {
  /// The bytes of hexadecimal digits, with `0x`, `\x` or `x'…'` around them or bare; nil when the
  /// text is something else.
  package static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var digits = text[...]
    if digits.starts(with: Array("0x".utf8)) || digits.starts(with: Array("\\x".utf8)) {
      digits = digits.dropFirst(2)
    } else if digits.count >= 3, digits.first.map({ $0 | 0x20 }) == UInt8(ascii: "x"),
      digits[digits.startIndex + 1] == UInt8(ascii: "'"), digits.last == UInt8(ascii: "'")
    {
      digits = digits.dropFirst(2).dropLast()
    }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for byte in digits {
      guard let value = nibble(byte) else { return nil }
      if let first = high {
        result.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return result
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The bytes of base64 text, in either alphabet, with line breaks and with or without `=` at the
  /// end; nil when the text is something else.
  package static func base64(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digitCount = 0
    var paddingCount = 0
    for byte in text {
      if byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09 { continue }
      if byte == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let value = sextet(byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      digitCount += 1
      if digitCount.isMultiple(of: 4) {
        result += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        bits = 0
      }
    }
    let rest = digitCount % 4
    guard rest != 1, paddingCount == 0 || paddingCount == (4 - rest) % 4 else { return nil }
    // Bits that no byte has would be lost without a word.
    switch rest {
    case 2:
      guard bits & 0xF == 0 else { return nil }
      result.append(UInt8(bits >> 4 & 0xFF))
    case 3:
      guard bits & 0x3 == 0 else { return nil }
      result += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
    default: break
    }
    return result
  }

  private static func sextet(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
