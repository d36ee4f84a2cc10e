import SeedFiles
package import SeedSQLite

/// A digest over what a database says, whatever the layout of its pages.
///
/// SHA-256 over the schema, then over each table's name, row count and row digest. The tables of
/// the stamp and of streams' positions and the objects of SQLite do not count; of the metadata of a
/// Core Data store, the stamp and the UUID do not. All numbers are little-endian; a text is its
/// length in eight bytes and its UTF-8 bytes, a missing text the length 2^64-1.
package enum ContentDigest {
  /// The digest of a database in 64 lower-case hexadecimal digits.
  ///
  /// Virtual tables and the tables in which they keep their content count by their schema only.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  package static func compute(_ connection: Connection) throws(SQLiteError) -> String {
    try compute(connection, knownRows: [:])
  }

  /// The digest of a database of which the rows of some tables, by name, were digested already.
  package static func compute(
    _ connection: Connection, knownRows: [String: (count: Int64, sha256: [UInt8])]
  ) throws(SQLiteError) -> String {
    var digest = SHA256Digest()
    var bytes = DigestBytes()
    let objects = try connection.prepare(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE \(isContent("name"))
      ORDER BY type, name
      """)
    while try objects.step() {
      for column in 0..<4 as Range<Int32> { bytes.append(textAt: column, of: objects) }
    }
    let tables = try connection.prepare(
      """
      SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND \(isContent("name")) ORDER BY name COLLATE BINARY
      """)
    while try tables.step() {
      bytes.append(textAt: 0, of: tables)
      let name = tables.text(0)
      let isWithoutRowID = tables.integer(1) != 0
      let rows: (count: Int64, sha256: [UInt8])
      if let known = knownRows[name] {
        rows = known
      } else if name == StoreMetadata.tableName,
        let metadata = try StoreMetadata.read(from: connection)
      {
        rows = (1, sha256(of: metadata.content))
      } else {
        rows = try TableContent(
          name: name, isWithoutRowID: isWithoutRowID, connection: connection
        ).digest()
      }
      bytes.append(integer: rows.count)
      bytes.append(contentsOf: rows.sha256)
    }
    bytes.flush(into: &digest)
    return digest.hexadecimal()
  }

  private static func sha256(of bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finalize()
  }

  /// The condition that a name is none of the stamp, of streams' positions or of SQLite.
  ///
  /// A position is written into a database that was stamped already.
  private static func isContent(_ name: String) -> String {
    """
    lower(\(name)) NOT IN ('_seed', '_seed_stream', '_seed_stream_table') \
    AND \(name) NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    """
  }
}
