#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A finite decimal number as written: `-`? digits, fraction, exponent.
///
/// Refused are a sign `+`, leading zeros (`007.5`), a point without digits after it (`5.`), and
/// words such as `inf`: what is written so is a code or a text more often than a number.
package struct DecimalText {
  var isNegative = false
  /// Whether there is neither a fraction nor an exponent.
  var isInteger = true
  /// How many digits stand behind the point.
  var decimals: Int32 = 0
  /// Whether the last of several decimals is a zero.
  var hasTrailingZero = false
  /// Whether the only decimal is a zero, as most programs write a whole number that may have others:
  /// `12.0`, which is what SQLite's own text of the number is too.
  var hasZeroTenth = false
  /// The digits as one number: exact for up to nineteen digits, else meaningless.
  var mantissa: UInt64 = 0
  /// How many digits the mantissa has, from the first that is not zero.
  var digitCount = 0
  /// The power of ten to multiply the mantissa by.
  var exponent = 0

  /// The most digits, counted without zeros at either end, that a double's shortest form has.
  private static let maximumDigits = 17
  /// Up to so many digits every decimal number survives the way through a normal double.
  private static let safeDigits = 15

  /// Reads the whole text, or says nil when it is not such a number.
  @inline(__always)
  init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    var index = 0
    if count > 0, bytes[0] == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    let integerStart = index
    while index < count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      index &+= 1
    }
    let integerCount = index &- integerStart
    if integerCount > 0, bytes[integerStart] == UInt8(ascii: "0") {
      guard integerCount == 1 else { return nil }
    } else {
      digitCount = integerCount
    }
    if index < count, bytes[index] == UInt8(ascii: ".") {
      index &+= 1
      let start = index
      while index < count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        if digitCount != 0 || digit != 0 { digitCount &+= 1 }
        index &+= 1
      }
      guard index > start else { return nil }
      isInteger = false
      decimals = Int32(truncatingIfNeeded: min(index &- start, Int(Int32.max)))
      let endsInZero = bytes[index &- 1] == UInt8(ascii: "0")
      hasTrailingZero = endsInZero && decimals > 1
      hasZeroTenth = endsInZero && decimals == 1
      exponent = start &- index
    } else if integerCount == 0 {
      return nil
    }
    guard index < count else { return }
    guard let power = DecimalText.exponent(bytes, from: index, count) else { return nil }
    isInteger = false
    exponent &+= power
  }

  /// Reads `e`, a sign or none, and digits up to the end.
  private static func exponent(
    _ bytes: UnsafePointer<UInt8>, from start: Int, _ count: Int
  ) -> Int? {
    var index = start
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    var isMinus = false
    if index < count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isMinus = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    guard index < count else { return nil }
    var magnitude = 0
    while index < count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      // Saturates far outside of what a double can hold, whatever the mantissa's length.
      magnitude = min(magnitude * 10 + Int(digit), 1 << 40)
      index += 1
    }
    return isMinus ? -magnitude : magnitude
  }
}

extension DecimalText {
  /// The double, when few digits and a small exponent make it exact by one operation.
  ///
  /// Both operands are exact in a double then, and IEEE 754 rounds their product or quotient
  /// correctly (Clinger); at most fifteen digits always come back as written. Nil says nothing
  /// about the number: ask ``exactValue(_:_:)``.
  @inline(__always)
  var quickValue: Double? {
    guard digitCount <= DecimalText.safeDigits, exponent >= -22, exponent <= 22, mantissa != 0
    else { return mantissa == 0 && digitCount == 0 && !isNegative ? 0 : nil }
    let magnitude = Double(mantissa)
    let value =
      exponent < 0
      ? magnitude / powerOfTen(-exponent) : magnitude * powerOfTen(exponent)
    return isNegative ? -value : value
  }

  /// The double that keeps the number exactly as written, or nil when none does.
  ///
  /// It does when the shortest text that denotes the double is the same decimal number. Nil too
  /// for a negative zero, an integer beyond 64 bits, and what overflows or underflows.
  func exactValue(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    if let value = quickValue { return value }
    guard digitCount > 0, !isInteger || isWithin64Bits,
      let reduced = reduced(bytes, count), reduced.digitCount <= DecimalText.maximumDigits
    else { return nil }
    if let value = reduced.quickValue { return value }
    let magnitude = reduced.nearestMagnitude
    guard magnitude.isFinite, magnitude > 0 else { return nil }
    // Below the normal range a double has fewer than fifteen digits to give.
    if reduced.digitCount > DecimalText.safeDigits || magnitude < .leastNormalMagnitude {
      guard reduced.isShortest(for: magnitude) else { return nil }
    }
    return isNegative ? -magnitude : magnitude
  }

