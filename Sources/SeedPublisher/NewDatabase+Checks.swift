internal import SeedSQLite
internal import SeedStreams

/// What every app would stumble over.
extension NewDatabase {
  /// Refuses rows that refer to a row that is not there.
  ///
  /// An app would take them for its own that refer to what the stream has taken away.
  ///
  /// - Throws: ``StreamPublishError``.
  func checkReferences() throws(StreamPublishError) {
    for table in tables {
      let name = SQLiteName.quoted(table.table.name)
      let error = try StreamPublishError.inDatabase(path) {
        () throws(SQLiteError) -> StreamPublishError? in
        let found = try connection.prepare("PRAGMA foreign_key_check(\(name))")
        guard try found.step() else { return nil }
        var key: String?
        if found.columnType(1) != .null {
          let columns = table.table.key.map { SQLiteName.quoted($0) }.joined(separator: ", ")
          let row = try connection.prepare("SELECT \(columns) FROM main.\(name) WHERE rowid = ?")
          try row.bind(1, .integer(found.integer(1)))
          if try row.step() {
            key = RowLine.shownKey(of: table.table) { row.cell(Int32(truncatingIfNeeded: $0)) }
          }
        }
        return StreamPublishError(
          .danglingReference(table: table.table.name, key: key, parent: found.text(2)),
          path: path)
      }
      if let error { throw error }
    }
  }
}
