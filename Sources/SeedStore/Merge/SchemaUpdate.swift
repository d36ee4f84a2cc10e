internal import SeedMerge
internal import SeedSQLite

/// Brings the tables that a new seed owns into a live database, as far as SQLite can add to it.
///
/// Tables, columns and indexes are added. What is gone from the seed, or is another one there, is a
/// refusal, a line for each object: rows cannot be moved between tables that mean different things.
internal struct SchemaUpdate {
  private let connection: Connection
  private let snapshot: String
  private let base: SeedBase?

  /// What stands in the way, a line for each object.
  internal private(set) var refusals: [String] = []
  /// What is to be merged.
  internal private(set) var tables: [DeclaredTable] = []
  /// The columns that a new row gets beyond those, by table.
  internal private(set) var initial: [String: [String]] = [:]
  /// The statements that make the indexes; to be run when the rows are there.
  internal private(set) var indexes: [(name: String, sql: String)] = []
  private var creations: [(name: String, sql: String)] = []
  /// Whether a column was refused that is NOT NULL and has no default.
  internal private(set) var lacksDefault = false
  private var additions: [(table: String, column: String, sql: String)] = []
  /// Tables that are the app's once they are there.
  internal private(set) var gifts: [DeclaredTable] = []
  /// Tables to be merged that the app has made before the seed had any of that name, folded: all
  /// rows in them are its own.
  internal private(set) var appTables: Set<String> = []
  /// What the note of the new seed takes for the seed's, and is the app's.
  internal private(set) var amendments: [SeedBase.Amendment] = []

  internal init(_ connection: Connection, snapshot: String, base: SeedBase?) {
    self.connection = connection
    self.snapshot = snapshot
    self.base = base
  }

  /// Compares, and adds what is missing.
  ///
  /// - Parameters:
  ///   - ownership: What the new seed owns.
  ///   - excluded: Tables that are left alone, folded.
  /// - Throws: ``SQLiteError``.
  internal mutating func run(
    _ ownership: Ownership, excluding excluded: Set<String>
  ) throws(SQLiteError) {
    let owned = ownership.tables.filter { !excluded.contains($0.name.folded) }
    for table in owned { try compare(table) }
    try findNewTables(besides: Set(ownership.tables.map(\.name.folded)))
    try findLostTables(excluded)
    try compareIndexes()
    guard refusals.isEmpty else { return }
    try add()
    guard refusals.isEmpty else { return }
    for table in tables where !creations.contains(where: { $0.name == table.name }) {
      try compareConstraints(table)
    }
  }

  private mutating func refuse(_ line: String) { refusals.append(line) }

  // MARK: Comparing

  private mutating func compare(_ owned: Ownership.Table) throws(SQLiteError) {
    let name = owned.name
    let table: DeclaredTable
    do throws(MergeError) {
      table = try DeclaredTable.read(name, schema: snapshot, on: connection)
    } catch {
      if let cause = error.sqlite { throw cause }
      return refuse("table \"\(name)\": \(error.message)")
    }
    for column in owned.columns ?? []
    where !table.columns.contains(where: { $0.folded == column.folded }) {
      refuse("column \"\(column)\" of table \"\(name)\", which the seed owns, is not in it")
    }
    let declared = declare(table, owned.columns)
    switch try kind(of: name, "main") {
    case nil:
      guard base?.table(name) == nil else {
        return refuse(
          "table \"\(name)\" was the seed's and is gone from the database, dropped or renamed")
      }
      try create(table.name)
      return
    case "table": break
    case let kind?: return refuse("table \"\(name)\" is a \(kind) in the database")
    }
    if let base, base.columns(of: name) == nil { appTables.insert(name.folded) }
    let (old, new) = (try shape(name, "main"), try shape(name, snapshot))
    let count = refusals.count
    if old.flags != new.flags {
      refuse("table \"\(name)\" is STRICT or WITHOUT ROWID only in one of the two")
    }
    for column in new.columns {
      guard let other = old.columns.first(where: { $0.name.folded == column.name.folded }) else {
        try compareMissing(column, of: table, declared)
        continue
      }
      if other.isGenerated != column.isGenerated {
        refuse(
          "column \"\(column.name)\" of table \"\(name)\" is generated only in one of the two")
      } else if other.affinity != column.affinity {
        refuse(
          "column \"\(column.name)\" of table \"\(name)\" is \(other.affinity), "
            + "in the seed \(column.affinity)")
      }
    }
    if refusals.count == count { try compareOwners(table, declared, old.columns.map(\.name)) }
    guard let before = base?.table(table.name) else { return }
    if before.key.map(\.folded) != table.key.map(\.folded) {
      refuse(
        "table \"\(name)\": its key was (\(before.key.joined(separator: ", "))), "
          + "in the seed it is (\(table.key.joined(separator: ", ")))")
    }
    for column in before.columns
    where !new.columns.contains(where: { $0.name.folded == column.folded }) {
      refuse("column \"\(column)\" of table \"\(name)\" is gone from the seed")
    }
  }

