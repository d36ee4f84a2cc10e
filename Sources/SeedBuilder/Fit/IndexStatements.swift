internal import SeedModel
internal import SeedSQLite

/// The statements of the indexes that rules ask for.
struct IndexStatements {
  private(set) var statements: [String] = []

  init(_ rules: [IndexRule], schema: TargetSchema, _ report: inout MisfitReport) {
    var taken = Set(schema.objects.map { SchemaNaming.folded($0.name) })
    for rule in rules {
      guard let number = schema.table(matching: rule.table) else {
        let nearest = Suggestion.nearest(to: rule.table, in: schema.tables.map(\.name))
        report.add(
          "there is no table \"\(rule.table)\" to index", at: rule.location,
          hint: nearest.map { "did you mean \"\($0)\"?" })
        continue
      }
      let table = schema.tables[number]
      var names: [String] = []
      for name in rule.columns {
        guard let column = table.column(matching: name) else {
          let nearest = Suggestion.nearest(to: name, in: table.columns.map(\.name))
          report.add(
            "table \"\(table.name)\" has no column \"\(name)\" to index", at: rule.location,
            hint: nearest.map { "did you mean \"\($0)\"?" })
          continue
        }
        names.append(table.columns[column].name)
      }
      guard names.count == rule.columns.count else { continue }
      let wanted = rule.name ?? ([table.name] + names).joined(separator: "_")
      let name = SchemaNaming.freeForObject(wanted, &taken)
      statements.append(
        "CREATE \(rule.isUnique ? "UNIQUE " : "")INDEX \(SQLiteName.quotedIfNeeded(name)) "
          + "ON \(SQLiteName.quotedIfNeeded(table.name)) "
          + "(\(names.map(SQLiteName.quotedIfNeeded).joined(separator: ", ")))")
    }
  }
}
