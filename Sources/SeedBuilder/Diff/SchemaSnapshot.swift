import SeedSQLite

/// The schema of a database without the objects of SQLite, of this tool and of virtual tables.
struct SchemaSnapshot {
  /// What identifies an object: SQLite compares names without regard to the case of ASCII letters.
  struct Identity: Hashable {
    var kind: SchemaChange.Kind
    var foldedName: String
  }

  /// An object as `sqlite_schema` has it.
  struct Object {
    var kind: SchemaChange.Kind
    var name: String
    var table: String
    var sql: String?
  }

  private(set) var objects: [Identity: Object] = [:]
  /// The tables by folded name.
  private(set) var tables: [String: TableShape] = [:]

  /// Reads the schema.
  ///
  /// - Throws: ``SQLiteError`` when it cannot be read.
  init(reading connection: Connection) throws(SQLiteError) {
    let shadows = try readTables(connection)
    let statement = try connection.prepare(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE \(Self.isContent("name")) AND \(Self.isContent("tbl_name"))
      """)
    while try statement.step() {
      let table = statement.text(2)
      guard let kind = SchemaChange.Kind(rawValue: statement.text(0)),
        !shadows.contains(SchemaNaming.folded(table))
      else { continue }
      let name = statement.text(1)
      objects[Identity(kind: kind, foldedName: SchemaNaming.folded(name))] = Object(
        kind: kind, name: name, table: table,
        sql: statement.columnType(3) == .null ? nil : statement.text(3))
    }
  }

  /// Reads the tables.
  ///
  /// - Returns: The folded names of those in which virtual tables keep their content.
  private mutating func readTables(_ connection: Connection) throws(SQLiteError) -> Set<String> {
    var shadows: Set<String> = []
    let statement = try connection.prepare(
      """
      SELECT name, type, wr FROM pragma_table_list
      WHERE schema = 'main' AND type <> 'view' AND \(Self.isContent("name"))
      """)
    while try statement.step() {
      let name = statement.text(0)
      let kind = statement.text(1)
      guard kind != "shadow" else {
        shadows.insert(SchemaNaming.folded(name))
        continue
      }
      tables[SchemaNaming.folded(name)] = try TableShape(
        name: name, isVirtual: kind == "virtual", isWithoutRowID: statement.integer(2) != 0,
        connection: connection)
    }
    return shadows
  }

  /// The condition that a name is none of SQLite or of this tool.
  private static func isContent(_ name: String) -> String {
    "\(name) NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND \(name) NOT LIKE '\\_seed%' ESCAPE '\\'"
  }

  /// The tables of two schemas by name, those of one name together.
  func tablePairs(with other: SchemaSnapshot) -> [(TableShape?, TableShape?)] {
    let names = Set(tables.keys).union(other.tables.keys)
    return names.sorted().map { (tables[$0], other.tables[$0]) }
  }
}
