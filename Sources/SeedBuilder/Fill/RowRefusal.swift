internal import SeedModel
internal import SeedSQLite

/// A row that a constraint of the schema does not allow, in words.
struct RowRefusal {
  let error: SQLiteError
  let staged: StagedInput
  let table: TargetTable
  /// All that fills tables, and what has made the row.
  let mappings: [MappedTable]
  let mapping: MappedTable

  /// The error, with the record that was there before where two are the same in what is unique.
  ///
  /// - Parameters:
  ///   - ordinal: The number of the record that the row was made from.
  ///   - value: Gives what the record has for a column of the mapping.
  /// - Returns: The error without a place, and the record that it speaks of.
  func diagnostic(
    ordinal: Int64, value: (Int) -> SQLiteValue
  ) -> (error: Diagnostic, mention: MisfitReport.Mention?) {
    var mention: MisfitReport.Mention?
    var message = "the record does not fit into \"\(table.name)\": \(error.message)"
    var hint = Self.hint(error)
    if error.constraint == .unique || error.constraint == .primaryKey,
      let other = earlier(than: ordinal, value)
    {
      // Where it is shows when the inputs are gone through once more, for all errors together.
      mention = MisfitReport.Mention(spot: other.spot, placeholder: RowRefusal.placeholder)
      message += " (another record, at \(RowRefusal.placeholder), has \(other.values))"
      hint = "leave one of the two records out, correct it, or drop the constraint if both belong"
    }
    return (Diagnostic(.error, message, hint: hint), mention)
  }

  /// What stands for a place until that is known: no text of an input has a NUL.
  private static let placeholder = "\0place\0"

  private static func hint(_ error: SQLiteError) -> String? {
    switch error.constraint {
    case .unique, .primaryKey:
      "leave out one of the records that are the same in it, or drop the constraint"
    case .notNull: "give a default in seed.json or in the schema"
    case .check: "correct the value, or the CHECK in the schema"
    case .dataType: "correct the value, or the type in the schema"
    case .trigger: "correct the record, or the trigger in the schema"
    case .foreignKey, .other, nil: nil
    }
  }

  // MARK: The other record

  /// The columns that have to be unique together: SQLite lists them behind a colon.
  private var uniqueColumns: [Int]? {
    guard let colon = error.message.firstIndex(of: ":") else { return nil }
    let names = error.message[colon...].dropFirst(2).split(separator: ",").map { name in
      name.drop { $0 == " " }.dropFirst(table.name.count + 1)
    }
    let columns = names.compactMap { table.column(named: String($0)) }
    // What is unique by an index on an expression is not listed.
    return columns.isEmpty || columns.count < names.count ? nil : columns
  }

  private func earlier(
    than ordinal: Int64, _ value: (Int) -> SQLiteValue
  ) -> (spot: ValueSpot, values: String)? {
    guard let unique = uniqueColumns else { return nil }
    var values: [SQLiteValue] = []
    for column in unique {
      guard let index = mapping.columns.firstIndex(where: { $0.target == column }) else {
        return nil
      }
      values.append(value(index))
    }
    let shown = zip(unique, values).map { "\(table.columns[$0].name) \(Self.shown($1))" }
      .joined(separator: " and ")
    for other in mappings where other.target == mapping.target {
      let isSame = other.staged == mapping.staged
      let limit = isSame ? "AND t.\(StagedInput.ordinalColumn) <> \(ordinal)" : ""
      guard let found = first(of: other, unique, values, limit) else { continue }
      return (found, shown)
    }
    return nil
  }

  /// The first record of a mapping that has some values in columns of the table.
  private func first(
    of mapping: MappedTable, _ columns: [Int], _ values: [SQLiteValue], _ limit: String
  ) -> ValueSpot? {
    var conditions: [String] = []
    for (number, column) in columns.enumerated() {
      guard let sql = mapping.columns.first(where: { $0.target == column })?.source.sql else {
        return nil
      }
      conditions.append("(\(sql)) = ?\(number + 1)")
    }
    let list = mapping.places.map(String.init).joined(separator: ",")
    do {
      let statement = try staged.connection.prepare(
        """
        SELECT t.\(StagedInput.lineColumn), t.\(StagedInput.placeColumn),
          t.\(StagedInput.ordinalColumn)
        FROM \(staged.tables[mapping.staged].sqlName) AS t
        WHERE t.\(StagedInput.placeColumn) IN (\(list)) AND \(conditions.joined(separator: " AND "))
          \(limit) ORDER BY t.\(StagedInput.ordinalColumn) LIMIT 1
        """)
      for (number, value) in values.enumerated() {
        try statement.bind(Int32(number + 1), value)
      }
      guard try statement.step() else { return nil }
      let place = Int(statement.integer(1))
      return ValueSpot(
        line: Int(statement.integer(0)), place: place,
        record: ValueSpot.Record(place: place, ordinal: statement.integer(2)))
    } catch {
      // The error is worth saying without it.
      return nil
    }
  }

  private static func shown(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text.count > 80 ? "\"\(text.prefix(80))…\"" : "\"\(text)\""
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}

extension MappedTable.Source {
  /// The expression over the staged record that gives the value, if there is one.
  fileprivate var sql: String? {
    switch self {
    case .staged(let sql), .parentKey(let sql, _), .reference(_, let sql): sql
    case .ordinal, .constant: nil
    }
  }
}
