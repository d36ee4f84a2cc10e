internal import CSQLite

extension Connection {
  /// Reads the beginning of the database's file through the descriptor that SQLite has already.
  ///
  /// A descriptor of one's own must not be closed while the process has the database open: that
  /// drops SQLite's locks. What a write-ahead log holds is not in the result.
  /// - Returns: At most the given number of bytes, zeros behind the end of a shorter file.
  /// - Throws: ``SQLiteError``.
  package func fileStart(byteCount: Int) throws(SQLiteError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let code = seed_sqlite3_read_file_start(open, &bytes, Int32(byteCount))
    guard code == SQLITE_OK || code == seed_sqlite3_ioerr_short_read else {
      // The call went past the connection, which therefore has no message for it.
      throw SQLiteError(
        code: code, message: String(cString: sqlite3_errstr(code)), operation: "read the header",
        path: path)
    }
    return bytes
  }

  /// Has statements wait for other connections, up to a limit, before they fail as busy.
  package func setBusyTimeout(milliseconds: Int) {
    sqlite3_busy_timeout(open, Int32(clamping: milliseconds))
  }
}

extension Connection {
  /// The URI by which any SQLite opens a file that nobody changes, without locks and logs.
  package static func immutableURI(of path: String) -> String {
    DatabaseName(path: path, mode: .immutable).text
  }
}

extension Connection {
  /// Attaches a database file that nobody changes, for reading: no locks are taken and no log
  /// beside it is looked at.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - schema: The name before the dot of its tables.
  /// - Throws: ``SQLiteError``.
  /// - Precondition: The connection was opened with `attachesURIs`, and is in no transaction.
  package func attachImmutable(_ path: String, as schema: String) throws(SQLiteError) {
    try run(
      "ATTACH ? AS \(SQLiteName.quoted(schema))", .text(Self.immutableURI(of: path)))
  }

  /// Whether the transaction could not be committed now, since rows refer to rows that are not
  /// there.
  package var hasForeignKeyViolations: Bool {
    var count: Int32 = 0
    var highest: Int32 = 0
    let code = sqlite3_db_status(open, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    return code == SQLITE_OK && count != 0
  }
}
