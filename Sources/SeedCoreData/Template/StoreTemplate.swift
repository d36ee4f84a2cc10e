internal import SeedBuilder
internal import SeedFiles
internal import SeedFormat
internal import SeedModel
internal import SeedSQLite

/// An empty store that an app wrote, whose schema and metadata a build takes over.
struct StoreTemplate {
  /// A statement of the schema.
  struct Object {
    var isTable: Bool
    var name: String
    var sql: String
  }

  /// A row of `Z_PRIMARYKEY`.
  struct Entity {
    var id: Int64
    var name: String
    var parentID: Int64
    var highestKey: Int64
  }

  /// From here on, ids are those of Core Data's own entities, such as those of the history.
  private static let firstReservedID: Int64 = 16_000
  /// Tables that may have rows: Core Data's own accounts.
  private static let accounts: Set<String> = [
    "Z_PRIMARYKEY", StoreMetadata.tableName, "Z_MODELCACHE",
  ]

  /// Tables whose rows say what has become of objects, which are not there yet.
  private static let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  let path: String
  private(set) var objects: [Object] = []
  /// The columns of each table, with their declared types.
  private(set) var columns: [String: [(name: String, type: String)]] = [:]
  /// The unique indexes that statements of their own create.
  private(set) var uniqueIndexes: [UniqueIndex] = []
  private(set) var entities: [Entity] = []
  /// The columns that can only be keys of relationships, by table.
  private(set) var keyColumns: [String: Set<String>] = [:]
  let metadata: StoreMetadata
  let catalog: StoreCatalog
  private(set) var modelCache: [[SQLiteValue]] = []
  /// What the app says of the file in its header.
  private(set) var userVersion: Int64 = 0
  private(set) var applicationID: Int64 = 0

  /// Reads a store.
  ///
  /// - Throws: ``BuildError`` when it is not empty or not whole, ``InspectionError``,
  ///   ``SQLiteError``.
  init(_ path: String, files: FileSystem = .live) throws {
    self.path = path
    try Self.refuseUnfinished(path, files)
    let connection = try Inspection.connection(toDatabaseAt: path)
    guard let metadata = try StoreMetadata.read(from: connection) else {
      throw Self.failure("\"\(path)\" is no Core Data store", path, hint: nil)
    }
    self.metadata = metadata
    userVersion = try connection.scalarInteger("PRAGMA user_version") ?? 0
    applicationID = try connection.scalarInteger("PRAGMA application_id") ?? 0
    catalog = try StoreCatalog(connection)
    try connection.forEachRow(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
      """
    ) { row in
      objects.append(Object(isTable: row.text(0) == "table", name: row.text(1), sql: row.text(2)))
    }
    try refuseVirtualTables(connection)
    for object in objects where object.isTable {
      columns[object.name] = try connection.rows(
        "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid", .text(object.name)
      ).compactMap { row in
        guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
        return (name, type)
      }
      uniqueIndexes += try UniqueIndex.all(of: object.name, connection, created: true)
      try refuseRows(of: object.name, connection)
    }
    try refuseDamage(of: catalog, connection)
    try connection.forEachRow(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    ) { row in
      entities.append(
        Entity(
          id: row.integer(0), name: row.text(1), parentID: row.integer(2),
          highestKey: row.integer(3)))
    }
    keyColumns = Self.keyColumns(catalog, metadata)
    if columns["Z_MODELCACHE"] != nil {
      modelCache = try connection.rows("SELECT * FROM Z_MODELCACHE")
    }
  }

  /// From this version on, of 2019, indexes of attributes are surely not called like those of keys.
  private static let firstVersionOfKeyIndexes: Int64 = 960

  /// Keys have companions, or indexes of their own.
  private static func keyColumns(
    _ catalog: StoreCatalog, _ metadata: StoreMetadata
  ) -> [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for table in StoreShape(catalog).tables { result[table.name] = Set(table.keys.map(\.column)) }
    guard case .integer(let version)? = metadata.members["NSPersistenceFrameworkVersion"],
      version >= firstVersionOfKeyIndexes
    else { return result }
    for name in result.keys {
      guard let table = catalog.table(name) else { continue }
      let indexes = Set(table.indexes.map(\.name))
      let integers = table.columns.filter { $0.type == "INTEGER" }.map(\.name)
      result[name]?.formUnion(integers.filter { indexes.contains("\(name)_\($0)_INDEX") })
    }
    return result
  }

  /// The entities of the model.
  var modelEntities: [Entity] { entities.filter { $0.id < Self.firstReservedID } }

  /// The entity that one inherits from in the end.
  func root(of entity: Entity) -> Entity {
    var current = entity
    while let parent = entities.first(where: { $0.id == current.parentID }) { current = parent }
    return current
  }

  /// Whether a table is one of Core Data, with objects or its accounts, by its name.
  private func isOfCoreData(_ table: String) -> Bool { table.hasPrefix("Z") }

  /// Whether a table is the app's own, beside those of Core Data and its history.
  func isKept(_ object: Object) -> Bool {
    object.isTable && !isOfCoreData(object.name) && !Self.history.contains(object.name)
  }

  // MARK: Refusals

  static func failure(_ message: String, _ path: String, hint: String?) -> BuildError {
    BuildError(.input, [Diagnostic(.error, message, at: SourceLocation(file: path), hint: hint)])
  }

  private static func refuseUnfinished(_ path: String, _ files: FileSystem) throws {
    for companion in ["-wal", "-journal"] {
      guard let status = try files.status(path + companion), status.byteCount > 0 else { continue }
      throw failure(
        "the template has unfinished work in \"\(path)\(companion)\"", path,
        hint: "close the app that has it open, or run: sqlite3 \(path) "
          + "\"PRAGMA wal_checkpoint(TRUNCATE)\"")
    }
  }

  /// What is in the tables of an R-tree or of a full text search, only Core Data's own code knows.
  private func refuseVirtualTables(_ connection: Connection) throws {
    let rows = try connection.rows(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' ORDER BY name")
    guard case .text(let name)? = rows.first?.first else { return }
    throw Self.failure(
      "the template has the virtual table \"\(name)\", which only the app can fill", path,
      hint: "have the app write a template without it, such as of a model without R-tree indexes")
  }

  /// What the accounts of entities lack would be lacking in the store, too, which no app opens then.
  private func refuseDamage(of catalog: StoreCatalog, _ connection: Connection) throws {
    let hashes = metadata.members["NSStoreModelVersionHashes"]?.dictionary
    let findings = AccountCheck(connection: connection, catalog: catalog)
      .entityFindings(hashes: hashes?.compactMapValues(\.data))
    guard let first = findings.first else { return }
    throw Self.failure(
      "the template is not whole: \(first.message)", path,
      hint: "let the app write it again: create the store, save nothing, and close it")
  }

  /// Objects that the app made would be there beside those of the sources, with keys that theirs may
  /// have too.
  private func refuseRows(of table: String, _ connection: Connection) throws {
    guard isOfCoreData(table), !Self.accounts.contains(table) else { return }
    let count =
      try connection.scalarInteger("SELECT count(*) FROM \(SQLiteName.quoted(table))") ?? 0
    guard count > 0 else { return }
    throw Self.failure(
      "the template has \(count) \(count == 1 ? "row" : "rows") of its own in \(table)", path,
      hint: "let the app write an empty store: create it, save nothing, and close it")
  }
}
