internal import SeedSQLite

/// The transaction in which an answer is stored.
internal struct StoreTransaction {
  let path: String
  let options: StoreOptions

  /// Writes the tables of an answer, or nothing.
  ///
  /// - Throws: ``StoringError``; the database is then as it was.
  func run(_ content: AnswerTables) throws(StoringError) -> StoreResult {
    let connection = try attempt { () throws(SQLiteError) in
      let connection = try Connection(path: path, mode: .create)
      connection.setBusyTimeout(
        milliseconds: options.busyTimeout.wholeMilliseconds, isInsistent: true)
      // Whether foreign keys count cannot be said any more inside of a transaction.
      try connection.execute("PRAGMA foreign_keys = ON")
      try connection.execute("BEGIN IMMEDIATE")
      return connection
    }
    do throws(StoringError) {
      try attempt { () throws(SQLiteError) in
        try connection.execute("PRAGMA defer_foreign_keys = ON")
      }
      let result = try AnswerWriter(content, options: options, connection: connection).run()
      try attempt { () throws(SQLiteError) in try connection.execute("COMMIT") }
      return result
    } catch {
      // SQLite may have rolled back already, as it does when the disk is full; and closing does.
      if !connection.isInAutocommit {
        try attempt { () throws(SQLiteError) in try connection.execute("ROLLBACK") }
      }
      throw error
    }
  }

  private func attempt<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(StoringError) -> Value {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StoringError(error, table: nil, path: path)
    }
  }
}

extension Duration {
  /// Whole milliseconds, rounded down, within what SQLite takes.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(min(max(0, seconds), 1_000_000)) * 1000
      + Int(max(0, attoseconds) / 1_000_000_000_000_000)
  }
}
