import SeedSQLite

/// Goes through the rows of a query, one after the other.
struct RowCursor {
  /// The query, at the current row.
  let statement: Statement
  /// Whether there is a current row.
  private(set) var hasRow = false

  /// Starts before the first row.
  ///
  /// - Throws: ``SQLiteError`` when there are no such columns.
  init(_ sql: String, on connection: Connection) throws(SQLiteError) {
    statement = try connection.prepare(sql)
  }

  /// Goes to the next row.
  ///
  /// - Throws: ``SQLiteError`` when it cannot be read.
  mutating func advance() throws(SQLiteError) {
    hasRow = try statement.step()
  }
}
