import SeedSQLite

/// A column by which rows are put in order, and how.
struct KeyColumn: Hashable {
  /// The ways of SQLite to compare texts.
  enum Collation: String, Hashable {
    case binary = "BINARY"
    case noCase = "NOCASE"
    case rightTrimmed = "RTRIM"

    /// The collation of a name; one that only some application knows is taken for the bytes' order.
    ///
    /// Keys that differ for it differ in their bytes too, so that they still identify a row.
    init(named name: String) {
      self = Collation(rawValue: name.uppercased()) ?? .binary
    }

    /// The order of two texts in UTF-8: negative, zero or positive.
    func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
      switch self {
      case .binary:
        let common = StoredValue.common(first, second)
        return common != 0 ? common : first.count - second.count
      case .noCase:
        let common = Self.orderIgnoringCase(first, second)
        return common != 0 ? common : first.count - second.count
      case .rightTrimmed:
        return Collation.binary.order(Self.trimmed(first), Self.trimmed(second))
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

  /// The column's name.
  var name: String
  var collation: Collation = .binary
  var isDescending = false
  /// Whether this is the rowid of a virtual table, which orders by it without a collation only.
  var isVirtualRowID = false

  /// The column as a term of ORDER BY, in a database whose BINARY is the order of UTF-8 or not.
  func orderTerm(isUTF8: Bool) -> String {
    let name = SQLiteName.quoted(name)
    guard !isVirtualRowID else { return name }
    let isOwn = collation == .binary && !isUTF8
    return "\(name) COLLATE \(isOwn ? Connection.byteOrderCollation : collation.rawValue)"
      + (isDescending ? " DESC" : "")
  }

  /// The name as SQLite compares it.
  var foldedName: String { SchemaNaming.folded(name) }

  /// Whether two columns tell the same rows apart; in which direction they sort does not matter.
  func identifiesLike(_ other: KeyColumn) -> Bool {
    foldedName == other.foldedName && collation == other.collation
  }
}
