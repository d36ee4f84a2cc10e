internal import SeedSQLite

/// The service tables of a database: the server's schema, the local tables, versions and ETags.
///
/// They are changed in the transaction that changes the rows, so that both are always of one state.
internal struct HyperHiveCatalog {
  internal let connection: Connection

  private static let statements = """
    CREATE TABLE IF NOT EXISTS _seed_hyperhive(
      resource TEXT NOT NULL, cache_key TEXT NOT NULL, parameters TEXT NOT NULL,
      server TEXT NOT NULL, entity_tag TEXT, version INTEGER,
      PRIMARY KEY(resource, cache_key)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS _seed_hyperhive_table(
      name TEXT PRIMARY KEY, resource TEXT NOT NULL, cache_key TEXT NOT NULL,
      table_name TEXT NOT NULL, is_inferred INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS _seed_hyperhive_column(
      resource TEXT NOT NULL, table_name TEXT NOT NULL, position INTEGER NOT NULL,
      name TEXT NOT NULL, type TEXT NOT NULL, is_key INTEGER NOT NULL,
      PRIMARY KEY(resource, table_name, position)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS _seed_hyperhive_resource(name TEXT PRIMARY KEY) WITHOUT ROWID;
    """

  /// Makes the service tables where they are missing.
  internal func create() throws(SQLiteError) {
    try connection.execute(Self.statements)
  }

