internal import SeedSQLite

/// Where a database stands in a stream, as much as a build and a check have to know of it.
struct StreamPlace: Hashable {
  /// The stream's name.
  var stream: String
  /// The number of the history, seconds since 1970.
  var epoch: Int64
  /// The number of the checkpoint.
  var seq: Int64
  /// Whether a stream has changed the database; a publisher only writes the place into it.
  var isApplied: Bool

  /// Reads the places by the names of the streams; none in a database without streams.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  static func all(in connection: Connection) throws(SQLiteError) -> [StreamPlace] {
    let table = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '_seed_stream'"
    guard try connection.scalarInteger(table) == 1 else { return [] }
    let statement = try connection.prepare(
      "SELECT stream, epoch, seq, applied_at <> 0 FROM _seed_stream ORDER BY stream")
    var places: [StreamPlace] = []
    while try statement.step() {
      places.append(
        StreamPlace(
          stream: statement.text(0), epoch: statement.integer(1), seq: statement.integer(2),
          isApplied: statement.integer(3) != 0))
    }
    return places
  }
}
