internal import SeedSQLite

/// Makes the rows of one table those of the same table in an attached database.
struct SnapshotMerge {
  let keys: PendingKeys
  /// The table in the snapshot.
  let source: TableLayout
  /// The columns that a new row gets: those that may be written, and perhaps more.
  let inserted: [LayoutColumn]
  /// The condition for a row that the snapshot lacks to be deleted.
  let removable: String?
  /// The condition for such a row to stay, and to be counted.
  let keep: String?
  /// Whether rows of the table can go with rows that they refer to, as far as is known by now.
  let canGoWithOthers: () -> Bool
  let connection: Connection

  private var layout: TableLayout { keys.layout }
  /// The table's name.
  var name: String { layout.name }

  /// - Throws: ``MergeError``.
  func run() throws(MergeError) -> MergeCounts {
    try checkKeys()
    // Of sections that came before; the snapshot has all that is to be there.
    try keys.forgetAllHeld()
    try keys.parkEarlier()
    try keys.settle()
    try findLacking()
    try keys.settle(where: isWanted)
    try parkConflicting()
    let counts = try write()
    try keys.expectMoved(source)
    return counts
  }

  /// What finds the rows that stand in the way.
  var conflictSearch: ConflictSearch {
    ConflictSearch(layout: layout, source: source, removable: removable, connection: connection)
  }

  private func checkKeys() throws(MergeError) {
    for column in source.key where column.isNullable {
      let row = try at { () throws(SQLiteError) in
        try connection.scalarInteger(
          "SELECT 1 FROM \(source.sql) WHERE \(column.sql) IS NULL LIMIT 1")
      }
      if row != nil {
        throw MergeError(
          .nullInKey(column: column.name), table: layout.name, schema: source.schema)
      }
    }
  }

  /// Puts the keys that the snapshot lacks among those to be deleted.
  ///
  /// NOT IN uses the snapshot's index where that compares as this one does, else it makes one; a
  /// row with NULL in its key is never in, and never not in.
  private func findLacking() throws(MergeError) {
    let condition = removable.map { " AND (\($0))" } ?? ""
    let lacking = """
      FROM \(layout.sql) AS t WHERE \(layout.keyValue(of: "t")) NOT IN \
      (SELECT \(SQLText.list(layout.key)) FROM \(source.sql))\(condition)
      """
    guard let keep else {
      try keys.add("SELECT \(SQLText.list(layout.key, of: "t")) \(lacking)")
      return
    }
    keys.wereKept(
      try at { () throws(SQLiteError) in
        try connection.scalarInteger("SELECT count(*) \(lacking) AND (\(keep))") ?? 0
      })
    try keys.add(
      "SELECT \(SQLText.list(layout.key, of: "t")) \(lacking) AND (\(keep)) IS NOT TRUE")
  }

  /// The condition for a row, `t`, to have a unique value that the snapshot has, too; of an index over
  /// an expression nothing is known.
  private var isWanted: String {
    let conditions = layout.uniqueIndexes.compactMap { index in
      if case .nothing = index.parkable { return nil as String? }
      return index.parts.isEmpty ? "1" : isValueBrought(index)
    }
    return conditions.isEmpty ? "0" : conditions.joined(separator: " OR ")
  }

  private func isValueBrought(_ index: UniqueIndex) -> String {
    let value = SQLText.row(
      index.parts.map { "t.\($0.column.sql) COLLATE \(SQLText.quoted($0.collation))" })
    let columns = index.parts.map(\.column.sql).joined(separator: ",")
    return "\(value) IN (SELECT \(columns) FROM \(source.sql))"
  }

  /// Parks the rows whose unique value changes and belongs to another row of the snapshot.
  ///
  /// Whose value does not change is in nobody's way. For an index over an expression only the
  /// columns behind it can be looked at; then each row in which they change is parked.
  private func parkConflicting() throws(MergeError) {
    for index in layout.uniqueIndexes {
      if case .nothing = index.parkable { continue }
      var condition = "(\(SQLText.differ(index.sources, "t", "s")))"
      if !index.parts.isEmpty {
        // By CASE, so that SQLite looks at the few rows that change, and not for each value of the
        // snapshot by the index.
        condition =
          "CASE WHEN \(condition) THEN \(isValueBrought(index)) END"
      }
      try keys.add(
        """
        SELECT \(SQLText.list(layout.key, of: "t")) FROM \(layout.sql) AS t \
        JOIN \(source.sql) AS s ON \(layout.keyEquals("t", "s")) WHERE \(condition)
        """)
    }
    try keys.settle(moving: source)
  }

  private func write() throws(MergeError) -> MergeCounts {
    var counts = MergeCounts()
    let before = try at { () throws(SQLiteError) in try rowCount(layout) }
    var heldCount: Int64 = 0
    do throws(MergeError) {
      try at { () throws(SQLiteError) in
        do throws(SQLiteError) {
          if layout.hasTriggers {
            // The UPDATE of an upsert would overrule the conflict clauses inside of triggers.
            counts.written += try update()
            counts.written += try upsert(isNew)
          } else {
            counts.written += try upsert("1")
          }
        } catch {
          // As of one row: what a new row would lack, those that are there have.
          guard error.isLack, !layout.hasTriggers else { throw error }
          counts.written += try update()
          counts.written += try upsert(isNew)
        }
      }
    } catch {
      guard let cause = error.sqlite else { throw error }
      if cause.isMismatch { throw try notAnInteger(cause) }
      guard cause.isDuplicate else { throw error }
      // Rows of the app's own may be gone at the end, with those that they refer to.
      if try !isObstructed(), !canGoWithOthers() { throw error }
      heldCount = try hold()
      counts.written += try updateOrHold()
    }
    try at { () throws(SQLiteError) in
      counts.inserted = try rowCount(layout) - before
      counts.unchanged = try rowCount(source) - counts.written - heldCount
    }
    try keys.takeOut("SELECT \(SQLText.list(layout.key)) FROM \(source.sql)")
    return counts
  }

