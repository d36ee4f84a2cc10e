package import SeedSQLite

extension DeclaredTable {
  /// A whole table of a database: all its columns but the generated ones, and its key.
  ///
  /// The key is the PRIMARY KEY, else the first UNIQUE index over columns that are NOT NULL.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - schema: The name under which the database is attached.
  ///   - connection: The database.
  /// - Returns: The table.
  /// - Throws: ``MergeError``; with ``MergeError/Reason/keyIsNotUnique(_:)`` and no columns for a
  ///   table that has no key.
  package static func read(
    _ name: String, schema: String = "main", on connection: Connection
  ) throws(MergeError) -> DeclaredTable {
    let reader = try LayoutReader(connection, schema: schema)
    return try MergeError.at(name, schema: schema) { () throws(SQLiteError) in
      try reader.wholeTable(name)
    }.get()
  }
}

extension LayoutReader {
  fileprivate func wholeTable(
    _ name: String
  ) throws(SQLiteError) -> Result<DeclaredTable, MergeError> {
    let found = try connection.rows(
      """
      SELECT name, type FROM pragma_table_list
      WHERE schema = ? COLLATE NOCASE AND name = ? COLLATE NOCASE
      """, .text(schema), .text(name))
    guard case .text(let spelled)? = found.first?[0], case .text(let kind)? = found.first?[1]
    else { return .failure(MergeError(.noSuchTable, table: name, schema: schema)) }
    guard kind == "table" else {
      return .failure(MergeError(.notAnOrdinaryTable(kind: kind), table: name, schema: schema))
    }
    let columns = try connection.rows(
      "SELECT name, pk, \"notnull\", hidden FROM pragma_table_xinfo(?, ?)", .text(name),
      .text(schema))
    var names: [String] = []
    var primary: [(position: Int64, name: String)] = []
    var required: Set<String> = []
    for column in columns {
      guard case .text(let name) = column[0], column[3] == .integer(0) else { continue }
      names.append(name)
      if case .integer(let position) = column[1], position > 0 { primary.append((position, name)) }
      if column[2] != .integer(0) { required.insert(SQLNames.folded(name)) }
    }
    var key = primary.sorted { $0.position < $1.position }.map(\.name)
    if key.isEmpty {
      // SQLite lists the newest first.
      let index = try indexes(name).last { index in
        !index.isPartial && index.parts.allSatisfy { $0.name.map(required.contains) ?? false }
      }
      key =
        index?.parts.compactMap { part in
          names.first { SQLNames.folded($0) == part.name }
        } ?? []
    }
    guard !key.isEmpty else {
      return .failure(MergeError(.keyIsNotUnique([]), table: name, schema: schema))
    }
    return .success(DeclaredTable(name: spelled, key: key, columns: names))
  }
}
