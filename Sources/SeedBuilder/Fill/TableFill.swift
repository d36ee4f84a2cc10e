internal import SeedModel
internal import SeedSQLite

/// Fills one table of the schema from staged records.
struct TableFill {
  let staged: StagedInput
  let connection: Connection
  let table: TargetTable
  /// All that fills tables.
  let mappings: [MappedTable]
  /// The number of what fills it.
  let number: Int
  let references: ReferenceLookups
  /// The rules that are resolved when all tables are full.
  let deferredRules: Set<Int>
  let deferred: DeferredReferences
  /// The rules of which nothing can be told, since rows are missing that they may refer to.
  var untoldRules: Set<Int> = []
  /// Whether values are only looked at: the rows cannot be made.
  var isTrial = false

  /// Fills the table.
  ///
  /// - Returns: How many rows went in.
  /// - Throws: ``SQLiteError``.
  func run(_ mapping: inout MappedTable, _ report: inout MisfitReport) throws -> Int64 {
    var mapping = mapping
    let select = try staged.connection.prepare(selection(of: mapping))
    let insert = try connection.prepare(insertion(mapping))
    var defaults = try defaults(of: mapping)
    let scratch = UnsafeMutablePointer<UInt8>.allocate(
      capacity: mapping.columns.count * ColumnConverter.scratchSize)
    defer { scratch.deallocate() }
    var rowCount: Int64 = 0
    while try select.step() {
      var isSound = true
      for index in mapping.columns.indices {
        let bound = try bind(
          index, &mapping.columns[index], defaults: &defaults, from: select, to: insert,
          scratch: scratch + index * ColumnConverter.scratchSize, &report)
        if !bound { isSound = false }
      }
      if isSound, !isTrial {
        do {
          connection.restartSteps()
          try insert.run()
          rowCount += 1
          let row = connection.lastInsertRowID
          if !deferredRules.isEmpty { try deferReferences(mapping, select, row: row) }
        } catch let error as SQLiteError where error.constraint != nil {
          note(error, mapping, select, &report)
        }
      } else {
        insert.reset()
      }
      insert.clearBindings()
      if report.isFull { break }
    }
    return rowCount
  }

  private func deferReferences(_ mapping: MappedTable, _ select: Statement, row: Int64) throws {
    for (index, column) in mapping.columns.enumerated() {
      let source = Int32(index + TableFill.frontCount)
      guard case .reference(let rule, _) = column.source, deferredRules.contains(rule),
        select.columnType(source) != .null
      else { continue }
      try deferred.note(
        rule: rule, of: number, row: row, name: select.text(source),
        record: (0..<Int32(TableFill.frontCount)).map { select.integer($0) })
    }
  }

  private func selection(of mapping: MappedTable) -> String {
    let values = mapping.columns.map { column in
      switch column.source {
      case .staged(let sql), .parentKey(let sql, _), .reference(_, let sql): sql
      case .ordinal: "t.\(StagedInput.ordinalColumn)"
      case .constant: "NULL"
      }
    }
    let front = [StagedInput.lineColumn, StagedInput.placeColumn, StagedInput.ordinalColumn]
      .map { "t.\($0)" }
    return """
      SELECT \((front + values).joined(separator: ", "))
      FROM \(staged.tables[mapping.staged].sqlName) AS t
      WHERE t.\(StagedInput.placeColumn) IN (\(mapping.places.map(String.init).joined(separator: ",")))
      ORDER BY t.\(StagedInput.ordinalColumn)
      """
  }

  /// The columns before the values of a selection: line, place and number.
  private static let frontCount = 3

  private func insertion(_ mapping: MappedTable) -> String {
    let names = mapping.columns.map { SQLiteName.quoted(table.columns[$0.target].name) }
    let places = names.indices.map { "?\($0 + 1)" }
    // What the schema lets an app drop or replace would be lost from the inputs. Only where it is
    // needed: triggers follow it too (sqlite.org/lang_conflict.html).
    let verb = table.hasConflictClause ? "INSERT OR ABORT INTO" : "INSERT INTO"
    guard !names.isEmpty else {
      return "\(verb) \(SQLiteName.quoted(table.name)) DEFAULT VALUES"
    }
    return "\(verb) \(SQLiteName.quoted(table.name)) (\(names.joined(separator: ", "))) "
      + "VALUES (\(places.joined(separator: ", ")))"
  }

  /// The values of defaults, computed once.
  private func defaults(of mapping: MappedTable) throws -> [SQLiteValue] {
    try mapping.columns.map { column in
      switch column.defaultValue {
      case .none: return .null
      case .value(let value): return value.bound
      case .schema(let sql):
        return try connection.rows("SELECT \(sql)").first?.first ?? .null
      }
    }
  }

  // MARK: Values

  /// Binds one column of a row; false when its value does not fit.
  private func bind(
    _ index: Int, _ column: inout MappedTable.Column, defaults: inout [SQLiteValue],
    from select: Statement, to insert: Statement, scratch: UnsafeMutablePointer<UInt8>,
    _ report: inout MisfitReport
  ) throws -> Bool {
    let source = Int32(index + TableFill.frontCount)
    let parameter = Int32(index + 1)
    switch column.source {
    case .constant(let value):
      try insert.bind(parameter, value.bound)
      return true
    case .ordinal(let offset):
      insert.bindInteger(parameter, select.integer(source) + offset)
      return true
    case .parentKey(_, let offset):
      if select.columnType(source) == .null {
        insert.bindNull(parameter)
      } else {
        insert.bindInteger(parameter, select.integer(source) + offset)
      }
      return true
    case .reference(let rule, _) where untoldRules.contains(rule): return true
    case .reference(let rule, _) where deferredRules.contains(rule):
      // Nobody looks at foreign keys before all is filled.
      if table.columns[column.target].isNotNull {
        insert.bindInteger(parameter, 0)
      } else {
        insert.bindNull(parameter)
      }
      return true
    case .reference(let rule, _):
      return try references.bind(rule, of: number, select, source, to: insert, parameter) { text in
        note(text.message, of: text.value, hint: text.hint, column, select, &report)
      }
    case .staged:
      return try bindStaged(
        index, &column, defaults[index], from: select, to: insert, scratch: scratch, &report)
    }
  }

