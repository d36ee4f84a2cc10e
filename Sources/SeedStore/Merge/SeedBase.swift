internal import SeedMerge
internal import SeedModel
internal import SeedSQLite

/// What the seed brought, noted in the database when it is installed or merged.
///
/// A merge must tell the rows of the old seed, which it deletes if the new one lacks them, from
/// those that the app has added to the same tables, which it keeps. The old seed is gone by then, so
/// its keys stay in the database, in `_seed_rows`: runs of integers as one row each, other keys one
/// by one. `_seed_base` has its tables and columns, so that those that the app has made are known for
/// its own when a newer seed has some of the same name, and its `user_version`.
///
/// Written for the tables that the seed owns, and so not at all for a seed that declares nothing.
internal struct SeedBase: Sendable, Equatable {
  /// What the old seed had of a table.
  internal struct Table: Sendable, Equatable {
    internal var key: [String]
    internal var columns: [String]
  }

  /// The tables that the old seed owned, by their names as it spelled them.
  internal var tables: [String: Table] = [:]
  /// The columns of the tables that it had and did not own.
  internal var others: [String: [String]] = [:]
  /// Its virtual tables.
  internal var virtualTables: [String: VirtualTableNote] = [:]
  /// Its indexes, folded.
  internal var indexes: Set<String> = []
  /// Its `user_version`.
  internal var userVersion: Int64?

  internal static let baseTable = DeclaredTable(
    name: "_seed_base", key: ["name", "part"], columns: ["name", "part", "value"])
  internal static let rowTable = DeclaredTable(
    name: "_seed_rows", key: ["name", "first"], columns: ["name", "first", "last"])

  private static let creation = """
    CREATE TABLE IF NOT EXISTS main._seed_base(
    name TEXT NOT NULL, part TEXT NOT NULL, value, PRIMARY KEY(name, part)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS main._seed_rows(
    name TEXT NOT NULL, first NOT NULL, last, PRIMARY KEY(name, first)) WITHOUT ROWID;
    """

  /// Makes the tables, unless they are there.
  internal static func makeTables(on connection: Connection) throws(SQLiteError) {
    // Only then, or the schema would count as changed.
    guard try !exists("main", on: connection) else { return }
    try connection.execute(creation)
  }