  /// Inserts the snapshot's rows and updates those that are there.
  ///
  /// - Parameter condition: Which of the rows; without one SQLite takes ON for that of a join.
  /// - Returns: How many rows were written.
  /// - Throws: ``SQLiteError``.
  private func upsert(_ condition: String) throws(SQLiteError) -> Int64 {
    try layout.run(on: connection) { clause in
      layout.upsert(
        inserted, setting: layout.columns,
        from: "SELECT \(SQLText.list(inserted)) FROM \(source.sql) AS s WHERE \(condition)",
        clause: clause)
    }
    return connection.changes
  }

  /// Updates the rows that are there.
  private func update() throws(SQLiteError) -> Int64 {
    guard layout.update(setting: layout.columns, from: source.sql) != nil else { return 0 }
    try layout.run(on: connection) { clause in
      layout.update(setting: layout.columns, from: source.sql, clause: clause) ?? ""
    }
    return connection.changes
  }

  /// The condition for a row of the snapshot to be a new one.
  private var isNew: String {
    "NOT EXISTS (SELECT 1 FROM \(layout.sql) AS t WHERE \(layout.keyEquals("t", "s")))"
  }

  /// Whether a row that waits to be deleted is one beside which the snapshot's cannot stand.
  private func isObstructed() throws(MergeError) -> Bool {
    guard let sql = keys.obstruction(to: layout.columns, from: source.sql) else { return false }
    return try at { () throws(SQLiteError) in try connection.scalarInteger(sql) != nil }
  }

  /// Updates the rows that are there, or has their unique values wait.
  ///
  /// Rows that are in the way of these may be gone at the end. All else is written now, so that no row
  /// goes with one to which it refers no longer.
  ///
  /// - Returns: How many rows are updated, those that wait among them.
  private func updateOrHold() throws(MergeError) -> Int64 {
    do throws(SQLiteError) {
      return try update()
    } catch {
      guard error.isDuplicate, canGoWithOthers(), let parked = keys.parking?.columns else {
        throw MergeError(error, table: layout.name)
      }
      let names = Set(parked.map(\.name))
      let others = layout.columns.filter { !names.contains($0.name) }
      let differing = """
        FROM \(source.sql) AS s JOIN \(layout.sql) AS t ON \(layout.keyEquals("t", "s")) \
        WHERE \(SQLText.differ(layout.settable(layout.columns), "t", "s"))
        """
      let count = try at { () throws(SQLiteError) in
        let count = try connection.scalarInteger("SELECT count(*) \(differing)") ?? 0
        if layout.update(setting: others, from: source.sql) != nil {
          try layout.run(on: connection) { clause in
            layout.update(setting: others, from: source.sql, clause: clause) ?? ""
          }
        }
        return count
      }
      let rows = try keys.makeHeldRows(inserted)
      try at { () throws(SQLiteError) in
        try rows.add("SELECT \(SQLText.list(inserted, of: "s")) \(differing)")
      }
      rows.wereCounted()
      return count
    }
  }

  /// Has all new rows wait until those in the way of some are gone.
  private func hold() throws(MergeError) -> Int64 {
    let rows = try keys.makeHeldRows(inserted)
    try at { () throws(SQLiteError) in
      try rows.add("SELECT \(SQLText.list(inserted)) FROM \(source.sql) AS s WHERE \(isNew)")
    }
    return rows.count
  }

  /// Names a value of the snapshot that cannot be a rowid, since SQLite does not.
  private func notAnInteger(_ error: SQLiteError) throws(MergeError) -> MergeError {
    guard let column = inserted.first(where: \.isRowID) else {
      return MergeError(error, table: layout.name)
    }
    // Compared as a number where it can be read as one, just as SQLite converts what it stores.
    let value = try at { () throws(SQLiteError) in
      try connection.rows(
        """
        SELECT \(column.sql) FROM \(source.sql) \
        WHERE \(column.sql) IS NOT CAST(\(column.sql) AS INTEGER) LIMIT 1
        """
      ).first?.first
    }
    let shown = try RowBinding.withBoundValues([value ?? .null]) { (values) throws(MergeError) in
      values.pointee.shown
    }
    return MergeError(
      .notAnInteger(column: column.name, value: shown), table: layout.name, sqlite: error)
  }

  /// SQLite counts the rows of a whole table without reading them.
  private func rowCount(_ table: TableLayout) throws(SQLiteError) -> Int64 {
    try connection.scalarInteger("SELECT count(*) FROM \(table.sql)") ?? 0
  }

  private func at<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(MergeError) -> Value {
    try MergeError.at(layout.name, body)
  }
}
