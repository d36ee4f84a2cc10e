internal import SeedModel
internal import SeedSQLite

/// The schema under its final names, and its SQL.
struct FinalSchema {
  struct Column {
    var name: String
    var declaredType: String
    var isKey = false
    var isNotNull = false
    /// What stands behind DEFAULT; nil for nothing.
    var defaultSQL: String?
    /// The table that the column refers to.
    var references: String?
  }

  struct Index {
    var name: String
    var column: String
    /// Where the column stands in its table.
    var position: Int
  }

  struct Table {
    var name: String
    var columns: [Column]
    var indexes: [Index] = []

    /// The statement as it is stored in the schema.
    var createSQL: String {
      let lines = columns.map { "  " + FinalSchema.definition(of: $0) }
      return "CREATE TABLE \(SQLiteName.quotedIfNeeded(name)) (\n"
        + lines.joined(separator: ",\n") + "\n)"
    }

    func createSQL(of index: Index) -> String {
      "CREATE INDEX \(SQLiteName.quotedIfNeeded(index.name))"
        + " ON \(SQLiteName.quotedIfNeeded(name)) (\(SQLiteName.quotedIfNeeded(index.column)))"
    }
  }

  var tables: [Table] = []

  private static func definition(of column: Column) -> String {
    var text = "\(SQLiteName.quotedIfNeeded(column.name)) \(column.declaredType)"
    if column.isKey { text += " PRIMARY KEY" }
    if column.isNotNull { text += " NOT NULL" }
    if let sql = column.defaultSQL { text += " DEFAULT \(sql)" }
    if let table = column.references { text += " REFERENCES \(SQLiteName.quotedIfNeeded(table))" }
    return text
  }

  /// All statements as a script.
  var script: String {
    tables.flatMap { table in [table.createSQL] + table.indexes.map(table.createSQL) }.map {
      $0 + ";\n"
    }.joined()
  }
}
