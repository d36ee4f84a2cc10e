package import SeedSQLite

/// Checks what a kind of database demands beyond what SQLite and Seed demand of any.
package protocol ContentCheck {
  /// Whether a database is of this kind.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  func applies(to connection: Connection) throws(SQLiteError) -> Bool

  /// What is wrong with a database of this kind, whose structure is sound.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  func findings(in connection: Connection) throws(SQLiteError) -> [Finding]

  /// What a finding about the file or the stamp means in a database of this kind; nil for nothing.
  func appraise(_ finding: Finding) -> Finding?
}
