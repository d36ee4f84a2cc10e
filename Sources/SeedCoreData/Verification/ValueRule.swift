internal import SeedBuilder
internal import SeedSQLite

/// The rules about what SQLite keeps in the columns of attributes and keys: Core Data reads each in one
/// way, and what is kept otherwise comes out as something else.
enum ValueRule {
  /// What rows may have by the declared type of a column, and what to call that.
  ///
  /// Dates have rules of their own.
  private static let kinds: [String: (classes: [String], name: String)] = [
    "INTEGER": (["integer"], "an integer"), "FLOAT": (["integer", "real"], "a number"),
    "DECIMAL": (["integer", "real"], "a number"), "VARCHAR": (["text"], "a text"),
    "BLOB": (["blob"], "a BLOB"),
  ]

  /// The rules for the columns of a table.
  static func rules(for table: StoreShape.EntityTable, _ catalog: StoreCatalog) -> [RowRule] {
    let others = Set(["Z_PK", "Z_ENT"] + table.keys.compactMap(\.orderColumn))
    var rules = [
      RowRule(
        code: .storeRequired, condition: "t.Z_OPT IS NULL",
        message: { row, _ in "\(row) has no Z_OPT, the number of times that it was saved" },
        summary: "have no Z_OPT",
        hint: "run: UPDATE \(SQLiteName.quotedIfNeeded(table.name)) SET Z_OPT = 1 "
          + "WHERE Z_OPT IS NULL;")
    ]
    guard let known = catalog.table(table.name) else { return [] }
    if known.column("Z_OPT") == nil { rules = [] }
    for column in known.columns where !others.contains(column.name) {
      guard let kind = kinds[column.type.uppercased()] else { continue }
      let value = "t.\(SQLiteName.quoted(column.name))"
      let list = (["null"] + kind.classes).map { "'\($0)'" }.joined(separator: ", ")
      rules.append(
        RowRule(
          code: .storeValue, condition: "typeof(\(value)) NOT IN (\(list))",
          shown: [value],
          message: { row, shown in
            "\(row) has \(shown[0]) in \"\(column.name)\", where Core Data keeps \(kind.name)"
          },
          summary: "have something else than \(kind.name) in \"\(column.name)\"",
          hint: "store \(kind.name) in \"\(column.name)\", or NULL"))
    }
    return rules
  }
}
