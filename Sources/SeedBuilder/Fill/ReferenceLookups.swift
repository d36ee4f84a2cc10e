internal import SeedModel
internal import SeedSQLite

/// Finds the keys that natural keys stand for.
///
/// Each rule gets a temporary table of natural keys once the table that it refers to is full.
final class ReferenceLookups {
  private let rules: [ReferenceRule]
  private let schema: TargetSchema
  private let connection: Connection
  private var lookups: [Int: Statement] = [:]

  /// What to say about a natural key that stands for nothing.
  struct Unknown {
    var message: String
    var hint: String?
    var value: [UInt8]
  }

  init(_ rules: [ReferenceRule], schema: TargetSchema, connection: Connection) {
    self.rules = rules
    self.schema = schema
    self.connection = connection
  }

  /// Binds the key for a natural key; false when there is none.
  func bind(
    _ rule: Int, _ select: Statement, _ source: Int32, to insert: Statement, _ parameter: Int32,
    unknown: (Unknown) -> Void
  ) throws -> Bool {
    guard select.columnType(source) != .null else {
      insert.bindNull(parameter)
      return true
    }
    let text = select.text(source)
    guard !text.isEmpty else {
      insert.bindNull(parameter)
      return true
    }
    let lookup = try lookup(rule)
    defer { lookup.reset() }
    try lookup.bindText(1, text)
    guard try lookup.step() else {
      unknown(try self.unknown(text, rules[rule]))
      return false
    }
    if lookup.integer(1) > 1 {
      unknown(
        Unknown(
          message: "\"\(text)\" stands for several rows of \"\(rules[rule].targetTable)\"",
          hint: "\(rules[rule].targetColumn) must be unique there", value: Array(text.utf8)))
      return false
    }
    try insert.bind(parameter, lookup.value(0))
    return true
  }

  private func unknown(_ text: String, _ rule: ReferenceRule) throws -> Unknown {
    var known: [String] = []
    try connection.forEachRow(
      "SELECT DISTINCT CAST(\(SQLiteName.quoted(names(of: rule).column)) AS TEXT) "
        + "FROM \(SQLiteName.quoted(names(of: rule).table)) LIMIT 10000"
    ) { known.append($0.text(0)) }
    let nearest = Suggestion.nearest(to: text, in: known)
    return Unknown(
      message: "no row of \"\(rule.targetTable)\" has \(rule.targetColumn) \"\(text)\"",
      hint: nearest.map { "did you mean \"\($0)\"?" } ?? "add it to \(rule.targetTable)",
      value: Array(text.utf8))
  }

  private func lookup(_ number: Int) throws -> Statement {
    if let known = lookups[number] { return known }
    let rule = rules[number]
    let (table, column) = names(of: rule)
    let name = "temp._seed_reference_\(number)"
    // Kept apart from the database itself: an index that is dropped again would leave free pages.
    try connection.execute(
      """
      CREATE TABLE \(name) (name TEXT PRIMARY KEY, key, count INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO \(name) SELECT CAST(\(SQLiteName.quoted(column)) AS TEXT),
        min(\(SQLiteName.quoted(try keyColumn(of: rule)))), count(*)
      FROM \(SQLiteName.quoted(table)) WHERE \(SQLiteName.quoted(column)) IS NOT NULL GROUP BY 1;
      """)
    let statement = try connection.prepare("SELECT key, count FROM \(name) WHERE name = ?1")
    lookups[number] = statement
    return statement
  }

  /// The table and the column with the natural keys, as the schema calls them.
  private func names(of rule: ReferenceRule) -> (table: String, column: String) {
    guard let table = schema.table(matching: rule.targetTable).map({ schema.tables[$0] }) else {
      return (rule.targetTable, rule.targetColumn)
    }
    let column = table.column(matching: rule.targetColumn).map { table.columns[$0].name }
    return (table.name, column ?? rule.targetColumn)
  }

  /// The column that a rule's column refers to: as the schema says, or the primary key.
  private func keyColumn(of rule: ReferenceRule) throws -> String {
    let table = schema.table(matching: rule.table).map { schema.tables[$0] }
    let number = schema.table(matching: rule.targetTable)
    let target = number.map { schema.tables[$0] }
    let column = table?.column(matching: rule.column)
    let declared = table?.foreignKeys.first { key in
      key.columns.count == 1 && schema.table(named: key.table) == number
        && table?.column(named: key.columns[0].from) == column
    }
    if let to = declared?.columns[0].to, !to.isEmpty { return to }
    if let target, let key = target.soleKey { return target.columns[key].name }
    return "rowid"
  }

  /// Lets go of the statements.
  func close() { lookups = [:] }
}
