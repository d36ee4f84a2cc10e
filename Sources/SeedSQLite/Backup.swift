internal import CSQLite

/// Puts the whole content of one database into another, which may be open elsewhere.
///
/// The only safe way to replace a database in use (sqlite.org/backup.html): other connections see
/// the old content or the new one, and a process that dies in between leaves the old one, since
/// the pages are written in one transaction of the destination. Confined to the thread that uses
/// both connections; neither is used otherwise until the backup is finished.
package final class Backup {
  private let destination: Connection
  private let source: Connection
  /// Nil once finished.
  private var handle: OpaquePointer?

  /// Begins a backup; nothing is locked yet.
  ///
  /// - Throws: ``SQLiteError``, when the destination is in a transaction.
  package init(from source: Connection, into destination: Connection) throws(SQLiteError) {
    self.source = source
    self.destination = destination
    handle = sqlite3_backup_init(destination.open, "main", source.open, "main")
    guard handle != nil else {
      throw destination.failure(sqlite3_errcode(destination.open), operation: "begin a backup")
    }
  }

  deinit {
    // Rolls back what was not finished.
    sqlite3_backup_finish(handle)
  }

  /// Locks the destination against every other writer, without copying anything yet.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/isBusy`` when another connection writes.
  package func lock() throws(SQLiteError) {
    _ = try step(pageCount: 0)
  }

  /// Copies some pages.
  ///
  /// - Returns: Whether there are more.
  /// - Throws: ``SQLiteError``; ``SQLiteError/isReadOnly`` when the destination is in WAL mode and
  ///   its pages have another size.
  package func step(pageCount: Int32) throws(SQLiteError) -> Bool {
    let code = sqlite3_backup_step(handle, pageCount)
    switch code {
    case SQLITE_DONE: return false
    case SQLITE_OK: return true
    default: throw failure(code)
    }
  }

  /// The pages still to be copied, and all pages, as of the last step.
  package var remainingPageCount: Int32 { sqlite3_backup_remaining(handle) }
  /// All pages of the source as of the last step.
  package var pageCount: Int32 { sqlite3_backup_pagecount(handle) }

  /// Ends the backup: what was copied as a whole is committed, anything less is rolled back.
  ///
  /// - Throws: ``SQLiteError`` when a step failed.
  package func finish() throws(SQLiteError) {
    let code = sqlite3_backup_finish(handle)
    handle = nil
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SQLiteError {
    // The steps do not set the connection's message.
    SQLiteError(
      code: code, message: String(cString: sqlite3_errstr(code)), operation: "backup",
      path: destination.path)
  }
}
