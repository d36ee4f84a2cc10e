internal import SeedModel

/// What becomes of a number as one of 32 or 64 bits with a fraction.
package enum RealText {
  private static let fault = "would become another number"

  /// Why a number must not be stored.
  ///
  /// A fraction is rounded to what it stands for, as every reader does. A whole number, however it is
  /// spelled, would become another one, and a very small one nothing. What a program writes of a number
  /// of this type is no other one, such as `1e23`.
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
    // Digits alone are a number like 64 bits hold, of which each digit counts.
    if let whole = digits.magnitude, !text.contains(where: isOfReal) {
      let isExact = isFloat ? Float(exactly: whole) != nil : Double(exactly: whole) != nil
      return isExact ? nil : fault
    }
    let hasManyDigits = number.isFinite && abs(number) >= 0x1p53
    // Programs write all digits of a real number, or as few as tell it from others; those that tell
    // a double tell the same number of 32 bits, too.
    let isExact =
      isFloat && digits == NumberDigits("\(Float(number))".utf8)
      || stored == number
        && (digits == NumberDigits("\(number)".utf8)
          || hasManyDigits && digits == NumberDigits(allDigits(of: number)))
    return isExact ? nil : fault
  }

  /// Whether a byte stands in real numbers only: a point, or the `e` before an exponent.
  private static func isOfReal(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }

  /// The sign and the digits of a whole number of at least 2^53, in ASCII.
  private static func allDigits(of number: Double) -> [UInt8] {
    let base: UInt64 = 1_000_000_000
    // Nine digits each, the last ones first.
    var limbs: [UInt64] = []
    var rest = number.significandBitPattern | 1 << 52
    while rest > 0 {
      limbs.append(rest % base)
      rest /= base
    }
    for _ in 0..<(Int(number.exponent) - 52) {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let doubled = limbs[index] * 2 + carry
        limbs[index] = doubled % base
        carry = doubled / base
      }
      if carry > 0 { limbs.append(carry) }
    }
    let digits = limbs.reversed().flatMap { limb in
      let text = String(limb)
      return Array((String(repeating: "0", count: 9 - text.count) + text).utf8)
    }
    return number < 0 ? [UInt8(ascii: "-")] + digits : digits
  }
}
