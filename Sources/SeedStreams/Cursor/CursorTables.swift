package import SeedMerge
internal import SeedModel
package import SeedSQLite

/// The two tables of a database that say where it stands in its streams, and what they may write.
///
/// They are written in the transactions that change the streams' rows, so that position and
/// rows never come apart.
package enum CursorTables {
  /// The table of positions.
  package static let positions = "_seed_stream"
  /// The table of what each stream may write.
  package static let allowed = "_seed_stream_table"

  /// The statements that make the tables where they are missing.
  package static let createSQL = """
    CREATE TABLE IF NOT EXISTS _seed_stream(
      stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
      cursor TEXT, schema TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS _seed_stream_table(
      stream TEXT NOT NULL, "table" TEXT NOT NULL, key TEXT NOT NULL, columns TEXT NOT NULL,
      PRIMARY KEY(stream, "table")) WITHOUT ROWID;
    """

  /// Makes the tables where they are missing.
  ///
  /// - Parameter connection: The database.
  /// - Throws: ``SQLiteError``.
  package static func create(on connection: Connection) throws(SQLiteError) {
    try connection.execute(createSQL)
  }

  /// Reads a stream's position.
  ///
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - connection: The database.
  /// - Returns: Nil when the database has none.
  /// - Throws: ``CursorError``.
  package static func cursor(
    of stream: String, in connection: Connection
  ) throws(CursorError) -> StreamCursor? {
    try cursors(in: connection, "WHERE stream = ?", [stream]).first
  }

  /// Reads the positions of all streams, by name.
  ///
  /// - Parameter connection: The database.
  /// - Returns: The positions; none in a database without streams.
  /// - Throws: ``CursorError``.
  package static func cursors(in connection: Connection) throws(CursorError) -> [StreamCursor] {
    try cursors(in: connection, "ORDER BY stream", [])
  }

  private static func cursors(
    in connection: Connection, _ condition: String, _ values: [String]
  ) throws(CursorError) -> [StreamCursor] {
    try CursorError.inDatabase { () throws(SQLiteError) in
      guard try hasTable(positions, in: connection) else { return [] }
      let statement = try connection.prepare(
        """
        SELECT stream, epoch, seq, id, cursor, schema, applied_at FROM _seed_stream \(condition)
        """)
      for (index, value) in values.enumerated() {
        try statement.bindText(Int32(index + 1), value)
      }
      var cursors: [StreamCursor] = []
      while try statement.step() {
        cursors.append(
          StreamCursor(
            stream: statement.text(0),
            position: StreamPosition(
              epoch: statement.integer(1), seq: statement.integer(2), id: statement.text(3)),
            cursor: statement.columnType(4) == .null ? nil : statement.text(4),
            schema: statement.text(5), appliedAt: statement.integer(6)))
      }
      return cursors
    }
  }

  /// Writes a position in place of whatever position the stream has.
  ///
  /// - Parameters:
  ///   - cursor: The position.
  ///   - connection: The database, with the tables.
  /// - Throws: ``SQLiteError``.
  package static func write(
    _ cursor: StreamCursor, to connection: Connection
  ) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO _seed_stream(stream, epoch, seq, id, cursor, schema, applied_at)
      VALUES(?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(stream) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq,
        id = excluded.id, cursor = excluded.cursor, schema = excluded.schema,
        applied_at = excluded.applied_at
      """, .text(cursor.stream), .integer(cursor.position.epoch), .integer(cursor.position.seq),
      .text(cursor.position.id), cursor.cursor.map { .text($0) } ?? .null, .text(cursor.schema),
      .integer(cursor.appliedAt))
  }

  /// Moves a position on, if it still is what it is taken for.
  ///
  /// - Parameters:
  ///   - position: The position that the change starts from.
  ///   - cursor: The new one.
  ///   - connection: The database.
  /// - Returns: False when the database stands elsewhere; nothing is changed then.
  /// - Throws: ``SQLiteError``.
  package static func advance(
    from position: StreamPosition, to cursor: StreamCursor, in connection: Connection
  ) throws(SQLiteError) -> Bool {
    try connection.run(
      """
      UPDATE _seed_stream SET epoch = ?, seq = ?, id = ?, cursor = ?, schema = ?, applied_at = ?
      WHERE stream = ? AND epoch = ? AND seq = ? AND id = ?
      """, .integer(cursor.position.epoch), .integer(cursor.position.seq),
      .text(cursor.position.id), cursor.cursor.map { .text($0) } ?? .null, .text(cursor.schema),
      .integer(cursor.appliedAt), .text(cursor.stream), .integer(position.epoch),
      .integer(position.seq), .text(position.id))
    return connection.changes == 1
  }

  /// Reads what a stream may write.
  ///
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - connection: The database.
  /// - Returns: The tables by the bytes of their names; none when the stream is not declared.
  /// - Throws: ``CursorError``.
  package static func tables(
    of stream: String, in connection: Connection
  ) throws(CursorError) -> [DeclaredTable] {
    let rows = try CursorError.inDatabase { () throws(SQLiteError) -> [[SQLiteValue]] in
      guard try hasTable(allowed, in: connection) else { return [] }
      return try connection.rows(
        """
        SELECT "table", key, columns FROM _seed_stream_table WHERE stream = ? ORDER BY "table"
        """, .text(stream))
    }
    var tables: [DeclaredTable] = []
    for row in rows {
      guard case .text(let name) = row[0] else {
        throw .malformed("a table's name in \"_seed_stream_table\" is not a text")
      }
      tables.append(
        DeclaredTable(
          name: name, key: try names(row[1], "key", of: name),
          columns: try names(row[2], "columns", of: name)))
    }
    return tables
  }

  /// The streams for which tables are declared, by name, each with its tables.
  ///
  /// - Parameter connection: The database.
  /// - Returns: The names of streams and tables.
  /// - Throws: ``CursorError``.
  package static func declarations(
    in connection: Connection
  ) throws(CursorError) -> [(stream: String, table: String)] {
    try CursorError.inDatabase { () throws(SQLiteError) in
      guard try hasTable(allowed, in: connection) else { return [] }
      let statement = try connection.prepare(
        "SELECT stream, \"table\" FROM _seed_stream_table ORDER BY stream, \"table\"")
      var declarations: [(stream: String, table: String)] = []
      while try statement.step() {
        declarations.append((statement.text(0), statement.text(1)))
      }
      return declarations
    }
  }

  /// Writes what a stream may write, in place of what was declared for it.
  ///
  /// - Parameters:
  ///   - tables: The tables.
  ///   - stream: The stream's name.
  ///   - connection: The database, with the tables.
  /// - Throws: ``SQLiteError``.
  package static func declare(
    _ tables: [DeclaredTable], for stream: String, in connection: Connection
  ) throws(SQLiteError) {
    try connection.run("DELETE FROM _seed_stream_table WHERE stream = ?", .text(stream))
    for table in tables {
      try connection.run(
        "INSERT INTO _seed_stream_table(stream, \"table\", key, columns) VALUES(?, ?, ?, ?)",
        .text(stream), .text(table.name), .text(list(table.key)), .text(list(table.columns)))
    }
  }

  private static func hasTable(
    _ name: String, in connection: Connection
  ) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", .text(name))
      != nil
  }

  private static func list(_ names: [String]) -> String {
    var bytes: [UInt8] = []
    JSONBytes.append(.array(names.map { .string($0) }), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func names(
    _ value: SQLiteValue, _ column: String, of table: String
  ) throws(CursorError) -> [String] {
    let place = "\"\(column)\" of table \"\(table)\" in \"_seed_stream_table\""
    guard case .text(let text) = value else { throw .malformed("\(place) is not a text") }
    let document: JSONValue
    do throws(JSONError) {
      document = try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw .malformed("\(place) is not JSON: \(error.description)")
    }
    guard let elements = document.arrayValue, !elements.isEmpty else {
      throw .malformed("\(place) is no list of names")
    }
    var names: [String] = []
    for element in elements {
      guard let name = element.stringValue else {
        throw .malformed("\(place) is no list of names")
      }
      names.append(name)
    }
    return names
  }
}
