internal import SeedModel
internal import SeedSQLite

/// Tells before anything is looked up whether each record refers to a row.
///
/// A natural key that stands for no row fails the build, so that those which stand for NULL are all
/// that leave a reference empty.
struct NaturalKeySurvey {
  private let isDeferred: Bool
  /// The columns that have the natural keys, with their texts for NULL.
  private let targets: [MappedTable.Column]

  init(rule: Int, rules: [ReferenceRule], schema: TargetSchema, mapped: [MappedTable]) {
    // Rows that refer to their own table are there before the reference is.
    isDeferred = FillOrder(mapped, rules: rules, schema: schema).deferredRules.contains(rule)
    let table = schema.table(matching: rules[rule].targetTable)
    let column = table.flatMap { schema.tables[$0].column(matching: rules[rule].targetColumn) }
    targets = mapped.filter { $0.target == table }.flatMap(\.columns).filter { $0.target == column }
  }

  /// Whether no record of a mapping has a natural key that stands for NULL, or none at all.
  ///
  /// - Parameters:
  ///   - sql: The natural key, as an expression over a staged record.
  ///   - mapping: The mapping with the reference.
  ///   - rows: What is selected from for the mapping's records.
  ///   - staged: The records.
  /// - Returns: False also where that shows only later.
  /// - Throws: ``SQLiteError``.
  func areFilled(
    _ sql: String, in mapping: MappedTable, rows: String, _ staged: StagedInput
  ) throws -> Bool {
    guard !isDeferred else { return false }
    let own = mapping.columns.filter { column in
      if case .staged(let other) = column.source { other == sql } else { false }
    }
    let readers = targets + own
    let keys = try staged.connection.prepare("SELECT DISTINCT \(sql) FROM \(rows)")
    while try keys.step() {
      guard keys.columnType(0) != .null else { return false }
      let isFilled = keys.withTextBytes(0) { bytes in
        !bytes.isEmpty && readers.allSatisfy { !$0.takesForNull(bytes) }
      }
      guard isFilled else { return false }
    }
    return true
  }
}

extension MappedTable.Column {
  /// Whether the column takes a text for the lack of a value.
  fileprivate func takesForNull(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let value = isTrimmed ? text.trimmed : text
    return value.isEmpty || !nullTexts.isEmpty && nullTexts.contains(Array(value))
  }
}
