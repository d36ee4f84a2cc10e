internal import SeedFiles
internal import SeedFormat
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Reads the schema that a build is told to fill.
enum SchemaSource {
  /// Tables in which well-known frameworks note which migrations were run: a database that lacks
  /// their rows would be migrated from the start by the app.
  private static let bookkeepingTables: Set<String> = [
    "grdb_migrations", "schema_migrations", "room_master_table", "android_metadata",
    "alembic_version", "flyway_schema_history", "django_migrations", "__drizzle_migrations",
    "_prisma_migrations", "knex_migrations", "knex_migrations_lock", "goose_db_version",
  ]

  /// The schema of a `.sql` script or of a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - mostSteps: How long a script's statements may run, in steps of SQLite.
  /// - Returns: What it declares.
  /// - Throws: ``BuildError`` when it is neither, ``InputError``, ``InspectionError``,
  ///   ``SQLiteError``.
  static func read(_ path: String, mostSteps: Int64) throws -> TargetSchema {
    let file = try source(path)
    let (prefix, whole) = try PrefixedSource.peek(DatabaseHeader.magic.count, from: file)
    if prefix == DatabaseHeader.magic {
      var schema = try template(path)
      schema.path = path
      return schema
    }
    if let other = FormatGuess.nonText(prefix) {
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error, "this looks like \(other) and is no schema", at: SourceLocation(file: path),
            hint: "give an SQL script, a database or a Core Data model; unpack it first if one is "
              + "packed in it")
        ])
    }
    return try script(path, bytes: whole, mostSteps: mostSteps)
  }

  private static func source(_ path: String) throws -> FileSource {
    do {
      return try FileSource(path: path)
    } catch let error as InputError where error.reason == .missing {
      throw InputError(.missingCompanion, at: error.location)
    }
  }

  // MARK: Scripts

  /// A script is a configuration file: some megabytes are plenty.
  private static let mostScriptBytes = 16 << 20

  private static func script(
    _ path: String, bytes source: any ByteSource, mostSteps: Int64
  ) throws -> TargetSchema {
    let text = try Self.text(of: source, path: path)
    let connection = try Connection.temporary()
    // A schema has no business with other files.
    connection.forbidAttaching()
    // Whatever the version of SQLite begins with.
    try connection.execute("PRAGMA page_size = \(BuildConnection.usualPageSize)")
    connection.limitSteps(to: mostSteps)
    let pragmas = ScriptPragmas(of: text, path: path)
    try pragmas.apply(to: connection)
    do {
      try connection.execute(text)
    } catch {
      throw failure(error, in: text, path: path)
    }
    if !connection.isInAutocommit {
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error, "the schema leaves a transaction open", at: SourceLocation(file: path),
            hint: "end it with COMMIT, or leave BEGIN out")
        ])
    }
    connection.liftStepLimit()
    var schema = try TargetSchema(of: connection)
    schema.keptTables = try filledTables(schema, connection)
    schema.remarks = pragmas.remarks
    return schema
  }

  private static func text(of source: any ByteSource, path: String) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try buffer.withUnsafeMutableBufferPointer { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        return try source.read(into: base, capacity: buffer.count)
      }
      if count == 0 { break }
      bytes += buffer[..<count]
      if bytes.count > mostScriptBytes {
        throw InputError(
          .tooLong(what: "the schema", limit: mostScriptBytes), at: SourceLocation(file: path))
      }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InputError(
        .undecodable(encoding: "UTF-8", byte: nil), at: SourceLocation(file: path))
    }
    return text
  }

  private static func failure(_ error: SQLiteError, in text: String, path: String) -> BuildError {
    let bytes = Array(text.utf8)
    let place = bytes.withUnsafeBufferPointer { buffer in
      SourcePlace(buffer, startLine: 1, startColumn: 1)
        .describe(index: error.offset ?? 0, file: path)
    }
    if error.isInterrupted {
      return BuildError(
        .input,
        [
          Diagnostic(
            .error, "the statement goes on without an end", at: place.0, excerpt: place.1,
            hint: "give its recursion a condition or a LIMIT")
        ])
    }
    let isDotCommand = error.offset.map { $0 < bytes.count && bytes[$0] == UInt8(ascii: ".") }
    return BuildError(
      .input,
      [
        Diagnostic(
          .error, "SQLite refuses the schema: \(error.message)", at: place.0, excerpt: place.1,
          hint: isDotCommand == true
            ? "lines with a dot are commands of the sqlite3 shell; leave them out" : nil)
      ])
  }

  // MARK: Templates

  private static func template(_ path: String) throws -> TargetSchema {
    let file = try DatabaseFile(path: path)
    let companion =
      file.hasWriteAheadLog
      ? "-wal" : file.journalByteCount ?? 0 > 0 ? "-journal" : nil
    if let companion {
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error, "the template has unfinished work in \"\(path)\(companion)\"",
            at: SourceLocation(file: path),
            hint: "close the app that has it open, or run: sqlite3 \(path) "
              + "\"PRAGMA wal_checkpoint(TRUNCATE)\"")
        ])
    }
    _ = try file.wholeHeader()
    let connection = try Connection(path: path, mode: .immutable)
    do {
      var schema = try TargetSchema(of: connection)
      schema.keptTables = try filledTables(schema, connection).filter {
        bookkeepingTables.contains($0.lowercased())
      }
      return schema
    } catch let error as SQLiteError {
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error, "the template cannot be read: \(error.message)", at: SourceLocation(file: path),
            hint: "\"seed verify \(path)\" says more")
        ])
    }
  }

  private static func filledTables(
    _ schema: TargetSchema, _ connection: Connection
  ) throws -> [String] {
    try schema.tables.filter { table in
      let name = SQLiteName.quoted(table.name)
      return try connection.scalarInteger("SELECT 1 FROM \(name) LIMIT 1") != nil
    }.map(\.name)
  }
}
