internal import SeedMerge
internal import SeedSQLite

/// Finds the rows of a new seed that lack a value for a column that is NOT NULL in the database.
///
/// For a merge that failed already: SQLite names the column, and no row.
internal struct MissingValues {
  internal let connection: Connection
  internal let snapshot: String

  /// What to tell of a table that could not be written.
  ///
  /// - Parameter table: The table's name.
  /// - Returns: A line for each column, with the first row; none where something else has failed.
  /// - Throws: ``SQLiteError``.
  internal func lines(of table: String) throws(SQLiteError) -> [String] {
    let key: [String]
    do throws(MergeError) {
      key = try DeclaredTable.read(table, schema: snapshot, on: connection).key
    } catch {
      if let cause = error.sqlite { throw cause }
      return []
    }
    let columns = try connection.rows(
      """
      SELECT n.name FROM pragma_table_xinfo(?1, 'main') AS o JOIN pragma_table_xinfo(?1, ?2) AS n
      ON n.name = o.name COLLATE NOCASE WHERE o."notnull" AND NOT n."notnull" AND NOT n.hidden
      ORDER BY n.cid
      """, .text(table), .text(snapshot))
    var lines: [String] = []
    for row in columns {
      guard case .text(let column) = row[0] else { continue }
      if let line = try line(column, table, key) { lines.append(line) }
    }
    return lines
  }

  private func line(
    _ column: String, _ table: String, _ key: [String]
  ) throws(SQLiteError) -> String? {
    let source = "\(SQLiteName.quoted(snapshot)).\(SQLiteName.quoted(table))"
    let names = key.map { SQLiteName.quoted($0) }
    let shown = names.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
    let condition = "\(SQLiteName.quoted(column)) IS NULL"
    let first = try connection.scalarText(
      """
      SELECT \(shown) FROM \(source) WHERE \(condition)
      ORDER BY \(names.joined(separator: ", ")) LIMIT 1
      """)
    guard let first else { return nil }
    let count = try connection.scalarInteger("SELECT count(*) FROM \(source) WHERE \(condition)")
    let others = (count ?? 1) - 1
    return "table \"\(table)\": row \(first) of the seed"
      + (others > 0 ? " and \(others) more have" : " has")
      + " no value in \"\(column)\", which is NOT NULL in the database"
  }
}
