internal import SeedSQLite

extension RowMerge {
  /// How many keys of each table an error tells.
  private static let toldLimit = 10

  /// Deletes the rows that have not come back, counts those that go with them, and looks whether the
  /// snapshot's rows are all there then.
  func deleteComparing(_ schema: String) throws(MergeError) {
    let actions = try at { () throws(SQLiteError) in try ForeignKeyActions(connection) }
    let changed = try changedRows(actions, schema)
    let hasTriggers = try hasTriggers()
    if hasTriggers { for rows in changed { try rows.note() } }
    let shrinking = keys.filter { $0.count > 0 }.map(\.layout.name)
    let going = actions.tables(goingWith: shrinking)
    let before = try rowCount(going)
    // Rows that are to go by themselves go before those that would take them along.
    for keys in actions.childrenFirst(keys, name: \.layout.name) {
      let deleted = try keys.deleteRows()
      counts.deleted += deleted
      if going.contains(SQLNames.folded(keys.layout.name)) { counts.cascaded -= deleted }
    }
    counts.cascaded += before - (try rowCount(going))
    try releaseHeld()
    var lost: [TakenKeys] = []
    for rows in changed {
      if let found = try rows.find(isNoted: hasTriggers, limit: Self.toldLimit) {
        lost.append(found)
      }
      if hasTriggers { try rows.drop() }
    }
    guard lost.isEmpty else {
      throw MergeError(.changedByForeignKeys(lost), table: lost[0].table)
    }
  }

  /// What finds the rows of the snapshot that foreign keys have changed or deleted.
  private func changedRows(
    _ actions: ForeignKeyActions, _ schema: String
  ) throws(MergeError) -> [ChangedRows] {
    let snapshot = try LayoutReader(connection, schema: schema)
    var changed: [ChangedRows] = []
    for (number, table) in tables.enumerated() where actions.change(table.name) {
      changed.append(
        ChangedRows(
          layout: keys[number].layout,
          source: try snapshot.read(table).seen(through: views[number]), number: number,
          connection: connection))
    }
    return changed
  }

  private func rowCount(_ tables: [String]) throws(MergeError) -> Int64 {
    var count: Int64 = 0
    for table in tables {
      count += try MergeError.at(table) { () throws(SQLiteError) in
        try connection.scalarInteger("SELECT count(*) FROM main.\(SQLText.quoted(table))") ?? 0
      }
    }
    return count
  }

  /// Whether the database has triggers, which may keep rows out or change them.
  func hasTriggers() throws(MergeError) -> Bool {
    try at { () throws(SQLiteError) in
      try connection.scalarInteger(
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' LIMIT 1") != nil
    }
  }

  private func at<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(MergeError) -> Value {
    try MergeError.at("", body)
  }
}
