internal import SeedModel
package import SeedSQLite

/// Reads the values of a row from its line, a JSON array, where they stand.
///
/// Texts are unescaped and blobs decoded in place, and the values point there: nothing is copied.
/// An LF must stand behind the line; no loop looks for the end otherwise, since an LF can be no part
/// of any value.
package struct RowScanner: ~Copyable {
  /// Why a line is no row.
  package enum Fault: Error {
    case notARow
    case wrongValueCount
    case badNumber
    case hugeNumber
    case badString
    case badUTF8
    case badEscape
    case badBase64
    case badObject
    case unknownValue
    case tooLong
  }

  /// How many values a row has.
  package let columnCount: Int
  /// The values of the row read last, which point into its line.
  package let values: UnsafeMutablePointer<BoundValue>

  /// A scanner for rows of so many values.
  ///
  /// - Parameter columnCount: How many values a row has.
  package init(columnCount: Int) {
    self.columnCount = columnCount
    values = .allocate(capacity: max(columnCount, 1))
    values.initialize(repeating: .null, count: max(columnCount, 1))
  }

  deinit {
    values.deallocate()
  }

  /// Reads a row.
  ///
  /// - Parameter line: The line without its LF, which stands behind it.
  /// - Throws: ``Fault``.
  package func scan(_ line: UnsafeMutableBufferPointer<UInt8>) throws(Fault) {
    guard var cursor = line.baseAddress else { throw .notARow }
    let end = cursor + line.count
    guard cursor.pointee == UInt8(ascii: "[") else { throw .notARow }
    cursor += 1
    var byteCount = 0
    for column in 0..<columnCount {
      if column > 0 {
        Self.skipBlanks(&cursor)
        guard cursor.pointee == UInt8(ascii: ",") else { throw .wrongValueCount }
        cursor += 1
      }
      Self.skipBlanks(&cursor)
      let value = try Self.value(&cursor)
      byteCount += Int(value.count)
      values[column] = value
    }
    Self.skipBlanks(&cursor)
    guard cursor.pointee == UInt8(ascii: "]") else {
      throw cursor.pointee == UInt8(ascii: ",") ? .wrongValueCount : .notARow
    }
    guard cursor + 1 == end else { throw .notARow }
    guard byteCount <= SegmentLimits.rowBytes else { throw .tooLong }
  }

  @inline(__always)
  private static func skipBlanks(_ cursor: inout UnsafeMutablePointer<UInt8>) {
    while cursor.pointee == 0x20 || cursor.pointee == 0x09 { cursor += 1 }
  }

  @inline(__always)
  private static func value(
    _ cursor: inout UnsafeMutablePointer<UInt8>
  ) throws(Fault) -> BoundValue {
    switch cursor.pointee {
    case UInt8(ascii: "\""):
      let (start, count) = try string(&cursor)
      return .text(start, count: count)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return try NumberScanner.number(&cursor)
    case UInt8(ascii: "n"):
      guard cursor[1] == UInt8(ascii: "u"), cursor[2] == UInt8(ascii: "l"),
        cursor[3] == UInt8(ascii: "l")
      else { throw .unknownValue }
      cursor += 4
      return .null
    case UInt8(ascii: "{"): return try object(&cursor)
    default: throw .unknownValue
    }
  }

  /// Reads a string, the cursor at its first quote, and unescapes it where it stands.
  private static func string(
    _ cursor: inout UnsafeMutablePointer<UInt8>
  ) throws(Fault) -> (start: UnsafeMutablePointer<UInt8>, count: Int) {
    cursor += 1
    let start = cursor
    var isASCII: UInt8 = 0
    while true {
      let byte = cursor.pointee
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") { return try escapedString(start, &cursor, isASCII) }
      if byte < 0x20 { throw .badString }
      isASCII |= byte
      cursor += 1
    }
    let count = cursor - start
    cursor += 1
    if isASCII >= 0x80, !UTF8Check.isValid(start, count: count) { throw .badUTF8 }
    return (start, count)
  }

  /// Goes on with a string at its first backslash.
  private static func escapedString(
    _ start: UnsafeMutablePointer<UInt8>, _ cursor: inout UnsafeMutablePointer<UInt8>,
    _ before: UInt8
  ) throws(Fault) -> (start: UnsafeMutablePointer<UInt8>, count: Int) {
    var target = cursor
    var isASCII = before
    while true {
      let byte = cursor.pointee
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 { throw .badString }
      if byte == UInt8(ascii: "\\") {
        try escape(&cursor, &target)
      } else {
        isASCII |= byte
        target.pointee = byte
        target += 1
        cursor += 1
      }
    }
    cursor += 1
    let count = target - start
    // What escapes stand for is written well formed.
    if isASCII >= 0x80, !UTF8Check.isValid(start, count: count) { throw .badUTF8 }
    return (start, count)
  }

  /// Writes what an escape stands for, which is never longer than the escape.
  private static func escape(
    _ cursor: inout UnsafeMutablePointer<UInt8>, _ target: inout UnsafeMutablePointer<UInt8>
  ) throws(Fault) {
    let letter = cursor[1]
    let plain: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = letter
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"): return try unicodeEscape(&cursor, &target)
    default: throw .badEscape
    }
    target.pointee = plain
    target += 1
    cursor += 2
  }

  private static func unicodeEscape(
    _ cursor: inout UnsafeMutablePointer<UInt8>, _ target: inout UnsafeMutablePointer<UInt8>
  ) throws(Fault) {
    var code = try hexadecimal(cursor + 2)
    cursor += 6
    if 0xDC00...0xDFFF ~= code { throw .badEscape }
    if 0xD800...0xDBFF ~= code {
      guard cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else {
        throw .badEscape
      }
      let low = try hexadecimal(cursor + 2)
      guard 0xDC00...0xDFFF ~= low else { throw .badEscape }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      cursor += 6
    }
    guard let scalar = Unicode.Scalar(code) else { throw .badEscape }
    for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
      target.pointee = byte
      target += 1
    }
  }

  private static func hexadecimal(
    _ digits: UnsafeMutablePointer<UInt8>
  ) throws(Fault) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<4 {
      let digit: UInt8
      switch digits[index] {
      case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: digit = byte - 0x30
      case let byte where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte: digit = byte - 0x57
      case let byte where UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte: digit = byte - 0x37
      // An LF among them ends the loop before it looks further.
      default: throw .badEscape
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads `{"b":"…"}`, `{"i":"…"}` or `{"r":"…"}`.
  private static func object(
    _ cursor: inout UnsafeMutablePointer<UInt8>
  ) throws(Fault) -> BoundValue {
    cursor += 1
    skipBlanks(&cursor)
    guard cursor.pointee == UInt8(ascii: "\"") else { throw .badObject }
    let (name, nameCount) = try string(&cursor)
    guard nameCount == 1 else { throw .badObject }
    let letter = name.pointee
    skipBlanks(&cursor)
    guard cursor.pointee == UInt8(ascii: ":") else { throw .badObject }
    cursor += 1
    skipBlanks(&cursor)
    guard cursor.pointee == UInt8(ascii: "\"") else { throw .badObject }
    let (text, count) = try string(&cursor)
    skipBlanks(&cursor)
    guard cursor.pointee == UInt8(ascii: "}") else { throw .badObject }
    cursor += 1
    switch letter {
    case UInt8(ascii: "b"):
      guard let byteCount = Base64.decode(text, count: count) else { throw .badBase64 }
      return .blob(text, count: byteCount)
    case UInt8(ascii: "i"):
      return .integer(try NumberScanner.integer(UnsafeBufferPointer(start: text, count: count)))
    case UInt8(ascii: "r"):
      switch String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self) {
      case "inf": return real(.infinity)
      case "-inf": return real(-.infinity)
      default: throw .badObject
      }
    default: throw .badObject
    }
  }

  @inline(__always)
  internal static func real(_ value: Double) -> BoundValue {
    BoundValue(kind: .real, count: 0, bits: value.bitPattern)
  }
}
