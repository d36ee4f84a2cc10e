internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Moves rows into the tables of a template that demand more of them than Core Data's own do.
///
/// Core Data declares types and leaves all checks to itself; whoever wrote the template may have
/// added CHECK, NOT NULL or UNIQUE. A row is whole only when its links are there, and those come
/// last: so rows are loaded into plain tables, and each is put to the test when all are finished.
struct TemplateConstraints {
  let template: StoreTemplate
  let plan: StorePlan
  /// The tables that are loaded without their constraints.
  let tables: [StoreTable]
  /// The unique indexes that rows are put to the test by, by name.
  private let indexes: [String: [StoreTemplate.Object]]

  init(_ template: StoreTemplate, _ plan: StorePlan) {
    self.template = template
    self.plan = plan
    var indexes: [String: [StoreTemplate.Object]] = [:]
    var tables: [StoreTable] = []
    for table in plan.layout.tables {
      let own = template.uniqueIndexes.filter {
        $0.table == table.name && !Self.isChecked($0, plan)
      }
      indexes[table.name] = template.objects.filter { object in
        own.contains { $0.name == object.name }
      }
      if !own.isEmpty || !template.isPlain(table.name) { tables.append(table) }
    }
    self.tables = tables
    self.indexes = indexes
  }

  /// Whether the model's own constraints, which are checked for any store, say the same as an index.
  private static func isChecked(_ index: StoreTemplate.UniqueIndex, _ plan: StorePlan) -> Bool {
    guard let columns = index.plainColumns else { return false }
    return plan.model.entities.contains { entity in
      guard let layout = plan.layout.entity(entity.name), layout.table == index.table else {
        return false
      }
      return entity.uniquenessConstraints.contains { constraint in
        Set(constraint.names.compactMap { layout.attributes[$0]?.name }) == Set(columns)
      }
    }
  }

  /// Whether a statement of the template is run by ``move(_:)``.
  func makes(_ object: StoreTemplate.Object) -> Bool {
    tables.contains { $0.name == object.name }
      || indexes.values.contains { $0.contains { $0.name == object.name } }
  }

  // MARK: Rows

  /// Makes the tables as the template has them, and puts the rows into them.
  ///
  /// - Returns: The rows that do not fit, at most so many as are shown.
  /// - Throws: ``BuildError`` for statements of the template that cannot be run; ``SQLiteError``.
  func move(_ connection: Connection) throws -> [StoreChecks.Finding] {
    var findings: [StoreChecks.Finding] = []
    // Renaming a table looks at all others, whose functions may be the app's.
    try connection.execute("PRAGMA legacy_alter_table = ON")
    for table in tables {
      try connection.execute(
        "ALTER TABLE \(SQLiteName.quoted(table.name)) RENAME TO \(SQLiteName.quoted(loaded(table)))"
      )
      for object in template.objects where object.isTable && object.name == table.name {
        try template.run(object, connection)
      }
      for index in indexes[table.name] ?? [] { try template.run(index, connection) }
      findings += try move(table, connection)
    }
    try connection.execute("PRAGMA legacy_alter_table = OFF")
    guard findings.isEmpty else { return Array(findings.prefix(MisfitReport.mostErrors)) }
    for table in tables {
      try connection.execute("DROP TABLE \(SQLiteName.quoted(loaded(table)))")
    }
    return []
  }

  private func loaded(_ table: StoreTable) -> String { "_seed_\(table.name)" }

