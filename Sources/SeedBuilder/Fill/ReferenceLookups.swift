internal import SeedModel
internal import SeedSQLite

/// Finds the keys that natural keys stand for.
///
/// Each rule gets a temporary table of natural keys once the table that it refers to is full. A key
/// is looked up as the column that has the natural keys reads its own texts, so that equal texts
/// stand for each other whatever they are stored as.
final class ReferenceLookups {
  private let rules: [ReferenceRule]
  private let schema: TargetSchema
  private let mapped: [MappedTable]
  private let connection: Connection
  private var lookups: [Int: Lookup] = [:]
  private var ownReadings: [OwnColumn: NaturalKeyReading?] = [:]

  private struct OwnColumn: Hashable {
    var rule: Int
    var mapping: Int
  }

  /// What a rule's keys are looked up with.
  private struct Lookup {
    /// How the natural keys of the target are read: one for each mapping that fills it.
    var readings: [NaturalKeyReading]
    /// By the value as it is stored.
    var byValue: Statement
    /// By the text of it, once a key needs that.
    var byText: Statement?
  }

  /// The rows that a natural key stands for.
  private struct Found {
    var key: SQLiteValue
    var count: Int64
  }

  /// What to say about a natural key that stands for nothing.
  struct Unknown {
    var message: String
    var hint: String?
    var value: [UInt8]
  }

  init(
    _ rules: [ReferenceRule], schema: TargetSchema, mapped: [MappedTable], connection: Connection
  ) {
    self.rules = rules
    self.schema = schema
    self.mapped = mapped
    self.connection = connection
  }

  /// Binds the key for a natural key of a row that a mapping makes; false when there is none.
  func bind(
    _ rule: Int, of mapping: Int, _ select: Statement, _ source: Int32, to insert: Statement,
    _ parameter: Int32, unknown: (Unknown) -> Void
  ) throws -> Bool {
    guard select.columnType(source) != .null else {
      insert.bindNull(parameter)
      return true
    }
    let text = select.text(source)
    guard !text.isEmpty, let found = try find(text, rule, mapping) else {
      insert.bindNull(parameter)
      return true
    }
    guard let first = found.first else {
      unknown(try self.unknown(text, rules[rule]))
      return false
    }
    guard first.count == 1, found.allSatisfy({ $0.key == first.key }) else {
      unknown(
        Unknown(
          message: "\"\(text)\" stands for several rows of \"\(rules[rule].targetTable)\"",
          hint: "\(rules[rule].targetColumn) must be unique there", value: Array(text.utf8)))
      return false
    }
    try insert.bind(parameter, first.key)
    return true
  }

  // MARK: Keys

  /// The rows that a text stands for; nil when it stands for NULL.
  private func find(_ text: String, _ rule: Int, _ mapping: Int) throws -> [Found]? {
    let own = ownReading(rule, mapping)
    // Who says how a record writes its dates wants them read so.
    if let own, own.column.isFormatGiven {
      switch own.key(of: text) {
      case .null: return nil
      case .value(let value): return try rows(of: value, rule)
      case .misfit: break
      }
    }
    var found: [Found] = []
    var isRead = false
    var isNull = false
    for reading in try lookup(rule).readings {
      switch reading.key(of: text) {
      case .null: isNull = true
      case .value(let value):
        isRead = true
        found += try rows(of: value, rule)
      case .misfit: break
      }
    }
    if isNull, !isRead { return nil }
    if found.isEmpty, case .value(let value)? = own?.key(of: text) {
      found = try rows(of: value, rule)
    }
    guard found.isEmpty, !isRead else { return found }
    // What the target's column cannot read may be what it stores: rows may come with the schema.
    found = try rows(ofText: text, rule)
    if found.isEmpty, case .value(let value)? = declaredReading(rule)?.key(of: text) {
      found = try rows(of: value, rule)
    }
    return found
  }

  private func rows(of value: SQLiteValue, _ rule: Int) throws -> [Found] {
    try rows(lookup(rule).byValue, value)
  }

  private func rows(ofText text: String, _ rule: Int) throws -> [Found] {
    var lookup = try lookup(rule)
    let table = ReferenceLookups.table(rule)
    if lookup.byText == nil {
      try connection.execute(
        "CREATE INDEX temp.\(table)_text ON \(table) (CAST(name AS TEXT))")
      lookup.byText = try connection.prepare(
        "SELECT key, count FROM temp.\(table) WHERE CAST(name AS TEXT) = ?1")
      lookups[rule] = lookup
    }
    return try lookup.byText.map { try rows($0, .text(text)) } ?? []
  }

