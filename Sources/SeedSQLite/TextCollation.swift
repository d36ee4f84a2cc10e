/// The ways of SQLite to put texts in order.
package enum TextCollation: String, Sendable, Hashable {
  case binary = "BINARY"
  case noCase = "NOCASE"
  case rightTrimmed = "RTRIM"

  /// The collation of a name, in any case of letters; nil if only some application knows it.
  package init?(named name: String) {
    self.init(rawValue: name.uppercased())
  }

  /// The order of two texts in UTF-8: negative, zero or positive.
  package func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .binary:
      let common = StoredCell.common(first, second)
      return common != 0 ? common : first.count - second.count
    case .noCase:
      let common = Self.orderIgnoringCase(first, second)
      return common != 0 ? common : first.count - second.count
    case .rightTrimmed:
      return Self.binary.order(Self.trimmed(first), Self.trimmed(second))
    }
  }

  /// The order of the bytes that both have, with the ASCII letters in lower case.
  ///
  /// SQLite stops at a NUL and takes what comes behind it for equal.
  private static func orderIgnoringCase(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) -> Int {
    for index in 0..<min(first.count, second.count) {
      let (a, b) = (lowercased(first[index]), lowercased(second[index]))
      if a != b { return Int(a) - Int(b) }
      if a == 0 { return 0 }
    }
    return 0
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var count = text.count
    while count > 0, text[count - 1] == UInt8(ascii: " ") { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: text[..<count])
  }
}

extension StoredCell {
  /// The order that SQLite gives two values: NULL, numbers by value, texts, blobs.
  ///
  /// - Parameters:
  ///   - first: The one value.
  ///   - second: The other one.
  ///   - collation: How texts are compared.
  /// - Returns: A negative number, zero or a positive number.
  package static func order(
    _ first: StoredCell, _ second: StoredCell, _ collation: TextCollation
  ) -> Int {
    switch (first, second) {
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.real(let a), .real(let b)): order(a, b)
    case (.integer(let a), .real(let b)): order(a, b)
    case (.real(let a), .integer(let b)): -order(b, a)
    case (.text(let a), .text(let b)): collation.order(a, b)
    case (.blob(let a), .blob(let b)): TextCollation.binary.order(a, b)
    default: first.rank - second.rank
    }
  }

  /// The order of the storage classes among each other.
  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order<Number: Comparable>(_ first: Number, _ second: Number) -> Int {
    first < second ? -1 : first > second ? 1 : 0
  }

  /// Compares exactly, as SQLite does: not every integer is a double.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    if real < -0x1p63 { return 1 }
    if real >= 0x1p63 { return -1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    return order(Double(integer), real)
  }
}
