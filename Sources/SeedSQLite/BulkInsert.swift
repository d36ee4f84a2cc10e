/// Inserts rows of one table, several with one run of one statement.
///
/// Starting and ending a statement takes SQLite a third of the time of an insert; a statement with
/// room for many rows spends it once for all of them. Values are bound by pointer, without a copy.
/// Confined to the thread that uses its ``Connection`` just then.
package final class BulkInsert {
  /// How many values a row has.
  package let columnCount: Int
  /// How many rows one statement takes.
  package let rowCapacity: Int
  private let connection: Connection
  /// The statement up to the rows.
  private let head: String
  private let single: Statement
  private var several: Statement?

  /// Prepares inserts into a table.
  ///
  /// - Parameters:
  ///   - table: The table's name as SQL writes it.
  ///   - columns: The columns' names as SQL writes them; every row has a value for each.
  ///   - rowCapacity: How many rows go into one statement.
  ///   - connection: The database.
  /// - Throws: ``SQLiteError``, when there is no such table.
  package init(
    into table: String, columns: [String], rowCapacity: Int, connection: Connection
  ) throws(SQLiteError) {
    precondition(!columns.isEmpty && rowCapacity > 0)
    self.connection = connection
    head = "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ","))) VALUES "
    columnCount = columns.count
    self.rowCapacity = rowCapacity
    single = try connection.prepare(head + Self.rows(1, columnCount: columnCount))
  }

  private static func rows(_ rowCount: Int, columnCount: Int) -> String {
    let row = "(" + Array(repeating: "?", count: columnCount).joined(separator: ",") + ")"
    return Array(repeating: row, count: rowCount).joined(separator: ",")
  }

  /// Inserts rows; their texts need not stay afterwards.
  ///
  /// - Parameters:
  ///   - values: The values, row by row.
  ///   - rowCount: How many rows there are; those that fill a statement go in with one run.
  /// - Returns: False when a row was not inserted because its key was taken.
  /// - Throws: ``SQLiteError``.
  package func insert(
    _ values: UnsafePointer<BoundValue>, rowCount: Int
  ) throws(SQLiteError) -> Bool {
    if rowCount == rowCapacity, rowCount > 1 {
      return try run(preparedForSeveral(), values, rowCount: rowCount)
    }
    var hasInserted = true
    for row in 0..<rowCount {
      if try !run(single, values + row * columnCount, rowCount: 1) { hasInserted = false }
    }
    return hasInserted
  }

  /// Prepared when it is first needed: most tables of a document have few rows.
  private func preparedForSeveral() throws(SQLiteError) -> Statement {
    if let several { return several }
    let statement = try connection.prepare(
      head + Self.rows(rowCapacity, columnCount: columnCount))
    several = statement
    return statement
  }

  private func run(
    _ statement: Statement, _ values: UnsafePointer<BoundValue>, rowCount: Int
  ) throws(SQLiteError) -> Bool {
    try statement.bindUncopied(values, count: rowCount * columnCount)
    try statement.run()
    return connection.changes == Int64(rowCount)
  }
}
