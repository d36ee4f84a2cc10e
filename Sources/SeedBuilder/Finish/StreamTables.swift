internal import SeedModel
internal import SeedSQLite

/// Finds the tables and columns that streams are ruled to carry, and has them written down.
struct StreamTables {
  let declaration: StreamDeclaration
  /// The tables whose keys are numbers that the build gave the records.
  var numberedTables: Set<String> = []
  /// Takes what the owner should know.
  var onDiagnostic: ((Diagnostic) -> Void)?

  /// Writes the declaration when all tables are there.
  ///
  /// - Throws: ``BuildError`` when a table or column does not exist, cannot be told apart by a key, or
  ///   belongs to two streams; ``SQLiteError``.
  func write(to connection: Connection) throws {
    var report = MisfitReport()
    let names = try TableNames(connection)
    var streamOfTable: [String: String] = [:]
    for rule in declaration.rules {
      var tables: [StreamDeclaration.Table] = []
      for item in rule.tables {
        guard let table = try names.table(item, &report) else { continue }
        if let other = streamOfTable.updateValue(rule.name, forKey: table.name) {
          report.add(
            "table \"\(table.name)\" belongs to stream \"\(other)\" already", at: table.location,
            hint: "leave the table to one stream, and name it there once")
          continue
        }
        try remarkOnNumbers(table, of: rule.name, connection)
        try remarkOnUnfilled(table, of: rule.name, connection)
        tables.append(table)
      }
      for problem in try declaration.write(rule.name, tables, connection) {
        report.add(problem, kind: problem.message)
      }
    }
    try report.check()
  }

  private func remarkOnNumbers(
    _ table: StreamDeclaration.Table, of stream: String, _ connection: Connection
  ) throws(SQLiteError) {
    guard numberedTables.contains(table.name) else { return }
    if let key = table.key {
      let primary = try TableNames.names(
        "SELECT name FROM pragma_table_info(\(SQLiteText.literal(table.name))) WHERE pk",
        connection)
      guard key == primary else { return }
    }
    onDiagnostic?(
      NumberedKeys.remark(
        "stream \"\(stream)\" carries \"\(table.name)\"", at: table.location))
  }

  /// A stream that carries some columns inserts rows without the others.
  private func remarkOnUnfilled(
    _ table: StreamDeclaration.Table, of stream: String, _ connection: Connection
  ) throws(SQLiteError) {
    guard let columns = table.columns else { return }
    let key = table.key?.map { SQLiteText.literal($0) }.joined(separator: ", ")
    let unfilled = try TableNames.names(
      """
      SELECT name FROM pragma_table_xinfo(\(SQLiteText.literal(table.name)))
      WHERE hidden = 0 AND "notnull" AND upper(coalesce(dflt_value, 'NULL')) = 'NULL'
      AND NOT (pk AND upper(type) = 'INTEGER') AND NOT \(key.map { "name IN (\($0))" } ?? "pk")
      ORDER BY cid
      """, connection)
    for name in unfilled where !columns.contains(name) {
      onDiagnostic?(
        Diagnostic(
          .warning,
          "stream \"\(stream)\" cannot insert rows into \"\(table.name)\": it does not carry column "
            + "\"\(name)\", which is NOT NULL without a DEFAULT",
          at: table.location,
          hint: "name it in \"columns\", or give it a DEFAULT in a schema of your own"))
    }
  }
}

/// The tables and columns of a database by the names that rules give them.
private struct TableNames {
  let connection: Connection
  let tables: [String]

  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    tables = try Self.names(
      """
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_seed%' ESCAPE '\\' ORDER BY name
      """, connection)
  }

  /// A table of a rule; nil when it or a column is not there, which the report then has.
  func table(
    _ rule: StreamRule.Table, _ report: inout MisfitReport
  ) throws(SQLiteError) -> StreamDeclaration.Table? {
    guard let name = Self.match(rule.name.value, in: tables) else {
      report.add(
        "there is no table \"\(rule.name.value)\" for a stream to carry", at: rule.name.location,
        hint: Suggestion.nearest(to: rule.name.value, in: tables)
          .map { "did you mean \"\($0)\"?" }
          ?? "tables are \(tables.prefix(8).joined(separator: ", "))")
      return nil
    }
    let columns = try Self.names(
      "SELECT name FROM pragma_table_xinfo(\(SQLiteText.literal(name))) WHERE hidden = 0",
      connection)
    var isWhole = true
    func matched(_ names: [Located<String>]?) -> [String]? {
      names?.compactMap { name in
        if let column = Self.match(name.value, in: columns) { return column }
        isWhole = false
        report.add(
          "table \"\(rule.name.value)\" has no column \"\(name.value)\" for a stream to carry",
          at: name.location,
          hint: Suggestion.nearest(to: name.value, in: columns).map { "did you mean \"\($0)\"?" }
            ?? "generated columns are not carried: they follow from the others")
        return nil
      }
    }
    let table = StreamDeclaration.Table(
      name: name, key: matched(rule.key), columns: matched(rule.columns),
      location: rule.name.location)
    return isWhole ? table : nil
  }

  private static func match(_ name: String, in names: [String]) -> String? {
    names.first { $0 == name } ?? names.first { NameMatch.folded($0) == NameMatch.folded(name) }
  }

  static func names(
    _ query: String, _ connection: Connection
  ) throws(SQLiteError) -> [String] {
    try connection.rows(query).compactMap { if case .text(let name) = $0[0] { name } else { nil } }
  }
}
