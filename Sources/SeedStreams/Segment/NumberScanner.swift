internal import SeedSQLite

/// Reads numbers by JSON's rules: those with a point or an exponent are floating-point numbers, all
/// others integers of at most 64 bits.
internal enum NumberScanner {
  /// Powers of ten that a Double holds exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Reads a number, the cursor at its first byte.
  ///
  /// - Throws: ``RowScanner/Fault``.
  @inline(__always)
  internal static func number(
    _ cursor: inout UnsafeMutablePointer<UInt8>
  ) throws(RowScanner.Fault) -> BoundValue {
    let start = cursor
    let isNegative = cursor.pointee == UInt8(ascii: "-")
    if isNegative { cursor += 1 }
    guard isDigit(cursor.pointee) else { throw .badNumber }
    let firstDigit = cursor
    // Beyond 19 digits it wraps, and is then not used.
    var mantissa: UInt64 = 0
    while isDigit(cursor.pointee) {
      mantissa = mantissa &* 10 &+ UInt64(cursor.pointee &- 0x30)
      cursor += 1
    }
    let digitCount = cursor - firstDigit
    if digitCount > 1, firstDigit.pointee == UInt8(ascii: "0") { throw .badNumber }
    let next = cursor.pointee
    if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      return try real(
        start, &cursor, isNegative: isNegative, mantissa: mantissa, digitCount: digitCount)
    }
    return .integer(
      try signed(mantissa, isNegative: isNegative, digitCount: digitCount))
  }

  /// An integer from its digits, of which 19 always fit into 64 bits without a sign.
  private static func signed(
    _ mantissa: UInt64, isNegative: Bool, digitCount: Int
  ) throws(RowScanner.Fault) -> Int64 {
    guard digitCount <= 19 else { throw .hugeNumber }
    if isNegative {
      guard mantissa <= UInt64(Int64.max) + 1 else { throw .hugeNumber }
      return Int64(bitPattern: 0 &- mantissa)
    }
    guard mantissa <= UInt64(Int64.max) else { throw .hugeNumber }
    return Int64(mantissa)
  }

  /// An integer that is a text's all.
  ///
  /// - Throws: ``RowScanner/Fault``.
  internal static func integer(
    _ text: UnsafeBufferPointer<UInt8>
  ) throws(RowScanner.Fault) -> Int64 {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    guard let first = digits.first, digits.allSatisfy({ isDigit($0) }),
      digits.count == 1 || first != UInt8(ascii: "0")
    else { throw .badNumber }
    guard let value = Int64(String(decoding: text, as: UTF8.self)) else { throw .hugeNumber }
    return value
  }

  /// Goes on at the point or the exponent.
  private static func real(
    _ start: UnsafeMutablePointer<UInt8>, _ cursor: inout UnsafeMutablePointer<UInt8>,
    isNegative: Bool, mantissa: UInt64, digitCount: Int
  ) throws(RowScanner.Fault) -> BoundValue {
    var mantissa = mantissa
    var digitCount = digitCount
    var exponent = 0
    if cursor.pointee == UInt8(ascii: ".") {
      cursor += 1
      let fraction = cursor
      while isDigit(cursor.pointee) {
        mantissa = mantissa &* 10 &+ UInt64(cursor.pointee &- 0x30)
        cursor += 1
      }
      guard cursor > fraction else { throw .badNumber }
      exponent = -(cursor - fraction)
      digitCount += cursor - fraction
    }
    if cursor.pointee | 0x20 == UInt8(ascii: "e") {
      cursor += 1
      let isSmall = cursor.pointee == UInt8(ascii: "-")
      if isSmall || cursor.pointee == UInt8(ascii: "+") { cursor += 1 }
      guard isDigit(cursor.pointee) else { throw .badNumber }
      var written = 0
      while isDigit(cursor.pointee) {
        written = min(written * 10 + Int(cursor.pointee &- 0x30), 100_000)
        cursor += 1
      }
      exponent += isSmall ? -written : written
    }
    // Both are exact, so the one operation rounds correctly.
    if digitCount <= 19, mantissa <= 1 << 53, -22...22 ~= exponent {
      let whole = Double(mantissa)
      let value = exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent]
      return RowScanner.real(isNegative ? -value : value)
    }
    let text = UnsafeBufferPointer(start: start, count: cursor - start)
    guard let value = Double(String(decoding: text, as: UTF8.self)) else { throw .badNumber }
    guard value.isFinite else { throw .hugeNumber }
    return RowScanner.real(value)
  }
}
