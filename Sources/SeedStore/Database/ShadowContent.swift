internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// A digest over what virtual tables such as indexes for full-text search keep.
///
/// The digest of the content, which the seed is stamped with, leaves out the tables in which they
/// do, since a build of the same rows may lay them out in another way. Whether a user has written to
/// a virtual table is seen by this one, noted in the stamp of a copy when it is installed. A
/// database without such tables has no note.
internal enum ShadowContent {
  private static let column = "install_shadow_sha256"

  /// The digest; nil for a database without virtual tables that keep anything.
  internal static func digest(_ connection: Connection) throws(SQLiteError) -> String? {
    let tables = try connection.prepare(
      """
      SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'
      ORDER BY name COLLATE BINARY
      """)
    var digest = SHA256Digest()
    var bytes = DigestBytes()
    var isEmpty = true
    while try tables.step() {
      isEmpty = false
      bytes.append(textAt: 0, of: tables)
      let rows = try TableContent(
        name: tables.text(0), isWithoutRowID: tables.integer(1) != 0, connection: connection
      ).digest()
      bytes.append(integer: rows.count)
      bytes.append(contentsOf: rows.sha256)
    }
    bytes.flush(into: &digest)
    return isEmpty ? nil : digest.hexadecimal()
  }

  /// Notes it in a stamp.
  ///
  /// A Core Data store, whose stamp is another, has no virtual tables.
  internal static func note(on connection: Connection) throws(SQLiteError) {
    guard let digest = try digest(connection), try hasTable(connection) else { return }
    if try !hasColumn(connection) {
      try connection.execute("ALTER TABLE _seed ADD COLUMN \(column) TEXT")
    }
    try connection.run("UPDATE _seed SET \(column) = ?", .text(digest))
  }

  /// Whether it is what was noted.
  internal static func isUnchanged(_ connection: Connection) throws(SQLiteError) -> Bool {
    guard let digest = try digest(connection) else { return true }
    guard try hasColumn(connection) else { return false }
    return try connection.scalarText("SELECT \(column) FROM _seed LIMIT 1") == digest
  }

  private static func hasTable(_ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = '_seed'") == 1
  }

  private static func hasColumn(_ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      "SELECT count(*) FROM pragma_table_info('_seed') WHERE name = '\(column)'") == 1
  }
}