  /// The same for a text not read yet.
  ///
  /// Never inlined, and reads the text anew: a caller that has read it already can then keep what
  /// it knows in registers on the way where ``quickValue`` suffices.
  @inline(never)
  package static func exactValue(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    DecimalText(bytes, count)?.exactValue(bytes, count)
  }

  private var isWithin64Bits: Bool {
    digitCount < 19
      || (digitCount == 19
        && (mantissa <= UInt64(Int64.max) || (isNegative && mantissa == Int64.min.magnitude)))
  }

  /// The same number with no zeros at the mantissa's end, or nil when it has over 19 digits then.
  private func reduced(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> DecimalText? {
    var result = self
    if digitCount > 19 {
      guard result.readLongMantissa(bytes, count) else { return nil }
    }
    while result.mantissa % 10 == 0 {
      result.mantissa /= 10
      result.digitCount -= 1
      result.exponent += 1
    }
    return result
  }

  /// Reads a mantissa of more than nineteen digits, whose end may be nothing but zeros.
  private mutating func readLongMantissa(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var read = 0
    var value: UInt64 = 0
    for index in 0..<count {
      let byte = bytes[index]
      if byte | 0x20 == UInt8(ascii: "e") { break }
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9, read > 0 || digit != 0 else { continue }
      if read < 19 {
        value = value * 10 + UInt64(digit)
      } else if digit != 0 {
        return false
      }
      read += 1
    }
    mantissa = value
    exponent += digitCount - 19
    digitCount = 19
    return true
  }

  /// The double nearest to the number without its sign; infinite or zero outside of the range.
  private var nearestMagnitude: Double {
    guard exponent > -400, exponent < 400 else { return exponent < 0 ? 0 : .infinity }
    if exponent < 0, exponent >= -19 { return quotient(by: DecimalText.integerPower(-exponent)) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      var end = 0
      func put(_ byte: UInt8) {
        buffer[end] = CChar(bitPattern: byte)
        end += 1
      }
      func put(digitsOf number: UInt64) {
        if number >= 10 { put(digitsOf: number / 10) }
        put(UInt8(ascii: "0") + UInt8(number % 10))
      }
      put(digitsOf: mantissa)
      put(UInt8(ascii: "e"))
      if exponent < 0 { put(UInt8(ascii: "-")) }
      put(digitsOf: UInt64(exponent.magnitude))
      buffer[end] = 0
      guard let start = buffer.baseAddress else { return .nan }
      // Reads a point by the locale, but there is none, and the process never sets a locale.
      return strtod(start, nil)
    }
  }

  /// The double nearest to the mantissa divided by an integer, by exact arithmetic.
  ///
  /// Measured: a sixth of the time of `strtod`, for what a program prints of a double near 1.
  private func quotient(by divisor: UInt64) -> Double {
    // Both are shifted to the top bit; the quotient then has 63 or 64 bits, over 53 by far.
    let shift = mantissa.leadingZeroBitCount
    let divisorShift = divisor.leadingZeroBitCount
    let dividend = mantissa << UInt64(shift)
    let (high, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth(
      (dividend >> 1, dividend << 63))
    // The last bit only tells on which side of a tie the number lies.
    let sticky = high | (remainder == 0 ? 0 : 1)
    return Double(sign: .plus, exponent: divisorShift - shift - 63, significand: Double(sticky))
  }

  /// Ten to the given power of 0 to 19, as an integer.
  private static func integerPower(_ exponent: Int) -> UInt64 {
    var result: UInt64 = 1
    for _ in 0..<exponent { result *= 10 }
    return result
  }

  /// Whether the shortest text of the double denotes this number, which is reduced already.
  private func isShortest(for magnitude: Double) -> Bool {
    var text = magnitude.description
    return text.withUTF8 { utf8 in
      guard let start = utf8.baseAddress, let shortest = DecimalText(start, utf8.count),
        let reduced = shortest.reduced(start, utf8.count)
      else { return false }
      return reduced.mantissa == mantissa && reduced.exponent == exponent
    }
  }
}

/// Ten to the given power of 0 to 22: those that a double holds exactly.
@inline(__always)
private func powerOfTen(_ exponent: Int) -> Double {
  switch exponent {
  case 0: 1e0
  case 1: 1e1
  case 2: 1e2
  case 3: 1e3
  case 4: 1e4
  case 5: 1e5
  case 6: 1e6
  case 7: 1e7
  case 8: 1e8
  case 9: 1e9
  case 10: 1e10
  case 11: 1e11
  case 12: 1e12
  case 13: 1e13
  case 14: 1e14
  case 15: 1e15
  case 16: 1e16
  case 17: 1e17
  case 18: 1e18
  case 19: 1e19
  case 20: 1e20
  case 21: 1e21
  default: 1e22
  }
}
