internal import SeedFormat
package import SeedSQLite

/// Describes a database without changing anything about it.
package enum Inspection {
  /// Describes the database at a path.
  ///
  /// Leaves no file beside it, unless part of the content is in a write-ahead log: then SQLite
  /// may add the log's index, and a note says so.
  ///
  /// - Throws: ``InspectionError`` when the file is missing, is no database, or is damaged so much
  ///   that its schema cannot be read. Lesser damage becomes notes.
  package static func report(onDatabaseAt path: String) throws(InspectionError) -> DatabaseReport {
    try read(databaseAt: path) { (file, header, connection) throws(SQLiteError) in
      try report(on: file, header, over: connection)
    }
  }

  /// Describes the database at a path, and what else is to be told about its content.
  ///
  /// - Throws: ``InspectionError`` as ``report(onDatabaseAt:)`` does.
  package static func report<Addition>(
    onDatabaseAt path: String, adding addition: (Connection) throws(SQLiteError) -> Addition
  ) throws(InspectionError) -> (report: DatabaseReport, addition: Addition) {
    try read(databaseAt: path) { (file, header, connection) throws(SQLiteError) in
      (try report(on: file, header, over: connection), try addition(connection))
    }
  }

  /// Describes the database at a path and shows some of what is in it.
  ///
  /// - Throws: ``InspectionError`` as ``report(onDatabaseAt:)`` does.
  package static func contents(
    ofDatabaseAt path: String
  ) throws(InspectionError) -> DatabaseContents {
    try contents(ofDatabaseAt: path) { _ in }.contents
  }

  /// Describes the database at a path, shows some of what is in it, and what else is to be told.
  ///
  /// - Throws: ``InspectionError`` as ``report(onDatabaseAt:)`` does.
  package static func contents<Addition>(
    ofDatabaseAt path: String, adding addition: (Connection) throws(SQLiteError) -> Addition
  ) throws(InspectionError) -> (contents: DatabaseContents, addition: Addition) {
    try read(databaseAt: path) { (file, header, connection) throws(SQLiteError) in
      let report = try report(on: file, header, over: connection)
      var samples = SampleReader(connection: connection)
      let contents = DatabaseContents(
        report: report, samples: report.tables.map { samples.sample(of: $0) },
        definitions: try SchemaDefinition.all(in: connection))
      return (contents, try addition(connection))
    }
  }

  /// Opens a database for reading and leaves no file beside it, unless part of the content is in a
  /// write-ahead log.
  ///
  /// - Parameter path: The database's path.
  /// - Returns: A connection that does not trust the schema.
  /// - Throws: ``InspectionError`` when the file is missing, is no database, was cut off or cannot be
  ///   opened.
  package static func connection(
    toDatabaseAt path: String
  ) throws(InspectionError) -> Connection {
    let file = try DatabaseFile(path: path)
    _ = try file.wholeHeader()
    do throws(SQLiteError) {
      return try file.openForReading()
    } catch {
      throw InspectionError(.database(error), path: path)
    }
  }

  /// Opens a database, has it read and closes it.
  private static func read<Result>(
    databaseAt path: String,
    _ body: (DatabaseFile, DatabaseHeader, Connection) throws(SQLiteError) -> Result
  ) throws(InspectionError) -> Result {
    let file = try DatabaseFile(path: path)
    let header = try file.wholeHeader()
    do throws(SQLiteError) {
      return try body(file, header, try file.openForReading())
    } catch {
      throw InspectionError(.database(error), path: path)
    }
  }

  private static func report(
    on file: DatabaseFile, _ header: DatabaseHeader, over connection: Connection
  ) throws(SQLiteError) -> DatabaseReport {
    var notes = notes(on: file)
    let sizes = PageSizes(reading: connection)
    if let problem = sizes.problem { notes.append(problem) }
    var reader = TableReader(connection: connection, sizes: sizes)
    let tables = try reader.tables()
    notes += reader.notes
    let stamp: SeedStamp?
    switch try SeedStamp.read(from: connection) {
    case .absent: stamp = nil
    case .present(let found): stamp = found
    case .malformed(let problem):
      stamp = nil
      notes.append(problem)
    }
    return DatabaseReport(
      path: file.path, byteCount: file.byteCount,
      pageSize: Int(try pragma("page_size", of: connection)),
      pageCount: try pragma("page_count", of: connection),
      freePageCount: try pragma("freelist_count", of: connection),
      textEncoding: try connection.scalarText("PRAGMA encoding") ?? "",
      isWriteAheadLogging: header.isWriteAheadLogging,
      userVersion: try pragma("user_version", of: connection),
      applicationID: try pragma("application_id", of: connection), stamp: stamp, tables: tables,
      views: try views(of: connection), triggers: try triggers(of: connection), notes: notes)
  }

  /// What lies beside a database and has to do with its content.
  static func notes(on file: DatabaseFile) -> [String] {
    var notes: [String] = []
    if file.hasWriteAheadLog {
      notes.append(
        "read together with \"\(file.path)-wal\"; SQLite may leave \"\(file.path)-shm\" beside it")
    }
    if file.journalByteCount ?? 0 > 0 {
      notes.append(
        "\"\(file.path)-journal\" was not applied; the content may be that of an unfinished change")
    }
    return notes
  }

  private static func pragma(
    _ name: String, of connection: Connection
  ) throws(SQLiteError) -> Int64 {
    try connection.scalarInteger("PRAGMA \(name)") ?? 0
  }

  private static func views(of connection: Connection) throws(SQLiteError) -> [String] {
    let statement = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")
    var views: [String] = []
    while try statement.step() { views.append(statement.text(0)) }
    return views
  }

  private static func triggers(
    of connection: Connection
  ) throws(SQLiteError) -> [DatabaseReport.Trigger] {
    let statement = try connection.prepare(
      "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    var triggers: [DatabaseReport.Trigger] = []
    while try statement.step() {
      triggers.append(DatabaseReport.Trigger(name: statement.text(0), table: statement.text(1)))
    }
    return triggers
  }
}
