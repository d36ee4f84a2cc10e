internal import SeedModel

/// A decimal number in the one form that all ways to write its value have.
///
/// `1.50` and `15e-1` are `1.5`, `1E3` is `1000`. The inference of types looks at how values are
/// written, where that says something; in JSON it says which program wrote them.
enum DecimalLiteral {
  /// A double's shortest form has no more digits; one with more is a number that it cannot hold.
  static let mostDigits = 17
  /// Integers of so many digits are 64-bit integers.
  private static let mostIntegerDigits = 18
  /// Doubles reach so far, in powers of ten.
  private static let exponents = -300...308
  /// Numbers with more zeros than these behind the point are written with an exponent.
  private static let mostLeadingZeros = 6

  /// Appends the one form of a number that has a fraction or an exponent.
  ///
  /// One that a double cannot hold stays as it is written, and with it the column is text.
  ///
  /// - Parameters:
  ///   - literal: The number, as the grammar of JSON has it.
  ///   - count: Its bytes.
  ///   - batch: Takes the form.
  static func append(
    _ literal: UnsafePointer<UInt8>, count: Int, to batch: inout TokenBatch
  ) {
    guard let number = Decimal(literal, count), exponents.contains(number.leadingExponent) else {
      batch.append(bytes: literal, count: count)
      return
    }
    batch.reserve(2 * mostIntegerDigits + mostLeadingZeros)
    if number.mantissa == 0 { return batch.append(byte: UInt8(ascii: "0")) }
    if number.isNegative { batch.append(byte: UInt8(ascii: "-")) }
    write(number, to: &batch)
  }

  /// Appends the one form of a double; words for what is no number.
  static func append(_ value: Double, to batch: inout TokenBatch) {
    guard value.isFinite else {
      let word = value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
      for byte in word.utf8 { batch.append(byte: byte) }
      return
    }
    var text = value.description
    text.withUTF8 { bytes in
      if let start = bytes.baseAddress { append(start, count: bytes.count, to: &batch) }
    }
  }

  private static func write(_ number: Decimal, to batch: inout TokenBatch) {
    let point = number.digitCount + number.exponent
    if number.exponent >= 0, point <= mostIntegerDigits {
      writeDigits(number, to: &batch)
      for _ in 0..<number.exponent { batch.append(byte: UInt8(ascii: "0")) }
    } else if number.exponent < 0, point > 0 {
      writeDigits(number, pointAfter: point, to: &batch)
    } else if number.exponent < 0, -point < mostLeadingZeros {
      batch.append(byte: UInt8(ascii: "0"))
      batch.append(byte: UInt8(ascii: "."))
      for _ in 0..<(-point) { batch.append(byte: UInt8(ascii: "0")) }
      writeDigits(number, to: &batch)
    } else {
      writeDigits(number, pointAfter: 1, to: &batch)
      batch.append(byte: UInt8(ascii: "e"))
      for byte in String(point - 1).utf8 { batch.append(byte: byte) }
    }
  }

  private static func writeDigits(
    _ number: Decimal, pointAfter point: Int = .max, to batch: inout TokenBatch
  ) {
    batch.reserve(number.digitCount + 1)
    let hasPoint = point < number.digitCount
    var target = batch.bytes + (batch.byteCount + number.digitCount + (hasPoint ? 1 : 0))
    batch.byteCount = target - batch.bytes
    var rest = number.mantissa
    var left = number.digitCount
    while left > 0 {
      if left == point, hasPoint {
        target -= 1
        target.pointee = UInt8(ascii: ".")
      }
      target -= 1
      target.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      left -= 1
    }
  }

  /// A number as an integer without zeros at its end, times a power of ten.
  private struct Decimal {
    var isNegative = false
    var mantissa: UInt64 = 0
    var digitCount = 0
    var exponent = 0

    /// The power of ten of the first digit.
    var leadingExponent: Int { mantissa == 0 ? 0 : digitCount + exponent - 1 }

    /// Nil when the number has too many digits.
    init?(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
      var index = 0
      if bytes[0] == UInt8(ascii: "-") {
        isNegative = true
        index = 1
      }
      var isFraction = false
      // Zeros that count only if another digit follows.
      var zeroCount = 0
      while index < count {
        let byte = bytes[index]
        if byte == UInt8(ascii: ".") {
          isFraction = true
        } else if byte == UInt8(ascii: "0") {
          if digitCount > 0 { zeroCount += 1 }
          if isFraction { exponent -= 1 }
        } else {
          guard byte >= UInt8(ascii: "1"), byte <= UInt8(ascii: "9") else { break }
          guard add(byte - UInt8(ascii: "0"), afterZeros: zeroCount) else { return nil }
          zeroCount = 0
          if isFraction { exponent -= 1 }
        }
        index += 1
      }
      // Those at the end do not belong to the mantissa.
      exponent += zeroCount
      if index < count { exponent += Decimal.exponent(bytes, from: index + 1, count) }
    }

    private mutating func add(_ digit: UInt8, afterZeros zeroCount: Int) -> Bool {
      digitCount += zeroCount + 1
      guard digitCount <= DecimalLiteral.mostDigits else { return false }
      for _ in 0..<zeroCount { mantissa *= 10 }
      mantissa = mantissa * 10 + UInt64(digit)
      return true
    }

    private static func exponent(
      _ bytes: UnsafePointer<UInt8>, from start: Int, _ count: Int
    ) -> Int {
      let isSigned = bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+")
      var magnitude = 0
      for index in (isSigned ? start + 1 : start)..<count {
        // Far outside of what a double holds, whatever the digits before it are.
        magnitude = min(magnitude * 10 + Int(bytes[index] - UInt8(ascii: "0")), 1 << 40)
      }
      return bytes[start] == UInt8(ascii: "-") ? -magnitude : magnitude
    }
  }
}
