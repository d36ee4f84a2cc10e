internal import SeedFiles
internal import SeedFormat
internal import SeedMerge
internal import SeedSQLite

/// What a seed had of a virtual table, noted when it was installed or merged.
///
/// By it a merge tells a table that is as the old seed had it from one that the app has made, or has
/// written to.
internal struct VirtualTableNote: Sendable, Equatable {
  internal var name: String
  internal var sql: String
  /// The digest of its rows; nil for an index over another table, which can be built anew, and where
  /// the rows cannot be read.
  internal var contentSHA256: String?
  /// What was set by `INSERT INTO search(search, rank) VALUES ('rank', 'bm25(10.0)')`.
  internal var options = SearchOptions()

  /// Reads those of the main database.
  internal static func read(on connection: Connection) throws(SQLiteError) -> [VirtualTableNote] {
    let rows = try connection.rows(
      """
      SELECT l.name, m.sql FROM pragma_table_list AS l
      JOIN main.sqlite_schema AS m ON m.name = l.name AND m.type = 'table'
      WHERE l.schema = 'main' AND l.type = 'virtual' ORDER BY l.name
      """)
    var notes: [VirtualTableNote] = []
    for row in rows {
      guard case .text(let name) = row[0], case .text(let sql) = row[1] else { continue }
      notes.append(
        VirtualTableNote(
          name: name, sql: sql, contentSHA256: try digest(of: name, sql: sql, on: connection),
          options: try SearchOptions.read(of: name, sql: sql, on: connection)))
    }
    return notes
  }

  /// The digest of the rows of a virtual table of the main database.
  ///
  /// A full-text table without content gives no row back: of that, the tables in which it keeps its
  /// index count.
  internal static func digest(
    of name: String, sql: String, on connection: Connection
  ) throws(SQLiteError) -> String? {
    guard SchemaText.fullTextContent(in: sql) == nil else { return nil }
    do throws(SQLiteError) {
      guard SchemaText.isContentless(sql) else { return try digest([(name, false)], connection) }
      let shadows = try connection.rows(
        """
        SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'
        AND substr(name, 1, length(?1) + 1) = ?1 || '_' COLLATE NOCASE ORDER BY name
        """, .text(name))
      return try digest(
        shadows.compactMap { row in
          if case .text(let name) = row[0] { (name, row[1] != .integer(0)) } else { nil }
        }, connection)
    } catch {
      // SQLITE_ERROR: a module or tokenizer that only the app has.
      guard error.primaryCode == 1 else { throw error }
      return nil
    }
  }

  private static func digest(
    _ tables: [(name: String, isWithoutRowID: Bool)], _ connection: Connection
  ) throws(SQLiteError) -> String {
    var digest = SHA256Digest()
    var bytes = DigestBytes()
    for table in tables {
      let rows = try TableContent(
        name: table.name, isWithoutRowID: table.isWithoutRowID, connection: connection
      ).digest()
      bytes.append(integer: rows.count)
      bytes.append(contentsOf: rows.sha256)
    }
    bytes.flush(into: &digest)
    return digest.hexadecimal()
  }
}
