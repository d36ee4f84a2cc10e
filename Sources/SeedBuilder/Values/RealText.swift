internal import SeedModel

/// What becomes of a number as one of 32 or 64 bits with a fraction.
package enum RealText {
  /// Why a number must not be stored.
  ///
  /// A fraction is rounded to what it stands for, as every reader does. A whole number, however it is
  /// spelled, would become another one, and a very small one nothing.
  ///
  /// - Parameters:
  ///   - text: The number as it is written.
  ///   - number: What the text stands for.
  ///   - isFloat: Whether it is to have 32 bits.
  /// - Returns: What to say after the value; nil if it may be stored.
  package static func change(
    of text: UnsafeBufferPointer<UInt8>, _ number: Double, isFloat: Bool = false
  ) -> String? {
    let stored = isFloat ? Double(Float(number)) : number
    if stored == 0 {
      return NumberDigits(text)?.isZero == false ? "is too small and would become 0" : nil
    }
    // Up to here every whole number has a form of its own.
    guard abs(number) >= (isFloat ? 0x1p24 : 0x1p53), let digits = NumberDigits(text),
      digits.isWhole
    else { return nil }
    let isExact: Bool
    if let whole = digits.magnitude {
      isExact = isFloat ? Float(exactly: whole) != nil : Double(exactly: whole) != nil
    } else {
      // Beyond 64 bits, a number is the one whose shortest spelling has the same digits.
      isExact = digits == NumberDigits((isFloat ? "\(Float(number))" : "\(number)").utf8)
    }
    return isExact ? nil : "would become another number"
  }
}
