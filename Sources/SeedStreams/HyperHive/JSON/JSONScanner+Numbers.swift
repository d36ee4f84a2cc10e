internal import SeedModel

/// A number as JSON writes it.
internal struct JSONNumber {
  /// Where its literal starts, counted from the mark, and its bytes.
  internal var start: Int
  internal var count: Int
  /// The value of a number without fraction and exponent; nil for others and beyond 64 bits.
  internal var integer: Int64?
  /// Whether it has neither fraction nor exponent.
  internal var isWhole: Bool
}

extension JSONScanner {
  /// A number, whose first byte is the next one; a mark must be set.
  internal mutating func number() throws -> JSONNumber {
    let start = position - mark
    var isNegative = false
    if try peekByte() == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    var magnitude: UInt64 = 0
    var isHuge = false
    let first = try peekByte()
    var digitCount = 0
    while let byte = try peekByte(), Self.isDigit(byte) {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      if overflow || carry { isHuge = true }
      magnitude = sum
      digitCount += 1
      position += 1
    }
    if first == nil { throw problem(.endsEarly) }
    guard digitCount > 0, first != UInt8(ascii: "0") || digitCount == 1 else {
      throw problem(.malformedNumber)
    }
    let isWhole = try !takeFraction()
    var integer: Int64?
    if isWhole, !isHuge {
      if isNegative {
        integer = magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
      } else {
        integer = Int64(exactly: magnitude)
      }
    }
    return JSONNumber(
      start: start, count: position - mark - start, integer: integer, isWhole: isWhole)
  }

  /// Takes what follows the whole part, and checks that the number ends there.
  ///
  /// - Returns: Whether there is a fraction or an exponent.
  private mutating func takeFraction() throws -> Bool {
    var isThere = false
    if try peekByte() == UInt8(ascii: ".") {
      isThere = true
      position += 1
      try takeDigits()
    }
    if let byte = try peekByte(), byte | 0x20 == UInt8(ascii: "e") {
      isThere = true
      position += 1
      if let sign = try peekByte(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        position += 1
      }
      try takeDigits()
    }
    if let byte = try peekByte(), byte >= 0x80 || Self.isWordPart(byte) {
      throw problem(.malformedNumber)
    }
    return isThere
  }

  private mutating func takeDigits() throws {
    var count = 0
    while let byte = try peekByte(), Self.isDigit(byte) {
      position += 1
      count += 1
    }
    if count == 0 {
      throw problem(try peekByte() == nil ? .endsEarly : .malformedNumber)
    }
  }

  /// The value of a number as a double, correctly rounded.
  ///
  /// - Throws: ``JSONProblem`` beyond the range of a double.
  internal func real(_ number: JSONNumber) throws -> Double {
    if let integer = number.integer { return Double(integer) }
    let bytes = UnsafeBufferPointer(start: window.base + mark + number.start, count: number.count)
    if let value = Self.simpleDecimal(bytes) { return value }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      throw problem(.hugeNumber)
    }
    return value
  }

  /// A decimal of at most 15 digits without exponent: both parts of the quotient are exact then, so
  /// it is rounded once.
  private static func simpleDecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var mantissa: UInt64 = 0
    var digitCount = 0
    var fractionCount = 0
    var isFraction = false
    var isNegative = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        mantissa = mantissa &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
        digitCount += 1
        if isFraction { fractionCount += 1 }
      default: return nil
      }
    }
    guard digitCount <= 15 else { return nil }
    let value = Double(mantissa) / powersOfTen[fractionCount]
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  @inline(__always)
  internal static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }

  internal static func isWordPart(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }
}
