/// Numbers as texts, by the rules of a build: what a column of numbers takes, and the one form that a
/// decimal of JSON has.
internal enum NumberText {
  /// The integer that a text denotes; nil when it would be written otherwise, as `007`, `+5` or `-0`
  /// would, or needs more than 64 bits.
  static func integer(_ text: String) -> Int64? {
    guard let value = Int64(text), text.utf8.first != UInt8(ascii: "+"), String(value) == text
    else { return nil }
    return value
  }

  /// A number of JSON in the one form that all ways to write its value have: `1.50` and `15e-1` are
  /// `1.5`; one that a double cannot hold stays as it is.
  static func canonical(_ literal: String) -> String {
    guard literal.utf8.contains(where: { [0x2E, 0x45, 0x65].contains($0) }) else {
      return literal == "-0" ? "0" : literal
    }
    guard let number = DecimalNumber(literal), number.digits.count <= DecimalNumber.mostDigits,
      number.digits.isEmpty || (-300...308).contains(number.digits.count + number.exponent - 1)
    else { return literal }
    return number.text
  }
}
