/// What becomes of a number as a Float or a Double of Core Data.
enum RealText {
  /// Why a number must not be stored.
  ///
  /// A fraction is rounded to what it stands for, as every reader does. A whole number would become
  /// another one, and a very small one nothing.
  ///
  /// - Parameters:
  ///   - text: The number as it is written.
  ///   - number: What the text stands for.
  ///   - isFloat: Whether it is to be a Float.
  /// - Returns: What to say after the value; nil if it may be stored.
  static func change(of text: String, _ number: Double, isFloat: Bool) -> String? {
    let stored = isFloat ? Double(Float(number)) : number
    if stored == 0 {
      return significant(text).isEmpty ? nil : "is too small and would become 0"
    }
    let unsigned = text.utf8.first.map(isDigit) == true ? text[...] : text.dropFirst()
    guard unsigned.utf8.allSatisfy(isDigit) else { return nil }
    let isExact: Bool
    if let whole = UInt64(unsigned) {
      isExact = isFloat ? Float(exactly: whole) != nil : Double(exactly: whole) != nil
    } else {
      // Beyond 64 bits, a number is the one whose shortest spelling has the same digits.
      isExact = significant(isFloat ? "\(Float(number))" : "\(number)") == significant(text)
    }
    return isExact ? nil : "would become another number"
  }

  /// The digits of a number without its exponent and without zeros at either end.
  private static func significant(_ text: String) -> [UInt8] {
    var digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter(isDigit)
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
