internal import SeedSQLite

extension TableLayout {
  /// Runs a statement that inserts into the table or updates it, so that a constraint that is broken
  /// is an error, whatever conflict clause it has, and triggers do what they do elsewhere.
  ///
  /// `OR ABORT` overrules the constraint's clause, and with it those of the statements inside of
  /// triggers (sqlite.org/lang_createtrigger.html). Where there are both, the statement is tried
  /// without triggers and taken back, and then runs as it is.
  ///
  /// - Parameters:
  ///   - connection: The database, in a transaction.
  ///   - statement: The statement, given what is to stand behind INSERT or UPDATE.
  /// - Throws: ``SQLiteError``; all that the statement did is taken back then.
  func run(
    on connection: Connection, _ statement: (_ clause: String) -> String
  ) throws(SQLiteError) {
    if !conflictClause.isEmpty, hasTriggers {
      try attempt(statement(conflictClause), on: connection)
      return try connection.prepare(statement("")).run()
    }
    try connection.prepare(statement(conflictClause)).run()
  }

  private func attempt(_ sql: String, on connection: Connection) throws(SQLiteError) {
    try connection.execute("SAVEPOINT _seed_attempt")
    try connection.setTriggers(false)
    let failure: SQLiteError?
    do throws(SQLiteError) {
      try connection.prepare(sql).run()
      failure = nil
    } catch {
      failure = error
    }
    try connection.setTriggers(true)
    // A constraint with ON CONFLICT ROLLBACK is overruled, so there is still a transaction.
    try connection.execute("ROLLBACK TO _seed_attempt; RELEASE _seed_attempt")
    if let failure { throw failure }
  }
}
