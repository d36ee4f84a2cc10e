internal import SeedModel

/// Decides from facts what becomes a table, a column or nothing.
///
/// The rules are those of the documentation's "Mapping" chapter.
struct LoadPlanner {
  private let facts: DocumentFacts
  /// Tables whose `id` turned out not to be unique, or missing in a record.
  private let rejectedKeys: Set<RejectedKey>
  /// Tables whose key is known only after child records.
  private let lateKeys: Set<QualifiedName>

  /// A column that is called `id` but does not serve as a key.
  struct RejectedKey: Hashable {
    var table: QualifiedName
    var column: TablePlan.Source
  }

  /// So many columns called `id`, in whatever case or namespace, are tried as a table's key.
  private static let mostKeyTrials = 8

  private let kinds: [PlaceKinds.Kind]
  private var plan = LoadPlan()
  private var tableOfName: [QualifiedName: Int] = [:]
  private var columnOfSource: [ColumnKey: Int] = [:]
  /// Children that share a column with an attribute of other inputs.
  private var unitedChildren: Set<ColumnKey> = []

  private struct MarkKey: Hashable {
    var table: Int
    var name: QualifiedName
  }

  private struct ColumnKey: Hashable {
    var table: Int
    var source: TablePlan.Source
  }

  init(facts: DocumentFacts, rejectedKeys: Set<RejectedKey>, lateKeys: Set<QualifiedName>) {
    self.facts = facts
    self.rejectedKeys = rejectedKeys
    self.lateKeys = lateKeys
    kinds = PlaceKinds(facts).kinds
  }

  mutating func makePlan() -> LoadPlan {
    plan.roles = Array(repeating: Role(kind: .container), count: facts.places.count)
    plan.columnOfField = Array(repeating: -1, count: facts.fields.count)
    addTables()
    addColumns()
    addWrapperMarks()
    for table in plan.tables.indices { chooseKey(of: table) }
    assignRolesAndFields()
    return plan
  }

  // MARK: Tables and columns

  private mutating func addTables() {
    for (index, place) in facts.places.enumerated()
    where kinds[index] == .record && tableOfName[place.name] == nil {
      tableOfName[place.name] = plan.tables.count
      plan.tables.append(
        TablePlan(
          name: place.name, columns: [], keyColumn: 0,
          keyComesLate: lateKeys.contains(place.name), isRecursive: false))
    }
    // What stands below a recursive element may stand inside its own kind too.
    var isNested: [Bool] = []
    for (index, place) in facts.places.enumerated() {
      isNested.append(place.isRecursive || place.parent.map { isNested[$0] } ?? false)
      guard isNested[index], kinds[index] == .record, let table = tableOfName[place.name] else {
        continue
      }
      plan.tables[table].isRecursive = true
    }
  }

  /// A column at the time when it first appeared.
  private struct Candidate {
    var table: Int
    var order: Int
    var source: TablePlan.Source
    var field: Int?
    /// The place of the records, or of the children that the values are in.
    var place: Int
  }

  private mutating func addColumns() {
    var candidates: [Candidate] = []
    var withText: Set<QualifiedName> = []
    for (index, place) in facts.places.enumerated() where kinds[index] == .record && place.hasText {
      withText.insert(place.name)
    }
    for (index, place) in facts.places.enumerated() {
      switch kinds[index] {
      case .record: candidates += ownColumns(of: index, hasText: withText.contains(place.name))
      case .scalar:
        guard let parent = place.parent, let table = tableOfName[facts.places[parent].name] else {
          continue
        }
        candidates.append(
          Candidate(
            table: table, order: place.order, source: .child(place.name), field: place.text,
            place: index))
      default: break
      }
    }
    candidates.sort { $0.order < $1.order }
    uniteInputs(&candidates)
    for candidate in candidates { add(candidate) }
    for table in plan.tables.indices {
      for (index, column) in plan.tables[table].columns.enumerated() {
        guard let values = facts.statistics(of: column) else { continue }
        plan.tables[table].columns[index].type = values.columnType
      }
    }
  }

  /// Makes one column of what is an attribute in one input and a child in another, as what CSV and
  /// XML call by one name.
  ///
  /// Where some input has both, they are two.
  private mutating func uniteInputs(_ candidates: inout [Candidate]) {
    guard facts.roots.count > 1 else { return }
    var inputs: [ColumnKey: Set<Int>] = [:]
    for candidate in candidates where candidate.source.documentName != nil {
      let input = facts.input(of: candidate.place)
      inputs[ColumnKey(table: candidate.table, source: candidate.source), default: []].insert(input)
    }
    for index in candidates.indices {
      guard case .child(let name) = candidates[index].source else { continue }
      let child = ColumnKey(table: candidates[index].table, source: .child(name))
      let attribute = ColumnKey(table: candidates[index].table, source: .attribute(name))
      guard let attributeInputs = inputs[attribute],
        attributeInputs.isDisjoint(with: inputs[child] ?? [])
      else { continue }
      candidates[index].source = .attribute(name)
      unitedChildren.insert(child)
    }
  }

