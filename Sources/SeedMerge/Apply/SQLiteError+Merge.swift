internal import SeedSQLite

extension SQLiteError {
  /// Whether another row has a value that only one may have.
  var isDuplicate: Bool { constraint == .unique || constraint == .primaryKey }
  /// Whether a row lacks a value, or has one by default that does not do.
  var isLack: Bool { constraint == .notNull || constraint == .check }
}
