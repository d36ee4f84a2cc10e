internal import SeedSQLite

/// Updates the rows of a section that are there already, where inserting and updating cannot be one
/// statement.
final class RowUpdate {
  /// Sets the columns of one row, whose values are the parameters; nil where there are none to set.
  let statement: Statement?
  private let search: Statement
  private let columnCount: Int
  private let table: String

  init(
    _ layout: TableLayout, columns: [LayoutColumn], _ connection: Connection
  ) throws(MergeError) {
    columnCount = columns.count
    table = layout.name
    let source = SQLText.values(columns)
    let sql = layout.update(setting: columns, from: source)
    (statement, search) = try MergeError.at(layout.name) { () throws(SQLiteError) in
      let search = try connection.prepare(
        "SELECT 1 FROM \(source) AS s CROSS JOIN \(layout.sql) AS t "
          + "WHERE \(layout.keyEquals("t", "s"))")
      guard let sql else { return (nil, search) }
      return (try connection.prepare(sql), search)
    }
  }

  /// Whether a row with the key of this one is there.
  func hasRow(_ row: UnsafePointer<BoundValue>) throws(MergeError) -> Bool {
    try MergeError.at(table) { () throws(SQLiteError) in
      try search.bindUncopied(row, count: columnCount)
      let isThere = try search.step()
      search.reset()
      return isThere
    }
  }
}

extension TableLayout {
  /// The statement that updates the rows that are there and differ.
  ///
  /// - Parameters:
  ///   - columns: The columns that are set.
  ///   - source: A query or table in SQL that has the rows.
  ///   - clause: What stands behind UPDATE; without it, what the table calls for.
  /// - Returns: The statement; nil where no column can be set.
  func update(
    setting columns: [LayoutColumn], from source: String, clause: String? = nil
  ) -> String? {
    let set = settable(columns)
    guard !set.isEmpty else { return nil }
    let values = set.map { "\($0.sql) = s.\($0.sql)" }.joined(separator: ", ")
    return """
      UPDATE \(clause ?? conflictClause)\(sql) AS t SET \(values) FROM \(source) AS s \
      WHERE \(keyEquals("t", "s")) AND (\(SQLText.differ(set, "t", "s")))
      """
  }
}
