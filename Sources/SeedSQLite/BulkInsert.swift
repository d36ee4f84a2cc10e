internal import CSQLite

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
  private let fixedColumns: [Int: Fixed]
  /// The columns whose values are bound.
  private let boundColumns: [Int]

  /// What stands in the statement in place of a column's values.
  package enum Fixed: Sendable {
    /// Nothing: SQLite numbers the rows itself.
    case left
    /// The same number in each row.
    case integer(Int64)
  }

  /// Prepares inserts into a table.
  ///
  /// - Parameters:
  ///   - table: The table's name as SQL writes it.
  ///   - columns: The columns' names as SQL writes them; every row has a value for each.
  ///   - fixedColumns: Columns, by number, whose values in the rows are not looked at.
  ///   - rowCapacity: How many rows go into one statement.
  ///   - connection: The database.
  /// - Precondition: Some column is bound.
  /// - Throws: ``SQLiteError``, when there is no such table.
  package init(
    into table: String, columns: [String], fixedColumns: [Int: Fixed] = [:], rowCapacity: Int,
    connection: Connection
  ) throws(SQLiteError) {
    boundColumns = columns.indices.filter { fixedColumns[$0] == nil }
    precondition(!boundColumns.isEmpty && rowCapacity > 0)
    self.connection = connection
    self.fixedColumns = fixedColumns
    let named = columns.indices.filter {
      if case .left? = fixedColumns[$0] { false } else { true }
    }
    let list = named.map { columns[$0] }.joined(separator: ",")
    head = "INSERT OR IGNORE INTO \(table) (\(list)) VALUES "
    columnCount = columns.count
    self.rowCapacity = rowCapacity
    single = try connection.prepare(
      head + Self.rows(1, columnCount: columnCount, fixed: fixedColumns))
  }

  private static func rows(
    _ rowCount: Int, columnCount: Int, fixed: [Int: Fixed]
  ) -> String {
    let values = (0..<columnCount).compactMap { column -> String? in
      switch fixed[column] {
      case nil: "?"
      case .integer(let number): String(number)
      case .left: nil
      }
    }
    let row = "(\(values.joined(separator: ",")))"
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
      head + Self.rows(rowCapacity, columnCount: columnCount, fixed: fixedColumns))
    several = statement
    return statement
  }

  private func run(
    _ statement: Statement, _ values: UnsafePointer<BoundValue>, rowCount: Int
  ) throws(SQLiteError) -> Bool {
    let handle = statement.handle
    var parameter: Int32 = 0
    for row in 0..<rowCount {
      let first = values + row * columnCount
      for column in boundColumns {
        parameter &+= 1
        let code = Statement.bind(handle, parameter, first + column)
        if code != SQLITE_OK { throw statement.failure(code) }
      }
    }
    try statement.run()
    return connection.changes == Int64(rowCount)
  }
}