  private func bindStaged(
    _ index: Int, _ column: inout MappedTable.Column, _ defaultValue: SQLiteValue,
    from select: Statement, to insert: Statement, scratch: UnsafeMutablePointer<UInt8>,
    _ report: inout MisfitReport
  ) throws -> Bool {
    let source = Int32(index + TableFill.frontCount)
    let parameter = Int32(index + 1)
    guard select.columnType(source) != .null else {
      if column.parentKey != nil {
        insert.bindNull(parameter)
        return true
      }
      return try bindDefault(parameter, column, defaultValue, select, to: insert, &report)
    }
    guard column.parentKey == nil || select.columnType(source) != .blob else {
      return try bindDefault(parameter, column, defaultValue, select, to: insert, &report)
    }
    return try select.withTextBytes(source) { bytes -> Bool in
      let value = column.isTrimmed ? bytes.trimmed : bytes
      let isNull = !column.nullTexts.isEmpty && column.nullTexts.contains(Array(value))
      // An empty buffer may have no address, which means NULL to SQLite.
      let base = value.baseAddress ?? UnsafePointer(scratch)
      let outcome =
        isNull ? .null : column.conversion.convert(base, value.count, into: scratch)
      if let reason = column.storage?.misfit(outcome, value, scratch) {
        note(
          "\"\(TableFill.shown(value))\" \(reason) in \(column.what)", of: Array(value),
          hint: DeclaredStorage.hint, column, select, &report)
        return false
      }
      switch outcome {
      case .null:
        return try bindDefault(parameter, column, defaultValue, select, to: insert, &report)
      case .integer(let number): insert.bindInteger(parameter, number)
      case .real(let number): insert.bindReal(parameter, number)
      case .sameText: try insert.bindText(parameter, base, count: Int32(value.count))
      case .scratchText(let count): try insert.bindText(parameter, scratch, count: Int32(count))
      case .blob(let bytes): try insert.bindBlob(parameter, bytes)
      case .misfit(let reason, let hint):
        note(
          "\"\(TableFill.shown(value))\" \(reason) in \(column.what)", of: Array(value), hint: hint,
          column, select, &report)
        return false
      }
      return true
    }
  }

  private func bindDefault(
    _ parameter: Int32, _ column: MappedTable.Column, _ defaultValue: SQLiteValue,
    _ select: Statement, to insert: Statement, _ report: inout MisfitReport
  ) throws -> Bool {
    try insert.bind(parameter, defaultValue)
    if case .schema(let sql) = column.defaultValue, ColumnDefault.isVolatile(sql) {
      note(
        "there is no value for \(column.what), and the default \(sql) differs in every build",
        of: nil, hint: "give a default in seed.json", column, select, &report)
      return false
    }
    if let key = column.parentKey, defaultValue == .null {
      note(
        "the record around has no value for \(key), to which column "
          + "\"\(table.columns[column.target].name)\" refers",
        of: nil, hint: "give it one, or a default in seed.json", column, select, &report)
      return false
    }
    guard column.isRequired, defaultValue == .null else { return true }
    note(
      "there is no value for \(column.what), and column \"\(table.columns[column.target].name)\" is NOT NULL",
      of: nil, hint: "give a default in seed.json or in the schema", column, select, &report)
    return false
  }

  private static func shown(_ value: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: value.prefix(80), as: UTF8.self)
    return value.count > 80 ? text + "…" : text
  }

  // MARK: Errors

  private func note(
    _ message: String, of value: [UInt8]?, hint: String?, _ column: MappedTable.Column,
    _ select: Statement, _ report: inout MisfitReport
  ) {
    let kind = "\(table.name).\(column.target)"
    guard report.takes(kind) else { return }
    var spot = spot(of: select)
    spot.fields = column.fields
    spot.value = value
    report.add(Diagnostic(.error, message, hint: hint), about: spot, kind: kind)
  }

  private func note(
    _ error: SQLiteError, _ mapping: MappedTable, _ select: Statement,
    _ report: inout MisfitReport
  ) {
    guard report.takes(error.message) else { return }
    let refusal = RowRefusal(
      error: error, staged: staged, table: table, mappings: mappings, mapping: mapping)
    // A refusal is worth its error also where what it is about cannot be looked up.
    let (diagnostic, mention) = refusal.diagnostic(ordinal: select.integer(2)) {
      select.value(Int32($0 + TableFill.frontCount))
    }
    report.add(
      diagnostic, about: spot(of: select), mentioning: mention, kind: error.message)
  }

  private func spot(of select: Statement) -> ValueSpot {
    let place = Int(select.integer(1))
    return ValueSpot(
      line: Int(select.integer(0)), place: place,
      record: ValueSpot.Record(place: place, ordinal: select.integer(2)))
  }
}

extension JSONValue {
  /// The value behind DEFAULT in SQL; nil for NULL, which needs no words.
  var sqlLiteral: String? {
    switch SQLiteValue(self) {
    // No value of JSON is a blob.
    case .null, .blob: nil
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): SQLiteText.literal(text)
    }
  }
}

extension SQLiteValue {
  /// A value of a configuration file; arrays and objects become JSON text.
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let isTrue): self = .integer(isTrue ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .number(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .array, .object: self = .text(value.text)
    }
  }
}
