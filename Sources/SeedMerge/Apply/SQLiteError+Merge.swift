internal import SeedSQLite

extension SQLiteError {
  /// Whether another row has a value that only one may have.
  var isDuplicate: Bool { constraint == .unique || constraint == .primaryKey }
}
