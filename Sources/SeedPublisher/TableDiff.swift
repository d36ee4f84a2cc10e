internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// What changed in one table: a merge join of the rows that were published with those that are to
/// be, both by key.
final class TableDiff {
  private let table: PublishedTable
  private let order: KeyOrder
  private let old: OldRows
  private let new: Statement
  private let path: String
  private let columnCount: Int
  /// The columns by number on whose values a UNIQUE index besides the key depends.
  private let isUnique: [Bool]
  /// The columns by number that databases in the field declare NOT NULL.
  private let required: [Int]
  private var deletes = SegmentText()
  private var upserts = SegmentText()

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - table: The table as it is now; with the UNIQUE indexes and the required columns that it had
  ///     besides.
  ///   - order: The order of both sides.
  ///   - old: The rows that were published, not started.
  ///   - new: A query for the rows that are to be, with the table's columns, by key.
  ///   - path: The new database, for messages.
  init(_ table: PublishedTable, order: KeyOrder, old: OldRows, new: Statement, path: String) {
    self.table = table
    self.order = order
    self.old = old
    self.new = new
    self.path = path
    columnCount = table.table.columns.count
    isUnique = Self.uniqueColumns(of: table)
    required = table.table.columns.indices.filter {
      table.required.contains(table.table.columns[$0].name)
    }
  }

  private static func uniqueColumns(of table: PublishedTable) -> [Bool] {
    // Entries that depend on more than columns may change with any value.
    let isAny = table.uniqueIndexes.contains { $0.columns == nil }
    let names = Set(table.uniqueIndexes.flatMap { $0.columns ?? [] })
    return table.table.columns.map { isAny || names.contains($0.name) }
  }

  /// Goes through both sides once.
  ///
  /// - Parameters:
  ///   - deleted: Takes the keys of rows that are gone or have to give way, as lines.
  ///   - upserted: Takes the rows that are new or changed.
  /// - Throws: ``StreamPublishError``, ``SQLiteError``.
  func run(into deleted: LineSpool, _ upserted: LineSpool) throws {
    try old.start()
    var hasNew = try new.step()
    if hasNew { try checkRow() }
    while old.hasRow || hasNew {
      let comparison =
        !old.hasRow ? 1 : !hasNew ? -1 : compareKeys()
      if comparison < 0 {
        try delete(into: deleted)
        try old.advance()
        continue
      }
      if comparison > 0 {
        try upsert(into: upserted)
      } else {
        try compareRow(deleted, upserted)
        try old.advance()
      }
      hasNew = try new.step()
      if hasNew { try checkRow() }
    }
    try flush(&deletes, into: deleted, above: 0)
    try flush(&upserts, into: upserted, above: 0)
  }

  @inline(__always)
  private func newCell(_ index: Int) -> StoredCell { new.cell(Int32(truncatingIfNeeded: index)) }

  private func compareRow(_ deleted: LineSpool, _ upserted: LineSpool) throws {
    var isChanged = false
    var isUniqueChanged = false
    for index in 0..<columnCount where !old.cell(index).isSame(as: newCell(index)) {
      isChanged = true
      // The key itself, written otherwise: who deletes it later has to name what is there.
      if index < order.count || isUnique[index] { isUniqueChanged = true }
    }
    guard isChanged else { return }
    if isUniqueChanged { try delete(into: deleted) }
    try upsert(into: upserted)
  }

  private func compareKeys() -> Int {
    order.compare({ old.cell($0) }, { newCell($0) })
  }

  /// Lists the old row's key.
  private func delete(into spool: LineSpool) throws {
    try RowLine.append(to: &deletes, count: order.count, of: table.table, path: path) {
      old.cell($0)
    }
    try flush(&deletes, into: spool, above: 1 << 16)
  }

  private func upsert(into spool: LineSpool) throws {
    try RowLine.append(to: &upserts, count: columnCount, of: table.table, path: path) {
      newCell($0)
    }
    try flush(&upserts, into: spool, above: 1 << 16)
  }

  private func flush(
    _ text: inout SegmentText, into spool: LineSpool, above limit: Int
  ) throws(StreamPublishError) {
    guard text.bytes.count > limit else { return }
    let rows = text.rowCount
    let bytes = text.bytes
    text = SegmentText()
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(StreamPublishError) in try spool.append(buffer, rowCount: rows) }
    }
    try result.get()
  }

  /// Goes through the new rows alone, all of which are new.
  ///
  /// - Parameter chain: Takes their lines.
  /// - Returns: The number of the rows.
  /// - Throws: ``StreamPublishError``, ``SQLiteError``.
  func digest(into chain: inout CheckpointChain) throws -> Int64 {
    var count: Int64 = 0
    while try new.step() {
      try checkRow()
      try RowLine.append(to: &upserts, count: columnCount, of: table.table, path: path) {
        newCell($0)
      }
      count += 1
      guard upserts.bytes.count > 1 << 16 else { continue }
      upserts.bytes.withUnsafeBytes { chain.update($0) }
      upserts.bytes.removeAll(keepingCapacity: true)
    }
    upserts.bytes.withUnsafeBytes { chain.update($0) }
    return count
  }

  /// A row without a key cannot be told from another one, and one without a value that databases in
  /// the field ask for would stop every app there, for good.
  private func checkRow() throws(StreamPublishError) {
    for index in 0..<order.count {
      guard case .null = newCell(index) else { continue }
      throw StreamPublishError(
        .nullInKey(table: table.table.name, column: table.table.key[index]), path: path)
    }
    for index in required {
      guard case .null = newCell(index) else { continue }
      throw StreamPublishError(
        .nullInRequired(
          table: table.table.name, column: table.table.columns[index].name,
          key: RowLine.shownKey(of: table.table, newCell)), path: path)
    }
  }
}