  /// The columns that a record's own start tag, attributes and text give.
  private func ownColumns(of index: Int, hasText: Bool) -> [Candidate] {
    let place = facts.places[index]
    guard let table = tableOfName[place.name] else { return [] }
    var result: [Candidate] = []
    let first = place.parent.map { [(parent: $0, order: place.order)] } ?? []
    for (parent, order) in first + place.recursions.map({ (parent: $0.parent, order: $0.order) }) {
      guard let parentTable = recordTable(around: parent) else { continue }
      result.append(
        Candidate(
          table: table, order: order, source: .parent(table: parentTable), field: nil, place: index)
      )
    }
    for field in place.attributes {
      guard let name = facts.fields[field].name else { continue }
      result.append(
        Candidate(
          table: table, order: facts.fields[field].order, source: .attribute(name), field: field,
          place: index))
    }
    if hasText, let field = place.text {
      result.append(
        Candidate(
          table: table, order: facts.fields[field].order, source: .text, field: field,
          place: index))
    }
    return result
  }

  /// The table of the nearest record at or above a place that records below refer to.
  private func recordTable(around place: Int) -> Int? {
    var current: Int? = place
    while let index = current {
      let isPlainRoot = facts.places[index].parent == nil && !facts.places[index].isRecursive
      if kinds[index] == .record, !isPlainRoot { return tableOfName[facts.places[index].name] }
      current = facts.places[index].parent
    }
    return nil
  }

  private mutating func add(_ candidate: Candidate) {
    let table = candidate.table
    let fields = [candidate.field].compactMap { $0 }
    let key = ColumnKey(table: table, source: candidate.source)
    if let column = columnOfSource[key] {
      plan.tables[table].columns[column].fields += fields
      return
    }
    columnOfSource[key] = plan.tables[table].columns.count
    let isReference = if case .parent = candidate.source { true } else { false }
    plan.tables[table].columns.append(
      TablePlan.Column(
        source: candidate.source, type: isReference ? .integer : .text, fields: fields))
  }

  // MARK: Wrappers

  /// Gives each wrapper directly below a record its mark in the open row.
  ///
  /// Wrappers of one name share it: a record, which is at one place, has no two of them side by side.
  private mutating func addWrapperMarks() {
    plan.markCounts = plan.tables.map { _ in 0 }
    var markOfName: [MarkKey: Int] = [:]
    for (index, place) in facts.places.enumerated() where kinds[index] == .wrapper {
      plan.roles[index] = Role(kind: .wrapper)
      guard let parent = place.parent, kinds[parent] == .record,
        let table = tableOfName[facts.places[parent].name]
      else { continue }
      let key = MarkKey(table: table, name: place.name)
      let mark = markOfName[key] ?? plan.markCounts[table]
      if mark == plan.markCounts[table] { plan.markCounts[table] += 1 }
      markOfName[key] = mark
      plan.roles[index].index = Int32(mark)
    }
  }

  // MARK: Keys

  /// Takes the first `id` that may be a key, or puts a generated one in front.
  private mutating func chooseKey(of table: Int) {
    if facts.isRaw {
      for source in [TablePlan.Source.place, .line] {
        plan.tables[table].columns.insert(
          TablePlan.Column(source: source, type: .integer, fields: []), at: 0)
      }
      return insertGeneratedKey(into: table)
    }
    let name = plan.tables[table].name
    // Each one that fails costs a reading. Honest inputs have two at most, `id` and `ID`.
    let hasTried = rejectedKeys.count { $0.table == name } >= LoadPlanner.mostKeyTrials
    for (index, column) in plan.tables[table].columns.enumerated() where !hasTried {
      guard column.type == .integer, let columnName = column.source.documentName,
        columnName.local.lowercased() == "id",
        !rejectedKeys.contains(RejectedKey(table: name, column: column.source))
      else { continue }
      plan.tables[table].keyColumn = index
      return
    }
    insertGeneratedKey(into: table)
  }

  private mutating func insertGeneratedKey(into table: Int) {
    plan.tables[table].columns.insert(
      TablePlan.Column(source: .generatedKey, type: .integer, fields: []), at: 0)
    plan.tables[table].keyColumn = 0
    plan.tables[table].keyComesLate = false
  }

  // MARK: Roles

  private mutating func assignRolesAndFields() {
    for table in plan.tables.indices {
      for (index, column) in plan.tables[table].columns.enumerated() {
        for field in column.fields { plan.columnOfField[field] = index }
      }
    }
    for (index, place) in facts.places.enumerated() {
      switch kinds[index] {
      case .record:
        if let table = tableOfName[place.name] {
          plan.roles[index] = Role(kind: .record, index: Int32(table))
        }
      case .scalar:
        guard let parent = place.parent, let table = tableOfName[facts.places[parent].name]
        else { continue }
        let child = ColumnKey(table: table, source: .child(place.name))
        let key =
          unitedChildren.contains(child)
          ? ColumnKey(table: table, source: .attribute(place.name)) : child
        guard let column = columnOfSource[key] else { continue }
        // What was put in front has moved the others.
        let shift =
          facts.isRaw
          ? TablePlan.rawFrontCount : plan.tables[table].hasGeneratedKey ? 1 : 0
        plan.roles[index] = Role(kind: .scalar, index: Int32(column + shift))
      default: break
      }
    }
  }
}

extension TablePlan.Source {
  /// The name in the document that the column has its name from.
  var documentName: QualifiedName? {
    switch self {
    case .attribute(let name), .child(let name): name
    case .generatedKey, .parent, .text, .line, .place: nil
    }
  }
}
