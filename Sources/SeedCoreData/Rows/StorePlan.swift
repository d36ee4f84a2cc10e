internal import SeedBuilder
internal import SeedModel

/// A model and its layout, prepared for filling: tables and columns by number, names to look up.
struct StorePlan {
  /// A table of entities while rows are made; its first columns are those of every such table.
  struct Table {
    var name: String
    /// All columns, `Z_PK`, `Z_ENT` and `Z_OPT` included.
    var columns: [String]
    /// What SQLite makes of values, column by column.
    let affinities: [ColumnAffinity]
    private var numbers: [String: Int]

    init(_ table: StoreTable) {
      name = table.name
      columns = SystemTables.entityColumns + table.columns.map(\.name)
      affinities =
        SystemTables.entityColumns.map { _ in .number } + table.columns.map(\.kind.affinity)
      numbers = Dictionary(
        uniqueKeysWithValues: columns.enumerated().map { ($0.element, $0.offset) })
    }

    /// The number of a column.
    ///
    /// - Precondition: The layout has it.
    func column(_ name: String) -> Int {
      guard let number = numbers[name] else { preconditionFailure("no column \(name)") }
      return number
    }
  }

  /// A table of a many-to-many relationship.
  struct Join {
    var name: String
    var columns: [String]
  }

  static let keyColumn = 0
  static let entityColumn = 1
  static let versionColumn = 2

  let model: CoreDataModel
  let layout: StoreLayout
  let entities: [EntityPlan]
  let tables: [Table]
  private(set) var joins: [Join] = []
  private var entitiesByFoldedName: [String: [Int]] = [:]
  private var numbersOfEntities: [String: Int] = [:]
  private var numbersOfJoins: [String: Int] = [:]

  init(model: CoreDataModel, layout: StoreLayout) {
    self.model = model
    self.layout = layout
    var numbersOfTables: [String: Int] = [:]
    var tables: [Table] = []
    for table in layout.tables {
      switch table.kind {
      case .entity:
        numbersOfTables[table.name] = tables.count
        tables.append(Table(table))
      case .join:
        numbersOfJoins[table.name] = joins.count
        joins.append(Join(name: table.name, columns: table.columns.map(\.name)))
      }
    }
    self.tables = tables
    entities = layout.entities.map { entity in
      guard let table = numbersOfTables[entity.table] else {
        preconditionFailure("no table \(entity.table)")
      }
      return EntityPlan(entity, model: model, number: table, in: tables[table])
    }
    for (number, entity) in layout.entities.enumerated() {
      entitiesByFoldedName[PropertyName.folded(entity.name), default: []].append(number)
      numbersOfEntities[entity.name] = number
    }
  }

  /// The number of the entity of a name.
  func entity(named name: String) -> Int? { numbersOfEntities[name] }

  /// The numbers of the entities that a name in a document may mean: the one of just this name, or
  /// all that differ from it in what does not count.
  func entities(matching name: String) -> [Int] {
    if let exact = numbersOfEntities[name] { return [exact] }
    return entitiesByFoldedName[PropertyName.folded(name)] ?? []
  }

  /// The number of a many-to-many relationship's table.
  func join(named name: String) -> Int {
    guard let number = numbersOfJoins[name] else { preconditionFailure("no table \(name)") }
    return number
  }

  /// Whether an entity is another one, or inherits from it.
  func isKind(_ entity: Int, of ancestor: Int) -> Bool {
    var current = entity
    while current != ancestor {
      let parent = layout.entities[current].parentID
      guard parent > 0 else { return false }
      current = parent - 1
    }
    return true
  }

  /// The ids of an entity and of all that inherit from it, as `Z_ENT` has them, for SQL.
  func ids(ofKind entity: Int) -> String {
    entities.indices.filter { isKind($0, of: entity) }.map { String(layout.entities[$0].id) }
      .joined(separator: ",")
  }

  /// The names of entities that objects can have.
  var concreteNames: [String] { entities.filter { !$0.layout.isAbstract }.map(\.name) }

  /// These names, or some of very many, for people to read.
  var entityList: String {
    let (names, most) = (concreteNames, 12)
    guard names.count > most else { return names.joined(separator: ", ") }
    return names.prefix(most).joined(separator: ", ") + " and \(names.count - most) more"
  }

  /// A hint about what is refused, which says of a store without its model what more that would tell.
  func hint(_ hint: String?) -> String? {
    guard model.isGuessed else { return hint }
    let way = "give the model, too, with --model: it tells relationships and types"
    // A question ends by itself.
    return hint.map { $0.hasSuffix("?") ? "\($0) or \(way)" : "\($0), or \(way)" } ?? way
  }
}

/// Names in documents and in models match without regard to case, `_` and `-`.
enum PropertyName {
  static func folded(_ name: String) -> String {
    let folded = NameMatch.folded(name)
    return folded.contains("-") ? String(folded.filter { $0 != "-" }) : folded
  }
}
