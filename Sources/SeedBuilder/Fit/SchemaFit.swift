internal import SeedModel
internal import SeedSQLite

/// Fits staged records to the tables of a schema: which record goes where, column by column.
///
/// Everything that does not fit goes into one report.
struct SchemaFit {
  let staged: StagedInput
  let schema: TargetSchema
  let rules: MappingRules
  let valueRules: ValueRules
  let groups: [RecordGroup]
  let expressions: StagedExpression
  var report = MisfitReport()

  /// The staged tables whose records have a target, with the target tables.
  private(set) var targets: [Int: Set<Int>] = [:]
  /// Staged columns of other records that some column is made from, and those of envelopes.
  private(set) var consumed: Set<StagedColumnKey> = []
  /// Staged columns that rules of the group at hand have read.
  private var taken: Set<StagedColumnKey> = []
  var mapped: [MappedTable] = []
  /// Of each mapped table, the columns of the target that are filled.
  var filled: [Set<Int>] = []
  /// The highest keys of the rows that come with the schema.
  var keptOffsets: [Int: Int64] = [:]

  struct StagedColumnKey: Hashable {
    var table: Int
    var column: Int
  }

  init(
    staged: StagedInput, schema: TargetSchema, groups: [RecordGroup], rules: MappingRules,
    valueRules: ValueRules, report: MisfitReport
  ) {
    self.staged = staged
    self.schema = schema
    self.rules = rules
    self.valueRules = valueRules
    self.report = report
    self.groups = groups.map { group in
      // What a build without the schema would call the table means these records and no others.
      guard group.rule?.table == nil,
        let table = schema.table(named: staged.tables[group.staged].tableName)
      else { return group }
      var group = group
      group.tableName = schema.tables[table].name
      return group
    }
    expressions = StagedExpression(staged: staged)
  }

  /// Fits everything.
  ///
  /// - Returns: What fills which table, in the order of the inputs.
  /// - Throws: ``BuildError`` with all that does not fit, ``SQLiteError``.
  mutating func run() throws -> [MappedTable] {
    consumeEnvelopes()
    var fits: [(group: RecordGroup, target: Int)] = []
    for group in groups {
      guard let target = schema.table(matching: group.tableName) else { continue }
      targets[group.staged, default: []].insert(target)
      fits.append((group, target))
    }
    for (group, target) in fits {
      filled.append([])
      mapped.append(try table(group, target))
    }
    // A record may refer to one whose table comes later: its key must be known by now.
    for (index, (group, target)) in fits.enumerated() {
      try addParents(group, schema.tables[target], index)
      completeKey(group, schema.tables[target], index)
      reportUnfilled(group, schema.tables[target], filled[index])
    }
    for group in groups where schema.table(matching: group.tableName) == nil {
      try reportMissingTable(group)
    }
    // Where records were not found, what should come of them is not there either.
    guard report.diagnostics.isEmpty else { return mapped }
    for rule in rules.references where !isUsed(rule) { reportUnused(rule) }
    return mapped
  }

  /// The members of an envelope are not data.
  private mutating func consumeEnvelopes() {
    for (number, table) in staged.tables.enumerated() {
      for place in table.places where staged.facts.places[place].parent == nil {
        let envelope = staged.documents[staged.document(of: place)].input.envelope
        for name in [envelope?.success, envelope?.message] {
          guard let name, let column = table.column(.named(name)) else { continue }
          consumed.insert(StagedColumnKey(table: number, column: column))
        }
      }
    }
  }

  // MARK: Tables

  private mutating func table(_ group: RecordGroup, _ target: Int) throws -> MappedTable {
    taken = []
    var result = MappedTable(staged: group.staged, places: group.places, target: target)
    let table = schema.tables[target]
    var filled: Set<Int> = []
    for rule in group.rule?.columns ?? [] {
      guard let column = table.column(matching: rule.name.value) else {
        reportMissingColumn(rule, table)
        continue
      }
      guard claim(column, of: table, for: rule.name, &filled) else { continue }
      if let made = try fit(rule, column, group, table) { result.columns.append(made) }
    }
    for (index, rule) in rules.references.enumerated()
    where schema.table(matching: rule.table) == target {
      guard let column = table.column(matching: rule.column), !filled.contains(column),
        let found = expressions.expression(
          rule.from.value, from: group.staged, at: group.places)
      else { continue }
      filled.insert(column)
      note(found, group)
      var made = MappedTable.Column(
        target: column, source: .reference(index, sql: found.sql),
        conversion: ValueConversion(rule: .text), what: what(found.table, found.column, group))
      made.fields = staged.tables[found.table].columns[found.column].fields
      result.columns.append(made)
    }
    if let explicit = group.explicit {
      try add(explicit, group, table, &filled, &result)
    } else if group.rule?.onlyNamedColumns != true {
      try addByName(group, table, &filled, &result)
    }
    self.filled[self.filled.count - 1] = filled
    return result
  }

