/// A finite decimal number as it is written: `-`, digits, fraction, exponent.
internal struct DecimalNumber {
  private(set) var isNegative = false
  /// The digits without zeros at either end; none of zero.
  private(set) var digits: [UInt8] = []
  /// The power of ten to multiply the digits by.
  private(set) var exponent = 0
  /// How many digits stand behind the point.
  private(set) var decimalCount = 0
  /// Whether the last digit behind the point is a zero.
  private(set) var endsInZero = false
  /// Whether there is neither a fraction nor an exponent.
  private(set) var isWhole = true
  /// The number as it is written.
  private let literal: String

  /// A double's shortest form has no more digits.
  static let mostDigits = 17

  /// Reads a text; nil for one with a sign `+`, leading zeros, a point without digits behind it, or
  /// anything that is no number.
  init?(_ text: String) {
    literal = text
    var rest = Array(text.utf8)[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest = rest.dropFirst()
    }
    let whole = rest.prefix(while: Self.isDigit)
    guard whole.count < 2 || whole.first != UInt8(ascii: "0") else { return nil }
    rest = rest[whole.endIndex...]
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      isWhole = false
      fraction = rest.dropFirst().prefix(while: Self.isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest[fraction.endIndex...]
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    if !rest.isEmpty {
      guard let power = Self.power(rest) else { return nil }
      isWhole = false
      exponent = power
    }
    decimalCount = fraction.count
    endsInZero = fraction.last == UInt8(ascii: "0")
    exponent -= fraction.count
    digits = Array((whole + fraction).drop { $0 == UInt8(ascii: "0") })
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Reads `e`, a sign or none, and digits up to the end.
  private static func power(_ text: ArraySlice<UInt8>) -> Int? {
    guard let first = text.first, first | 0x20 == UInt8(ascii: "e") else { return nil }
    var digits = text.dropFirst()
    let isSigned = digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+")
    let isMinus = digits.first == UInt8(ascii: "-")
    if isSigned { digits = digits.dropFirst() }
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    // Saturates far outside of what a double can hold.
    let magnitude = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1 << 40) }
    return isMinus ? -magnitude : magnitude
  }

  /// The double that keeps the number exactly as it is written; nil when none does.
  ///
  /// It does when the shortest text that denotes the double is the same number. Nil too for a
  /// negative zero, an integer beyond 64 bits, and what overflows or underflows.
  var exactValue: Double? {
    guard !digits.isEmpty else { return isNegative ? nil : 0 }
    guard digits.count <= Self.mostDigits, !isWhole || Int64(literal) != nil,
      let value = Double(literal), value.isFinite,
      let shortest = DecimalNumber(value.magnitude.description),
      shortest.digits == digits, shortest.exponent == exponent
    else { return nil }
    return value
  }

  /// The one form of the number.
  var text: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let point = digits.count + exponent
    if exponent >= 0, point <= 18 {
      return sign + written() + String(repeating: "0", count: exponent)
    }
    if exponent < 0, point > 0 { return sign + written(pointAfter: point) }
    if exponent < 0, -point < 6 {
      return sign + "0." + String(repeating: "0", count: -point) + written()
    }
    return sign + written(pointAfter: 1) + "e\(point - 1)"
  }

  private func written(pointAfter point: Int = .max) -> String {
    guard point < digits.count else { return String(decoding: digits, as: UTF8.self) }
    return String(decoding: digits[..<point], as: UTF8.self) + "."
      + String(decoding: digits[point...], as: UTF8.self)
  }
}
