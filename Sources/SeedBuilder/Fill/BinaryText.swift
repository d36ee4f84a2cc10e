/// Binary data written as hexadecimal digits.
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
}
