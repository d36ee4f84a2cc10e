internal import SeedModel
internal import SeedSQLite

/// References of rows to rows of tables that are not full yet, such as to others of their own table.
final class DeferredReferences {
  private let connection: Connection
  private let insert: Statement
  private static let table = "temp._seed_deferred"

  init(connection: Connection) throws {
    self.connection = connection
    try connection.execute(
      """
      CREATE TABLE \(Self.table) (
        rule INTEGER, row INTEGER, name TEXT, mapping INTEGER, line INTEGER, place INTEGER,
        ordinal INTEGER)
      """)
    insert = try connection.prepare("INSERT INTO \(Self.table) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
  }

  /// Notes that a row has a natural key to be resolved; of its record, line, place and number.
  func note(rule: Int, of mapping: Int, row: Int64, name: String, record: [Int64]) throws {
    insert.bindInteger(1, Int64(rule))
    insert.bindInteger(2, row)
    try insert.bindText(3, name)
    insert.bindInteger(4, Int64(mapping))
    for (index, number) in record.enumerated() { insert.bindInteger(Int32(5 + index), number) }
    try insert.run()
  }

  /// Fills the columns in, once every table is full, by the rules of which that can be told.
  func resolve(
    _ rules: [ReferenceRule], where isTold: (Int) -> Bool, schema: TargetSchema,
    lookups: ReferenceLookups, mapped: [MappedTable], _ report: inout MisfitReport
  ) throws {
    for (number, rule) in rules.enumerated() where isTold(number) {
      guard let table = schema.table(matching: rule.table).map({ schema.tables[$0] }),
        let column = table.column(matching: rule.column)
      else { continue }
      let update = try connection.prepare(
        "UPDATE \(SQLiteName.quoted(table.name)) SET "
          + "\(SQLiteName.quoted(table.columns[column].name)) = ?1 WHERE rowid = ?2")
      let rows = try connection.prepare(
        """
        SELECT name, row, mapping, line, place, ordinal FROM \(Self.table)
        WHERE rule = \(number) ORDER BY row
        """)
      while try rows.step(), !report.isFull {
        var unknown: ReferenceLookups.Unknown?
        guard
          try lookups.bind(
            number, of: Int(rows.integer(2)), rows, 0, to: update, 1, unknown: { unknown = $0 })
        else {
          if let unknown { add(unknown, rows, mapped[Int(rows.integer(2))], number, &report) }
          continue
        }
        update.bindInteger(2, rows.integer(1))
        connection.restartSteps()
        try update.run()
      }
    }
  }

  private func add(
    _ unknown: ReferenceLookups.Unknown, _ row: Statement, _ mapping: MappedTable, _ rule: Int,
    _ report: inout MisfitReport
  ) {
    let place = Int(row.integer(4))
    let column = mapping.columns.first { column in
      if case .reference(rule, _) = column.source { true } else { false }
    }
    report.add(
      Diagnostic(.error, unknown.message, hint: unknown.hint),
      about: ValueSpot(
        line: Int(row.integer(3)), place: place,
        record: ValueSpot.Record(place: place, ordinal: row.integer(5)),
        fields: column?.fields ?? [], value: unknown.value), kind: unknown.message)
  }
}
