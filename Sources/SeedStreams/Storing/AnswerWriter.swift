internal import SeedMerge
internal import SeedModel
internal import SeedSQLite

/// Writes an answer's rows into their tables, in a transaction of the caller's.
internal final class AnswerWriter {
  private let connection: Connection
  private let content: AnswerTables
  private let options: StoreOptions
  private var targets: [TableTarget] = []
  private var writings: [StoreOptions.Writing] = []
  private var inserts: [Statement] = []
  private var upserts: [RowUpsert?] = []
  private var lookups: [Statement?] = []
  /// The columns of each table that refer to another one of the answer's.
  private var references: [(table: Int, column: String, parent: Int)] = []
  /// The keys of the rows so far.
  private var keys: [SQLiteValue] = []
  private var counts: [StoreResult.Counts] = []

  init(_ content: AnswerTables, options: StoreOptions, connection: Connection) {
    self.content = content
    self.options = options
    self.connection = connection
  }

  /// Does it.
  ///
  /// - Throws: ``StoringError``; the caller then rolls back.
  func run() throws(StoringError) -> StoreResult {
    let preparation = TargetPreparation(
      connection: connection, tables: content.tables, rows: content.rows, options: options)
    targets = try preparation.run()
    counts = targets.map { _ in StoreResult.Counts() }
    try chooseWritings()
    for (index, writing) in writings.enumerated() {
      if case .upsert(let key) = writing { try makeUnique(key, of: index, preparation) }
    }
    for (table, target) in targets.enumerated() {
      for (index, column) in content.tables[table].columns.enumerated() {
        guard let parent = column.parent, let name = target.columns[index]?.name else { continue }
        references.append((table, name, parent))
      }
    }
    let merge = try prepareUpserts()
    for table in targets.indices where writings[table] == .replace { try removeAll(of: table) }
    for row in content.rows { keys.append(try write(row)) }
    if let merge { _ = try merging("") { () throws(MergeError) in try merge.finish() } }
    var result = StoreResult()
    for (target, count) in zip(targets, counts) { result.tables[target.name] = count }
    return result
  }

  // MARK: Errors