  /// Adds a column that the database lacks, unless it had it: then the app has dropped or renamed it,
  /// and beside one of another name a second one must not come.
  private mutating func compareMissing(
    _ column: Shape.Column, of table: DeclaredTable, _ declared: DeclaredTable
  ) throws(SQLiteError) {
    let folded = column.name.folded
    guard base?.columns(of: table.name)?.contains(where: { $0.folded == folded }) == true else {
      return try addColumn(column.name, to: table.name)
    }
    guard declared.columns.contains(where: { $0.folded == folded }) else {
      // The app's, which it may do without.
      initial[table.name]?.removeAll { $0.folded == folded }
      return
    }
    refuse(
      "column \"\(column.name)\" of table \"\(table.name)\" was the seed's and is gone from the "
        + "database, dropped or renamed")
  }

  /// The columns that are merged are the key's and the owned ones; others are a new row's alone.
  private mutating func declare(
    _ table: DeclaredTable, _ columns: [String]?
  ) -> DeclaredTable {
    guard let columns else {
      tables.append(table)
      return table
    }
    let names = Set(columns.map(\.folded) + table.key.map(\.folded))
    var declared = table
    declared.columns = table.columns.filter { names.contains($0.folded) }
    initial[table.name] = table.columns.filter { !names.contains($0.folded) }
    tables.append(declared)
    return declared
  }

  /// Looks for columns that the app has made before the seed had any of that name.
  ///
  /// One that holds nothing but its default, as a migration adds it, becomes the seed's.
  private mutating func compareOwners(
    _ table: DeclaredTable, _ declared: DeclaredTable, _ present: [String]
  ) throws(SQLiteError) {
    guard let before = base?.columns(of: table.name) else { return }
    let (known, present) = (Set(before.map(\.folded)), Set(present.map(\.folded)))
    guard table.key.allSatisfy({ present.contains($0.folded) }) else { return }
    let own = table.columns.filter { present.contains($0.folded) && !known.contains($0.folded) }
    for column in own where declared.columns.contains(column) {
      guard try hasValues(column, table) else { continue }
      refuse(
        "column \"\(column)\" of table \"\(table.name)\" is the app's own, "
          + "and has values that the seed's would take the place of")
    }
    let kept = own.filter { !declared.columns.contains($0) }
    guard !kept.isEmpty else { return }
    amendments.append(
      SeedBase.Amendment(
        table: table.name, part: SeedBase.columnPart,
        columns: table.columns.filter { !kept.contains($0) }))
  }

  /// Whether a row of the old seed's has, in a column, another value than the new seed and than the
  /// column's default.
  private func hasValues(_ column: String, _ table: DeclaredTable) throws(SQLiteError) -> Bool {
    let name = SQLiteName.quoted(column)
    let keys = table.key.map { SQLiteName.quoted($0) }.map { "t.\($0) = s.\($0)" }
    let noted = base?.removableRows(of: table).map { " AND \($0)" } ?? ""
    let found = try connection.rows(
      """
      SELECT 1 FROM main.\(SQLiteName.quoted(table.name)) AS t
      JOIN \(SQLiteName.quoted(snapshot)).\(SQLiteName.quoted(table.name)) AS s
      ON \(keys.joined(separator: " AND "))
      WHERE t.\(name) IS NOT s.\(name) AND t.\(name) IS NOT ?\(noted) LIMIT 1
      """, try defaultValue(of: column, table.name))
    return !found.isEmpty
  }

  private func defaultValue(
    of column: String, _ table: String
  ) throws(SQLiteError) -> SQLiteValue {
    let text = try connection.scalarText(
      "SELECT dflt_value FROM pragma_table_xinfo(?, 'main') WHERE name = ? COLLATE NOCASE",
      .text(table), .text(column))
    guard let text else { return .null }
    do throws(SQLiteError) {
      return try connection.rows("SELECT (\(text))").first?.first ?? .null
    } catch {
      // A word without quotes, which is a text only behind DEFAULT.
      guard error.primaryCode == Self.generalError else { throw error }
      return .text(text)
    }
  }

