internal import SeedModel
internal import SeedSQLite

/// What all values of one column of an inferred table are like.
struct ColumnSurvey {
  private var observed: ValueStatistics
  /// What the readers say of the values, and whether some are of fields of which they say nothing.
  private var declared: DocumentFacts.DeclaredValues = []
  private var hasUndeclaredValues = false
  private(set) var rowCount = 0
  private(set) var valueCount = 0
  private(set) var emptyCount = 0

  init(rules: ValueRules) {
    observed = ValueStatistics(rules: rules)
  }

  /// What the values allow the column to be.
  var statistics: ValueStatistics {
    var result = observed
    let isMixed = declared.contains(.data) && hasUndeclaredValues
    result.declare(isMixed ? declared.union(.mixedData) : declared)
    return result
  }

  /// Takes the values of one mapping of the column into account.
  ///
  /// - Throws: ``SQLiteError``.
  mutating func add(
    _ column: MappedTable.Column, of mapping: MappedTable, _ staged: StagedInput
  ) throws {
    guard case .staged(let sql) = column.source else { return }
    let valueCountBefore = valueCount
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
        observed.observe(base, value.count)
      }
    }
    let ofColumn = ColumnSurvey.declared(sql, of: mapping, staged)
    declared.formUnion(ofColumn)
    if !ofColumn.contains(.data), valueCount > valueCountBefore { hasUndeclaredValues = true }
  }

  /// What the readers say of the values of a staged column; nothing of those that are looked up.
  private static func declared(
    _ sql: String, of mapping: MappedTable, _ staged: StagedInput
  ) -> DocumentFacts.DeclaredValues {
    guard
      let column = staged.tables[mapping.staged].columns.first(where: { "t.\($0.sqlName)" == sql })
    else { return [] }
    return column.fields.reduce(into: []) { result, field in
      guard mapping.places.contains(staged.facts.fields[field].place) else { return }
      result.formUnion(staged.facts.fields[field].declared)
    }
  }

  /// Whether every row has a value that is not stored as NULL.
  func isFilled(as type: SeedModel.ColumnType) -> Bool {
    rowCount > 0 && valueCount == rowCount && (type == .text || type == .blob || emptyCount == 0)
  }
}
