internal import SeedModel
internal import SeedSQLite

/// Makes a schema for staged records where none is given: the tables and columns that rules name,
/// and what the inference makes of the rest.
struct InferredTarget {
  let staged: StagedInput
  let rules: MappingRules
  let valueRules: ValueRules
  /// The tables, with columns whose types are still open.
  private(set) var schema = TargetSchema()
  /// The groups with the columns that go to these tables.
  private(set) var groups: [RecordGroup] = []
  /// Of each table, the names that are taken, as SQLite compares them.
  private var taken: [Set<String>] = []
  private var tableOfGroup: [Int] = []
  /// The names of rules that SQLite or the stamp keeps for itself.
  private(set) var reserved: [Located<String>] = []
  /// A rule that says the type of a column.
  struct TypeRule {
    var column: String
    var table: String
    var type: String
    var location: SourceLocation?
  }

  /// Of each column, by table and number, the first rule that says its type.
  private var typeRules: [ColumnOrder.Appearance: TypeRule] = [:]
  /// Rules of which one says another type than an earlier one.
  private(set) var contradictions: [(first: TypeRule, other: TypeRule)] = []
  /// Of each table, what columns are called whose names rules give to others.
  private var displacedNames: [Int: [String: String]] = [:]
  /// Of each table, how its columns follow each other.
  private(set) var orders: [ColumnOrder] = []
  /// Of each table, the columns that the inputs call `id`, in whatever case.
  private var idColumns: [Set<Int>] = []

  init(
    _ staged: StagedInput, _ grouping: RecordGrouping, _ rules: MappingRules,
    _ valueRules: ValueRules
  ) {
    self.staged = staged
    self.rules = rules
    self.valueRules = valueRules
    let paths = RulePaths(staged)
    for var group in grouping.groups where !isMereStructure(group, paths) {
      if let name = group.rule?.table, ReservedNames.has(name.value) {
        reserved.append(name)
      }
      group.tableName = group.rule?.table?.value ?? staged.tables[group.staged].tableName
      add(group)
    }
    for index in groups.indices { addParents(of: index) }
    addReferences()
    for table in schema.tables.indices { nameKey(of: table) }
  }

  /// Whether records hold nothing but other records, one in each, and their input has rules for what
  /// counts.
  ///
  /// That a rule leaves records out says nothing where none could name them. Of several in one record
  /// each tells what belongs together.
  private func isMereStructure(_ group: RecordGroup, _ paths: RulePaths) -> Bool {
    guard group.rule == nil, let place = group.places.first else { return false }
    let input = staged.documents[staged.document(of: place)].input
    guard !input.records.isEmpty || input.envelope != nil,
      group.places.contains(where: { paths.path(of: $0) != nil }),
      !group.places.contains(where: {
        staged.facts.places[$0].repeats || staged.facts.places[$0].isRecursive
      })
    else { return false }
    let isOutermost = group.places.contains { staged.facts.places[$0].parent == nil }
    let envelope =
      isOutermost ? [input.envelope?.success, input.envelope?.message].compactMap(\.self) : []
    return !staged.tables[group.staged].columns.enumerated().contains { index, column in
      guard let name = column.source.documentName?.local ?? (column.source == .text ? "text" : nil)
      else { return false }
      return staged.isOf(group.places, index, of: group.staged) && !envelope.contains(name)
    }
  }

  // MARK: Columns

  private mutating func add(_ group: RecordGroup) {
    var group = group
    let table = self.table(named: group.tableName)
    let expressions = StagedExpression(staged: staged)
    var read: Set<Int> = []
    let own = { (path: String) -> Int? in
      let found = expressions.expression(path, from: group.staged, at: group.places)
      return found?.table == group.staged ? found?.column : nil
    }
    for rule in rules.references
    where NameMatch.folded(rule.table) == NameMatch.folded(group.tableName) {
      if let found = own(rule.from.value) { read.insert(found) }
    }
    var ruled: [Int] = []
    for rule in group.rule?.columns ?? [] {
      let column = addColumn(rule.name.value, to: table)
      ruled.append(column)
      if let found = own((rule.from ?? rule.name).value) {
        read.insert(found)
        note(column, of: table, from: found, in: group.staged)
      }
      declare(rule, for: column, of: table)
    }
    orders[table].note(ruled: ruled)
    if group.rule?.onlyNamedColumns != true {
      let references = rules.references.filter {
        NameMatch.folded($0.table) == NameMatch.folded(group.tableName)
          && expressions.expression($0.from.value, from: group.staged, at: group.places) != nil
      }
      let ruledNames = (group.rule?.columns ?? []).map(\.name.value) + references.map(\.column)
      group.explicit = explicitColumns(
        of: group, besides: read, table, ruled: Set(ruledNames.map(SchemaNaming.folded)))
    }
    groups.append(group)
    tableOfGroup.append(table)
  }

