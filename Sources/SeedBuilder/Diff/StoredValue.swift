import SeedSQLite

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
        first.count == second.count && TextCollation.binary.order(first, second) == 0
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
    _ first: Statement, _ second: Statement, _ column: Int32, _ collation: TextCollation
  ) -> Int {
    StoredCell.order(first.cell(column), second.cell(column), collation)
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
}
