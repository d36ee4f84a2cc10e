internal import SeedModel
internal import SeedSQLite

/// Makes the objects of a schema in the database that is built.
struct TargetApplication {
  let schema: TargetSchema
  let connection: Connection

  /// Makes the tables, the unique indexes, which find a doubled row where it is, and the triggers
  /// that fill full-text tables; then copies the rows that come with the schema.
  ///
  /// - Returns: The highest rowids of the copied rows, by table.
  /// - Throws: ``SQLiteError``.
  func makeTables() throws -> [Int: Int64] {
    for object in schema.objects where object.kind == .table { try make(object) }
    for object in schema.objects where isEarlyIndex(object) { try make(object) }
    let highest = try copyRows()
    for object in schema.objects where isEarlyTrigger(object) { try make(object) }
    return highest
  }

  /// Makes everything else, once the rows are there.
  ///
  /// - Throws: ``SQLiteError``.
  func makeOthers() throws {
    for table in externalFullTextTables {
      let name = SQLiteName.quoted(table)
      try connection.execute("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
    for object in schema.objects {
      let isDone =
        object.kind == .table || isEarlyIndex(object) || isEarlyTrigger(object)
      if !isDone { try make(object) }
    }
    try connection.execute(
      """
      PRAGMA user_version = \(schema.userVersion);
      PRAGMA application_id = \(schema.applicationID);
      """)
  }

  /// Runs the statement of an object, and nothing that a database written by hand has behind it.
  private func make(_ object: TargetSchema.Object) throws {
    do throws(SQLiteError) {
      try connection.run(object.sql)
    } catch {
      guard error.isMisuse else { throw error }
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error,
            "the schema has more than one statement for the \(object.kind.rawValue) \"\(object.name)\"",
            at: SourceLocation(file: schema.path),
            hint: "make the database anew; it was tampered with")
        ])
    }
  }

  private func isEarlyIndex(_ object: TargetSchema.Object) -> Bool {
    object.kind == .index
      && SQLToken.tokens(of: object.sql).prefix(2).last?.matches("UNIQUE") == true
  }

  /// A trigger that writes to a full-text table which cannot be rebuilt from another table.
  private func isEarlyTrigger(_ object: TargetSchema.Object) -> Bool {
    guard object.kind == .trigger else { return false }
    let rebuilt = externalFullTextTables
    let others = Set(
      schema.tables.filter { $0.isVirtual && !rebuilt.contains($0.name) }.map(\.name))
    return SQLToken.tokens(of: object.sql).contains {
      $0.kind == .name && others.contains($0.value)
    }
  }

  /// The FTS tables that index the rows of another table (sqlite.org/fts5.html, 4.4.3).
  private var externalFullTextTables: [String] {
    schema.objects.filter { $0.kind == .table }.compactMap { object in
      let tokens = SQLToken.tokens(of: object.sql)
      guard tokens.contains(where: { $0.value.lowercased().hasPrefix("fts") }) else { return nil }
      for index in tokens.indices.dropLast(2)
      where tokens[index].value.lowercased() == "content" && tokens[index + 1].matches("=") {
        return tokens[index + 2].value.isEmpty ? nil : object.name
      }
      return nil
    }
  }

  private func copyRows() throws -> [Int: Int64] {
    var highest: [Int: Int64] = [:]
    guard let source = schema.source else { return highest }
    for (number, table) in schema.tables.enumerated() where schema.keptTables.contains(table.name) {
      var names = table.columns.filter { !$0.isGenerated }.map { SQLiteName.quoted($0.name) }
      if !table.isWithoutRowID, table.rowIDAlias == nil { names.insert("rowid", at: 0) }
      let list = names.joined(separator: ", ")
      let name = SQLiteName.quoted(table.name)
      let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
      let insert = try connection.prepare("INSERT INTO \(name) (\(list)) VALUES (\(marks))")
      try source.forEachRow("SELECT \(list) FROM \(name)") { row in
        for index in names.indices { try insert.bind(Int32(index + 1), row.value(Int32(index))) }
        connection.restartSteps()
        try insert.run()
      }
      if !table.isWithoutRowID {
        highest[number] = try connection.scalarInteger("SELECT max(rowid) FROM \(name)") ?? 0
      }
    }
    return highest
  }
}