  private mutating func claim(
    _ column: Int, of table: TargetTable, for name: Located<String>, _ filled: inout Set<Int>
  ) -> Bool {
    if table.columns[column].isGenerated {
      report.add(
        "column \"\(table.columns[column].name)\" of \"\(table.name)\" is computed and takes no value",
        at: name.location)
      return false
    }
    guard filled.insert(column).inserted else {
      report.add(
        "column \"\(table.columns[column].name)\" of \"\(table.name)\" is filled twice",
        at: name.location)
      return false
    }
    return true
  }

  private mutating func fit(
    _ rule: ColumnRule, _ column: Int, _ group: RecordGroup, _ table: TargetTable
  ) throws -> MappedTable.Column? {
    if let value = rule.constant { return try constant(value, column, table, rule, group) }
    let from = rule.from ?? rule.name
    guard
      let found = expressions.expression(from.value, from: group.staged, at: group.places)
        ?? foldedMatch(rule, group)
    else {
      guard FieldPath(from.value) != nil else {
        report.add(
          "\"\(from.value)\" is no path to a value", at: from.location,
          hint: "write @attribute, child, child/grandchild or .")
        return nil
      }
      // What no record has still has its default.
      if let value = rule.defaultValue {
        var made = try constant(value, column, table, rule, group)
        if case .constant(let stored) = made.source { made.defaultValue = .value(stored) }
        return made
      }
      reportMissingSource(from, group)
      return nil
    }
    try checkSingle(found, from, group)
    note(found, group)
    var result = MappedTable.Column(
      target: column, source: .staged(sql: found.sql),
      conversion: ValueConversion(rule: .text), what: what(found.table, found.column, group))
    result.fields = staged.tables[found.table].columns[found.column].fields
    result.nullTexts = Set(rule.nullTexts.map { Array($0.utf8) })
    result.isTrimmed = rule.isTrimmed
    result.isFormatGiven = rule.format != nil
    try complete(&result, table, group, rule: rule)
    return result
  }

  /// A column with the same value in every row.
  private mutating func constant(
    _ value: Located<JSONValue>, _ column: Int, _ table: TargetTable, _ rule: ColumnRule,
    _ group: RecordGroup
  ) throws -> MappedTable.Column {
    var made = MappedTable.Column(
      target: column, source: .constant(.plain(.null)), conversion: ValueConversion(rule: .text),
      what: "the constant for \"\(table.columns[column].name)\"")
    made.nullTexts = Set(rule.nullTexts.map { Array($0.utf8) })
    made.isTrimmed = rule.isTrimmed
    let demand = demand(of: table.columns[column], table, rule)
    try choice(group, rule).choose(demand, format: rule.format, for: &made, &report)
    made.source = .constant(checked(value, as: demand, made, table, rule))
    return made
  }

  /// A value of the rules as its column stores it.
  private mutating func checked(
    _ value: Located<JSONValue>, as demand: ColumnDemand, _ made: MappedTable.Column,
    _ table: TargetTable, _ rule: ColumnRule
  ) -> RuleValue {
    let column = table.columns[made.target]
    let storage = DeclaredStorage(column, isStrict: table.isStrict, given: .anything)
    var type = column.declaredType
    var (reason, hint): (String?, String?) = (nil, nil)
    switch RuleValue.stored(value, as: demand, made) {
    case .stored(let stored):
      guard case .plain(let plain) = stored, let storage, !storage.keeps(plain) else {
        return stored
      }
    case .misfit(let why, let what):
      type = rule.type?.value.rawValue ?? type
      (reason, hint) = (why, what)
    }
    report.add(
      "\(value.value.text.trimmedLine) does not fit into column \"\(column.name)\" of type "
        + type + (reason.map { ": it \($0)" } ?? ""),
      at: value.location, hint: hint ?? "write a value of that type")
    return .plain(value.value)
  }

  /// What a column asks of values that a rule may say more about.
  private func demand(
    of column: TargetTable.Column, _ table: TargetTable, _ rule: ColumnRule?
  ) -> ColumnDemand {
    if let type = rule?.type { return .type(type.value) }
    let demand = ColumnDemand(declaredType: column.declaredType, isStrict: table.isStrict)
    guard let format = rule?.format, demand == .type(.text) || demand == .anything,
      case .success(let pattern) = Result(catching: { try DatePattern(format.value) })
    else { return demand }
    // Who says how dates are written wants them read, whatever the column is declared as.
    return .type(pattern.hasTime ? .datetime : .date)
  }

  /// How the values of a group's records are looked at, together with what a rule gives.
  private func choice(_ group: RecordGroup, _ rule: ColumnRule?) -> ConversionChoice {
    var choice = ConversionChoice(
      staged: staged, valueRules: valueRules, places: group.places, table: group.staged)
    for case .string(let text)? in [rule?.constant?.value, rule?.defaultValue?.value] {
      choice.ruleTexts.append(text)
    }
    return choice
  }

