internal import SeedBuilder
internal import SeedModel

/// Which numbers a Decimal attribute can have, however they are spelled.
enum DecimalLimits {
  /// What an `NSDecimal` has: so many digits, times ten to the power of one of these.
  private static let mostDigits = 38
  private static let exponents = -128...127

  /// Whether a double is far from all limits, so that its text need not be looked at.
  ///
  /// It has at most 17 digits, and below this bound every whole number is exact.
  static func areFar(from number: Double) -> Bool {
    let magnitude = abs(number)
    return magnitude < 0x1p53 && (magnitude > 1e-100 || magnitude == 0)
  }

  /// Why a number is none that a Decimal can be, to follow the value; nil if it is one.
  static func fault(of digits: NumberDigits) -> String? {
    guard digits.digits.count <= mostDigits else {
      return "has more than the \(mostDigits) digits of a Decimal"
    }
    guard !exponents.contains(digits.exponent) else { return nil }
    return digits.exponent > 0
      ? "is too large for a Decimal, whose digits are followed by at most \(exponents.upperBound) zeros"
      : "is too small for a Decimal, which has at most \(-exponents.lowerBound) decimals"
  }

  /// The number that a column keeps of one that is no integer of 64 bits; nil when it keeps none.
  static func stored(_ digits: NumberDigits) -> Double? {
    var text = digits.text
    return text.withUTF8 { buffer in
      buffer.baseAddress.flatMap { DecimalText.exactValue($0, buffer.count) }
    }
  }
}