  /// Declares the type that a rule says, unless another rule for the column says another one: values
  /// that the one keeps would change by the other's.
  private mutating func declare(_ rule: ColumnRule, for column: Int, of table: Int) {
    guard let type = InferredTarget.declaredType(of: rule) else { return }
    let own = TypeRule(
      column: schema.tables[table].columns[column].name, table: schema.tables[table].name,
      type: type, location: rule.type?.location ?? rule.format?.location)
    let key = ColumnOrder.Appearance(table: table, column: column)
    guard let known = typeRules[key] else {
      typeRules[key] = own
      schema.tables[table].columns[column].declaredType = type
      return
    }
    let isDate = [known.type, type].allSatisfy { $0.hasPrefix("DATE") }
    if isDate, type != known.type {
      schema.tables[table].columns[column].declaredType = "DATETIME"
    } else if type != known.type {
      contradictions.append((known, own))
    }
  }

  private mutating func explicitColumns(
    of group: RecordGroup, besides read: Set<Int>, _ table: Int, ruled: Set<String>
  ) -> [RecordGroup.ExplicitColumn] {
    let envelope = group.places.first.flatMap { place in
      staged.facts.places[place].parent == nil
        ? staged.documents[staged.document(of: place)].input.envelope : nil
    }
    var result: [RecordGroup.ExplicitColumn] = []
    // What rules fill otherwise leaves its name to them.
    var displaced: [Int] = []
    for (index, column) in staged.tables[group.staged].columns.enumerated() {
      guard let name = column.source.documentName?.local ?? (column.source == .text ? "text" : nil),
        staged.isOf(group.places, index, of: group.staged), !read.contains(index),
        name != envelope?.success,
        name != envelope?.message
      else { continue }
      guard !ruled.contains(SchemaNaming.folded(column.name)) else {
        displaced.append(index)
        continue
      }
      // Columns of several groups of one table unite by their names.
      let position = addColumn(column.name, to: table)
      note(position, of: table, from: index, in: group.staged)
      result.append(.init(name: schema.tables[table].columns[position].name, column: index))
    }
    for index in displaced {
      let name = staged.tables[group.staged].columns[index].name
      let position = addColumn(nameBeside(name, in: table, result.map(\.name)), to: table)
      note(position, of: table, from: index, in: group.staged)
      result.append(.init(name: schema.tables[table].columns[position].name, column: index))
    }
    return result
  }

  /// What a column is called whose name a rule gives to another: the same in each input.
  private mutating func nameBeside(_ name: String, in table: Int, _ used: [String]) -> String {
    let key = SchemaNaming.folded(name)
    if let known = displacedNames[table]?[key],
      !used.contains(where: { SchemaNaming.folded($0) == SchemaNaming.folded(known) })
    {
      return known
    }
    // The column of a reference is made later, but has the name already.
    let isOpen = taken[table].insert(key).inserted
    let free = freeName(name, in: table)
    if isOpen { taken[table].remove(key) }
    displacedNames[table, default: [:]][key] = free
    return free
  }

  /// Takes note of the staged column that a column is made from.
  private mutating func note(_ column: Int, of table: Int, from source: Int, in records: Int) {
    orders[table].note(column, at: .init(table: records, column: source))
    let source = staged.tables[records].columns[source]
    // A column `ID` beside `id` is called `ID_2`; one that a rule calls otherwise is no key.
    if source.source.documentName?.local.lowercased() == "id",
      source.name == schema.tables[table].columns[column].name
    {
      idColumns[table].insert(column)
    }
  }

  private mutating func table(named name: String) -> Int {
    let folded = SchemaNaming.folded(name)
    if let known = schema.tables.firstIndex(where: { SchemaNaming.folded($0.name) == folded }) {
      return known
    }
    schema.tables.append(TargetTable(name: name, columns: []))
    taken.append([])
    orders.append(ColumnOrder())
    idColumns.append([])
    return schema.tables.count - 1
  }

  /// The column of a name, which is made if there is none.
  @discardableResult
  private mutating func addColumn(_ name: String, to table: Int) -> Int {
    let folded = SchemaNaming.folded(name)
    if taken[table].insert(folded).inserted {
      schema.tables[table].columns.append(
        TargetTable.Column(
          name: name, declaredType: "", isNotNull: false, defaultSQL: nil, keyPosition: 0,
          isGenerated: false))
      return schema.tables[table].columns.count - 1
    }
    return schema.tables[table].columns.firstIndex { SchemaNaming.folded($0.name) == folded } ?? 0
  }

  /// The type to declare for a rule that says one; a format says one too.
  private static func declaredType(of rule: ColumnRule) -> String? {
    if let type = rule.type { return type.value.rawValue.uppercased() }
    if rule.format?.value == DecimalComma.name { return "REAL" }
    guard let format = rule.format,
      case .success(let pattern) = Result(catching: { try DatePattern(format.value) })
    else { return nil }
    return pattern.hasTime ? "DATETIME" : "DATE"
  }

  // MARK: Keys

