internal import SeedBuilder
internal import SeedSQLite

extension TemplateConstraints {
  /// The rows whose foreign keys, which the template declares and Core Data does not, lead nowhere.
  ///
  /// To be asked when all tables of the template are there.
  /// - Returns: At most so many as are shown.
  /// - Throws: ``SQLiteError``.
  func dangling(_ connection: Connection) throws -> [StoreChecks.Finding] {
    var findings: [StoreChecks.Finding] = []
    for table in plan.layout.tables {
      let violations = try connection.prepare(
        "PRAGMA foreign_key_check(\(SQLiteName.quoted(table.name)))")
      while findings.count < MisfitReport.mostErrors, try violations.step() {
        let row = violations.integer(1)
        let values = try self.values(of: row, in: table, connection)
        findings.append(
          StoreChecks.Finding(
            object: object(table, values),
            message: "the record does not fit into table \"\(table.name)\" of the template "
              + "\"\(template.path)\": it refers to no row of \"\(violations.text(2))\"",
            hint: "correct the value, or have the app write a template without the foreign key"))
      }
    }
    return findings
  }

  private func values(
    of row: Int64, in table: StoreTable, _ connection: Connection
  ) throws -> [String: SQLiteValue] {
    let names = table.namesWithKey
    let found = try connection.rows(
      "SELECT \(names.map(SQLiteName.quoted).joined(separator: ", ")) "
        + "FROM \(SQLiteName.quoted(table.name)) WHERE rowid = ?", .integer(row))
    return Dictionary(uniqueKeysWithValues: zip(names, found.first ?? []))
  }
}