  /// The staged column of a rule without `from`, by the column's name without case and `_`.
  private func foldedMatch(_ rule: ColumnRule, _ group: RecordGroup) -> StagedExpression.Result? {
    guard rule.from == nil else { return nil }
    let folded = NameMatch.folded(rule.name.value)
    let table = staged.tables[group.staged]
    guard
      let index = table.columns.firstIndex(where: {
        $0.source.documentName.map { NameMatch.folded($0.local) == folded } ?? false
      })
    else { return nil }
    return StagedExpression.Result(
      sql: "t.\(table.columns[index].sqlName)", table: group.staged, column: index, steps: [])
  }

  // MARK: Columns by name

  private mutating func add(
    _ explicit: [RecordGroup.ExplicitColumn], _ group: RecordGroup, _ table: TargetTable,
    _ filled: inout Set<Int>, _ result: inout MappedTable
  ) throws {
    for item in explicit {
      guard let target = table.column(named: item.name),
        filled.insert(target).inserted
      else { continue }
      var made = MappedTable.Column(
        target: target,
        source: .staged(sql: "t.\(staged.tables[group.staged].columns[item.column].sqlName)"),
        conversion: ValueConversion(rule: .text), what: what(group.staged, item.column, group))
      made.fields = staged.tables[group.staged].columns[item.column].fields
      try complete(&made, table, group, rule: reading(of: target, table))
      result.columns.append(made)
    }
  }

  /// How rules for other records say that values of a column are read.
  private func reading(of column: Int, _ table: TargetTable) -> ColumnRule? {
    for group in groups
    where schema.table(matching: group.tableName).map({
      schema.tables[$0].name == table.name
    }) ?? false {
      for rule in group.rule?.columns ?? []
      where rule.format != nil && table.column(matching: rule.name.value) == column {
        var result = ColumnRule(name: rule.name)
        result.type = rule.type
        result.format = rule.format
        return result
      }
    }
    return nil
  }

  private mutating func addByName(
    _ group: RecordGroup, _ table: TargetTable, _ filled: inout Set<Int>,
    _ result: inout MappedTable
  ) throws {
    let records = staged.tables[group.staged]
    var open: [(index: Int, name: String)] = []
    for (index, column) in records.columns.enumerated() {
      let key = StagedColumnKey(table: group.staged, column: index)
      guard let name = column.source.documentName?.local ?? (column.source == .text ? "text" : nil),
        staged.isOf(group.places, index, of: group.staged), !taken.contains(key),
        !consumed.contains(key)
      else { continue }
      // What a build without the schema would call the column means this value and no other.
      guard let target = table.column(named: column.name),
        try fill(target, with: index, group, table, &filled, &result)
      else {
        open.append((index, name))
        continue
      }
    }
    for (index, name) in open {
      guard let target = table.column(matching: name),
        try fill(target, with: index, group, table, &filled, &result)
      else {
        try reportExtra(records.columns[index], named: name, group, table, filled: filled)
        continue
      }
    }
  }

  /// Fills a column with the values of a staged one; false when it is filled already, or computed.
  private mutating func fill(
    _ target: Int, with index: Int, _ group: RecordGroup, _ table: TargetTable,
    _ filled: inout Set<Int>, _ result: inout MappedTable
  ) throws -> Bool {
    let column = staged.tables[group.staged].columns[index]
    guard !table.columns[target].isGenerated, filled.insert(target).inserted else { return false }
    taken.insert(StagedColumnKey(table: group.staged, column: index))
    var made = MappedTable.Column(
      target: target, source: .staged(sql: "t.\(column.sqlName)"),
      conversion: ValueConversion(rule: .text), what: what(group.staged, index, group))
    made.fields = column.fields
    try complete(&made, table, group, rule: nil)
    result.columns.append(made)
    return true
  }

  /// Notes that a rule of a group reads a staged column.
  private mutating func note(_ found: StagedExpression.Result, _ group: RecordGroup) {
    let key = StagedColumnKey(table: found.table, column: found.column)
    if found.table == group.staged { taken.insert(key) } else { consumed.insert(key) }
  }

  /// Fills what follows from the column's declaration.
  mutating func complete(
    _ column: inout MappedTable.Column, _ table: TargetTable, _ group: RecordGroup,
    rule: ColumnRule?
  ) throws {
    let target = table.columns[column.target]
    let demand = demand(of: target, table, rule)
    column.storage = DeclaredStorage(target, isStrict: table.isStrict, given: demand)
    try choice(group, rule).choose(demand, format: rule?.format, for: &column, &report)
    if let rule, let value = rule.defaultValue {
      column.defaultValue = .value(checked(value, as: demand, column, table, rule))
    } else if let sql = target.defaultSQL {
      column.defaultValue = .schema(sql: sql)
    }
    column.isRequired = target.isNotNull && column.defaultValue == .none
  }
}
