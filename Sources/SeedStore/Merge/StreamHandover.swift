internal import SeedMerge
internal import SeedModel
internal import SeedSQLite

/// What a merge does about streams, which keep rows and their position in the stream together.
///
/// A stream for which the database has a position keeps its tables, and takes the newer seed's rows
/// from where it stands. Without a position there is nothing to go on from: then the merge brings
/// the rows, and with them the seed's position.
internal struct StreamHandover {
  private static let positions = "_seed_stream"
  private static let allowed = "_seed_stream_table"

  /// The tables that streams of the database keep, folded; the merge leaves them alone.
  internal private(set) var tables: Set<String> = []
  /// The streams that the database stands in.
  private var present: Set<String> = []
  /// The tables of the seed's other streams: the stream, the table and its columns.
  private var brought: [(stream: String, table: String, columns: [String])] = []
  /// Those of the streams of which the seed has a position.
  private var published: Set<String> = []
  private let snapshot: String
  private let connection: Connection
  /// Those of the library's own tables in the seed that something else stands for.
  private var unfit: [String] = []

  internal init(_ connection: Connection, snapshot: String) throws(SQLiteError) {
    self.connection = connection
    self.snapshot = snapshot
    present = try Self.streams("main", connection)
    for row in try Self.declarations("main", connection) where present.contains(row.stream) {
      tables.insert(row.table.folded)
    }
    published = try Self.streams(snapshot, connection).subtracting(present)
    brought = try Self.declarations(snapshot, connection).filter { !present.contains($0.stream) }
    for table in [Self.positions, Self.allowed] {
      guard try Self.exists(table, snapshot, connection),
        !SchemaText.makes(
          .table, named: table, in: try Self.definition(of: table, snapshot, connection))
      else { continue }
      unfit.append("table \"\(table)\" is not made by one statement in the seed")
    }
  }

  private static func definition(
    of table: String, _ schema: String, _ connection: Connection
  ) throws(SQLiteError) -> String {
    try connection.scalarText(
      """
      SELECT sql FROM \(SQLiteName.quoted(schema)).sqlite_schema WHERE type = 'table' AND name = ?
      """, .text(table)) ?? ""
  }

  /// Looks whether the rows that are merged are those that the positions tell of.
  ///
  /// - Parameter merged: What is merged.
  /// - Returns: A line for each table that is not merged as a whole, as far as the stream has it.
  internal func refusals(_ merged: [DeclaredTable]) -> [String] {
    unfit
      + brought.filter { published.contains($0.stream) }.compactMap { item in
        guard !isMerged(item, merged) else { return nil }
        return "table \"\(item.table)\" is not owned with all columns of stream "
          + "\"\(item.stream)\", whose position the seed brings"
      }
  }

  private func isMerged(
    _ item: (stream: String, table: String, columns: [String]), _ merged: [DeclaredTable]
  ) -> Bool {
    guard let table = merged.first(where: { $0.name.folded == item.table.folded }) else {
      return false
    }
    let columns = Set(table.columns.map(\.folded))
    return item.columns.allSatisfy { columns.contains($0.folded) }
  }

  /// Writes the seed's positions, and what its streams may write.
  internal func write(_ merged: [DeclaredTable]) throws(SQLiteError) {
    let unfit = Set(brought.filter { !isMerged($0, merged) }.map(\.stream))
    let streams = Set(brought.map(\.stream)).union(published).subtracting(unfit).sorted()
    guard !streams.isEmpty else { return }
    for table in [Self.positions, Self.allowed] {
      guard try Self.exists(table, snapshot, connection) else { continue }
      if try !Self.exists(table, "main", connection) {
        try connection.run(try Self.definition(of: table, snapshot, connection))
      }
      for stream in streams {
        try connection.run("DELETE FROM main.\(table) WHERE stream = ?", .text(stream))
        try connection.run(
          """
          INSERT INTO main.\(table) SELECT * FROM \(SQLiteName.quoted(snapshot)).\(table)
          WHERE stream = ?
          """, .text(stream))
      }
    }
  }

  private static func exists(
    _ table: String, _ schema: String, _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      """
      SELECT count(*) FROM \(SQLiteName.quoted(schema)).sqlite_schema
      WHERE type = 'table' AND name = ?
      """, .text(table)) == 1
  }

  private static func streams(
    _ schema: String, _ connection: Connection
  ) throws(SQLiteError) -> Set<String> {
    guard try exists(positions, schema, connection) else { return [] }
    let rows = try connection.rows(
      "SELECT stream FROM \(SQLiteName.quoted(schema)).\(positions)")
    return Set(rows.compactMap { if case .text(let name) = $0[0] { name } else { nil } })
  }

  private static func declarations(
    _ schema: String, _ connection: Connection
  ) throws(SQLiteError) -> [(stream: String, table: String, columns: [String])] {
    guard try exists(allowed, schema, connection) else { return [] }
    let rows = try connection.rows(
      """
      SELECT stream, "table", columns FROM \(SQLiteName.quoted(schema)).\(allowed)
      ORDER BY stream, "table"
      """)
    return rows.compactMap { row in
      guard case .text(let stream) = row[0], case .text(let table) = row[1],
        case .text(let columns) = row[2]
      else { return nil }
      return (stream, table, SeedBase.names(columns) ?? [])
    }
  }
}
