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
    let code = seed_sqlite3_read_file(open, &bytes, Int32(byteCount), 0)
    guard code == SQLITE_OK || code == seed_sqlite3_ioerr_short_read else {
      throw fileFailure(code, "read the header")
    }
    return bytes
  }

  /// Reads the whole of the database's file, as ``fileStart(byteCount:)`` reads its beginning.
  ///
  /// The only way to read a database in rollback mode while its exclusive lock is held: it keeps
  /// other connections of the same process from reading, too.
  ///
  /// - Parameters:
  ///   - blockByteCount: How many bytes are read at once.
  ///   - body: Called with each block in its order.
  /// - Throws: ``SQLiteError``, or what the closure throws.
  package func forEachFileBlock(
    byteCount blockByteCount: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var total: Int64 = 0
    let code = seed_sqlite3_file_size(open, &total)
    guard code == SQLITE_OK else { throw fileFailure(code, "read the size of the file") }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockByteCount, alignment: 4096)
    defer { block.deallocate() }
    var offset: Int64 = 0
    while offset < total {
      let count = Int(min(Int64(blockByteCount), total - offset))
      let code = seed_sqlite3_read_file(open, block.baseAddress, Int32(count), offset)
      guard code == SQLITE_OK else { throw fileFailure(code, "read the file") }
      try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
      offset += Int64(count)
    }
  }

  /// The error of a call that went past the connection, which therefore has no message for it.
  private func fileFailure(_ code: Int32, _ operation: String) -> SQLiteError {
    SQLiteError(
      code: code, message: String(cString: sqlite3_errstr(code)), operation: operation, path: path)
  }

  /// Has statements wait for other connections, up to a limit, before they fail as busy.
  ///
  /// - Parameters:
  ///   - milliseconds: The limit.
  ///   - isInsistent: Whether to look each millisecond. SQLite itself waits for ever longer, up to
  ///     a tenth of a second, which hardly ever meets the moment between the transactions of others
  ///     that write all the time.
  package func setBusyTimeout(milliseconds: Int, isInsistent: Bool = false) {
    let limit = Int32(clamping: milliseconds)
    if isInsistent {
      seed_sqlite3_insist(open, limit)
    } else {
      sqlite3_busy_timeout(open, limit)
    }
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
