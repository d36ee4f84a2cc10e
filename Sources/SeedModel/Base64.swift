/// Binary data as text (RFC 4648, section 4), in its canonical form: with padding, without blanks; or
/// as people and programs write it.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// How many characters so many bytes take.
  package static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Writes the Base64 of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: What to encode.
  ///   - target: Room for ``encodedCount(_:)`` characters.
  package static func encode(
    _ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) {
    digits.withUnsafeBufferPointer { digits in
      var output = target
      var index = 0
      while index < bytes.count {
        let left = bytes.count - index
        let bits =
          UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
          | (left > 2 ? UInt32(bytes[index + 2]) : 0)
        output[0] = digits[Int(bits >> 18)]
        output[1] = digits[Int(bits >> 12 & 0x3F)]
        output[2] = left > 1 ? digits[Int(bits >> 6 & 0x3F)] : UInt8(ascii: "=")
        output[3] = left > 2 ? digits[Int(bits & 0x3F)] : UInt8(ascii: "=")
        output += 4
        index += 3
      }
    }
  }

  /// Which texts are taken.
  package enum Form: Sendable {
    /// What ``encode(_:into:)`` writes.
    case canonical
    /// Also with blanks and line breaks in it, without padding, and in the alphabet for addresses
    /// (RFC 4648, section 5).
    case any
  }

  /// Puts the bytes where their Base64 stands.
  ///
  /// - Parameters:
  ///   - text: The Base64, which is overwritten.
  ///   - count: Its characters.
  ///   - form: Which texts are taken.
  /// - Returns: The number of the bytes; nil when the text is no Base64, and then it may be lost.
  package static func decode(
    _ text: UnsafeMutablePointer<UInt8>, count: Int, form: Form = .canonical
  ) -> Int? {
    var written = 0
    var digitCount = 0
    var paddingCount = 0
    var bits: UInt32 = 0
    for index in 0..<count {
      let byte = text[index]
      if form == .any, isBlank(byte) { continue }
      if byte == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let value = sextet(byte) ?? (form == .any ? other(byte) : nil)
      else { return nil }
      bits = bits << 6 | value
      digitCount += 1
      guard digitCount & 3 == 0 else { continue }
      // Behind what is read: three bytes for four characters.
      text[written] = UInt8(truncatingIfNeeded: bits >> 16)
      text[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
      text[written + 2] = UInt8(truncatingIfNeeded: bits)
      written += 3
      bits = 0
    }
    let rest = digitCount & 3
    let isPadded = paddingCount == (4 - rest) & 3
    guard rest != 1, isPadded || form == .any && paddingCount == 0 else { return nil }
    guard rest > 0 else { return written }
    // Bits that belong to no byte would be lost without a word.
    guard bits & (rest == 2 ? 0xF : 0x3) == 0 else { return nil }
    bits <<= rest == 2 ? 12 : 6
    text[written] = UInt8(truncatingIfNeeded: bits >> 16)
    if rest == 3 { text[written + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
    return written + rest - 1
  }

  /// The bytes of a text in any form; nil when it is no Base64.
  package static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var bytes = Array(text)
    let count = bytes.withUnsafeMutableBufferPointer { buffer -> Int? in
      guard let base = buffer.baseAddress else { return 0 }
      return decode(base, count: buffer.count, form: .any)
    }
    guard let count else { return nil }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Whether a text is what ``encode(_:into:)`` writes for some bytes.
  package static func isCanonical(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count.isMultiple(of: 4) else { return false }
    let digits = text.prefix { $0 != UInt8(ascii: "=") }
    let padding = text[digits.endIndex...]
    guard padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return false }
    var last: UInt32 = 0
    for digit in digits {
      guard let value = sextet(digit) else { return false }
      last = value
    }
    // Bits that belong to no byte would be lost.
    switch padding.count {
    case 1: return last & 0x3 == 0
    case 2: return last & 0xF == 0
    default: return true
    }
  }

  @inline(__always)
  private static func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The digits of the other alphabet.
  private static func other(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

extension Base64 {
  /// The Base64 of some bytes.
  package static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: encodedCount(bytes.count)) { target in
      bytes.withUnsafeBufferPointer { source in
        if let base = target.baseAddress { encode(source, into: base) }
      }
      return encodedCount(bytes.count)
    }
  }
}
