internal import CSQLite

/// One open database.
///
/// Confined to one thread at a time: it is opened without SQLite's mutexes, so it and its
/// statements may move between threads but are never used from two at once.
package final class Connection {
  /// How a database file is opened.
  package enum Mode: Sendable {
    /// Reads an existing file, honouring locks and recovering a write-ahead log.
    case readOnly
    /// Reads and writes an existing file.
    case readWrite
    /// Reads and writes an existing file, and takes URIs as names of databases to attach.
    case readWriteAttaching
    /// Reads and writes, creating the file if it is missing.
    case create
    /// Reads a file that nobody changes: no locks are taken and no log beside it is looked at.
    ///
    /// This is the only mode that works on read-only media and leaves no `-shm` file behind.
    case immutable
  }

  /// The file as it was named when it was opened; empty for a database in memory.
  package let path: String

  /// Nil once closed.
  private var handle: OpaquePointer?

  /// How many steps statements may take, and how many of them are left; SQLite counts there.
  internal var stepLimit = Int64.max
  internal let stepsLeft: UnsafeMutablePointer<Int64>

  /// Opens a database file; the path is a plain file name even if it looks like a URI.
  ///
  /// SQLite reads the file only when the first statement runs, so a file that is not a database
  /// is reported by that statement.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - mode: How it is opened.
  ///   - attachesURIs: Whether `ATTACH` takes URIs, as ``attachImmutable(_:as:)`` needs it.
  /// - Throws: ``SQLiteError`` when the file cannot be opened.
  package convenience init(
    path: String, mode: Mode, attachesURIs: Bool = false
  ) throws(SQLiteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN, message: "not a usable file name", operation: "open", path: path)
    }
    var name = DatabaseName(path: path, mode: mode)
    if attachesURIs { name.flags |= SQLITE_OPEN_URI }
    try self.init(name: name, path: path)
  }

  /// Opens a new, empty database in memory.
  package static func inMemory() throws(SQLiteError) -> Connection {
    try Connection(name: .memory, path: "")
  }

  /// Opens a new, empty database that SQLite keeps in a file without a name when it grows large.
  ///
  /// The file lies in the directory for temporary files and vanishes with the connection.
  package static func temporary() throws(SQLiteError) -> Connection {
    try Connection(name: .temporary, path: "")
  }

  private init(name: DatabaseName, path: String) throws(SQLiteError) {
    self.path = path
    stepsLeft = .allocate(capacity: 1)
    stepsLeft.initialize(to: .max)
    let flags = name.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(name.text, &handle, flags, nil)
    guard code == SQLITE_OK else {
      var message = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
      // Why, SQLite leaves to the system to say.
      if let reason = seed_sqlite3_last_system_message(handle) {
        message += ": " + String(cString: reason).lowercased()
      }
      // A failed open still yields a handle that holds memory.
      sqlite3_close_v2(handle)
      handle = nil
      throw SQLiteError(code: code, message: message, operation: "open", path: path)
    }
  }

  /// Statements may outlive the connection: `sqlite3_close_v2` waits for the last one.
  deinit {
    if let handle { sqlite3_progress_handler(handle, 0, nil, nil) }
    sqlite3_close_v2(handle)
    stepsLeft.deallocate()
  }

  /// Closes the file now and reports what goes wrong, which letting go of the connection cannot.
  ///
  /// - Precondition: The connection is not used afterwards; closing twice is allowed.
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isBusy`` when a statement is still alive; the
  ///   connection then stays open.
  package func close() throws(SQLiteError) {
    guard let handle else { return }
    let code = sqlite3_close(handle)
    guard code == SQLITE_OK else { throw failure(code, operation: "close") }
    self.handle = nil
  }

  /// Runs one or several statements to their end, ignoring the rows they yield.
  ///
  /// - Throws: ``SQLiteError`` of the first statement that fails, with its text and its offset in
  ///   the script; the earlier ones have run.
  package func execute(_ sql: String) throws(SQLiteError) {
    var script = Script(sql)
    while let statement = try script.next(on: self) {
      do throws(SQLiteError) {
        while try statement.step() {}
      } catch {
        var located = error
        located.offset = script.statementOffset
        throw located
      }
    }
  }

  /// Compiles one statement.
  ///
  /// - Throws: ``SQLiteError`` when the text is not exactly one valid statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var script = Script(sql)
    guard let statement = try script.next(on: self) else {
      throw SQLiteError(
        code: SQLITE_MISUSE, message: "no statement in the text", operation: sql, path: path)
    }
    guard try script.next(on: self) == nil else {
      throw SQLiteError(
        code: SQLITE_MISUSE, message: "more than one statement in the text", operation: sql,
        path: path, offset: script.statementOffset)
    }
    return statement
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  package var changes: Int64 { sqlite3_changes64(open) }

  /// The rowid of the last inserted row; 0 before the first insert.
  package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(open) }

  /// Whether no transaction is open.
  package var isInAutocommit: Bool { sqlite3_get_autocommit(open) != 0 }

  /// Forbids or allows SQL that could damage the file, such as writes to the schema table.
  package func setDefensive(_ isOn: Bool) throws(SQLiteError) {
    let code = seed_sqlite3_config_defensive(open, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw failure(code, operation: "set defensive mode") }
  }

  /// Lets statements fire triggers, or not; what foreign keys do by themselves goes on.
  package func setTriggers(_ isOn: Bool) throws(SQLiteError) {
    let code = seed_sqlite3_config_triggers(open, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw failure(code, operation: "set triggers") }
  }

  /// Refuses `ATTACH` from now on, and with it `VACUUM INTO`: SQL then reaches no other file.
  package func forbidAttaching() {
    sqlite3_limit(open, SQLITE_LIMIT_ATTACHED, 0)
  }

  /// How many columns a table may have.
  package var columnLimit: Int { Int(sqlite3_limit(open, SQLITE_LIMIT_COLUMN, -1)) }

  /// The handle of the open connection.
  ///
  /// - Precondition: ``close()`` has not been called.
  internal var open: OpaquePointer {
    guard let handle else { preconditionFailure("the connection is closed") }
    return handle
  }

  internal func failure(
    _ code: Int32, operation: String, offset: Int? = nil
  ) -> SQLiteError {
    SQLiteError(code, of: open, operation: operation, path: path, offset: offset)
  }
}
