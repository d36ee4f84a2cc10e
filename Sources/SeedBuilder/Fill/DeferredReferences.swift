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
        rule INTEGER, row INTEGER, name TEXT, line INTEGER, place INTEGER, mapping INTEGER)
      """)
    insert = try connection.prepare("INSERT INTO \(Self.table) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
  }

  /// Notes that a row has a natural key to be resolved.
  func note(
    rule: Int, of mapping: Int, row: Int64, name: String, line: Int64, place: Int64
  ) throws {
    insert.bindInteger(1, Int64(rule))
    insert.bindInteger(2, row)
    try insert.bindText(3, name)
    insert.bindInteger(4, line)
    insert.bindInteger(5, place)
    insert.bindInteger(6, Int64(mapping))
    try insert.run()
  }

  /// Fills the columns in, once every table is full.
  func resolve(
    _ rules: [ReferenceRule], schema: TargetSchema, lookups: ReferenceLookups,
    staged: StagedInput, _ report: inout MisfitReport
  ) throws {
    for (number, rule) in rules.enumerated() {
      guard let table = schema.table(matching: rule.table).map({ schema.tables[$0] }),
        let column = table.column(matching: rule.column)
      else { continue }
      let update = try connection.prepare(
        "UPDATE \(SQLiteName.quoted(table.name)) SET "
          + "\(SQLiteName.quoted(table.columns[column].name)) = ?1 WHERE rowid = ?2")
      let rows = try connection.prepare(
        "SELECT name, row, line, place, mapping FROM \(Self.table) WHERE rule = \(number) ORDER BY row"
      )
      while try rows.step(), !report.isFull {
        var unknown: ReferenceLookups.Unknown?
        guard
          try lookups.bind(
            number, of: Int(rows.integer(4)), rows, 0, to: update, 1, unknown: { unknown = $0 })
        else {
          if let unknown { add(unknown, rows, staged, &report) }
          continue
        }
        update.bindInteger(2, rows.integer(1))
        connection.restartSteps()
        try update.run()
      }
    }
  }

  private func add(
    _ unknown: ReferenceLookups.Unknown, _ row: Statement, _ staged: StagedInput,
    _ report: inout MisfitReport
  ) {
    let place = PlaceFinder(staged: staged).place(
      of: unknown.value, line: Int(row.integer(2)), place: Int(row.integer(3)))
    report.add(
      unknown.message, at: place.location, excerpt: place.excerpt, hint: unknown.hint)
  }
}
