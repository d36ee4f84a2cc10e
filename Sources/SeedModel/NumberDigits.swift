/// A decimal number by what it says and not by how it is spelled: `1e2`, `100.0` and `+0100` are alike.
package struct NumberDigits: Sendable, Hashable {
  /// Whether it is less than zero.
  package let isNegative: Bool
  /// Its digits, in ASCII, without zeros at either end: none of zero.
  package let digits: [UInt8]
  /// The power of ten of the last digit; zero if there is none.
  package let exponent: Int

  /// The most that an exponent counts, far from what any number type knows.
  private static let farthest = 1 << 40

  /// Reads a sign, digits with one point or none, and an exponent; nil if the text is something else.
  package init?(_ text: some Sequence<UInt8>) {
    var (hasDigits, hasPoint, isMinus) = (false, false, false)
    var digits: [UInt8] = []
    var exponent = 0
    var iterator = text.makeIterator()
    var next = iterator.next()
    if let sign = next, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isMinus = sign == UInt8(ascii: "-")
      next = iterator.next()
    }
    while let byte = next {
      if byte &- UInt8(ascii: "0") <= 9 {
        hasDigits = true
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
        if hasPoint { exponent -= 1 }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        break
      }
      next = iterator.next()
    }
    guard hasDigits else { return nil }
    if let byte = next {
      guard byte | 0x20 == UInt8(ascii: "e"), let power = Self.power(&iterator) else { return nil }
      exponent += power
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
    isNegative = isMinus && !digits.isEmpty
  }

  /// Reads what stands behind `e`, up to the end.
  private static func power(_ rest: inout some IteratorProtocol<UInt8>) -> Int? {
    var next = rest.next()
    let isMinus = next == UInt8(ascii: "-")
    if isMinus || next == UInt8(ascii: "+") { next = rest.next() }
    guard next != nil else { return nil }
    var result = 0
    while let byte = next {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      result = min(result * 10 + Int(digit), farthest)
      next = rest.next()
    }
    return isMinus ? -result : result
  }

  /// Whether it is zero.
  package var isZero: Bool { digits.isEmpty }

  /// Whether it has no fraction.
  package var isWhole: Bool { exponent >= 0 }

  /// A whole number without its sign, if 64 bits hold that.
  package var magnitude: UInt64? {
    guard isWhole, digits.count + exponent <= 20 else { return nil }
    return UInt64(String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent))
      ?? (isZero ? 0 : nil)
  }

  /// A whole number, if 64 bits hold it with its sign.
  package var integer: Int64? {
    magnitude.flatMap { Int64("\(isNegative ? "-" : "")\($0)") }
  }

  /// The number in one spelling: digits and a power of ten.
  package var text: String {
    guard !isZero else { return "0" }
    return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + "e\(exponent)"
  }
}
