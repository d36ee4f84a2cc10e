internal import SeedModel
internal import SeedSQLite

/// What a database says for apps and publishers besides its content: which tables its streams carry,
/// and what of it the seed owns.
struct DatabaseDeclarations {
  /// The table of what each stream carries.
  private static let streamTables = "_seed_stream_table"
  private static let positions = "_seed_stream"

  /// The rows about each stream.
  private var streams: [String: Set<[SQLiteValue]>] = [:]
  /// The streams that the database has a position in.
  private var placed: Set<String> = []
  private var owned: Set<[SQLiteValue]> = []

  init(_ connection: Connection) throws(SQLiteError) {
    owned = Set(try Self.rows(of: OwnershipTable.name, connection))
    for row in try Self.rows(of: Self.streamTables, connection) {
      guard case .text(let stream)? = row.first else { continue }
      streams[stream, default: []].insert(row)
    }
    for case .text(let stream)? in try Self.rows(of: Self.positions, connection).map(\.first) {
      placed.insert(stream)
    }
  }

  private static func rows(
    of table: String, _ connection: Connection
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let isThere = try connection.scalarInteger(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", .text(table))
    return isThere == nil ? [] : try connection.rows("SELECT * FROM \(table)")
  }

  /// The table that does not say what a build would write; nil if both do.
  ///
  /// A publisher declares the tables of a stream that no rule names, and gives the database its
  /// position there: that is no build's to write or to miss.
  func differingTable(from built: DatabaseDeclarations) -> String? {
    if owned != built.owned { return OwnershipTable.name }
    let ruled = streams.filter { built.streams[$0.key] != nil || !placed.contains($0.key) }
    return ruled == built.streams ? nil : Self.streamTables
  }
}