  private func attempt<Value>(
    _ table: Int?, _ body: () throws(SQLiteError) -> Value
  ) throws(StoringError) -> Value {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StoringError(error, table: table.map { targets[$0].name }, path: connection.path)
    }
  }

  private func merging<Value>(
    _ table: String, _ body: () throws(MergeError) -> Value
  ) throws(StoringError) -> Value {
    do throws(MergeError) {
      return try body()
    } catch {
      throw StoringError(error, table: table, path: connection.path)
    }
  }

  // MARK: Preparation

  private func chooseWritings() throws(StoringError) {
    writings = targets.map { _ in .append }
    for (name, writing) in options.tables {
      let folded = AnswerNaming.folded(name)
      if let index = targets.firstIndex(where: { AnswerNaming.folded($0.name) == folded }) {
        writings[index] = writing
        continue
      }
      // An answer need not have records of every kind, but a table that nobody has is misspelt.
      let count = try attempt(nil) { () throws(SQLiteError) in
        try connection.scalarInteger(
          "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 COLLATE NOCASE",
          .text(name))
      }
      guard count == 1 else {
        throw StoringError(.noSuchTable, table: name, path: connection.path)
      }
    }
  }

  /// Replaces the names of a key by the database's, and sees to it that the key tells rows apart.
  private func makeUnique(
    _ key: [String], of table: Int, _ preparation: TargetPreparation
  ) throws(StoringError) {
    // No records need no key, and have no columns to find it in.
    guard content.rows.contains(where: { $0.table == table }) else {
      writings[table] = .upsert(key: [])
      return
    }
    let target = targets[table]
    var names: [String] = []
    for name in key {
      let folded = AnswerNaming.folded(name)
      let column = target.columns.compactMap { $0?.name }
        .first { AnswerNaming.folded($0) == folded }
      guard let column else {
        throw StoringError(
          .noSuchKey(column: name), table: target.name, path: connection.path)
      }
      names.append(column)
    }
    guard !names.isEmpty else {
      throw StoringError(.noSuchKey(column: ""), table: target.name, path: connection.path)
    }
    writings[table] = .upsert(key: names)
    guard names != [target.keyName], try !hasUniqueIndex(over: names, table) else { return }
    try preparation.makeIndex(on: target.name, names, isUnique: true)
  }

  private func hasUniqueIndex(
    over columns: [String], _ table: Int
  ) throws(StoringError) -> Bool {
    try attempt(table) { () throws(SQLiteError) in
      let indexes = try connection.rows(
        "SELECT name FROM pragma_index_list(?1) WHERE \"unique\" AND NOT partial",
        .text(targets[table].name))
      for index in indexes {
        let names = try connection.rows("SELECT name FROM pragma_index_info(?1)", index[0])
        if Set(names.map { $0[0] }) == Set(columns.map { SQLiteValue.text($0) }) { return true }
      }
      return false
    }
  }

  private func prepareUpserts() throws(StoringError) -> RowMerge? {
    var declared: [DeclaredTable] = []
    for (table, target) in targets.enumerated() {
      guard case .upsert(let key) = writings[table], !key.isEmpty else { continue }
      declared.append(
        DeclaredTable(name: target.name, key: key, columns: target.columns.compactMap { $0?.name }))
    }
    let merge =
      declared.isEmpty
      ? nil
      : try merging("") { () throws(MergeError) in try RowMerge(declared, on: connection) }
    for (table, target) in targets.enumerated() {
      let names = target.columns.compactMap { $0?.name }
      let quoted = names.map(SQLiteName.quoted)
      let sql =
        names.isEmpty
        ? "INSERT INTO \(SQLiteName.quoted(target.name)) DEFAULT VALUES"
        : "INSERT INTO \(SQLiteName.quoted(target.name)) (\(quoted.joined(separator: ",")))"
          + " VALUES (\(names.map { _ in "?" }.joined(separator: ",")))"
      inserts.append(try attempt(table) { () throws(SQLiteError) in try connection.prepare(sql) })
      guard case .upsert(let key) = writings[table], !key.isEmpty, let merge else {
        upserts.append(nil)
        lookups.append(nil)
        continue
      }
      upserts.append(
        try merging(target.name) { () throws(MergeError) in
          try merge.upsert(into: target.name, columns: names)
        })
      let condition = key.map { "\(SQLiteName.quoted($0)) = ?" }.joined(separator: " AND ")
      lookups.append(
        try attempt(table) { () throws(SQLiteError) in
          try connection.prepare(
            "SELECT \(keySQL(table)) FROM \(SQLiteName.quoted(target.name)) WHERE \(condition)")
        })
    }
    return merge
  }

  /// The key of a table, or anything where nobody needs it: not every table has a `rowid`.
  private func keySQL(_ table: Int) -> String {
    guard references.contains(where: { $0.parent == table }) else { return "1" }
    let name = targets[table].keyName
    return name == "rowid" ? name : SQLiteName.quoted(name)
  }

  // MARK: Rows

  /// Writes a row.
  ///
  /// - Returns: Its key.
  private func write(_ row: AnswerRow) throws(StoringError) -> SQLiteValue {
    let values = try values(of: row)
    guard case .upsert(let key) = writings[row.table], let upsert = upserts[row.table],
      let lookup = lookups[row.table]
    else {
      let insert = inserts[row.table]
      try attempt(row.table) { () throws(SQLiteError) in
        for (index, value) in values.enumerated() { try insert.bind(Int32(index + 1), value) }
        try insert.run()
      }
      counts[row.table].inserted += 1
      return keyOfInserted(row, values)
    }
    let names = targets[row.table].columns.compactMap { $0?.name }
    let keyValues = key.map { name in
      names.firstIndex(of: name).map { values[$0] } ?? .null
    }
    if let missing = zip(key, keyValues).first(where: { $1 == .null }) {
      throw StoringError(
        .missingValue(column: missing.0), table: targets[row.table].name, path: connection.path)
    }
    let known = try attempt(row.table) { () throws(SQLiteError) -> SQLiteValue? in
      defer { lookup.reset() }
      for (index, value) in keyValues.enumerated() { try lookup.bind(Int32(index + 1), value) }
      return try lookup.step() ? lookup.value(0) : nil
    }
    if let known { try removeNested(in: row.table, known) }
    let isWritten = try merging(targets[row.table].name) { () throws(MergeError) in
      try upsert.add(values)
    }
    if let known {
      if isWritten { counts[row.table].updated += 1 } else { counts[row.table].unchanged += 1 }
      return known
    }
    counts[row.table].inserted += 1
    return keyOfInserted(row, values)
  }

  /// The key of the row that was inserted last.
  private func keyOfInserted(_ row: AnswerRow, _ values: [SQLiteValue]) -> SQLiteValue {
    let target = targets[row.table]
    let names = target.columns.compactMap { $0?.name }
    if let index = names.firstIndex(of: target.keyName) { return values[index] }
    return .integer(connection.lastInsertRowID)
  }

  /// The values of a row in the order of its table's columns.
  private func values(of row: AnswerRow) throws(StoringError) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    for (index, column) in content.tables[row.table].columns.enumerated() {
      guard let target = targets[row.table].columns[index] else { continue }
      let value: SQLiteValue
      if let table = column.parent {
        let parent = row.parent.flatMap { content.rows[$0].table == table ? $0 : nil }
        value = parent.map { keys[$0] } ?? .null
      } else {
        value = row.texts[index].map { target.value($0, of: column.type) ?? .null } ?? .null
      }
      if value == .null, target.isNotNull {
        throw StoringError(
          .missingValue(column: target.name), table: targets[row.table].name,
          path: connection.path)
      }
      values.append(value)
    }
    return values
  }

  // MARK: Nested rows

  /// Deletes what is nested in a row that is written anew.
  private func removeNested(in table: Int, _ key: SQLiteValue) throws(StoringError) {
    for reference in references where reference.parent == table {
      if case .upsert = writings[reference.table] { continue }
      try remove(from: reference.table, where: reference.column, key)
    }
  }

  /// Deletes the rows whose column has a value, with what is nested in them.
  private func remove(
    from table: Int, where column: String, _ value: SQLiteValue
  ) throws(StoringError) {
    let target = targets[table]
    let name = SQLiteName.quoted(target.name)
    let found = try attempt(table) { () throws(SQLiteError) in
      try connection.rows(
        "SELECT \(keySQL(table)) FROM \(name) WHERE \(SQLiteName.quoted(column)) = ?1", value)
    }
    guard !found.isEmpty else { return }
    try attempt(table) { () throws(SQLiteError) in
      try connection.run("DELETE FROM \(name) WHERE \(SQLiteName.quoted(column)) = ?1", value)
    }
    counts[table].deleted += found.count
    // After the rows themselves, so that rows in a circle come to an end.
    for row in found { try removeNested(in: table, row[0]) }
  }

  private func removeAll(of table: Int) throws(StoringError) {
    let target = targets[table]
    let found = try attempt(table) { () throws(SQLiteError) in
      try connection.rows("SELECT \(keySQL(table)) FROM \(SQLiteName.quoted(target.name))")
    }
    try attempt(table) { () throws(SQLiteError) in
      try connection.run("DELETE FROM \(SQLiteName.quoted(target.name))")
    }
    counts[table].deleted += found.count
    for row in found { try removeNested(in: table, row[0]) }
  }
}

extension StoringError {
  /// What a merge's error means for an answer.
  fileprivate init(_ error: MergeError, table: String, path: String) {
    let name = error.table.isEmpty ? table : error.table
    let shown = name.isEmpty ? nil : name
    if case .notAnInteger = error.reason {
      self.init(.constraint(error.description), table: shown, path: path)
    } else if let sqlite = error.sqlite {
      self.init(sqlite, table: shown, path: path)
    } else if case .nullInKey(let column) = error.reason {
      self.init(.missingValue(column: column), table: shown, path: path)
    } else {
      self.init(.constraint(error.description), table: shown, path: path)
    }
  }
}
