import SeedSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Compares values of two rows where they lie, without copying them.
enum StoredValue {
  /// Whether two values have the same storage class and the same bytes.
  ///
  /// `1` is not `1.0` and not `'1'`; NULL equals NULL and nothing else.
  static func areEqual(_ first: Statement, _ second: Statement, _ column: Int32) -> Bool {
    let type = first.columnType(column)
    guard type == second.columnType(column) else { return false }
    switch type {
    case .null: return true
    case .integer: return first.integer(column) == second.integer(column)
    case .real: return first.real(column).bitPattern == second.real(column).bitPattern
    case .text, .blob:
      return withBytes(first, second, column) { first, second in
        first.count == second.count && common(first, second) == 0
      }
    }
  }

  /// Where two texts or two blobs begin to differ; 0 for all other values.
  static func firstDifference(_ first: Statement, _ second: Statement, _ column: Int32) -> Int {
    let type = first.columnType(column)
    guard type == second.columnType(column), type == .text || type == .blob else { return 0 }
    return withBytes(first, second, column) { first, second in
      zip(first, second).prefix { $0 == $1 }.count
    }
  }

  /// The order that SQLite gives two values: NULL, numbers by value, texts, blobs.
  ///
  /// - Returns: A negative number, zero or a positive number.
  static func order(
    _ first: Statement, _ second: Statement, _ column: Int32, _ collation: KeyColumn.Collation
  ) -> Int {
    let types = (first.columnType(column), second.columnType(column))
    switch types {
    case (.integer, .integer): return order(first.integer(column), second.integer(column))
    case (.real, .real): return order(first.real(column), second.real(column))
    case (.integer, .real): return order(first.integer(column), second.real(column))
    case (.real, .integer): return -order(second.integer(column), first.real(column))
    case (.text, .text):
      return withBytes(first, second, column) { collation.order($0, $1) }
    case (.blob, .blob):
      return withBytes(first, second, column) { KeyColumn.Collation.binary.order($0, $1) }
    default: return rank(types.0) - rank(types.1)
    }
  }

  /// The order of the storage classes among each other.
  private static func rank(_ type: ColumnType) -> Int {
    switch type {
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

  /// Lends the bytes of two texts or of two blobs.
  private static func withBytes<Result>(
    _ first: Statement, _ second: Statement, _ column: Int32,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard first.columnType(column) == .text else {
      return first.withBlobBytes(column) { first in
        second.withBlobBytes(column) { second in body(first, second) }
      }
    }
    return first.withTextBytes(column) { first in
      second.withTextBytes(column) { second in
        body(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second))
      }
    }
  }

  /// The order of the bytes that both have.
  static func common(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let count = min(first.count, second.count)
    guard count > 0, let a = first.baseAddress, let b = second.baseAddress else { return 0 }
    return Int(memcmp(a, b, count))
  }
}
