package import SeedSQLite

/// A row that refers to a row that is not there.
package struct ForeignKeyViolation: Sendable, Hashable, CustomStringConvertible {
  /// The table of the row that refers.
  package var table: String
  /// The row; nil in a WITHOUT ROWID table, for which SQLite does not say it.
  package var rowID: Int64?
  /// The table that is referred to.
  package var parent: String
  /// The columns that refer.
  package var columns: [String]

  /// A violation from its parts.
  package init(table: String, rowID: Int64?, parent: String, columns: [String]) {
    self.table = table
    self.rowID = rowID
    self.parent = parent
    self.columns = columns
  }

  /// The row and what it refers to: `row 7 of "favourite" refers by "product" to no row of "product"`.
  package var description: String {
    let row = rowID.map { "row \($0)" } ?? "a row"
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "\(row) of \"\(table)\" refers by \(names) to no row of \"\(parent)\""
  }

  /// Finds the dangling references from and to tables.
  ///
  /// Reads the referring tables as a whole, so it is for a transaction that failed already. What
  /// dangled before the transaction, as it can where foreign keys are not enforced, is in the list
  /// as well.
  ///
  /// - Parameters:
  ///   - tables: The tables that were written.
  ///   - connection: The database, with the failed transaction still open.
  ///   - limit: The greatest number of violations that are wanted.
  /// - Returns: The violations, table by table.
  /// - Throws: ``SQLiteError``.
  package static func find(
    aroundTables tables: [String], on connection: Connection, limit: Int = 100
  ) throws(SQLiteError) -> [ForeignKeyViolation] {
    var found: [ForeignKeyViolation] = []
    for table in try referringTables(tables, connection) {
      let check = try connection.prepare(
        "SELECT \"table\", rowid, parent, fkid FROM pragma_foreign_key_check(?, 'main')")
      try check.bind(1, .text(table))
      while found.count < limit, try check.step() {
        let number = check.integer(3)
        found.append(
          ForeignKeyViolation(
            table: check.text(0), rowID: check.columnType(1) == .null ? nil : check.integer(1),
            parent: check.text(2), columns: try columns(ofKey: number, table, connection)))
      }
    }
    return found
  }

  /// The tables themselves, as far as they refer to others, and those that refer to them.
  private static func referringTables(
    _ tables: [String], _ connection: Connection
  ) throws(SQLiteError) -> [String] {
    let wanted = Set(tables.map(SQLNames.folded))
    let keys = try connection.rows(
      """
      SELECT m.name, f."table" FROM main.sqlite_schema AS m,
      pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table' ORDER BY m.name
      """)
    var names: [String] = []
    for key in keys {
      guard case .text(let child) = key[0], case .text(let parent) = key[1] else { continue }
      guard wanted.contains(SQLNames.folded(child)) || wanted.contains(SQLNames.folded(parent))
      else { continue }
      if names.last != child { names.append(child) }
    }
    return names
  }

  private static func columns(
    ofKey number: Int64, _ table: String, _ connection: Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(
      "SELECT \"from\" FROM pragma_foreign_key_list(?, 'main') WHERE id = ? ORDER BY seq",
      .text(table), .integer(number)
    ).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }
}
