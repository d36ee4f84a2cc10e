internal import SeedModel
internal import SeedSQLite

/// The schema that a build fills: its objects in the order of their creation, and the rows that it
/// brings along.
struct TargetSchema {
  struct Object {
    enum Kind: String { case table, index, view, trigger }

    var kind: Kind
    var name: String
    var table: String
    var sql: String
  }

  /// The file that it was read from.
  var path = ""
  var objects: [Object] = []
  var tables: [TargetTable] = []
  /// The tables that come with rows, and where these are.
  var keptTables: [String] = []
  var source: Connection?
  var userVersion: Int64 = 0
  var applicationID: Int64 = 0
  /// The page size in bytes.
  var pageSize = BuildConnection.usualPageSize
  /// Whether the database shrinks when rows are deleted from it.
  var autoVacuum = AutoVacuum.none
  /// The columns declared STRING, which become TEXT.
  var textColumns: [(table: String, column: String)] = []
  /// What there is to say of it.
  var remarks: [Diagnostic] = []

  /// The table that SQL text calls by a name.
  func table(named name: String) -> Int? {
    if let exact = tables.firstIndex(where: { SchemaNaming.isSame($0.name, name) }) { return exact }
    let folded = SchemaNaming.folded(name)
    return tables.firstIndex { SchemaNaming.folded($0.name) == folded }
  }

  /// The table of a name, without regard to case and `_`.
  func table(matching name: String) -> Int? {
    if let exact = table(named: name) { return exact }
    let folded = NameMatch.folded(name)
    return tables.firstIndex { NameMatch.folded($0.name) == folded }
  }
}

extension TargetSchema {
  /// Reads the schema of a database.
  ///
  /// - Throws: ``SQLiteError``.
  init(of connection: Connection) throws {
    let shadows = Set(
      try connection.rows("SELECT name FROM pragma_table_list WHERE type = 'shadow'").compactMap {
        if case .text(let name) = $0[0] { name } else { nil as String? }
      })
    try connection.forEachRow(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE '\\_seed%' ESCAPE '\\' ORDER BY rowid
      """
    ) { row in
      guard let kind = Object.Kind(rawValue: row.text(0)), !shadows.contains(row.text(2)) else {
        return
      }
      var object = Object(kind: kind, name: row.text(1), table: row.text(2), sql: row.text(3))
      if kind == .table {
        let rewrite = TextColumnRewrite(object.sql)
        object.sql = rewrite.sql
        textColumns += rewrite.columns.map { (object.name, $0) }
      }
      objects.append(object)
    }
    for object in objects where object.kind == .table {
      tables.append(try TargetTable(named: object.name, in: connection))
    }
    resolveImplicitKeys()
    userVersion = try connection.scalarInteger("PRAGMA user_version") ?? 0
    applicationID = try connection.scalarInteger("PRAGMA application_id") ?? 0
    pageSize = try connection.scalarInteger("PRAGMA page_size").map { Int($0) } ?? pageSize
    autoVacuum =
      try connection.scalarInteger("PRAGMA auto_vacuum").flatMap { AutoVacuum(rawValue: Int($0)) }
      ?? autoVacuum
    source = connection
  }

  /// A foreign key that names no columns refers to the primary key.
  private mutating func resolveImplicitKeys() {
    for table in tables.indices {
      for key in tables[table].foreignKeys.indices {
        let foreignKey = tables[table].foreignKeys[key]
        guard let parent = self.table(named: foreignKey.table) else { continue }
        let keyColumns = tables[parent].columns.filter { $0.keyPosition > 0 }
          .sorted { $0.keyPosition < $1.keyPosition }
        for (index, pair) in foreignKey.columns.enumerated()
        where pair.to.isEmpty && index < keyColumns.count {
          tables[table].foreignKeys[key].columns[index].to = keyColumns[index].name
        }
      }
    }
  }
}

extension TargetTable {
  /// Reads a table's columns and keys.
  ///
  /// - Throws: ``SQLiteError``.
  init(named name: String, in connection: Connection) throws {
    self.init(name: name, columns: [])
    try connection.forEachRow(
      "SELECT type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?1",
      .text(name)
    ) { row in
      isVirtual = row.text(0) == "virtual"
      isWithoutRowID = row.integer(1) != 0
      isStrict = row.integer(2) != 0
    }
    try connection.forEachRow(
      """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1)
      ORDER BY cid
      """, .text(name)
    ) { row in
      // 1 is a hidden column of a virtual table, 2 and 3 are generated ones.
      guard row.integer(5) != 1 else { return }
      let type = row.text(1)
      columns.append(
        Column(
          name: row.text(0), declaredType: type.uppercased() == "STRING" ? "TEXT" : type,
          isNotNull: row.integer(2) != 0,
          defaultSQL: row.columnType(3) == .null ? nil : row.text(3),
          keyPosition: Int(row.integer(4)), isGenerated: row.integer(5) > 1))
    }
    let sql = try connection.scalarText(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1", .text(name))
    hasConflictClause = SQLToken.tokens(of: sql ?? "").contains { $0.matches("CONFLICT") }
    var current: Int64?
    try connection.forEachRow(
      """
      SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq
      """, .text(name)
    ) { row in
      if current != row.integer(0) {
        current = row.integer(0)
        foreignKeys.append(ForeignKey(table: row.text(1), columns: []))
      }
      foreignKeys[foreignKeys.count - 1].columns.append((from: row.text(2), to: row.text(3)))
    }
  }
}
