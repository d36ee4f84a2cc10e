internal import SeedMerge
internal import SeedSQLite

/// Changes the rows of a table with a key in place: what the app has added to a row, and what refers
/// to it, stays, also where a row is deleted and comes back.
internal final class KeyedRows {
  /// The columns of an id.
  internal let columns: [HyperHiveColumn]
  private let table: HyperHiveTable
  private let name: String
  private let connection: Connection
  private let merge: RowMerge
  private var deletion: KeyDeletion?
  private var upsert: RowUpsert?
  private var lookup: Statement?

  /// Begins to change a table.
  ///
  /// - Throws: ``MergeError``.
  internal init(
    _ table: HyperHiveTable, name: String, _ connection: Connection
  ) throws(MergeError) {
    columns = HyperHiveRules.idColumns(of: table).map { table.columns[$0] }
    self.table = table
    self.name = name
    self.connection = connection
    merge = try RowMerge(
      [
        DeclaredTable(
          name: name, key: columns.map(\.name), columns: table.columns.map(\.name))
      ], on: connection)
  }

  /// Writes rows in their order, each in place of one with its id.
  ///
  /// - Throws: ``MergeError``.
  internal func replace(_ values: UnsafePointer<BoundValue>, rowCount: Int) throws {
    let section = try upsert ?? merge.upsert(into: name, columns: table.columns.map(\.name))
    upsert = section
    for row in 0..<rowCount { try section.add(values + row * table.columns.count) }
  }

  /// Notes that the rows of some ids are to be deleted.
  ///
  /// - Throws: ``UnknownRow`` for an id that no row has, ``MergeError``, ``SQLiteError``.
  internal func delete(_ ids: UnsafePointer<BoundValue>, count: Int) throws {
    let section = try deletion ?? merge.deletion(from: name, columns: columns.map(\.name))
    deletion = section
    let conditions = columns.map { "\(SQLiteName.quoted($0.name)) = ?" }
    let lookup =
      try lookup
      ?? connection.prepare(
        "SELECT 1 FROM \(SQLiteName.quoted(name)) WHERE "
          + conditions.joined(separator: " AND "))
    self.lookup = lookup
    for index in 0..<count {
      let id = ids + index * columns.count
      for column in columns.indices { try lookup.bind(Int32(column + 1), id[column]) }
      let isThere = try lookup.step()
      lookup.reset()
      guard isThere else { throw UnknownRow(table: table.name, id: id, count: columns.count) }
      try section.add(id)
    }
  }

  /// Notes that all rows are to be deleted but those that come back.
  ///
  /// - Throws: ``MergeError``.
  internal func deleteAll() throws(MergeError) {
    try merge.deleteAll(from: name)
  }

  /// Deletes what has not come back.
  ///
  /// - Throws: ``MergeError``.
  internal func finish() throws {
    lookup = nil
    _ = try merge.finish()
  }
}
