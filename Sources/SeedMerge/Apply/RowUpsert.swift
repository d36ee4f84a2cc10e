package import SeedSQLite

/// The rows of a section that are to be as given: inserted, or updated where they differ.
package final class RowUpsert {
  private let keys: PendingKeys
  private let references: ReferenceGuard?
  private let connection: Connection
  private let statement: Statement
  private let columns: [LayoutColumn]
  private let columnCount: Int
  /// What updates rows that are there, once it is known that the statement cannot.
  private var update: RowUpdate?
  /// What finds a row in the way, once there was one.
  private var obstruction: Statement?
  /// The rows that wait until others are gone, once there was one.
  private var held: HeldRows?
  /// Where the key's columns stand in a row, in the order of the key.
  private let positions: [Int]
  private let firstPosition: Int
  private let hasSeveralKeys: Bool
  /// The column that is the table's rowid, and where it stands in a row.
  private let rowID: (name: String, position: Int)?
  /// Rows that were inserted or updated.
  private(set) var written: Int64 = 0
  /// Rows that were as they should be.
  private(set) var unchanged: Int64 = 0

  init(
    _ keys: PendingKeys, columns: [LayoutColumn], references: ReferenceGuard?,
    _ connection: Connection
  ) throws(MergeError) {
    self.keys = keys
    self.references = references
    self.connection = connection
    self.columns = columns
    columnCount = columns.count
    positions = keys.layout.key.compactMap { part in
      columns.firstIndex { $0.name == part.name }
    }
    firstPosition = positions[0]
    hasSeveralKeys = positions.count > 1
    rowID = columns.firstIndex(where: \.isRowID).map { (columns[$0].name, $0) }
    let places = columns.map { _ in "?" }.joined(separator: ",")
    let sql = keys.layout.upsert(columns, setting: columns, from: "VALUES (\(places))")
    // The UPDATE of an upsert overrules the conflict clauses inside of triggers, as OR ABORT does.
    if keys.layout.hasTriggers {
      update = try RowUpdate(keys.layout, columns: columns, connection)
    }
    statement = try MergeError.at(keys.layout.name) { () throws(SQLiteError) in
      try connection.prepare(sql)
    }
  }

  /// Inserts or updates one row.
  ///
  /// - Parameter row: A value for each column of the section; its texts and blobs are not needed
  ///   afterwards.
  /// - Returns: Whether anything was written; false for a row that does not differ.
  /// - Throws: ``MergeError``.
  @discardableResult
  package func add(_ row: UnsafePointer<BoundValue>) throws(MergeError) -> Bool {
    try references?.write(keys.number)
    let isIdle = keys.isIdle
    if !isIdle { try keys.settle() }
    if row[firstPosition].kind == .null || hasSeveralKeys {
      try RowBinding.checkKey(row, positions, keys.layout)
    }
    let effect: Effect =
      if try keys.isHeld(positions.map { row[$0] }) { try hold(row) } else { try write(row) }
    switch effect {
    case .written: written += 1
    case .unchanged: unchanged += 1
    case .held: break
    }
    if !isIdle, keys.count > 0 { try takeOut(row) }
    return effect != .unchanged
  }

  /// What has become of a row.
  private enum Effect {
    case written, unchanged
    /// It is written once those in its way are gone.
    case held
  }

  /// Inserts the row, or updates the one that is there.
  ///
  /// SQLite looks at NOT NULL and CHECK before it looks for the row that is there, and so refuses a
  /// row for what a new one would lack, though the one that is there has it in the app's columns.
  private func write(_ row: UnsafePointer<BoundValue>) throws(MergeError) -> Effect {
    if let update, try update.hasRow(row) { return try self.run(update, row) }
    do throws(MergeError) {
      return try run(statement, row)
    } catch {
      guard self.update == nil, error.sqlite?.isLack == true else { throw error }
      let update = try RowUpdate(keys.layout, columns: columns, connection)
      guard try update.hasRow(row) else { throw error }
      let effect = try run(update, row)
      self.update = update
      return effect
    }
  }

  private func run(
    _ update: RowUpdate, _ row: UnsafePointer<BoundValue>
  ) throws(MergeError) -> Effect {
    // Nothing but a key, and it is there.
    guard let statement = update.statement else { return .unchanged }
    return try run(statement, row)
  }

  /// Runs a statement with the values of a row; holds the row if waiting ones are in its way.
  @inline(__always)
  private func run(
    _ statement: Statement, _ row: UnsafePointer<BoundValue>
  ) throws(MergeError) -> Effect {
    do throws(SQLiteError) {
      try statement.bindUncopied(row, count: columnCount)
      try statement.run()
    } catch {
      guard error.isDuplicate, try isObstructed(row) else { throw told(error, row) }
      return try hold(row)
    }
    return connection.changes > 0 ? .written : .unchanged
  }

  /// Whether a row that waits to be deleted is one that this row cannot stand beside.
  private func isObstructed(_ row: UnsafePointer<BoundValue>) throws(MergeError) -> Bool {
    guard let sql = keys.obstruction(to: columns, from: SQLText.values(columns)) else {
      return false
    }
    do throws(SQLiteError) {
      let statement: Statement
      if let obstruction {
        statement = obstruction
      } else {
        statement = try connection.prepare(sql)
        obstruction = statement
      }
      try statement.bindUncopied(row, count: columnCount)
      let isObstructed = try statement.step()
      statement.reset()
      return isObstructed
    } catch {
      throw told(error, row)
    }
  }

  private func hold(_ row: UnsafePointer<BoundValue>) throws(MergeError) -> Effect {
    let rows: HeldRows
    if let held {
      rows = held
    } else {
      rows = try keys.makeHeldRows(columns)
      held = rows
    }
    do throws(SQLiteError) {
      try rows.add(row)
    } catch {
      throw told(error, row)
    }
    return .held
  }

  private func told(_ error: SQLiteError, _ row: UnsafePointer<BoundValue>) -> MergeError {
    guard error.isMismatch, let rowID else { return MergeError(error, table: keys.layout.name) }
    return MergeError(
      .notAnInteger(column: rowID.name, value: row[rowID.position].shown),
      table: keys.layout.name, sqlite: error)
  }

  /// Inserts or updates one row, given by values of its own.
  ///
  /// - Parameter row: A value for each column of the section.
  /// - Returns: Whether anything was written.
  /// - Throws: ``MergeError``.
  /// - Precondition: There are as many values as columns.
  @discardableResult
  package func add(_ row: [SQLiteValue]) throws(MergeError) -> Bool {
    precondition(row.count == columnCount, "a value for each column of the section")
    return try RowBinding.withBoundValues(row) { (values) throws(MergeError) in try add(values) }
  }

  /// The row has come back.
  private func takeOut(_ row: UnsafePointer<BoundValue>) throws(MergeError) {
    let removal = try keys.removal()
    do throws(SQLiteError) {
      for (index, position) in positions.enumerated() {
        try removal.bindUncopied(Int32(index + 1), row[position])
      }
      try removal.run()
    } catch {
      throw MergeError(error, table: keys.layout.name)
    }
    keys.wasTakenOut(connection.changes)
  }
}

extension TableLayout {
  /// The statement that inserts rows, or updates those that differ in place.
  ///
  /// Never INSERT OR REPLACE, which deletes the old row and with it its children. The table has
  /// the alias `t`, so that one that is called `excluded` works as well.
  ///
  /// - Parameters:
  ///   - columns: The columns of the rows.
  ///   - updated: Those of them that are set in a row that is there.
  ///   - source: `VALUES` or a query with a condition.
  ///   - clause: What stands behind INSERT; without it, what the table calls for.
  /// - Returns: The statement.
  func upsert(
    _ columns: [LayoutColumn], setting updated: [LayoutColumn], from source: String,
    clause: String? = nil
  ) -> String {
    let head = """
      INSERT \(clause ?? conflictClause)INTO \(sql) AS t (\(SQLText.list(columns))) \(source) \
      ON CONFLICT (\(SQLText.list(key))) DO
      """
    let set = settable(updated)
    guard !set.isEmpty else { return head + " NOTHING" }
    let values = set.map { "\($0.sql) = excluded.\($0.sql)" }.joined(separator: ", ")
    return head + " UPDATE SET \(values) WHERE \(SQLText.differ(set, "t", "excluded"))"
  }
}
