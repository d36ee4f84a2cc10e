internal import SeedModel
internal import SeedSQLite

/// Finds or makes the tables that take an answer's records.
///
/// A table that is not there is made as a build would make it. One that is there keeps its columns
/// and their types; names of the answer that it lacks become new columns.
internal struct TargetPreparation {
  let connection: Connection
  let tables: [AnswerTable]
  let rows: [AnswerRow]
  let options: StoreOptions

  /// A column of a table that is there.
  private struct Existing {
    var name: String
    var type: String
    var isNotNull: Bool
    var keyPosition: Int64
    var isGenerated: Bool
  }

  /// The targets of the tables, in their order.
  ///
  /// - Throws: ``StoringError``.
  func run() throws(StoringError) -> [TableTarget] {
    var targets: [TableTarget?] = []
    for table in tables { targets.append(try existing(table)) }
    let names = zip(tables, targets).map { $1?.name ?? $0.name }
    var result: [TableTarget] = []
    for (index, target) in targets.enumerated() {
      if let target {
        result.append(try extended(target, tables[index], names))
      } else {
        result.append(try made(tables[index], names))
      }
      try checkTypes(of: index, result[index])
    }
    return result
  }

  private func attempt<Value>(
    _ table: String?, _ body: () throws(SQLiteError) -> Value
  ) throws(StoringError) -> Value {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StoringError(error, table: table, path: connection.path)
    }
  }

  // MARK: New tables

  private func made(_ table: AnswerTable, _ names: [String]) throws(StoringError) -> TableTarget {
    let lines = table.columns.enumerated().map { index, column in
      var text = "  \(SQLiteName.quotedIfNeeded(column.name)) \(column.type.declaredType)"
      if index == table.keyColumn {
        text += " PRIMARY KEY"
      } else if column.isFilled, options.declaresNotNull {
        text += " NOT NULL"
      }
      if let parent = column.parent {
        text += " REFERENCES \(SQLiteName.quotedIfNeeded(names[parent]))"
      }
      return text
    }
    try attempt(table.name) { () throws(SQLiteError) in
      try connection.execute(
        "CREATE TABLE \(SQLiteName.quotedIfNeeded(table.name)) (\n"
          + lines.joined(separator: ",\n") + "\n)")
    }
    for column in table.columns where column.parent != nil {
      try makeIndex(on: table.name, [column.name], isUnique: false)
    }
    return TableTarget(
      name: table.name, keyName: table.columns[table.keyColumn].name,
      columns: table.columns.enumerated().map { index, column in
        index == table.keyColumn && table.hasGeneratedKey
          ? nil
          : TableTarget.Column(
            name: column.name, declared: DeclaredKind(column.type),
            isNotNull: column.isFilled && options.declaresNotNull)
      })
  }

  /// Makes an index over columns under a name that is free.
  ///
  /// - Throws: ``StoringError``.
  func makeIndex(
    on table: String, _ columns: [String], isUnique: Bool
  ) throws(StoringError) {
    try attempt(table) { () throws(SQLiteError) in
      var taken = Set(
        try connection.rows("SELECT name FROM sqlite_schema").compactMap { row in
          if case .text(let name) = row[0] { AnswerNaming.folded(name) } else { nil }
        })
      let name = AnswerNaming.freeForObject(
        ([table] + columns).joined(separator: "_"), &taken)
      let list = columns.map(SQLiteName.quotedIfNeeded).joined(separator: ", ")
      try connection.execute(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLiteName.quotedIfNeeded(name))"
          + " ON \(SQLiteName.quotedIfNeeded(table)) (\(list))")
    }
  }

  // MARK: Tables that are there

  private func existing(_ table: AnswerTable) throws(StoringError) -> TableTarget? {
    let found = try attempt(table.name) { () throws(SQLiteError) in
      try connection.rows(
        """
        SELECT name, type, rootpage FROM sqlite_schema
        WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')
        """, .text(table.name)
      ).first
    }
    guard let found, case .text(let name) = found[0] else { return nil }
    // A virtual table has no page of its own.
    guard found[1] == .text("table"), found[2] != .integer(0) else {
      throw StoringError(.notATable, table: name, path: connection.path)
    }
    return TableTarget(name: name, keyName: "rowid", columns: [])
  }

  private func extended(
    _ target: TableTarget, _ table: AnswerTable, _ names: [String]
  ) throws(StoringError) -> TableTarget {
    var target = target
    let columns = try columns(of: target.name)
    let keys = columns.filter { $0.keyPosition > 0 }
    if keys.count == 1 { target.keyName = keys[0].name }
    for (index, column) in table.columns.enumerated() {
      let known = columns.first {
        AnswerNaming.folded($0.name) == AnswerNaming.folded(column.name) && !$0.isGenerated
      }
      if index == table.keyColumn, table.hasGeneratedKey {
        target.columns.append(nil)
      } else if let known {
        target.columns.append(
          TableTarget.Column(
            name: known.name, declared: DeclaredKind(declaredType: known.type),
            isNotNull: known.isNotNull || known.keyPosition > 0))
      } else {
        target.columns.append(try added(column, to: target.name, names))
      }
    }
    return target
  }

  private func columns(of table: String) throws(StoringError) -> [Existing] {
    try attempt(table) { () throws(SQLiteError) in
      try connection.rows(
        "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1)", .text(table)
      ).compactMap { row in
        guard case .text(let name) = row[0], case .text(let type) = row[1],
          case .integer(let position) = row[3]
        else { return nil }
        return Existing(
          name: name, type: type, isNotNull: row[2] == .integer(1), keyPosition: position,
          isGenerated: row[4] != .integer(0))
      }
    }
  }

  /// Adds a column that is NULL in all rows that are there.
  private func added(
    _ column: AnswerTable.Column, to table: String, _ names: [String]
  ) throws(StoringError) -> TableTarget.Column {
    var definition = "\(SQLiteName.quotedIfNeeded(column.name)) \(column.type.declaredType)"
    if let parent = column.parent {
      definition += " REFERENCES \(SQLiteName.quotedIfNeeded(names[parent]))"
    }
    try attempt(table) { () throws(SQLiteError) in
      try connection.execute(
        "ALTER TABLE \(SQLiteName.quotedIfNeeded(table)) ADD COLUMN \(definition)")
    }
    if column.parent != nil { try makeIndex(on: table, [column.name], isUnique: false) }
    return TableTarget.Column(
      name: column.name, declared: DeclaredKind(column.type), isNotNull: false)
  }

  // MARK: Types

  /// Looks whether the values fit the columns that are there.
  private func checkTypes(of table: Int, _ target: TableTarget) throws(StoringError) {
    for (index, column) in tables[table].columns.enumerated() {
      guard let known = target.columns[index], column.parent == nil, column.hasValues,
        !known.declared.takes(DeclaredKind(column.type))
      else { continue }
      let values = rows.lazy.filter { $0.table == table }.compactMap { $0.texts[index] }
        .filter { !$0.isEmpty }
      let misfit = values.first { text in
        var evidence = ColumnEvidence()
        evidence.observe(text)
        return !known.declared.takes(DeclaredKind(evidence.type))
      }
      throw StoringError(
        .typeConflict(
          column: known.name, declared: "\(known.declared)".uppercased(),
          value: String((misfit ?? values.first ?? "").prefix(80))),
        table: target.name, path: connection.path)
    }
  }
}