  private mutating func create(_ table: String) throws(SQLiteError) {
    let sql = try sql("table", table) ?? ""
    guard SchemaText.makes(.table, named: table, in: sql) else {
      return refuse("table \"\(table)\" is not made by one statement in the seed")
    }
    creations.append((table, sql))
  }

  private mutating func addColumn(_ column: String, to table: String) throws(SQLiteError) {
    let sql = try sql("table", table) ?? ""
    guard let definition = SchemaText.columnDefinition(of: column, in: sql) else {
      return refuse("column \"\(column)\" of table \"\(table)\" cannot be added")
    }
    additions.append((table, column, definition))
  }

  /// The tables of the new seed that the database lacks, and that are the app's from then on.
  private mutating func findNewTables(besides owned: Set<String>) throws(SQLiteError) {
    for row in try connection.rows(SeedBase.tableNames(snapshot)) {
      guard case .text(let name) = row[0], !owned.contains(name.folded) else { continue }
      // What the app has dropped of its own does not come back.
      if try kind(of: name, "main") == nil, base?.columns(of: name) != nil { continue }
      guard try kind(of: name, "main") == nil else {
        // The seed's is left out: what the old one had of it is all that came from a seed.
        guard let base else { continue }
        amendments.append(
          SeedBase.Amendment(
            table: name, part: SeedBase.otherPart, columns: base.columns(of: name)))
        continue
      }
      try create(name)
      let columns = try shape(name, snapshot).columns.filter { !$0.isGenerated }
      gifts.append(DeclaredTable(name: name, key: [], columns: columns.map(\.name)))
    }
  }

  private mutating func findLostTables(_ excluded: Set<String>) throws(SQLiteError) {
    for name in (base?.tables.keys.sorted() ?? []) where !excluded.contains(name.folded) {
      if try kind(of: name, snapshot) == nil {
        refuse("table \"\(name)\" is gone from the seed")
      }
    }
  }

  private mutating func compareIndexes() throws(SQLiteError) {
    let names = tables.map(\.name) + gifts.map(\.name)
    for table in names {
      let rows = try connection.rows(
        """
        SELECT name, sql FROM \(SQLiteName.quoted(snapshot)).sqlite_schema
        WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ? COLLATE NOCASE ORDER BY name
        """, .text(table))
      for row in rows {
        guard case .text(let name) = row[0], case .text(let sql) = row[1] else { continue }
        let other = try connection.rows(
          "SELECT type, sql FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE", .text(name))
        guard let found = other.first else {
          // One that the app has dropped does not come back.
          let isMade = creations.contains { $0.name.folded == table.folded }
          if !isMade, base?.indexes.contains(name.folded) == true { continue }
          guard SchemaText.makes(.index, .uniqueIndex, named: name, in: sql) else {
            refuse("index \"\(name)\" is not made by one statement in the seed")
            continue
          }
          indexes.append((name, sql))
          continue
        }
        guard found[0] == .text("index"), case .text(let text) = found[1],
          SchemaText.isSame(text, sql)
        else {
          refuse("index \"\(name)\" is another one in the database")
          continue
        }
      }
    }
  }

  // MARK: Adding

  private mutating func add() throws(SQLiteError) {
    for creation in creations {
      try attempt("table \"\(creation.name)\"") { (connection) throws(SQLiteError) in
        try connection.run(creation.sql)
      }
    }
    for addition in additions {
      let object = "column \"\(addition.column)\" of table \"\(addition.table)\""
      let count = refusals.count
      try attempt(object) { (connection) throws(SQLiteError) in
        try connection.run(
          "ALTER TABLE main.\(SQLiteName.quoted(addition.table)) ADD COLUMN \(addition.sql)")
      }
      if refusals.count > count, try isWithoutDefault(addition.column, of: addition.table) {
        lacksDefault = true
      }
    }
    guard refusals.isEmpty else { return }
    let snapshot = SQLiteName.quoted(snapshot)
    for table in gifts {
      let columns = table.columns.map { SQLiteName.quoted($0) }.joined(separator: ",")
      let name = SQLiteName.quoted(table.name)
      try attempt("table \"\(table.name)\"") { (connection) throws(SQLiteError) in
        try connection.execute(
          "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM \(snapshot).\(name)")
      }
    }
  }

  /// Makes the indexes that are missing.
  internal mutating func makeIndexes() throws(SQLiteError) {
    for index in indexes {
      try attempt("index \"\(index.name)\"") { (connection) throws(SQLiteError) in
        try connection.run(index.sql)
      }
    }
  }

