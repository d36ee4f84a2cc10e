internal import SeedModel
internal import SeedSQLite

/// What all values of one column of an inferred table are like.
struct ColumnSurvey {
  private(set) var statistics: ValueStatistics
  private(set) var rowCount = 0
  private(set) var valueCount = 0
  private(set) var emptyCount = 0

  init(rules: ValueRules) {
    statistics = ValueStatistics(rules: rules)
  }

  /// Takes the values of one mapping of the column into account.
  ///
  /// - Throws: ``SQLiteError``.
  mutating func add(
    _ column: MappedTable.Column, of mapping: MappedTable, _ staged: StagedInput
  ) throws {
    guard case .staged(let sql) = column.source else { return }
    statistics.declare(staged.declaredValues(of: column.fields))
    let list = mapping.places.map(String.init).joined(separator: ",")
    let rows = try staged.connection.prepare(
      """
      SELECT \(sql) FROM \(staged.tables[mapping.staged].sqlName) AS t
      WHERE t.\(StagedInput.placeColumn) IN (\(list))
      """)
    while try rows.step() {
      rowCount += 1
      guard rows.columnType(0) != .null else { continue }
      rows.withTextBytes(0) { bytes in
        let value = column.isTrimmed ? bytes.trimmed : bytes
        if !column.nullTexts.isEmpty, column.nullTexts.contains(Array(value)) { return }
        valueCount += 1
        guard let base = value.baseAddress, !value.isEmpty else {
          emptyCount += 1
          return
        }
        statistics.observe(base, value.count)
      }
    }
  }

  /// Whether every row has a value that is not stored as NULL.
  func isFilled(as type: SeedModel.ColumnType) -> Bool {
    rowCount > 0 && valueCount == rowCount && (type == .text || type == .blob || emptyCount == 0)
  }
}
