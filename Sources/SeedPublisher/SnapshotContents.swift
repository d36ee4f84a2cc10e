internal import SeedSQLite
internal import SeedStreams

/// What of a database the copy keeps that everybody can fetch: what the stream carries.
///
/// Clients read nothing else of a snapshot, and what the owner has not named is not meant for them.
struct SnapshotContents {
  let tables: [PublishedTable]
  let connection: Connection

  /// Takes everything else out of a copy.
  ///
  /// Columns stay, for the constraints that the table has on them, without their values.
  ///
  /// - Returns: The columns whose values had to stay, since constraints hold them there.
  /// - Throws: ``SQLiteError``.
  func reduce() throws(SQLiteError) -> [PublishedColumn] {
    let others = try names(
      """
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_seed%' ESCAPE '\\'
      """
    ).filter { name in !tables.contains { $0.table.name == name } }
    var columns: [(table: StreamTable, name: String, filler: String, isKey: Bool)] = []
    for table in tables.map(\.table) { columns += try ownColumns(of: table) }
    guard !others.isEmpty || !columns.isEmpty else { return [] }
    try dropPrograms()
    for name in try names(Self.tables) where others.contains(name) {
      try connection.execute("DROP TABLE main.\(SQLiteName.quoted(name))")
    }
    var kept: [PublishedColumn] = []
    for column in columns {
      if !column.isKey, try clear(column.name, of: column.table, column.filler) { continue }
      kept.append(PublishedColumn(table: column.table.name, column: column.name))
    }
    // Samples of values.
    for name in try names("SELECT name FROM sqlite_schema WHERE name = 'sqlite_stat4'") {
      try connection.execute("DELETE FROM \(name)")
    }
    // What was taken out is in the file's free pages until then.
    try connection.execute("VACUUM")
    return kept
  }

  private static let tables =
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"

  /// Takes out triggers, which would run, views, and virtual tables, whose modules need not be there;
  /// their content lies in ordinary tables.
  private func dropPrograms() throws(SQLiteError) {
    try connection.execute(
      """
      PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON;
      DELETE FROM sqlite_schema WHERE type IN ('trigger', 'view') OR (type = 'table' AND rootpage = 0);
      PRAGMA writable_schema = RESET;
      """)
  }

  /// The stored columns of a table that the stream does not carry, each with what says least.
  private func ownColumns(
    of table: StreamTable
  ) throws(SQLiteError) -> [(table: StreamTable, name: String, filler: String, isKey: Bool)] {
    let rows = try connection.rows(
      """
      SELECT name, type, "notnull", pk,
        (SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name = ?1)
      FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid
      """, .text(table.name))
    return rows.compactMap { row in
      guard case .text(let name) = row[0], case .text(let type) = row[1],
        !table.columns.contains(where: { $0.name == name })
      else { return nil }
      let affinity = ColumnAffinity.name(ofType: type, isStrict: row[4] != .integer(0))
      let zero = affinity == "TEXT" ? "''" : affinity == "BLOB" ? "x''" : "0"
      return (table, name, row[2] == .integer(0) ? "NULL" : zero, row[3] != .integer(0))
    }
  }

  /// Takes the values out of a column, where its constraints allow that.
  private func clear(
    _ column: String, of table: StreamTable, _ filler: String
  ) throws(SQLiteError) -> Bool {
    let name = SQLiteName.quoted(column)
    do throws(SQLiteError) {
      try connection.execute(
        "UPDATE main.\(SQLiteName.quoted(table.name)) SET \(name) = \(filler) "
          + "WHERE \(name) IS NOT \(filler)")
      return true
    } catch {
      guard error.constraint != nil else { throw error }
      return false
    }
  }

  private func names(_ query: String) throws(SQLiteError) -> [String] {
    try connection.rows(query).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }
}