  /// Turns what SQLite cannot do with the objects as they are into a refusal.
  private mutating func attempt(
    _ object: String, _ body: (Connection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    do throws(SQLiteError) {
      try body(connection)
    } catch {
      let isFault = error.primaryCode == Self.generalError || error.isMisuse
      guard error.constraint != nil || isFault else { throw error }
      refuse("\(object) cannot be added: \(error.message)")
    }
  }

  /// SQLITE_ERROR: the statement makes no sense for the schema.
  private static let generalError: Int32 = 1

  private func isWithoutDefault(
    _ column: String, of table: String
  ) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      """
      SELECT count(*) FROM pragma_table_xinfo(?, ?)
      WHERE name = ? COLLATE NOCASE AND "notnull" AND dflt_value IS NULL
      """, .text(table), .text(snapshot), .text(column)) == 1
  }

  /// What ALTER TABLE cannot add: keys and references over columns that were there.
  private mutating func compareConstraints(_ table: DeclaredTable) throws(SQLiteError) {
    let name = table.name
    let (old, new) = (try uniqueColumns(name, "main"), try uniqueColumns(name, snapshot))
    for columns in new.sorted() where !old.contains(columns) {
      refuse("table \"\(name)\": UNIQUE (\(columns)) cannot be added")
    }
    let (own, others) = (try references(name, "main"), try references(name, snapshot))
    for reference in others.sorted() where !own.contains(reference) {
      refuse("table \"\(name)\": the foreign key \(reference) cannot be added")
    }
  }
}

// MARK: What the databases have

extension SchemaUpdate {
  private struct Shape {
    struct Column {
      var name: String
      var affinity: String
      var isGenerated: Bool
    }

    var flags: [SQLiteValue]
    var columns: [Column]
  }

  /// `table`, `view`, `virtual` or `shadow`; nil if there is none.
  private func kind(of name: String, _ schema: String) throws(SQLiteError) -> String? {
    let rows = try connection.rows(
      "SELECT type FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE",
      .text(schema), .text(name))
    if case .text(let kind)? = rows.first?[0] { return kind }
    return nil
  }

  private func shape(_ table: String, _ schema: String) throws(SQLiteError) -> Shape {
    let flags = try connection.rows(
      "SELECT wr, strict FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE",
      .text(schema), .text(table))
    let isStrict = flags.first?[1] == .integer(1)
    let rows = try connection.rows(
      "SELECT name, type, hidden FROM pragma_table_xinfo(?, ?) WHERE hidden <> 1", .text(table),
      .text(schema))
    let columns = rows.compactMap { row -> Shape.Column? in
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
      return Shape.Column(
        name: name, affinity: SchemaText.affinity(ofType: type, isStrict: isStrict),
        isGenerated: row[2] != .integer(0))
    }
    return Shape(flags: flags.first ?? [], columns: columns)
  }

  private func sql(_ type: String, _ name: String) throws(SQLiteError) -> String? {
    try connection.scalarText(
      """
      SELECT sql FROM \(SQLiteName.quoted(snapshot)).sqlite_schema
      WHERE type = ? AND name = ? COLLATE NOCASE
      """, .text(type), .text(name))
  }

  /// The columns of each UNIQUE and PRIMARY KEY constraint, and of whole UNIQUE indexes too.
  private func uniqueColumns(_ table: String, _ schema: String) throws(SQLiteError) -> Set<String> {
    let constraints = schema == "main" ? "" : "AND l.origin <> 'c'"
    let rows = try connection.rows(
      """
      SELECT group_concat(c.name, ', ') FROM pragma_index_list(?1, ?2) AS l,
      pragma_index_info(l.name, ?2) AS c WHERE l."unique" AND NOT l.partial \(constraints)
      GROUP BY l.name
      UNION ALL SELECT group_concat(name, ', ') FROM pragma_table_xinfo(?1, ?2) WHERE pk
      """, .text(table), .text(schema))
    return Set(
      rows.compactMap { row in
        guard case .text(let names) = row[0] else { return nil }
        return names.folded.split(separator: ", ").sorted().joined(separator: ", ")
      })
  }

  private func references(_ table: String, _ schema: String) throws(SQLiteError) -> Set<String> {
    let rows = try connection.rows(
      """
      SELECT '(' || group_concat("from", ', ') || ') to ' || max("table")
      FROM pragma_foreign_key_list(?, ?) GROUP BY id
      """, .text(table), .text(schema))
    return Set(rows.compactMap { if case .text(let text) = $0[0] { text.folded } else { nil } })
  }
}

extension String {
  /// The name as SQLite compares it: without regard to the case of ASCII letters.
  internal var folded: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}
