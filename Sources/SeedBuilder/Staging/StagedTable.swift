internal import SeedModel
internal import SeedSQLite

/// The records of one name as a raw load has staged them: every value as it stands.
struct StagedTable {
  struct Column {
    var source: TablePlan.Source
    /// What the column is called in a build without rules.
    var name: String
    /// The fields of the inputs that the column was made from.
    var fields: [Int]
    /// The column's name in the staging table.
    var sqlName: String
  }

  var name: QualifiedName
  /// What the table is called in a build without rules.
  var tableName: String
  /// The table's name in the staging database.
  var sqlName: String
  var columns: [Column]
  /// The places of its records.
  var places: [Int]
  var rowCount: Int64
  /// The number that the last record has.
  var lastOrdinal: Int64
}

/// What a raw load has staged, and where.
struct StagedInput {
  let connection: Connection
  let facts: DocumentFacts
  private let roles: [Role]
  let tables: [StagedTable]
  let documents: [InputDocument]
  let undeclaredPrefixes: [(prefix: String, location: SourceLocation)]
  /// The places beside which others differ in nothing but the prefix of their names.
  private let prefixedPlaces: Set<Int>

  init(_ loaded: InputLoading.Loaded, documents: [InputDocument]) {
    connection = loaded.connection
    facts = loaded.loader.facts
    self.documents = documents
    undeclaredPrefixes = loaded.outcome.undeclaredPrefixes
    prefixedPlaces = StagedInput.prefixedPlaces(loaded.loader.facts)
    let plan = loaded.loader.plan
    roles = plan.roles
    var places: [[Int]] = plan.tables.map { _ in [] }
    for (place, role) in plan.roles.enumerated() where role.kind == .record {
      places[Int(role.index)].append(place)
    }
    let naming = SchemaNaming(plan: plan, isFilled: [])
    let tableNames = naming.nameTables()
    tables = plan.tables.enumerated().map { index, table in
      let columnNames = naming.nameColumns(of: table, tableNames)
      return StagedTable(
        name: table.name, tableName: tableNames[index], sqlName: StagingSchema.tableName(index),
        columns: table.columns.enumerated().map { column, plan in
          StagedTable.Column(
            source: plan.source, name: columnNames[column], fields: plan.fields,
            sqlName: StagingSchema.columnName(column))
        },
        places: places[index], rowCount: loaded.loader.table(index).pointee.rowCount,
        lastOrdinal: loaded.loader.table(index).pointee.lastOrdinal)
    }
  }

  /// The column names of a raw load's own columns.
  static let ordinalColumn = StagingSchema.columnName(0)
  static let lineColumn = StagingSchema.columnName(1)
  static let placeColumn = StagingSchema.columnName(2)

  /// The input that a place belongs to.
  func document(of place: Int) -> Int { facts.input(of: place) }

  /// The path of an outermost object, which has no name.
  static let outermostPath = "."

  private static func prefixedPlaces(_ facts: DocumentFacts) -> Set<Int> {
    struct Name: Hashable {
      var parent: Int?
      var local: String
    }
    let places = Dictionary(grouping: facts.places.indices) {
      Name(parent: facts.places[$0].parent, local: facts.places[$0].name.local)
    }
    return Set(
      places.filter { $0.key.parent != nil && $0.value.count > 1 }.flatMap(\.value))
  }

  /// The path of a place as ``RecordRule/path`` writes it: prefixes stand where they are needed to
  /// tell names apart.
  func path(of place: Int) -> String {
    path(of: place) { index in
      let name = facts.places[index].name
      guard prefixedPlaces.contains(index), let prefix = name.prefix else { return name.local }
      return "\(prefix):\(name.local)"
    }
  }

