internal import SeedModel

/// Numbers: an integer goes on as it is, any other one by its value.
extension JSONParse {
  /// Appends the number at `p` to the batch; `p` comes to stand behind it.
  ///
  /// - Returns: Whether it is written as an integer.
  /// - Throws: ``InputError``.
  @inline(__always)
  mutating func number(_ p: inout UnsafePointer<UInt8>) throws -> Bool {
    var cursor = p
    if cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
    let first = cursor
    while JSONParse.isDigit(cursor.pointee) { cursor += 1 }
    guard cursor > first, first.pointee != UInt8(ascii: "0") else {
      return try takeOtherNumber(&p)
    }
    let isInteger = cursor.pointee != UInt8(ascii: ".")
    if !isInteger {
      let point = cursor
      cursor += 1
      while JSONParse.isDigit(cursor.pointee) { cursor += 1 }
      // Has its one form already, as most have.
      guard cursor - point > 1, cursor[-1] != UInt8(ascii: "0"),
        cursor - first <= DecimalLiteral.mostDigits
      else { return try takeOtherNumber(&p) }
    }
    // The window's end, or an exponent.
    guard cursor.pointee != 0, cursor.pointee | 0x20 != UInt8(ascii: "e") else {
      return try takeOtherNumber(&p)
    }
    appendShort(p, count: cursor - p)
    p = cursor
    return isInteger
  }

  /// Copies eight bytes at a time, up to seven too many: the window has more than that behind it.
  @inline(__always)
  private mutating func appendShort(_ bytes: UnsafePointer<UInt8>, count: Int) {
    tokenizer.batch.reserve(count + 8)
    let target = UnsafeMutableRawPointer(tokenizer.batch.bytes + tokenizer.batch.byteCount)
    var offset = 0
    repeat {
      let word = UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self)
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset += 8
    } while offset < count
    tokenizer.batch.byteCount += count
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// What begins with zero, what may be written otherwise, what reaches to the window's end, and what
  /// is wrong.
  @inline(never)
  private mutating func takeOtherNumber(_ p: inout UnsafePointer<UInt8>) throws -> Bool {
    var scan = NumberScan(p)
    while scan.cursor == end, scan.cursor - p <= InputLimits.rowBytes, try refill(&p) {
      scan = NumberScan(p)
    }
    if scan.cursor - p > InputLimits.rowBytes {
      throw error(.tooLong(what: "a value", limit: InputLimits.rowBytes), at: tokenOffset)
    }
    if let fault = scan.fault { throw wrongNumber(fault, at: p, scan.cursor) }
    let count = scan.cursor - p
    if !scan.isInteger {
      DecimalLiteral.append(p, count: count, to: &tokenizer.batch)
    } else if count == 2, p[0] == UInt8(ascii: "-"), p[1] == UInt8(ascii: "0") {
      tokenizer.batch.append(byte: UInt8(ascii: "0"))
    } else {
      tokenizer.batch.append(bytes: p, count: count)
    }
    p = scan.cursor
    return scan.isInteger
  }

  /// What is wrong with a number.
  enum NumberFault {
    case noDigit, leadingZero, noFraction, noExponent
  }

  /// A look at a number (RFC 8259, section 6).
  private struct NumberScan {
    private(set) var cursor: UnsafePointer<UInt8>
    private(set) var isInteger = true
    private(set) var fault: NumberFault?

    init(_ start: UnsafePointer<UInt8>) {
      cursor = start
      fault = scan()
    }

    /// Goes to the number's end; what is wrong first.
    private mutating func scan() -> NumberFault? {
      if cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
      let first = cursor.pointee
      let count = skipDigits()
      if count == 0 { return .noDigit }
      let hasLeadingZero = count > 1 && first == UInt8(ascii: "0")
      if cursor.pointee == UInt8(ascii: ".") {
        isInteger = false
        cursor += 1
        if skipDigits() == 0 { return .noFraction }
      }
      if cursor.pointee | 0x20 == UInt8(ascii: "e") {
        isInteger = false
        cursor += 1
        if cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") {
          cursor += 1
        }
        if skipDigits() == 0 { return .noExponent }
      }
      return hasLeadingZero ? .leadingZero : nil
    }

    private mutating func skipDigits() -> Int {
      let start = cursor
      while JSONParse.isDigit(cursor.pointee) { cursor += 1 }
      return cursor - start
    }
  }
}