  /// Moves the rows of a table one by one: without a journal, a statement that fails after its first
  /// row leaves a file that cannot be read.
  private func move(
    _ table: StoreTable, _ connection: Connection
  ) throws -> [StoreChecks.Finding] {
    let names = (table.isJoin ? [] : SystemTables.entityColumns) + table.columns.map(\.name)
    let list = names.map(SQLiteName.quoted).joined(separator: ", ")
    let rows = try connection.prepare(
      "SELECT \(list) FROM \(SQLiteName.quoted(loaded(table))) ORDER BY rowid")
    // What a constraint lets an app drop or replace would be lost from the inputs.
    let insert = try template.prepare(
      "INSERT OR ABORT INTO \(SQLiteName.quoted(table.name)) (\(list)) "
        + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))", for: table.name, connection)
    var findings: [StoreChecks.Finding] = []
    var countOfKind: [String: Int] = [:]
    while try rows.step(), findings.count < MisfitReport.mostErrors {
      for index in names.indices {
        try insert.bind(Int32(index + 1), rows.value(Int32(index)))
      }
      guard let error = try Self.refusal(insert) else { continue }
      countOfKind[error.message, default: 0] += 1
      guard countOfKind[error.message, default: 0] <= MisfitReport.mostOfOneKind else { continue }
      var values: [String: SQLiteValue] = [:]
      for (index, name) in names.enumerated() { values[name] = rows.value(Int32(index)) }
      findings.append(try finding(error, table, values, connection))
    }
    return findings
  }

  /// Runs a statement; what it says when a constraint is in its way.
  private static func refusal(_ insert: Statement) throws(SQLiteError) -> SQLiteError? {
    do throws(SQLiteError) {
      try insert.run()
      return nil
    } catch {
      guard error.constraint != nil else { throw error }
      return error
    }
  }

  // MARK: Words

  private func finding(
    _ error: SQLiteError, _ table: StoreTable, _ values: [String: SQLiteValue],
    _ connection: Connection
  ) throws -> StoreChecks.Finding {
    var finding = StoreChecks.Finding(
      object: object(table, values),
      message: "the record does not fit into table \"\(table.name)\" of the template "
        + "\"\(template.path)\": \(error.message)",
      hint: Self.hint(error))
    guard error.constraint == .unique || error.constraint == .primaryKey else { return finding }
    let unique = Self.columns(in: error.message, of: table.name)
    guard let first = unique.first else { return finding }
    if case .text(let text)? = values[first] { finding.value = text }
    if let other = try earlier(unique, table, values, connection) {
      finding.other = object(table, other)
    }
    return finding
  }

  private static func hint(_ error: SQLiteError) -> String {
    switch error.constraint {
    case .unique, .primaryKey: "leave one of the two records out, or correct its value"
    case .notNull: "give it a value, or a default in seed.json"
    default: "correct the value, or have the app write a template without the constraint"
    }
  }

  /// The object that a row is of; of a link, the one that it leads from.
  func object(
    _ table: StoreTable, _ values: [String: SQLiteValue]
  ) -> ObjectSearch.Key {
    for entity in plan.entities {
      if entity.layout.table == table.name, case .integer(let key)? = values["Z_PK"] {
        return ObjectSearch.Key(table: entity.table, key: key)
      }
      for case .join(let join) in entity.layout.relationships.values where join.table == table.name
      {
        guard case .integer(let key)? = values[join.sourceColumn] else { continue }
        return ObjectSearch.Key(table: entity.table, key: key)
      }
    }
    return ObjectSearch.Key(table: 0, key: 0)
  }

  /// The columns that have to be unique together: SQLite lists them behind a colon.
  private static func columns(in message: String, of table: String) -> [String] {
    guard let colon = message.firstIndex(of: ":") else { return [] }
    let names = message[message.index(after: colon)...].split(separator: ",").map { name in
      name.drop { $0 == " " }
    }
    // What is unique by an index on an expression is not listed.
    guard names.allSatisfy({ $0.hasPrefix("\(table).") }) else { return [] }
    return names.map { String($0.dropFirst(table.count + 1)) }
  }

  /// A row that has the same values, as the index compares them.
  private func earlier(
    _ columns: [String], _ table: StoreTable, _ values: [String: SQLiteValue],
    _ connection: Connection
  ) throws -> [String: SQLiteValue]? {
    let index = try StoreTemplate.UniqueIndex.all(of: table.name, connection).first {
      $0.columns.compactMap(\.name) == columns && $0.columns.count == columns.count
    }
    let conditions = columns.enumerated().map { number, column in
      let collation = index.map { " COLLATE \(SQLiteName.quoted($0.columns[number].collation))" }
      return "\(SQLiteName.quoted(column)) = ?\(number + 1)\(collation ?? "")"
    }
    let names = table.namesWithKey
    let statement = try connection.prepare(
      """
      SELECT \(names.map(SQLiteName.quoted).joined(separator: ", "))
      FROM \(SQLiteName.quoted(table.name)) WHERE \(conditions.joined(separator: " AND ")) LIMIT 1
      """)
    for (number, column) in columns.enumerated() {
      try statement.bind(Int32(number + 1), values[column] ?? .null)
    }
    guard try statement.step() else { return nil }
    var found: [String: SQLiteValue] = [:]
    for (number, name) in names.enumerated() { found[name] = statement.value(Int32(number)) }
    return found
  }
}

extension StoreTable {
  /// Whether it lies between the two ends of a many-to-many relationship.
  var isJoin: Bool {
    if case .join = kind { true } else { false }
  }

  /// The columns by which messages tell a row, its key first if it has one.
  var namesWithKey: [String] { (isJoin ? [] : ["Z_PK"]) + columns.map(\.name) }
}