  /// Whether there are service tables.
  internal func exists() throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_seed_hyperhive_resource'")
      != nil
  }

  // MARK: Versions

  /// What is known of the rows of a scope.
  internal struct State: Hashable {
    internal var entityTag: String?
    internal var version: Int64?
  }

  /// The state of a scope; nil if nothing of it is loaded, or something else: other parameters in
  /// tables that are named by their resource alone, or another project's rows.
  internal func state(of scope: HyperHiveScope, server: String) throws(SQLiteError) -> State? {
    let rows = try connection.rows(
      """
      SELECT entity_tag, version FROM _seed_hyperhive
      WHERE resource = ? AND cache_key = ? AND parameters = ? AND server = ?
      """, .text(scope.resource), .text(scope.cacheKey), .text(scope.parameters.digest),
      .text(server))
    guard let row = rows.first else { return nil }
    var state = State()
    if case .text(let tag) = row[0] { state.entityTag = tag }
    if case .integer(let version) = row[1] { state.version = version }
    return state
  }

  /// Notes what the rows of a scope are now.
  internal func setState(
    _ state: State, of scope: HyperHiveScope, server: String
  ) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO _seed_hyperhive VALUES (?, ?, ?, ?, ?, ?)", .text(scope.resource),
      .text(scope.cacheKey), .text(scope.parameters.digest), .text(server),
      state.entityTag.map { .text($0) } ?? .null, state.version.map { .integer($0) } ?? .null)
  }

  /// Forgets what the rows of a scope are, so that the next load is one of the whole.
  internal func dropState(of scope: HyperHiveScope) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM _seed_hyperhive WHERE resource = ? AND cache_key = ?", .text(scope.resource),
      .text(scope.cacheKey))
  }

  /// Forgets that of all scopes of a resource.
  internal func dropStates(ofResource resource: String) throws(SQLiteError) {
    try connection.run("DELETE FROM _seed_hyperhive WHERE resource = ?", .text(resource))
  }

  // MARK: Schema

  /// Whether the server's schema, as it was last asked for, has a resource.
  internal func hasResource(_ name: String) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      "SELECT 1 FROM _seed_hyperhive_resource WHERE name = ?", .text(name)) != nil
  }

  /// The tables of a resource as the server's schema had them.
  internal func tables(ofResource resource: String) throws(SQLiteError) -> [HyperHiveTable] {
    var tables: [HyperHiveTable] = []
    let rows = try connection.rows(
      """
      SELECT table_name, name, type, is_key FROM _seed_hyperhive_column
      WHERE resource = ? ORDER BY table_name, position
      """, .text(resource))
    for row in rows {
      guard case .text(let table) = row[0], case .text(let name) = row[1],
        case .text(let type) = row[2]
      else { continue }
      if tables.last?.name != table { tables.append(HyperHiveTable(name: table, columns: [])) }
      tables[tables.count - 1].columns.append(
        HyperHiveColumn(name: name, type: type, isKey: row[3] == .integer(1)))
    }
    return tables
  }

  /// Notes a resource with its tables in place of what was known of it.
  internal func setSchema(_ resource: HyperHiveSchema.Resource) throws(SQLiteError) {
    try connection.run(
      "INSERT OR IGNORE INTO _seed_hyperhive_resource VALUES (?)", .text(resource.name))
    try connection.run(
      "DELETE FROM _seed_hyperhive_column WHERE resource = ?", .text(resource.name))
    for table in resource.tables { try setColumns(of: table, resource: resource.name) }
  }

  /// Notes the columns of a table in place of what was known of it.
  internal func setColumns(of table: HyperHiveTable, resource: String) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM _seed_hyperhive_column WHERE resource = ? AND table_name = ?",
      .text(resource), .text(table.name))
    for (position, column) in table.columns.enumerated() {
      try connection.run(
        "INSERT INTO _seed_hyperhive_column VALUES (?, ?, ?, ?, ?, ?)", .text(resource),
        .text(table.name), .integer(Int64(position)), .text(column.name), .text(column.type),
        .integer(column.isKey ? 1 : 0))
    }
  }

  // MARK: Local tables

  /// A table of the database that holds rows of the server.
  internal struct LocalTable: Hashable {
    internal var name: String
    internal var cacheKey: String
    internal var table: String
    internal var isInferred: Bool
  }

  /// The local tables of a resource, by name.
  internal func localTables(ofResource resource: String) throws(SQLiteError) -> [LocalTable] {
    try connection.rows(
      """
      SELECT name, cache_key, table_name, is_inferred FROM _seed_hyperhive_table
      WHERE resource = ? ORDER BY name
      """, .text(resource)
    ).compactMap { row in
      guard case .text(let name) = row[0], case .text(let key) = row[1],
        case .text(let table) = row[2]
      else { return nil }
      return LocalTable(
        name: name, cacheKey: key, table: table, isInferred: row[3] == .integer(1))
    }
  }

  /// The names of all local tables.
  internal func localTables() throws(SQLiteError) -> [String] {
    try connection.rows("SELECT name FROM _seed_hyperhive_table ORDER BY name").compactMap {
      if case .text(let name) = $0[0] { name } else { nil }
    }
  }

  /// The resource that a local table belongs to; nil if it belongs to none.
  internal func owner(ofTable name: String) throws(SQLiteError) -> (resource: String, key: String)?
  {
    let rows = try connection.rows(
      "SELECT resource, cache_key FROM _seed_hyperhive_table WHERE name = ?", .text(name))
    guard case .text(let resource)? = rows.first?[0], case .text(let key)? = rows.first?[1] else {
      return nil
    }
    return (resource, key)
  }

  /// Notes a local table.
  internal func add(
    _ table: LocalTable, resource: String
  ) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO _seed_hyperhive_table VALUES (?, ?, ?, ?, ?)", .text(table.name),
      .text(resource), .text(table.cacheKey), .text(table.table),
      .integer(table.isInferred ? 1 : 0))
  }

  /// Forgets a local table, and the columns that were taken from its rows.
  internal func remove(table name: String) throws(SQLiteError) {
    try connection.run(
      """
      DELETE FROM _seed_hyperhive_column WHERE (resource, table_name) IN (
        SELECT resource, table_name FROM _seed_hyperhive_table WHERE name = ? AND is_inferred)
      """, .text(name))
    try connection.run("DELETE FROM _seed_hyperhive_table WHERE name = ?", .text(name))
  }
}