  private mutating func addParents(of index: Int) {
    let group = groups[index]
    let expressions = StagedExpression(staged: staged)
    let mapped = Set(groups.map(\.staged))
    let passed = Set(staged.tables.indices).subtracting(mapped)
    var next = expressions.parents(of: group.staged).map { (parent: $0.table, through: $0.column) }
    // Of what is passed, the first column through which it was reached: that is where it appears.
    var reached: [Int: Int] = [:]
    while let (parent, column) = next.first {
      next.removeFirst()
      guard mapped.contains(parent) else {
        guard column < reached[parent] ?? .max else { continue }
        reached[parent] = column
        next += expressions.parents(of: parent).map { (parent: $0.table, through: column) }
        continue
      }
      guard expressions.isInside(parent, group, passing: passed) else { continue }
      let own = staged.tables[group.staged].columns[column]
      let targets = groups.indices.filter { groups[$0].staged == parent }.map { tableOfGroup[$0] }
      for target in Set(targets).sorted() {
        let isNamed =
          own.source == .parent(table: parent)
          && schema.tables[target].name == staged.tables[parent].tableName
        addForeignKey(
          tableOfGroup[index], to: target, named: isNamed ? own.name : nil,
          at: .init(table: group.staged, column: column))
      }
    }
  }

  private mutating func addForeignKey(
    _ table: Int, to parent: Int, named wanted: String?, at appearance: ColumnOrder.Appearance
  ) {
    let parentName = schema.tables[parent].name
    if let known = schema.tables[table].foreignKeys.first(where: {
      SchemaNaming.folded($0.table) == SchemaNaming.folded(parentName)
    }),
      let column = schema.tables[table].column(named: known.columns[0].from)
    {
      orders[table].note(column, at: appearance)
      return
    }
    let name = freeName(
      wanted ?? (table == parent ? "parent_id" : "\(parentName)_id"), in: table)
    let column = addColumn(name, to: table)
    orders[table].note(column, at: appearance)
    schema.tables[table].columns[column].declaredType = "INTEGER"
    schema.tables[table].foreignKeys.append(
      .init(table: parentName, columns: [(from: name, to: "")]))
  }

  private func freeName(_ name: String, in table: Int) -> String {
    var candidate = name
    var number = 1
    while taken[table].contains(SchemaNaming.folded(candidate)) {
      number += 1
      candidate = "\(name)_\(number)"
    }
    return candidate
  }

  private mutating func addReferences() {
    for rule in rules.references {
      guard let table = schema.table(matching: rule.table),
        let target = schema.table(matching: rule.targetTable)
      else { continue }
      let column = addColumn(rule.column, to: table)
      note(column, of: table, from: rule)
      schema.tables[table].columns[column].declaredType = "INTEGER"
      schema.tables[table].foreignKeys.append(
        .init(
          table: schema.tables[target].name,
          columns: [(from: schema.tables[table].columns[column].name, to: "")]))
    }
  }

  /// Takes note of where the natural keys of a reference appear.
  private mutating func note(_ column: Int, of table: Int, from rule: ReferenceRule) {
    let expressions = StagedExpression(staged: staged)
    for index in groups.indices where tableOfGroup[index] == table {
      guard
        let found = expressions.expression(
          rule.from.value, from: groups[index].staged, at: groups[index].places),
        found.table == groups[index].staged
      else { continue }
      orders[table].note(column, at: .init(table: found.table, column: found.column))
    }
  }

  /// The key that is numbered when no column of the records serves; it comes first.
  private mutating func nameKey(of table: Int) {
    let name = freeName(taken[table].contains("id") ? "_id" : "id", in: table)
    generatedKeys.append(name)
  }

  /// The columns of a table that may be its key, in the order in which they are tried.
  func keyCandidates(of table: Int) -> [Int] {
    let columns = schema.tables[table].columns
    return orders[table].sorted(
      columns.indices.filter { index in
        ["", "INTEGER"].contains(columns[index].declaredType)
          && (columns[index].name.lowercased() == "id" || idColumns[table].contains(index))
      })
  }

  /// Of each table, the name of a key that is numbered.
  private(set) var generatedKeys: [String] = []

  /// Lets references without a column refer to the keys.
  mutating func referToKeys() {
    for table in schema.tables.indices {
      for key in schema.tables[table].foreignKeys.indices {
        guard let parent = schema.table(named: schema.tables[table].foreignKeys[key].table),
          let column = schema.tables[parent].soleKey
        else { continue }
        schema.tables[table].foreignKeys[key].columns[0].to =
          schema.tables[parent].columns[column].name
      }
    }
  }

  /// Declares the type of a column that was open.
  mutating func declare(_ type: String, for column: Int, of table: Int) {
    schema.tables[table].columns[column].declaredType = type
  }

  /// Makes a column the primary key, or adds a numbered one.
  mutating func setKey(_ column: Int?, of table: Int) {
    if let column {
      schema.tables[table].columns[column].declaredType = "INTEGER"
      schema.tables[table].columns[column].keyPosition = 1
    } else {
      schema.tables[table].columns.append(
        TargetTable.Column(
          name: generatedKeys[table], declaredType: "INTEGER", isNotNull: false, defaultSQL: nil,
          keyPosition: 1, isGenerated: false))
    }
  }
}