  private func path(of place: Int, naming name: (Int) -> String) -> String {
    var names: [String] = []
    var current: Int? = place
    while let index = current {
      names.append(name(index))
      current = facts.places[index].parent
    }
    names.reverse()
    guard hasNamelessRoot(place) else { return names.joined(separator: "/") }
    names.removeFirst()
    guard !names.isEmpty else { return StagedInput.outermostPath }
    if isNamelessRow(place) { names[0] = "*" }
    return names.joined(separator: "/")
  }

  /// Whether the outermost value of a place's input has no name: that of all formats but XML, and
  /// that of property lists in XML.
  func hasNamelessRoot(_ place: Int) -> Bool {
    let document = document(of: place)
    return documents[document].format != .xml || facts.places[facts.roots[document]].name.isMadeUp
  }

  /// Whether the first name of a place's path below the root was made up by the reader.
  private func isNamelessRow(_ place: Int) -> Bool {
    var current = place
    while let parent = facts.places[current].parent, facts.places[parent].parent != nil {
      current = parent
    }
    guard let root = facts.places[current].parent else { return false }
    let rootName = facts.places[root].name
    return facts.places[current].name
      == (rootName.isMadeUp ? QualifiedName(local: rootName.local) : rootName)
  }

  /// What readers know of the values of some fields together.
  func declaredValues(of fields: [Int]) -> DocumentFacts.DeclaredValues {
    let all = fields.map { facts.fields[$0].declared }
    var result = all.reduce(into: DocumentFacts.DeclaredValues()) { $0.formUnion($1) }
    if result.contains(.data), !all.allSatisfy({ $0.contains(.data) }) { result.insert(.mixedData) }
    return result
  }

  /// Whether a staged column has values of records at some places.
  func isOf(_ places: [Int], _ column: Int, of table: Int) -> Bool {
    tables[table].columns[column].fields.contains { places.contains(facts.fields[$0].place) }
      // A scalar child's text belongs to the record around it; it may never have had any.
      || places.contains { isChild(column, of: $0) }
  }

  /// Whether the values of a staged column are children of the records at a place, not attributes.
  func isChild(_ column: Int, of place: Int) -> Bool {
    facts.places[place].children.contains {
      roles[$0].kind == .scalar && Int(roles[$0].index) == column
    }
  }

  /// Whether records at some places stand in records of a table, with none but passed ones between.
  func isInside(_ table: Int, _ places: [Int], passing: Set<Int>) -> Bool {
    places.contains { place in
      var next = parents(of: place)
      var seen: Set<Int> = []
      while let current = next.popLast() {
        guard seen.insert(current).inserted else { continue }
        if roles[current].kind == .record {
          let found = Int(roles[current].index)
          if found == table { return true }
          guard passing.contains(found) else { continue }
        }
        next += parents(of: current)
      }
      return false
    }
  }

  /// The places of the nearest records around some places, by their tables.
  func recordPlaces(around places: [Int]) -> [Int: [Int]] {
    var result: [Int: [Int]] = [:]
    var next = places.flatMap(parents)
    var seen: Set<Int> = []
    while let current = next.popLast() {
      guard seen.insert(current).inserted else { continue }
      if roles[current].kind == .record {
        result[Int(roles[current].index), default: []].append(current)
      } else {
        next += parents(of: current)
      }
    }
    return result
  }

  private func parents(of place: Int) -> [Int] {
    [facts.places[place].parent].compactMap(\.self)
      + facts.places[place].recursions.map(\.parent)
  }

  /// The rule for the records at a place, by its number.
  func rule(for place: Int, among rules: [RecordRule]) -> Int? {
    let own = path(of: place)
    let plain = path(of: place) { facts.places[$0].name.local }
    for path in own == plain ? [own] : [own, plain] {
      if let index = rules.firstIndex(where: { $0.path.value == path }) { return index }
    }
    // Rows without a name may also be called by that of the outermost value.
    guard hasNamelessRoot(place), own.hasPrefix("*"), isNamelessRow(place) else { return nil }
    let other = facts.places[facts.roots[document(of: place)]].name.local + own.dropFirst()
    return rules.firstIndex { $0.path.value == other }
  }
}
