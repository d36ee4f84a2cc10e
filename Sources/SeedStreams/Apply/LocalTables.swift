internal import SeedMerge
internal import SeedSQLite

/// The tables that a database allows a stream to write and has, with their own affinities.
internal enum LocalTables {
  /// Why a table cannot be written.
  internal struct Failure: Error {
    internal var table: String
    internal var column: String?
  }

  /// Reads the tables; one that is not there yet is passed over until the app makes it.
  ///
  /// - Parameters:
  ///   - allowed: What the stream may write.
  ///   - connection: The database.
  /// - Returns: The tables, by the bytes of their names; names as they are allowed.
  /// - Throws: ``SeedSQLite/SQLiteError``, ``Failure`` for a table that is none, lacks its key, or is
  ///   nobody's to write.
  internal static func read(
    _ allowed: [DeclaredTable], in connection: Connection
  ) throws -> [StreamTable] {
    var tables: [StreamTable] = []
    for table in allowed {
      guard !isReserved(table.name) else { throw Failure(table: table.name) }
      guard let isStrict = try isStrict(table.name, in: connection) else { continue }
      let local = try columns(of: table.name, isStrict: isStrict, in: connection)
      var columns: [StreamColumn] = []
      for name in table.columns {
        guard let column = local.first(where: { isSame($0.name, name) }) else { continue }
        columns.append(StreamColumn(name: name, affinity: column.affinity))
      }
      for part in table.key where !columns.contains(where: { $0.name == part }) {
        throw Failure(table: table.name, column: part)
      }
      tables.append(StreamTable(name: table.name, key: table.key, columns: columns))
    }
    return tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Names that belong to SQLite or to this library, whoever allows them.
  private static func isReserved(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("sqlite_") || name.hasPrefix("_seed")
  }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    PublishedTables.folded(first) == PublishedTables.folded(second)
  }

  /// Whether a table is STRICT; nil if there is none.
  private static func isStrict(_ name: String, in connection: Connection) throws -> Bool? {
    let rows = try connection.rows(
      """
      SELECT type, strict FROM pragma_table_list
      WHERE schema = 'main' AND name = ? COLLATE NOCASE
      """, .text(name))
    guard let row = rows.first else { return nil }
    // A view or a virtual table could write anywhere.
    guard row[0] == .text("table") else { throw Failure(table: name) }
    return row[1] != .integer(0)
  }

  /// The columns that are stored; generated ones follow from them.
  private static func columns(
    of table: String, isStrict: Bool, in connection: Connection
  ) throws(SQLiteError) -> [StreamColumn] {
    let rows = try connection.rows(
      "SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0", .text(table))
    return rows.compactMap { row in
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
      return StreamColumn(
        name: name, affinity: ColumnAffinity.name(ofType: type, isStrict: isStrict))
    }
  }
}
