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

  /// Refuses a schema that SQLite does not read where it trusts the file's maker in nothing.
  ///
  /// That is how what was published is read again, by the next publication and by apps; it looks
  /// damaged then.
  ///
  /// - Throws: ``StreamPublishError``.
  func checkFunctions() throws(StreamPublishError) {
    do throws(SQLiteError) {
      let reader = try Connection(path: path, mode: .readOnly)
      reader.setBusyTimeout(milliseconds: 5000)
      try reader.execute("PRAGMA trusted_schema = OFF")
      _ = try reader.scalarInteger("SELECT count(*) FROM sqlite_schema")
      try reader.close()
    } catch {
      // SQLite has no code of its own for it, only that of damage.
      guard let words = error.message.firstRange(of: "unsafe use of ") else {
        throw StreamPublishError(.database(error), path: path)
      }
      let function = String(error.message[words.upperBound...])
      throw StreamPublishError(.untrustedFunction(function), path: path)
    }
  }

  /// The columns that the stream does not carry and that no row can be without: apps cannot insert a
  /// row, only change those that they have.
  ///
  /// - Throws: ``StreamPublishError``.
  func unfilledColumns() throws(StreamPublishError) -> [PublishedColumn] {
    try StreamPublishError.inDatabase(path) { () throws(SQLiteError) in
      var found: [PublishedColumn] = []
      for table in tables.map(\.table) {
        // SQLite itself gives an INTEGER PRIMARY KEY its number.
        let rows = try connection.rows(
          """
          SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 AND "notnull"
          AND upper(coalesce(dflt_value, 'NULL')) = 'NULL' AND NOT (pk AND upper(type) = 'INTEGER')
          ORDER BY cid
          """, .text(table.name))
        for row in rows {
          guard case .text(let name) = row[0], !table.columns.contains(where: { $0.name == name })
          else { continue }
          found.append(PublishedColumn(table: table.name, column: name))
        }
      }
      return found
    }
  }
}
