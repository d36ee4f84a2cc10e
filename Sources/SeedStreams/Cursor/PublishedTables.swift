package import SeedMerge
internal import SeedModel
package import SeedSQLite

/// Which tables of a database a stream carries, with their keys.
///
/// Those that the database declares for the stream; else every ordinary table but those of SQLite,
/// of this tool and of virtual tables. The key is the primary key, else the first UNIQUE index over
/// columns that are NOT NULL. Generated columns are left out: they follow from the others.
package enum PublishedTables {
  /// The name of a stream for which nothing else is said.
  package static let defaultStream = "main"

  /// The stream that is meant.
  ///
  /// - Parameters:
  ///   - name: The name that was asked for; nil takes the only one that is declared, else `main`.
  ///   - connection: The database.
  /// - Returns: The stream's name.
  /// - Throws: ``PublishedTableError``.
  package static func stream(
    named name: String?, in connection: Connection
  ) throws(PublishedTableError) -> String {
    if let name { return try checked(name) }
    let declared = try declarations(in: connection).map(\.stream)
    let names = declared.enumerated()
      .filter { $0.offset == 0 || declared[$0.offset - 1] != $0.element }.map(\.element)
    guard names.count <= 1 else { throw .severalStreams(names) }
    return try checked(names.first ?? defaultStream)
  }

  /// The tables of a stream, by the bytes of their names.
  ///
  /// - Parameters:
  ///   - stream: The stream's name.
  ///   - connection: The database.
  /// - Returns: The tables.
  /// - Throws: ``PublishedTableError``.
  package static func tables(
    of stream: String, in connection: Connection
  ) throws(PublishedTableError) -> [PublishedTable] {
    let declared: [(name: String, key: [String]?, columns: [String]?)]
    do throws(CursorError) {
      declared = try CursorTables.tables(of: stream, in: connection)
        .map { ($0.name, $0.key, $0.columns) }
    } catch {
      throw .cursor(error)
    }
    let ordinary = try PublishedTableError.inDatabase { () throws(SQLiteError) in
      try ordinaryTables(in: connection)
    }
    var wanted = declared
    if declared.isEmpty { wanted = ordinary.map { ($0.name, nil, nil) } }
    guard !wanted.isEmpty else { throw .noTables }
    let others = try declarations(in: connection).filter { $0.stream != stream }
    var tables: [PublishedTable] = []
    for (name, key, columns) in wanted {
      guard let found = ordinary.first(where: { folded($0.name) == folded(name) }) else {
        throw .missingTable(name)
      }
      if let other = others.first(where: { folded($0.table) == folded(name) }) {
        throw .tableOfTwoStreams(table: name, stream: other.stream)
      }
      let reader = TableKeyReader(
        name: found.name, isStrict: found.isStrict, connection: connection)
      tables.append(try reader.table(key: key, columns: columns))
    }
    return tables.sorted { $0.table.name.utf8.lexicographicallyPrecedes($1.table.name.utf8) }
  }

  /// What a stream carries of one table.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - key: The columns that tell its rows apart; nil for the primary key, or what takes its place.
  ///   - columns: The columns besides; nil for all that are stored.
  ///   - connection: The database.
  /// - Returns: The table as a stream may write it.
  /// - Throws: ``PublishedTableError``.
  package static func declaration(
    of name: String, key: [String]?, columns: [String]?, in connection: Connection
  ) throws(PublishedTableError) -> DeclaredTable {
    let ordinary = try PublishedTableError.inDatabase { () throws(SQLiteError) in
      try ordinaryTables(in: connection)
    }
    guard let found = ordinary.first(where: { folded($0.name) == folded(name) }) else {
      throw .missingTable(name)
    }
    let table = try TableKeyReader(
      name: found.name, isStrict: found.isStrict, connection: connection
    ).table(key: key, columns: columns).table
    return DeclaredTable(name: table.name, key: table.key, columns: table.columns.map(\.name))
  }

  private static func declarations(
    in connection: Connection
  ) throws(PublishedTableError) -> [(stream: String, table: String)] {
    do throws(CursorError) {
      return try CursorTables.declarations(in: connection)
    } catch {
      throw .cursor(error)
    }
  }

  private static func ordinaryTables(
    in connection: Connection
  ) throws(SQLiteError) -> [(name: String, isStrict: Bool)] {
    let statement = try connection.prepare(
      """
      SELECT name, strict FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT LIKE '\\_seed%' ESCAPE '\\'
      ORDER BY name
      """)
    var tables: [(name: String, isStrict: Bool)] = []
    while try statement.step() { tables.append((statement.text(0), statement.integer(1) != 0)) }
    return tables
  }

  private static func checked(_ name: String) throws(PublishedTableError) -> String {
    guard StreamName.isUsable(name) else { throw .invalidName(name) }
    return name
  }

  /// A name as SQLite compares it: without the case of the letters of ASCII.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