  private func rows(_ statement: Statement, _ value: SQLiteValue) throws -> [Found] {
    defer { statement.reset() }
    try statement.bind(1, value)
    var found: [Found] = []
    while try statement.step() {
      found.append(Found(key: statement.value(0), count: statement.integer(1)))
    }
    return found
  }

  /// How the declared type of the target's column reads a text.
  private func declaredReading(_ rule: Int) -> NaturalKeyReading? {
    guard let (table, column) = target(of: rules[rule]) else { return nil }
    let declared = schema.tables[table].columns[column].declaredType
    let demand = ColumnDemand(declaredType: declared, isStrict: schema.tables[table].isStrict)
    guard let conversion = ValueConversion(demand) else { return nil }
    return NaturalKeyReading(
      column: MappedTable.Column(
        target: column, source: .ordinal(offset: 0), conversion: conversion, what: ""))
  }

  /// How a record's own column reads the texts that a rule takes for natural keys, if it has one.
  private func ownReading(_ rule: Int, _ mapping: Int) -> NaturalKeyReading? {
    let key = OwnColumn(rule: rule, mapping: mapping)
    if let known = ownReadings[key] { return known }
    let columns = mapped[mapping].columns
    let sql = columns.lazy.compactMap { column in
      if case .reference(rule, let sql) = column.source { sql } else { nil as String? }
    }.first
    let own = columns.first { column in
      if case .staged(let other) = column.source { other == sql } else { false }
    }
    let reading = own.map { NaturalKeyReading(column: $0) }
    ownReadings[key] = .some(reading)
    return reading
  }

  private func unknown(_ text: String, _ rule: ReferenceRule) throws -> Unknown {
    var known: [String] = []
    try connection.forEachRow(
      "SELECT DISTINCT CAST(\(SQLiteName.quoted(names(of: rule).column)) AS TEXT) "
        + "FROM \(SQLiteName.quoted(names(of: rule).table)) LIMIT 10000"
    ) { known.append($0.text(0)) }
    return Unknown(
      message: "no row of \"\(rule.targetTable)\" has \(rule.targetColumn) \"\(text)\"",
      hint: UnknownKey.hint(for: text, known: known, table: rule.targetTable),
      value: Array(text.utf8))
  }

  private static func table(_ rule: Int) -> String { "_seed_reference_\(rule)" }

  private func lookup(_ number: Int) throws -> Lookup {
    if let known = lookups[number] { return known }
    let rule = rules[number]
    let (table, column) = names(of: rule)
    let (name, quoted) = (ReferenceLookups.table(number), SQLiteName.quoted(column))
    // Kept apart from the database itself: an index that is dropped again would leave free pages.
    // The column keeps its affinity so, and what is looked up in it is stored as it was.
    try connection.execute(
      """
      CREATE TABLE temp.\(name) AS SELECT \(quoted) COLLATE BINARY AS name,
        min(\(SQLiteName.quoted(try keyColumn(of: rule)))) AS key, count(*) AS count
      FROM main.\(SQLiteName.quoted(table)) WHERE \(quoted) IS NOT NULL
      GROUP BY \(quoted) COLLATE BINARY;
      CREATE INDEX temp.\(name)_value ON \(name) (name);
      """)
    let made = Lookup(
      readings: readings(of: rule),
      byValue: try connection.prepare("SELECT key, count FROM temp.\(name) WHERE name = ?1"))
    lookups[number] = made
    return made
  }

  /// How the inputs' texts in the column with the natural keys are read.
  private func readings(of rule: ReferenceRule) -> [NaturalKeyReading] {
    guard let (number, column) = target(of: rule) else { return [] }
    return mapped.filter { $0.target == number }.flatMap(\.columns).compactMap { item in
      guard item.target == column, case .staged = item.source else { return nil }
      return NaturalKeyReading(column: item)
    }
  }

  /// The table and the column with the natural keys, by number.
  private func target(of rule: ReferenceRule) -> (table: Int, column: Int)? {
    schema.table(matching: rule.targetTable).flatMap { table in
      schema.tables[table].column(matching: rule.targetColumn).map { (table, $0) }
    }
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
