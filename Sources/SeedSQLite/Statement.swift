internal import CSQLite

/// A compiled statement: parameters are bound, it is stepped, columns are read.
///
/// Confined to the thread that uses its ``Connection``. It may be let go of before or after the
/// connection: SQLite keeps the file open until both are gone.
package final class Statement {
  internal let handle: OpaquePointer
  private let path: String

  internal init(handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Advances to the next row.
  ///
  /// - Returns: Whether there is one; false at the end.
  /// - Throws: ``SQLiteError``; the statement is then reset.
  package func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failureAfterStep(code)
  }

  /// Runs the statement to its end and resets it, ready for the next values; bindings stay.
  ///
  /// - Throws: ``SQLiteError``; the statement is then reset as well.
  package func run() throws(SQLiteError) {
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW { code = sqlite3_step(handle) }
    guard code == SQLITE_DONE else { throw failureAfterStep(code) }
    sqlite3_reset(handle)
  }

  /// Runs the statement as ``run()`` does, but answers a primary key conflict without an error.
  ///
  /// - Returns: Whether the row went in; false if one with its key is there already.
  /// - Throws: ``SQLiteError`` for every other failure.
  package func runReportingKeyConflict() throws(SQLiteError) -> Bool {
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW { code = sqlite3_step(handle) }
    if code == SQLITE_DONE {
      sqlite3_reset(handle)
      return true
    }
    if code == seed_sqlite3_constraint_primary_key || code == seed_sqlite3_constraint_rowid {
      sqlite3_reset(handle)
      return false
    }
    throw failureAfterStep(code)
  }

  /// Goes back to the start; bindings stay, pointers bound without a copy are no longer read.
  package func reset() {
    // The result repeats the error of the last step, which was thrown there.
    sqlite3_reset(handle)
  }

  /// Sets every parameter to NULL.
  package func clearBindings() {
    sqlite3_clear_bindings(handle)
  }

  /// The statement's SQL text.
  package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// The number of parameters.
  package var parameterCount: Int32 { sqlite3_bind_parameter_count(handle) }

  /// Whether the statement makes no direct changes to the database file.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  internal func failure(_ code: Int32) -> SQLiteError {
    guard let database = sqlite3_db_handle(handle) else {
      let message = String(cString: sqlite3_errstr(code))
      return SQLiteError(code: code, message: message, operation: sql, path: path)
    }
    return SQLiteError(code, of: database, operation: sql, path: path)
  }

  private func failureAfterStep(_ code: Int32) -> SQLiteError {
    let error = failure(code)
    sqlite3_reset(handle)
    return error
  }
}