  private static func exists(
    _ schema: String, on connection: Connection
  ) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      """
      SELECT count(*) FROM \(SQLiteName.quoted(schema)).sqlite_schema
      WHERE type = 'table' AND name IN ('_seed_base', '_seed_rows')
      """) == 2
  }

  /// Notes what a copy of a seed has, which nobody has written to yet.
  ///
  /// - Precondition: The connection is in a transaction.
  internal static func record(on connection: Connection) throws(SQLiteError) {
    guard let ownership = try Ownership.read("main", on: connection) else { return }
    try makeTables(on: connection)
    try connection.execute("DELETE FROM _seed_base; DELETE FROM _seed_rows")
    try connection.run(
      "INSERT INTO _seed_base SELECT '', 'user_version', user_version FROM pragma_user_version")
    try connection.run(
      "INSERT INTO _seed_base SELECT '', ?, application_id FROM pragma_application_id",
      .text(applicationPart))
    for owned in ownership.tables {
      // A table without a key cannot be merged; the merge will say so.
      guard let table = try readable(owned.name, connection) else { continue }
      for (part, names) in [(keyPart, table.key), (columnPart, table.columns)] {
        try connection.run(
          "INSERT INTO _seed_base VALUES (?, ?, ?)", .text(table.name), .text(part),
          .text(text(names)))
      }
      try recordRows(of: table, from: "main.\(SQLiteName.quoted(table.name))", connection)
    }
    try recordOthers(Set(ownership.tables.map(\.name.folded)), connection)
    for note in try VirtualTableNote.read(on: connection) {
      try connection.run(
        "INSERT INTO _seed_base VALUES (?, ?, ?)", .text(note.name), .text(virtualPart),
        .text(text([note.sql, note.contentSHA256 ?? ""] + note.options.texts)))
    }
    try connection.run(
      """
      INSERT INTO _seed_base SELECT name, ?, tbl_name FROM main.sqlite_schema
      WHERE type = 'index' AND sql IS NOT NULL ORDER BY name
      """, .text(indexPart))
  }

  private static func recordOthers(
    _ owned: Set<String>, _ connection: Connection
  ) throws(SQLiteError) {
    for name in try connection.rows(SeedBase.tableNames("main")) {
      guard case .text(let table) = name[0], !owned.contains(table.folded) else { continue }
      let columns = try connection.rows(
        "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0", .text(table)
      ).compactMap { row in if case .text(let name) = row[0] { name } else { nil as String? } }
      try connection.run(
        "INSERT INTO _seed_base VALUES (?, ?, ?)", .text(table), .text(otherPart),
        .text(text(columns)))
    }
  }

  /// The query for the names of the ordinary tables that a seed has, by name.
  internal static func tableNames(_ schema: String) -> String {
    """
    SELECT name FROM pragma_table_list WHERE schema = \(SQLiteText.literal(schema))
    AND type = 'table' AND name NOT LIKE '\\_seed%' ESCAPE '\\'
    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
    """
  }

  /// What of a newer seed's note does not hold in the database, since the app had the object first.
  internal struct Amendment: Sendable, Equatable {
    internal var table: String
    internal var part: String
    /// The columns that are the seed's; nil if not even the table is.
    internal var columns: [String]?
  }

  /// Corrects the note of a seed that was merged.
  internal static func amend(
    _ amendments: [Amendment], on connection: Connection
  ) throws(SQLiteError) {
    for amendment in amendments {
      let key: [SQLiteValue] = [.text(amendment.table), .text(amendment.part)]
      if let columns = amendment.columns {
        try connection.run(
          "UPDATE main._seed_base SET value = ?3 WHERE name = ?1 AND part = ?2 AND value <> ?3",
          key[0], key[1], .text(text(columns)))
      } else {
        try connection.run(
          "DELETE FROM main._seed_base WHERE name = ? AND part = ?", key[0], key[1])
      }
    }
  }

  private static let keyPart = "key"
  /// The part of a note that has the columns of a table that the seed owns.
  internal static let columnPart = "columns"
  /// The part of a note that has the columns of another table of the seed.
  internal static let otherPart = "unowned"
  /// The part of a note that has the definition of a virtual table and the digest of its rows.
  internal static let virtualPart = "virtual"
  /// The part of a note that has the seed's `application_id`.
  private static let applicationPart = "application_id"
  /// The part of a note that has the table of an index.
  private static let indexPart = "index"

  private static func text(_ names: [String]) -> String {
    JSONValue.array(names.map { .string($0) }).text
  }

  private static func readable(
    _ name: String, _ connection: Connection
  ) throws(SQLiteError) -> DeclaredTable? {
    do throws(MergeError) {
      return try DeclaredTable.read(name, on: connection)
    } catch {
      if let cause = error.sqlite { throw cause }
      return nil
    }
  }

  /// Notes the keys of one table anew, as they are in a table or view with its columns.
  internal static func renewRows(
    of table: DeclaredTable, from source: String, on connection: Connection
  ) throws(SQLiteError) {
    try connection.run("DELETE FROM main._seed_rows WHERE name = ?", .text(table.name))
    try recordRows(of: table, from: source, connection)
  }

  private static func recordRows(
    of table: DeclaredTable, from source: String, _ connection: Connection
  ) throws(SQLiteError) {
    guard table.key.count == 1 else {
      let statement = try connection.prepare(
        "INSERT OR IGNORE INTO _seed_rows SELECT ?, \(keyExpression(table)), NULL FROM \(source) AS t"
      )
      try statement.bind(1, .text(table.name))
      return try statement.run()
    }
    let column = SQLiteName.quoted(table.key[0])
    let keys = try connection.prepare(
      "SELECT \(column) FROM \(source) WHERE \(column) IS NOT NULL ORDER BY \(column) COLLATE BINARY"
    )
    let insertion = try connection.prepare("INSERT OR IGNORE INTO _seed_rows VALUES (?, ?, ?)")
    try insertion.bind(1, .text(table.name))
    func insert(_ first: SQLiteValue, _ last: SQLiteValue) throws(SQLiteError) {
      try insertion.bind(2, first)
      try insertion.bind(3, last)
      try insertion.run()
    }
    var run: ClosedRange<Int64>?
    while try keys.step() {
      guard keys.columnType(0) == .integer else {
        try insert(keys.value(0), .null)
        continue
      }
      let key = keys.integer(0)
      if let open = run, open.upperBound < .max, open.upperBound + 1 == key {
        run = open.lowerBound...key
        continue
      }
      if let run { try insert(.integer(run.lowerBound), .integer(run.upperBound)) }
      run = key...key
    }
    if let run { try insert(.integer(run.lowerBound), .integer(run.upperBound)) }
  }

  /// The value by which a row's key is noted; `+` takes the affinity away, so that the index of
  /// `_seed_rows` can be used.
  private static func keyExpression(_ table: DeclaredTable) -> String {
    let columns = table.key.map { "t.\(SQLiteName.quoted($0))" }
    if columns.count == 1 { return "(+\(columns[0])) COLLATE BINARY" }
    return "(" + columns.map { "(\(SQLLiteral.literal(of: $0)))" }.joined(separator: " || ',' || ")
      + ")"
  }

  /// What is noted about a table.
  internal func table(_ name: String) -> Table? {
    tables.first { $0.key.folded == name.folded }?.value
  }

  /// The columns that the old seed had of a table, whether it owned it or not; nil if it had none
  /// of that name.
  internal func columns(of name: String) -> [String]? {
    table(name)?.columns ?? others.first { $0.key.folded == name.folded }?.value
  }

  /// The condition that a row of a table, `t`, was the old seed's; nil if nothing is noted.
  internal func removableRows(of table: DeclaredTable) -> String? {
    guard let name = tables.keys.first(where: { $0.folded == table.name.folded }) else {
      return nil
    }
    let key = Self.keyExpression(table)
    let notes = "main._seed_rows AS b WHERE b.name = \(SQLiteText.literal(name))"
    let single = "EXISTS (SELECT 1 FROM \(notes) AND b.first = \(key))"
    guard table.key.count == 1 else { return single }
    // A run has the whole numbers from its first to its last, and nothing that lies between two.
    let column = "t.\(SQLiteName.quoted(table.key[0]))"
    return """
      (\(single) OR (typeof(\(column)) IN ('integer', 'real') \
      AND CAST(\(column) AS INTEGER) = \(column) \
      AND coalesce((SELECT b.last FROM \(notes) AND b.first <= \(key) AND b.last IS NOT NULL \
      ORDER BY b.first DESC LIMIT 1) >= \(key), 0)))
      """
  }

  /// Reads what is noted.
  ///
  /// - Parameters:
  ///   - schema: The name under which the database is attached.
  ///   - connection: The connection.
  /// - Returns: Nil if there is no note: the database was installed from a seed that declared
  ///   nothing as its own.
  /// - Throws: ``SQLiteError``.
  internal static func read(
    _ schema: String = "main", on connection: Connection
  ) throws(SQLiteError) -> SeedBase? {
    guard try exists(schema, on: connection) else { return nil }
    var base = SeedBase()
    let notes = "\(SQLiteName.quoted(schema))._seed_base"
    for row in try connection.rows("SELECT name, part, value FROM \(notes)") {
      guard case .text(let name) = row[0], case .text(let part) = row[1] else { continue }
      if part == "user_version", case .integer(let version) = row[2] { base.userVersion = version }
      if part == indexPart { base.indexes.insert(name.folded) }
      guard part != indexPart, case .text(let text) = row[2], let names = names(text) else {
        continue
      }
      if part == otherPart {
        base.others[name] = names
        continue
      }
      if part == virtualPart {
        guard names.count >= 2 else { continue }
        base.virtualTables[name] = VirtualTableNote(
          name: name, sql: names[0], contentSHA256: names[1].isEmpty ? nil : names[1],
          options: SearchOptions(names.dropFirst(2)))
        continue
      }
      var table = base.tables[name] ?? Table(key: [], columns: [])
      if part == keyPart { table.key = names }
      if part == columnPart { table.columns = names }
      base.tables[name] = table
    }
    return base
  }

  /// The `application_id` that is noted of the seed; nil where nothing is, or another table has the name.
  internal static func applicationID(on connection: Connection) throws(SQLiteError) -> Int32? {
    guard try exists("main", on: connection) else { return nil }
    do throws(SQLiteError) {
      let number = try connection.scalarInteger(
        "SELECT value FROM main._seed_base WHERE name = '' AND part = ?", .text(applicationPart))
      return number.map { Int32(truncatingIfNeeded: $0) }
    } catch {
      // SQLITE_ERROR: no such column.
      guard error.primaryCode == 1 else { throw error }
      return nil
    }
  }

  /// The names in a JSON array; nil for another text.
  internal static func names(_ text: String) -> [String]? {
    do throws(JSONError) {
      guard case .array(let values) = try JSONValue(parsing: Array(text.utf8)) else { return nil }
      return values.compactMap(\.stringValue)
    } catch {
      return nil
    }
  }
}
