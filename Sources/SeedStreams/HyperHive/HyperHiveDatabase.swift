package import SeedModel
internal import SeedSQLite

/// What an app asks of a database that a HyperHive server fills: its tables' names and its rows.
public struct HyperHiveDatabase: Sendable {
  /// The path of the database.
  public let path: String

  private static let busyTimeoutMilliseconds = 10_000

  /// The database at a path, which is first opened when something is asked of it.
  public init(path: String) {
    self.path = path
  }

  /// Opens a database so that it waits for others.
  internal static func open(
    _ path: String, mode: Connection.Mode
  ) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path, mode: mode)
    connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds, isInsistent: true)
    return connection
  }

  /// Runs a closure in a transaction, which is undone when it throws.
  internal static func transaction<Result>(
    on connection: Connection, _ body: () throws -> Result
  ) throws -> Result {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try connection.execute("COMMIT")
      return result
    } catch {
      // SQLite may have ended the transaction by itself, as on a full disk.
      if !connection.isInAutocommit { try connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Makes an empty database unless there is one.
  ///
  /// - Returns: Whether there is a database then.
  package func makeIfMissing() -> Bool {
    let result = Result { () throws -> Int64? in
      let connection = try Self.open(path, mode: .create)
      return try connection.scalarInteger("SELECT count(*) FROM sqlite_schema")
    }
    if case .success = result { return true }
    return false
  }

  // MARK: Names

  /// The names that the tables of a resource have in this database: those that are cached by the
  /// parameters first, then those named by the resource alone.
  ///
  /// - Parameters:
  ///   - resource: The resource, exactly.
  ///   - parameters: The input parameters as the text of a JSON object; nil and "" are none.
  ///   - table: The table of the answer; nil and "" are all of them.
  /// - Returns: The names.
  /// - Throws: ``HyperHiveError``.
  public func tableNames(
    ofResource resource: String, parameters: String? = nil, table: String? = nil
  ) throws(HyperHiveError) -> [String] {
    let key = try HyperHiveParameters(json: parameters).digest
    return try described { () throws -> [String] in
      let connection = try Self.open(path, mode: .readOnly)
      let catalog = HyperHiveCatalog(connection: connection)
      guard try catalog.exists() else { return [] }
      let tables = try catalog.localTables(ofResource: resource)
        .filter { [key, ""].contains($0.cacheKey) }
        .filter { table ?? "" == "" || $0.table == table }
      return (tables.filter { $0.cacheKey != "" } + tables.filter { $0.cacheKey == "" })
        .map(\.name)
    }
  }

  /// Drops the tables that are cached by some parameters, and forgets their version.
  ///
  /// - Parameters:
  ///   - resource: The resource, exactly.
  ///   - parameters: The input parameters as the text of a JSON object; nil and "" are none.
  /// - Returns: The names of the tables that were dropped.
  /// - Throws: ``HyperHiveError``; nothing is dropped then.
  @discardableResult
  public func dropCache(
    ofResource resource: String, parameters: String? = nil
  ) throws(HyperHiveError) -> [String] {
    let scope = HyperHiveScope(
      resource: resource, parameters: try HyperHiveParameters(json: parameters), isCached: true)
    return try described { () throws -> [String] in
      let connection = try Self.open(path, mode: .readWrite)
      let tables = HyperHiveTables(connection)
      guard try tables.catalog.exists() else { return [] }
      return try Self.transaction(on: connection) {
        let names = try tables.catalog.localTables(ofResource: resource)
          .filter { $0.cacheKey == scope.cacheKey }.map(\.name)
        for name in names { try tables.drop(name) }
        try tables.catalog.dropState(of: scope)
        return names
      }
    }
  }

  // MARK: Rows

  /// What a statement gives.
  package struct Answer: Sendable {
    /// The rows as JSON objects, the values by the names of the columns; blobs as Base64.
    package var records: [JSONValue]
    /// How many rows were inserted, changed or deleted.
    package var changedRowCount: Int64
  }

  /// Runs one SQL statement.
  ///
  /// - Throws: ``HyperHiveError`` of SQLite, also for several statements, for `ATTACH`, and for one that
  ///   begins a transaction, which nobody could end.
  package func run(_ sql: String) throws(HyperHiveError) -> Answer {
    try described { () throws -> Answer in
      let connection = try Self.open(path, mode: .readWrite)
      if !Self.isVacuum(sql) { connection.forbidAttaching() }
      try connection.setDefensive(true)
      let before = try connection.scalarInteger("SELECT total_changes()") ?? 0
      let statement = try connection.prepare(sql)
      var records: [JSONValue] = []
      while try statement.step() { records.append(Self.record(statement)) }
      statement.reset()
      guard connection.isInAutocommit else {
        throw HyperHiveError(
          .database(code: 1, message: "a transaction cannot go on after the call that begins it"),
          place: path)
      }
      let after = try connection.scalarInteger("SELECT total_changes()") ?? 0
      return Answer(records: records, changedRowCount: after - before)
    }
  }

  /// Whether a statement rewrites the database in place, for which SQLite attaches one of its own.
  private static func isVacuum(_ sql: String) -> Bool {
    let words = sql.lowercased().split { $0.isWhitespace || $0 == ";" }
    return words == ["vacuum"] || words == ["vacuum", "main"]
  }

  private static func record(_ statement: Statement) -> JSONValue {
    var members: [JSONValue.Member] = []
    for index in 0..<statement.columnCount {
      let name = statement.columnName(index)
      let value: JSONValue =
        switch statement.value(index) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .number(value)
        case .text(let text): .string(text)
        case .blob(let bytes): .string(Base64.text(bytes))
        }
      // Of columns with one name the last one counts, as in any dictionary.
      members.removeAll { $0.name == name }
      members.append(JSONValue.Member(name, value))
    }
    return .object(members)
  }

  private func described<Result>(
    _ body: () throws -> Result
  ) throws(HyperHiveError) -> Result {
    do {
      return try body()
    } catch {
      throw HyperHiveError(error, place: path, exchange: HyperHiveExchange())
    }
  }
}
