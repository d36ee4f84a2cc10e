internal import SeedModel
internal import SeedSQLite

/// The table `_seed_owned`, which tells an app update what is the seed's and what is the app's.
///
/// A row with a column's name says that the seed owns this column of a table; a row without one,
/// that it owns the whole table. It travels in the database, so that the app needs nothing else.
struct OwnershipTable {
  /// The name of the table; names that begin with `_seed` are reserved.
  static let name = "_seed_owned"

  let rules: [OwnedTable]
  /// The tables whose keys are numbers that the build gave the records.
  var numberedTables: Set<String> = []
  /// Takes what the owner should know.
  var onDiagnostic: ((Diagnostic) -> Void)?

  /// Makes the table, if anything is declared.
  ///
  /// - Throws: ``BuildError`` when a table or column does not exist, ``SQLiteError``.
  func write(to connection: Connection) throws {
    guard !rules.isEmpty else { return }
    var report = MisfitReport()
    var rows: [(table: String, column: String?)] = []
    let tables = try names(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_seed%' ESCAPE '\\'",
      connection)
    for rule in rules {
      guard let table = match(rule.table, in: tables) else {
        report.add(
          "there is no table \"\(rule.table)\" to own", at: rule.location,
          hint: Suggestion.nearest(to: rule.table, in: tables).map { "did you mean \"\($0)\"?" })
        continue
      }
      remarkOnNumbers(table, rule)
      let columns = try names(
        "SELECT name FROM pragma_table_info(\(SQLiteText.literal(table)))", connection)
      if rule.columns.isEmpty { rows.append((table, nil)) }
      for name in rule.columns {
        guard let column = match(name, in: columns) else {
          report.add(
            "table \"\(table)\" has no column \"\(name)\" to own", at: rule.location,
            hint: Suggestion.nearest(to: name, in: columns).map { "did you mean \"\($0)\"?" })
          continue
        }
        rows.append((table, column))
      }
    }
    try report.check()
    try connection.execute(
      """
      CREATE TABLE \(OwnershipTable.name)(\
      table_name TEXT NOT NULL, column_name TEXT, UNIQUE(table_name, column_name))
      """)
    for row in rows {
      try connection.run(
        "INSERT INTO \(OwnershipTable.name) VALUES (?, ?)", .text(row.table),
        row.column.map { .text($0) } ?? .null)
    }
  }

  private func remarkOnNumbers(_ table: String, _ rule: OwnedTable) {
    guard numberedTables.contains(table) else { return }
    onDiagnostic?(NumberedKeys.remark("the seed owns \"\(table)\"", at: rule.location))
  }

  private func match(_ name: String, in names: [String]) -> String? {
    names.first { $0 == name } ?? names.first { NameMatch.folded($0) == NameMatch.folded(name) }
  }

  private func names(_ query: String, _ connection: Connection) throws -> [String] {
    try connection.rows(query).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }
}
