internal import SeedFiles
internal import SeedFormat
internal import SeedMerge
internal import SeedSQLite
internal import SeedStreams

/// The database that is published, held against other writers until its position is written.
final class NewDatabase {
  let path: String
  let stream: String
  /// Whether nobody has named the stream: neither who publishes nor the database.
  let isStreamAssumed: Bool
  /// The stream's tables, by the bytes of their names.
  let tables: [PublishedTable]
  /// The order of each table's rows, by the table's name.
  let orders: [String: KeyOrder]
  /// Where the database says that it stands.
  let cursor: StreamCursor?
  private let declared: [DeclaredTable]
  let connection: Connection
  private let isUTF8: Bool

  /// Opens a database and locks it against writers.
  ///
  /// - Throws: ``StreamPublishError``.
  init(path: String, stream name: String?, files: FileSystem) throws(StreamPublishError) {
    let status = try StreamPublishError.inFile { () throws(FileError) in try files.status(path) }
    guard let status else { throw StreamPublishError(.noDatabase, path: path) }
    if status.kind == .regular { try Self.checkIsWhole(path, status.byteCount, files) }
    let (connection, isUTF8) = try StreamPublishError.inDatabase(path) {
      () throws(SQLiteError) in
      let connection = try Connection(path: path, mode: .readWrite)
      connection.setBusyTimeout(milliseconds: 5000)
      // What is published ships, too, and read-only places cannot open a database in WAL mode.
      if try connection.scalarText("PRAGMA journal_mode") == "wal" {
        _ = try connection.scalarText("PRAGMA journal_mode = DELETE")
      }
      try connection.execute("BEGIN IMMEDIATE")
      return (connection, try Self.prepare(connection))
    }
    self.path = path
    self.connection = connection
    self.isUTF8 = isUTF8
    guard try !Self.isCoreDataStore(connection, path) else {
      throw StreamPublishError(.coreDataStore, path: path)
    }
    do throws(PublishedTableError) {
      stream = try PublishedTables.stream(named: name, in: connection)
      tables = try PublishedTables.tables(of: stream, in: connection)
    } catch {
      throw StreamPublishError(.tables(error), path: path)
    }
    var orders: [String: KeyOrder] = [:]
    for table in tables { orders[table.table.name] = try KeyOrder(table, path: path) }
    self.orders = orders
    do throws(CursorError) {
      cursor = try CursorTables.cursor(of: stream, in: connection)
      declared = try CursorTables.tables(of: stream, in: connection)
    } catch {
      throw StreamPublishError(.tables(.cursor(error)), path: path)
    }
    isStreamAssumed = name == nil && declared.isEmpty
  }

  /// Whether Core Data keeps its books in the database: rows that a stream brought would be missing in
  /// them, and the next object that an app saves would get the number of one of those.
  private static func isCoreDataStore(
    _ connection: Connection, _ path: String
  ) throws(StreamPublishError) -> Bool {
    try StreamPublishError.inDatabase(path) { () throws(SQLiteError) in
      try connection.scalarInteger(
        """
        SELECT count(*) FROM sqlite_schema
        WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')
        """) == 2
    }
  }

  /// Refuses a file without its end: the rows in it would be published as changed or deleted.
  private static func checkIsWhole(
    _ path: String, _ byteCount: Int64, _ files: FileSystem
  ) throws(StreamPublishError) {
    let expected = try StreamPublishError.inFile { () throws(FileError) -> Int64? in
      // Where a log lies beside the file, the file alone need not be whole.
      for log in ["-wal", "-journal"] where try files.status(path + log)?.byteCount ?? 0 > 0 {
        return nil
      }
      return DatabaseHeader(try files.bytes(of: path, limit: DatabaseHeader.byteCount))?
        .wholeByteCount(ofCutFile: byteCount)
    }
    guard let expected else { return }
    throw StreamPublishError(.cutOff(byteCount: byteCount, expected: expected), path: path)
  }

  /// Adds what queries in the order of keys need.
  ///
  /// - Returns: Whether texts are stored in UTF-8.
  static func prepare(_ connection: Connection) throws(SQLiteError) -> Bool {
    let isUTF8 = try connection.scalarText("PRAGMA encoding") == "UTF-8"
    if !isUTF8 { try connection.addByteOrderCollation() }
    return isUTF8
  }

  /// The tables as the head lists them.
  var schema: [StreamTable] { tables.map(\.table) }

  /// The order of a table's rows.
  func order(of table: PublishedTable) throws(StreamPublishError) -> KeyOrder {
    if let order = orders[table.table.name] { return order }
    return try KeyOrder(table, path: path)
  }

  /// A query for a table's rows by key, with the columns of the stream.
  func rows(of table: PublishedTable, order: KeyOrder) throws(StreamPublishError) -> Statement {
    let columns = table.table.columns.map { SQLiteName.quoted($0.name) }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM main.\(SQLiteName.quoted(table.table.name)) \
      ORDER BY \(order.terms(table, isUTF8: isUTF8))
      """
    return try StreamPublishError.inDatabase(path) { () throws(SQLiteError) in
      try connection.prepare(sql)
    }
  }

  /// A query for one row by its key.
  func row(of table: PublishedTable, order: KeyOrder) throws(StreamPublishError) -> Statement {
    let columns = table.table.columns.map { SQLiteName.quoted($0.name) }
    let conditions = zip(table.table.key, order.collations).map { name, collation in
      "\(SQLiteName.quoted(name)) = ? COLLATE \(collation.rawValue)"
    }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM main.\(SQLiteName.quoted(table.table.name)) \
      WHERE \(conditions.joined(separator: " AND "))
      """
    return try StreamPublishError.inDatabase(path) { () throws(SQLiteError) in
      try connection.prepare(sql)
    }
  }

  /// Writes the position into the database, as one transaction, and lets others write again.
  ///
  /// A database that has it already is not written to.
  func bake(_ position: StreamPosition) throws(StreamPublishError) {
    let wanted = Self.cursor(stream, position, schema)
    try StreamPublishError.inDatabase(path) { () throws(SQLiteError) in
      guard cursor != wanted || declared != Self.declarations(tables) else {
        try connection.execute("ROLLBACK")
        try connection.close()
        return
      }
      try Self.write(wanted, tables, to: connection)
      try connection.execute("COMMIT")
      try connection.close()
    }
  }

  /// A position as a publisher writes it.
  static func cursor(
    _ stream: String, _ position: StreamPosition, _ schema: [StreamTable]
  ) -> StreamCursor {
    StreamCursor(stream: stream, position: position, schema: SchemaDigest.compute(schema))
  }

  /// Writes a position and what the stream may write.
  static func write(
    _ cursor: StreamCursor, _ tables: [PublishedTable], to connection: Connection
  ) throws(SQLiteError) {
    try CursorTables.create(on: connection)
    try CursorTables.write(cursor, to: connection)
    try CursorTables.declare(declarations(tables), for: cursor.stream, in: connection)
  }

  private static func declarations(_ tables: [PublishedTable]) -> [DeclaredTable] {
    tables.map {
      DeclaredTable(name: $0.table.name, key: $0.table.key, columns: $0.table.columns.map(\.name))
    }
  }
}
