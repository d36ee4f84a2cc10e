internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite

extension TableStream {
  /// Begins a stream that no publisher has put into a database, such as one of an API's pages.
  ///
  /// Safe to call at every launch: a stream that has a position keeps it; what it may write is what
  /// was given last.
  /// - Parameters:
  ///   - name: The stream's name.
  ///   - path: The path of the database, with the tables.
  ///   - tables: What the stream may write.
  ///   - cursor: What the first run starts with; nil for the beginning.
  /// - Throws: ``StreamError``.
  public static func begin(
    _ name: String, database path: String, tables: [StreamTableDeclaration],
    cursor: String? = nil
  ) throws(StreamError) {
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA busy_timeout = 5000")
      try connection.execute("BEGIN IMMEDIATE")
      try CursorTables.create(on: connection)
      if try CursorTables.cursor(of: name, in: connection) == nil {
        try CursorTables.write(
          StreamCursor(
            stream: name, position: StreamPosition(epoch: 1, seq: 0, id: "begin"),
            cursor: cursor, schema: "", appliedAt: 0),
          to: connection)
      }
      try CursorTables.declare(
        tables.map { DeclaredTable(name: $0.table, key: $0.key, columns: $0.columns) },
        for: name, in: connection)
      try connection.execute("COMMIT")
      try connection.close()
    } catch {
      throw StreamFailure(
        stream: name, phase: .opening, position: nil, path: path, files: .live
      ).error(for: error)
    }
  }
}
