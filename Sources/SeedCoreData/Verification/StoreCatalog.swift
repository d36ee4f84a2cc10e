internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// What a store says about its tables and entities, whether it is right or not.
struct StoreCatalog {
  /// A table with rowids.
  struct Table {
    var name: String
    /// The columns in their order.
    var columns: [(name: String, type: String)]
    var indexes: [Index]
    /// Whether `Z_PK` is another name of the rowid, by which rows are found at once.
    var hasKey = false

    /// The column of a name, as SQLite compares names of ASCII letters.
    func column(_ name: String) -> String? {
      let name = name.uppercased()
      return columns.first { $0.name.uppercased() == name }?.name
    }

    /// The type that a column is declared to have.
    func declaration(_ name: String) -> String? {
      let name = name.uppercased()
      return columns.first { $0.name.uppercased() == name }?.type
    }
  }

  /// An index that has all rows in it.
  struct Index {
    var name: String
    var isUnique: Bool
    /// The columns in order; an expression is nil.
    var columns: [String?]
  }

  /// A row of `Z_PRIMARYKEY`.
  struct Entity {
    var id: Int64
    var name: String
    var parentID: Int64
    /// `Z_MAX`, if it is a number.
    var highestKey: Int64?
  }

  /// The table with a row for each entity.
  static let primaryKeyTable = "Z_PRIMARYKEY"
  /// From here on, ids are those of Core Data's own entities, such as those of the history.
  static let firstReservedID: Int64 = 16_000
  /// The most entities that are looked at, those of Core Data included.
  private static let mostEntities = 2 * InputLimits.tables

  private let tables: [String: Table]
  /// The names of the tables in the order of their creation.
  let tableNames: [String]
  /// The names of the triggers, each with that of its table, in capitals.
  let triggers: [String: String]
  /// The rows of `Z_PRIMARYKEY` by id, the model's own only; empty if the table cannot be read.
  let entities: [Entity]
  private let places: [Int64: Int]
  private let children: [Int64: [Int64]]

  /// Reads the catalog of an open database.
  ///
  /// - Throws: ``SQLiteError``.
  init(_ connection: Connection) throws(SQLiteError) {
    var tables: [Table] = []
    let statement = try connection.prepare(
      """
      SELECT l.name FROM pragma_table_list AS l JOIN sqlite_schema AS s ON s.name = l.name
      WHERE l.schema = 'main' AND l.type = 'table' AND NOT l.wr
        AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.rowid
      """)
    while try statement.step() { tables.append(try Self.table(statement.text(0), connection)) }
    tableNames = tables.map(\.name)
    self.tables = Dictionary(
      tables.map { ($0.name.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    let rows = try connection.rows(
      "SELECT upper(name), upper(tbl_name) FROM sqlite_schema WHERE type = 'trigger'")
    triggers = Dictionary(
      rows.compactMap { row in
        guard case .text(let name) = row[0], case .text(let table) = row[1] else { return nil }
        return (name, table)
      }, uniquingKeysWith: { first, _ in first })
    let accounts = self.tables[Self.primaryKeyTable]
    entities =
      if let accounts, Self.missingColumns(of: accounts).isEmpty {
        try Self.entities(connection)
      } else {
        []
      }
    places = Dictionary(
      entities.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    children = Dictionary(grouping: entities, by: \.parentID).mapValues { $0.map(\.id) }
  }

  private static func table(
    _ name: String, _ connection: Connection
  ) throws(SQLiteError) -> Table {
    var table = Table(name: name, columns: [], indexes: [])
    let columns = try connection.prepare(
      "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid")
    try columns.bindText(1, name)
    while try columns.step() {
      table.columns.append((columns.text(0), columns.text(1)))
      guard columns.integer(2) > 0 else { continue }
      table.hasKey =
        columns.integer(2) == 1 && columns.text(0).uppercased() == "Z_PK"
        && columns.text(1).uppercased() == "INTEGER"
    }
    let indexes = try connection.prepare(
      "SELECT name, \"unique\" FROM pragma_index_list(?) WHERE NOT partial ORDER BY name")
    try indexes.bindText(1, name)
    let parts = try connection.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
    while try indexes.step() {
      var index = Index(name: indexes.text(0), isUnique: indexes.integer(1) != 0, columns: [])
      try parts.bindText(1, index.name)
      while try parts.step() {
        index.columns.append(parts.columnType(0) == .null ? nil : parts.text(0))
      }
      parts.reset()
      table.indexes.append(index)
    }
    return table
  }

  private static func entities(_ connection: Connection) throws(SQLiteError) -> [Entity] {
    var entities: [Entity] = []
    let rows = try connection.prepare(
      """
      SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM \(primaryKeyTable)
      WHERE Z_ENT < \(firstReservedID) ORDER BY Z_ENT LIMIT \(mostEntities)
      """)
    while try rows.step() {
      entities.append(
        Entity(
          id: rows.integer(0), name: rows.text(1), parentID: rows.integer(2),
          highestKey: rows.columnType(3) == .integer ? rows.integer(3) : nil))
    }
    return entities
  }

  /// The columns that the table of entities has to have and has not.
  static func missingColumns(of table: Table) -> [String] {
    ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].filter { table.column($0) == nil }
  }

  /// Whether changes of a table's rows run triggers that keep derived attributes: they call functions
  /// that only Core Data has.
  func hasDerivingTriggers(_ table: String) -> Bool {
    let table = table.uppercased()
    return triggers.contains { $0.key.hasPrefix("Z_DA_") && $0.value == table }
  }

  /// The table of a name.
  func table(_ name: String) -> Table? { tables[name.uppercased()] }

  /// What an entity's table lacks to be one; empty when it is sound.
  func faults(ofEntityTable name: String) -> [String] {
    guard let table = table(name) else { return ["there is no table \"\(name)\""] }
    let missing = SystemTables.entityColumns.filter { table.column($0) == nil }
    guard missing.isEmpty else {
      return missing.map { "table \"\(name)\" has no column \"\($0)\"" }
    }
    return table.hasKey ? [] : ["column \"Z_PK\" of \"\(name)\" is not its INTEGER PRIMARY KEY"]
  }

  /// The entity of an id.
  func entity(_ id: Int64) -> Entity? { places[id].map { entities[$0] } }

  /// The entities without a parent.
  var roots: [Entity] { entities.filter { $0.parentID == 0 } }

  /// The entity without a parent that one inherits from; nil where parents go in a circle or lead
  /// nowhere.
  func root(of id: Int64) -> Entity? {
    var current = entity(id)
    for _ in entities {
      guard let entity = current, entity.parentID != 0 else { return current }
      current = self.entity(entity.parentID)
    }
    return nil
  }

  /// The id of an entity and those of all that inherit from it, in their order.
  func ids(ofKind id: Int64) -> [Int64] {
    var found: Set<Int64> = []
    var waiting = [id]
    while let next = waiting.popLast() {
      guard found.insert(next).inserted else { continue }
      waiting += children[next] ?? []
    }
    return found.sorted()
  }
}
