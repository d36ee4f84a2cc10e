internal import SeedMerge
internal import SeedSQLite

/// The full-text tables of a seed that index the rows of another table (`content=`).
///
/// SQLite does not keep them: without triggers their index still has the words of the old rows
/// after a merge, and lacks those of the new ones.
internal struct SearchTables {
  private struct Table {
    var name: String
    var sql: String
    /// The table or view that has the rows.
    var content: String
  }

  private let connection: Connection
  private let snapshot: String
  private var stale: [Table] = []
  private var missing: [Table] = []

  /// New virtual tables that cannot be filled, a line for each.
  internal private(set) var refusals: [String] = []

  /// Looks what the seed has.
  ///
  /// - Parameters:
  ///   - connection: The database, with the seed attached.
  ///   - snapshot: The name under which the seed is attached.
  ///   - merged: The tables to be merged.
  /// - Throws: ``SQLiteError``.
  internal init(
    _ connection: Connection, snapshot: String, merged: [DeclaredTable]
  ) throws(SQLiteError) {
    self.connection = connection
    self.snapshot = snapshot
    let written = Set(merged.map(\.name.folded))
    let rows = try connection.rows(
      """
      SELECT l.name, m.sql FROM pragma_table_list AS l
      JOIN \(SQLiteName.quoted(snapshot)).sqlite_schema AS m ON m.name = l.name
      WHERE l.schema = ? AND l.type = 'virtual' ORDER BY l.name
      """, .text(snapshot))
    for row in rows {
      guard case .text(let name) = row[0], case .text(let sql) = row[1] else { continue }
      let content = SchemaText.fullTextContent(in: sql)
      let own = try connection.scalarText(
        "SELECT sql FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE", .text(name))
      guard let own else {
        guard let content else {
          refusals.append(
            "virtual table \"\(name)\" is new in the seed and cannot be filled by a merge")
          continue
        }
        missing.append(Table(name: name, sql: sql, content: content))
        continue
      }
      guard let content, SchemaText.isSame(own, sql), try !isKeptByTrigger(name) else { continue }
      let isView = try connection.scalarInteger(
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE",
        .text(content))
      guard isView != nil || written.contains(content.folded) else { continue }
      stale.append(Table(name: name, sql: sql, content: content))
    }
  }

  private func isKeptByTrigger(_ name: String) throws(SQLiteError) -> Bool {
    let triggers = try connection.rows("SELECT sql FROM main.sqlite_schema WHERE type = 'trigger'")
    return triggers.contains { row in
      if case .text(let sql) = row[0] { SchemaText.names(name, in: sql) } else { false }
    }
  }

  /// Makes the tables that are missing, and builds the indexes anew.
  ///
  /// - Parameter hasWritten: Whether the merge has changed rows.
  /// - Throws: ``SQLiteError`` for what is no fault of the tables; that is a refusal.
  internal mutating func rebuild(hasWritten: Bool) throws(SQLiteError) {
    for table in missing + (hasWritten ? stale : []) {
      let name = SQLiteName.quoted(table.name)
      do throws(SQLiteError) {
        if missing.contains(where: { $0.name == table.name }) { try connection.execute(table.sql) }
        try connection.run("INSERT INTO main.\(name)(\(name)) VALUES ('rebuild')")
      } catch {
        // SQLITE_ERROR: a tokenizer of the app's, or a content table that is none.
        guard error.primaryCode == 1 else { throw error }
        refusals.append("virtual table \"\(table.name)\" cannot be built: \(error.message)")
      }
    }
  }
}
