internal import CSQLite

/// Short forms for paths where speed does not matter: each call compiles its statement anew.
extension Connection {
  /// Runs one statement with values for its parameters, ignoring the rows it yields.
  package func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
    try prepare(sql, binding: values).run()
  }

  /// Calls a closure with the statement at each of its rows.
  ///
  /// - Throws: ``SQLiteError``, or what the closure throws.
  package func forEachRow(
    _ sql: String, _ values: SQLiteValue..., body: (Statement) throws -> Void
  ) throws {
    let statement = try prepare(sql, binding: values)
    while try statement.step() { try body(statement) }
  }

  /// All rows, each with its values in the order of the columns.
  package func rows(
    _ sql: String, _ values: SQLiteValue...
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try prepare(sql, binding: values)
    var rows: [[SQLiteValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.value($0) })
    }
    return rows
  }

  /// The first column of the first row as an integer; nil without a row or if it is NULL.
  package func scalarInteger(
    _ sql: String, _ values: SQLiteValue...
  ) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql, binding: values)
    guard try statement.step(), statement.columnType(0) != .null else { return nil }
    return statement.integer(0)
  }

  /// The first column of the first row as text; nil without a row or if it is NULL.
  package func scalarText(
    _ sql: String, _ values: SQLiteValue...
  ) throws(SQLiteError) -> String? {
    let statement = try prepare(sql, binding: values)
    guard try statement.step(), statement.columnType(0) != .null else { return nil }
    return statement.text(0)
  }

  private func prepare(
    _ sql: String, binding values: [SQLiteValue]
  ) throws(SQLiteError) -> Statement {
    let statement = try prepare(sql)
    precondition(statement.parameterCount == values.count, "one value for each parameter")
    for (index, value) in values.enumerated() { try statement.bind(Int32(index + 1), value) }
    return statement
  }
}
