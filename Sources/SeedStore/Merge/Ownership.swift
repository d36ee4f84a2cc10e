internal import SeedSQLite

/// What a seed declares as its own: the table `_seed_owned`, which `seed build` writes by `owned`.
internal struct Ownership: Sendable, Equatable {
  internal struct Table: Sendable, Equatable {
    internal var name: String
    /// The columns that are the seed's; nil if all of the seed's are.
    internal var columns: [String]?
  }

  internal var tables: [Table]

  /// Reads the declaration of a database.
  ///
  /// - Returns: Nil if it has none.
  internal static func read(
    _ schema: String, on connection: Connection
  ) throws(SQLiteError) -> Ownership? {
    let prefix = SQLiteName.quoted(schema)
    let exists = try connection.scalarInteger(
      "SELECT count(*) FROM \(prefix).sqlite_schema WHERE type = 'table' AND name = '_seed_owned'")
    guard exists == 1 else { return nil }
    let rows = try connection.rows(
      "SELECT table_name, column_name FROM \(prefix)._seed_owned ORDER BY table_name, rowid")
    var tables: [Table] = []
    for row in rows {
      guard case .text(let name) = row[0] else { continue }
      if tables.last?.name != name { tables.append(Table(name: name, columns: [])) }
      if case .text(let column) = row[1] {
        tables[tables.count - 1].columns?.append(column)
      } else {
        tables[tables.count - 1].columns = nil
      }
    }
    return tables.isEmpty ? nil : Ownership(tables: tables)
  }
}
