package import SeedSQLite

extension SeedStamp {
  /// What a database has for a stamp.
  package enum Reading: Sendable, Hashable {
    /// No stamp: the database comes from elsewhere.
    case absent
    /// A table of the stamp's name that is no stamp this version can read, and why.
    case malformed(String)
    /// A stamp.
    case present(SeedStamp)
  }

  /// Reads a database's stamp.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  package static func read(from connection: Connection) throws(SQLiteError) -> Reading {
    let type = try connection.scalarText(
      "SELECT type FROM sqlite_schema WHERE name = '_seed' COLLATE NOCASE")
    guard let type else {
      return reading(metadata: try StoreMetadata.read(from: connection)?.members ?? [:])
    }
    guard type == "table" else { return .malformed("\"_seed\" is no table but a \(type)") }
    let names = try connection.rows("SELECT name FROM pragma_table_info('_seed')")
    let expected = ["format", "name", "version", "content_sha256", "tool"]
    for column in expected where !names.contains([.text(column)]) {
      return .malformed("table \"_seed\" has no column \"\(column)\"")
    }
    // Stamps of the first versions have no such column.
    let inputs = names.contains([.text("inputs_sha256")]) ? "inputs_sha256" : "NULL"
    let rows = try connection.rows(
      "SELECT format, name, version, content_sha256, tool, \(inputs) FROM _seed LIMIT 2")
    guard let row = rows.first, rows.count == 1 else {
      return .malformed("table \"_seed\" has \(rows.isEmpty ? "no row" : "more than one row")")
    }
    return reading(of: row)
  }

  private static func reading(of row: [SQLiteValue]) -> Reading {
    guard case .integer(let format) = row[0] else {
      return .malformed("the stamp's format is not an integer")
    }
    guard format == currentFormat else {
      return .malformed("the stamp has format \(format), this tool reads \(currentFormat)")
    }
    guard case .text(let name) = row[1], case .text(let digest) = row[3],
      case .text(let tool) = row[4]
    else { return .malformed("a value of the stamp is not a text") }
    for (value, column) in [(row[2], "version"), (row[5], "inputs_sha256")] {
      switch value {
      case .null, .text: break
      default: return .malformed("the stamp's \(column) is not a text")
      }
    }
    return .present(
      SeedStamp(
        name: name, version: text(row[2]), contentSHA256: digest, tool: tool,
        inputsSHA256: text(row[5])))
  }

  private static func text(_ value: SQLiteValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
}
