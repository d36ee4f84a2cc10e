/// Decimal numbers that people write and most programs do not: `+5`, `05.5`, `5.`, `.5`, `-0.0`.
enum DecimalSpelling {
  /// The same number in its common spelling.
  ///
  /// - Precondition: The text is a number.
  static func common(_ text: String) -> String {
    var digits = text[...]
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    let exponentStart = digits.firstIndex { $0 == "e" || $0 == "E" } ?? digits.endIndex
    let exponent = digits[exponentStart...]
    var mantissa = digits[..<exponentStart].drop { $0 == "0" }
    guard mantissa.contains(where: { $0 != "." && $0 != "0" }) else { return "0" }
    if mantissa.last == "." { mantissa.removeLast() }
    return (isNegative ? "-" : "") + (mantissa.first == "." ? "0" : "") + mantissa + exponent
  }
}
