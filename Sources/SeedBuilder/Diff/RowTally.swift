import SeedSQLite

/// Counts the rows that differ and keeps the first of them.
struct RowTally {
  private(set) var difference: TableDifference
  private let selection: RowSelection
  private let sampleLimit: Int

  /// Starts a count for a table whose rows are read by a selection.
  init(table: String, selection: RowSelection, sampleLimit: Int) {
    difference = TableDifference(
      name: table, key: selection.isWhole ? [] : selection.key.map(\.name))
    self.selection = selection
    self.sampleLimit = sampleLimit
  }

  /// Counts a row that only the new table has.
  mutating func add(_ row: Statement) {
    difference.addedCount += 1
    if difference.added.count < sampleLimit { difference.added.append(sample(of: row)) }
  }

  /// Counts a row that only the old table has.
  mutating func remove(_ row: Statement) {
    difference.removedCount += 1
    if difference.removed.count < sampleLimit { difference.removed.append(sample(of: row)) }
  }

  /// Counts rows that only one of the tables has, of which a copy was kept.
  mutating func count(_ row: TableDifference.Row, isAdded: Bool, times: Int64) {
    for _ in 0..<min(times, Int64(sampleLimit)) {
      if isAdded, difference.added.count < sampleLimit { difference.added.append(row) }
      if !isAdded, difference.removed.count < sampleLimit { difference.removed.append(row) }
    }
    if isAdded { difference.addedCount += times } else { difference.removedCount += times }
  }

  /// Counts two rows of the same key if they differ.
  mutating func compare(_ old: Statement, _ new: Statement) {
    guard let first = columns.first(where: { !StoredValue.areEqual(old, new, $0) }) else { return }
    difference.changedCount += 1
    guard difference.changed.count < sampleLimit else { return }
    let changes: [TableDifference.ValueChange] = (first..<columns.upperBound).compactMap { column in
      guard !StoredValue.areEqual(old, new, column) else { return nil }
      let (before, after) = DiffValue.pair(old, new, column)
      return TableDifference.ValueChange(
        column: selection.names[Int(column)], old: before, new: after)
    }
    difference.changed.append(
      TableDifference.ChangedRow(key: keyFields(of: old), changes: changes))
  }

  /// The current row's key and values, long ones shortened.
  func sample(of row: Statement) -> TableDifference.Row {
    let keyCount = selection.isWhole ? 0 : selection.key.count
    return TableDifference.Row(
      key: keyFields(of: row), values: fields(of: row, Int32(keyCount)..<columns.upperBound))
  }

  private var columns: Range<Int32> { 0..<Int32(selection.names.count) }

  private func keyFields(of row: Statement) -> [TableDifference.Field] {
    selection.isWhole ? [] : fields(of: row, 0..<Int32(selection.key.count))
  }

  private func fields(of row: Statement, _ range: Range<Int32>) -> [TableDifference.Field] {
    range.map { column in
      TableDifference.Field(
        column: selection.names[Int(column)], value: DiffValue(row, column))
    }
  }
}
