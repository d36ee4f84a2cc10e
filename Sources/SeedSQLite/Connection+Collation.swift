internal import CSQLite

extension Connection {
  /// The name of the collation that ``addByteOrderCollation()`` adds.
  package static let byteOrderCollation = "seed_utf8"

  /// Adds a collation that orders texts by their UTF-8 bytes, whatever encoding the database has.
  ///
  /// SQLite's own BINARY compares the bytes of the encoding, so its order in a UTF-16 database is
  /// another one.
  /// - Throws: ``SQLiteError`` when a running statement uses a collation of this name.
  package func addByteOrderCollation() throws(SQLiteError) {
    let code = seed_sqlite3_create_utf8_collation(open, Connection.byteOrderCollation)
    guard code == SQLITE_OK else { throw failure(code, operation: "add a collation") }
  }
}
