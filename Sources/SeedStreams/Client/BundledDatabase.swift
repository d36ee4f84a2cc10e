internal import SeedSQLite

/// The database that ships with an app, as a whole state.
internal struct BundledDatabase {
  /// Where it stands.
  internal let position: StreamPosition
  /// What it allows the stream to write.
  internal let tables: [StreamTable]
  private let path: String

  /// Looks at a database; nil if it is none of the stream.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - stream: The stream's name.
  /// - Throws: ``SeedSQLite/SQLiteError``, ``SegmentError``.
  internal init?(path: String, stream: String) throws {
    let connection = try Connection(path: path, mode: .immutable)
    try connection.execute("PRAGMA trusted_schema = OFF")
    guard let cursor = try CursorTables.cursor(of: stream, in: connection) else { return nil }
    do throws(PublishedTableError) {
      tables = try PublishedTables.tables(of: stream, in: connection).map(\.table)
    } catch {
      throw SegmentError("the bundled database \(error.message)")
    }
    position = cursor.position
    self.path = path
  }

  /// The merge of the whole state.
  internal var merge: SnapshotMerge {
    SnapshotMerge(
      snapshot: SnapshotFile(
        path: path, encoding: .database, plainByteCount: nil, position: position),
      target: position, reason: .size, tables: tables, reachesHead: false)
  }
}
