internal import CSQLite

/// A refusal by SQLite: what was asked, of which file, and the answer.
package struct SQLiteError: Error, Sendable, Equatable {
  /// The extended result code, such as `SQLITE_CONSTRAINT_PRIMARYKEY` (1555).
  package var code: Int32
  /// SQLite's own words (`sqlite3_errmsg`).
  package var message: String
  /// What was asked: the SQL statement, or the name of an operation such as `open`.
  package var operation: String
  /// The database file; empty for one in memory.
  package var path: String
  /// Where in the SQL text the error lies, in UTF-8 bytes from its start, if SQLite can tell.
  ///
  /// For a script of several statements it counts from the start of the script.
  package var offset: Int?

  /// An error as SQLite reported it.
  package init(
    code: Int32, message: String, operation: String, path: String, offset: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.operation = operation
    self.path = path
    self.offset = offset
  }

  /// The error that a connection has just had.
  ///
  /// A statement that meets a page which cannot be read calls the database malformed, at least on
  /// systems whose error number is `EIO`. Whoever repairs damaged databases must not be told so.
  internal init(
    _ code: Int32, of database: OpaquePointer, operation: String, path: String, offset: Int? = nil
  ) {
    let message = String(cString: sqlite3_errmsg(database))
    self.init(code: code, message: message, operation: operation, path: path, offset: offset)
    if isCorrupt, seed_sqlite3_last_errno(database) != 0 {
      self.code = SQLITE_IOERR
      self.message = String(cString: sqlite3_errstr(SQLITE_IOERR))
    }
  }

  /// The lower byte of the extended code: the class of the error.
  package var primaryCode: Int32 { code & 0xFF }

  /// Whether the disk, or the database's own page limit, is full.
  package var isDiskFull: Bool { primaryCode == SQLITE_FULL }
  /// Whether the operating system failed to read or write.
  package var isInputOutput: Bool { primaryCode == SQLITE_IOERR }
  /// Whether the file cannot be opened: missing, a directory, no permission.
  package var cannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  /// Whether the file or the connection allows no writing.
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// Whether another connection, or an unfinished statement of this one, is in the way.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  /// Whether the file is a damaged database.
  ///
  /// SQLite says so, too, of a schema that needs a function which it does not trust:
  /// ``missingPart`` tells.
  package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }
  /// Whether the file is something other than a database.
  package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// Whether a value is of a class that cannot be stored there, such as a text for a rowid.
  package var isMismatch: Bool { primaryCode == SQLITE_MISMATCH }
  /// Whether a text or blob exceeds SQLite's length limit.
  package var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }
  /// Whether the statement was stopped, as one that takes more steps than it may.
  package var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
  /// Whether a text is more than one statement where it must be one, or none.
  package var isMisuse: Bool { primaryCode == SQLITE_MISUSE }
  /// Whether the statement itself is wrong, as one that names what is not there.
  package var isStatementFault: Bool { primaryCode == SQLITE_ERROR }
  /// Whether memory ran out.
  package var isOutOfMemory: Bool { primaryCode == SQLITE_NOMEM }

  /// The constraint that a row would break; nil for every other error.
  package var constraint: Constraint? {
    guard primaryCode == SQLITE_CONSTRAINT else { return nil }
    switch code {
    case seed_sqlite3_constraint_primary_key, seed_sqlite3_constraint_rowid: return .primaryKey
    case seed_sqlite3_constraint_unique: return .unique
    case seed_sqlite3_constraint_not_null: return .notNull
    case seed_sqlite3_constraint_check: return .check
    case seed_sqlite3_constraint_foreign_key: return .foreignKey
    case seed_sqlite3_constraint_data_type: return .dataType
    case seed_sqlite3_constraint_trigger: return .trigger
    default: return .other
    }
  }

  /// The kinds of constraint that SQLite tells apart.
  package enum Constraint: Sendable, Hashable {
    /// A PRIMARY KEY, declared or the rowid itself.
    case primaryKey
    case unique
    case notNull
    case check
    case foreignKey
    /// A value of the wrong type for a column of a STRICT table.
    case dataType
    /// `RAISE(ABORT, …)` in a trigger.
    case trigger
    /// A kind that only virtual tables and extensions report.
    case other
  }
}
