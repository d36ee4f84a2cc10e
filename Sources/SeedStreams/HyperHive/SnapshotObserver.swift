package import SeedSQLite

/// Sees the rows that a snapshot puts into new tables, so that nobody has to read them again.
package protocol SnapshotObserver: AnyObject {
  /// Says that rows of a table follow, which has none so far.
  ///
  /// - Parameters:
  ///   - table: The table's name in the database.
  ///   - types: The declared types of its columns: INTEGER, REAL or TEXT.
  ///   - keyColumn: The column that is the rowid; nil when SQLite numbers the rows.
  func start(_ table: String, types: [String], keyColumn: Int?)
  /// Takes rows that went in behind the others, a value for each column of each.
  func take(_ values: UnsafePointer<BoundValue>, rowCount: Int)
  /// Says that some rows of the table have taken the place of others.
  func discard()
}
