import SeedSQLite

/// Compares the rows of one table in two databases.
struct TableComparison {
  let old: ComparedDatabase
  let new: ComparedDatabase
  let sampleLimit: Int

  /// What came out of a comparison.
  enum Outcome {
    case difference(TableDifference)
    /// The rows of a virtual table cannot be read, and why.
    case unreadable(String)
  }

  /// Compares a table; one that only one database has consists of added or removed rows.
  ///
  /// - Throws: ``SQLiteError`` when a table that is not virtual cannot be read.
  func result(_ before: TableShape?, _ after: TableShape?) throws(SQLiteError) -> Outcome {
    do throws(SQLiteError) {
      return .difference(try difference(before, after))
    } catch {
      let isVirtual = before?.isVirtual ?? false || after?.isVirtual ?? false
      guard isVirtual, !error.isCorrupt, !error.isInputOutput else { throw error }
      let name = after?.name ?? before?.name ?? ""
      return .unreadable(
        "the rows of the virtual table \"\(name)\" are not compared: \(error.message)")
    }
  }

  private func difference(
    _ before: TableShape?, _ after: TableShape?
  ) throws(SQLiteError) -> TableDifference {
    guard let before, let after else {
      var tally = tally(before ?? after)
      if let before { try count(before, in: old, isAdded: false, into: &tally) }
      if let after { try count(after, in: new, isAdded: true, into: &tally) }
      return tally.difference
    }
    let nullKeys = [try before.hasNullKeys(old.connection), try after.hasNullKeys(new.connection)]
    let selection = RowSelection(common: before, after, isWhole: nullKeys.contains(true))
    guard !selection.names.isEmpty else { return try replaced(before, after) }
    let tally = RowTally(table: after.name, selection: selection, sampleLimit: sampleLimit)
    if !selection.isWhole {
      var merge = KeyedMerge(
        old: try cursor(selection, before, in: old), new: try cursor(selection, after, in: new),
        key: selection.key, tally: tally)
      return try merge.run()
    }
    if try areEqualAsStored(before, after, selection) { return tally.difference }
    var merge = WholeRowMerge(
      old: try cursor(selection, before, in: old), new: try cursor(selection, after, in: new),
      columnCount: Int32(selection.names.count), tally: tally)
    return try merge.run()
  }

  private func cursor(
    _ selection: RowSelection, _ table: TableShape, in database: ComparedDatabase,
    isOrdered: Bool = true
  ) throws(SQLiteError) -> RowCursor {
    try RowCursor(
      selection.sql(from: table.name, isOrdered: isOrdered, isUTF8: database.isUTF8),
      on: database.connection)
  }

  private func tally(_ table: TableShape?) -> RowTally {
    RowTally(
      table: table?.name ?? "", selection: table.map { RowSelection(of: $0) } ?? .none,
      sampleLimit: sampleLimit)
  }

  /// Counts all rows of a table.
  private func count(
    _ table: TableShape, in database: ComparedDatabase, isAdded: Bool, into tally: inout RowTally
  ) throws(SQLiteError) {
    let selection = RowSelection(of: table)
    // Without a key there is no order worth sorting for.
    var rows = try cursor(selection, table, in: database, isOrdered: !selection.isWhole)
    try rows.advance()
    while rows.hasRow {
      if isAdded { tally.add(rows.statement) } else { tally.remove(rows.statement) }
      try rows.advance()
    }
  }

  /// The rows of two tables that have only their name in common.
  private func replaced(
    _ before: TableShape, _ after: TableShape
  ) throws(SQLiteError) -> TableDifference {
    var removed = tally(before)
    try count(before, in: old, isAdded: false, into: &removed)
    var added = tally(after)
    try count(after, in: new, isAdded: true, into: &added)
    var difference = added.difference
    difference.removedCount = removed.difference.removedCount
    difference.removed = removed.difference.removed
    return difference
  }

  /// Whether all rows are the same and lie in the same order, which spares sorting them.
  private func areEqualAsStored(
    _ before: TableShape, _ after: TableShape, _ selection: RowSelection
  ) throws(SQLiteError) -> Bool {
    var first = try cursor(selection, before, in: old, isOrdered: false)
    var second = try cursor(selection, after, in: new, isOrdered: false)
    let columns = 0..<Int32(selection.names.count)
    while true {
      try first.advance()
      try second.advance()
      guard first.hasRow, second.hasRow else { return first.hasRow == second.hasRow }
      let (a, b) = (first.statement, second.statement)
      guard columns.allSatisfy({ StoredValue.areEqual(a, b, $0) }) else { return false }
    }
  }
}
