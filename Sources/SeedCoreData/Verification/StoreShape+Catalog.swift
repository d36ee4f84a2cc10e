extension StoreShape {
  /// What a store tells of itself, without its model.
  ///
  /// Most names of columns leave open what they are: only those are taken that can be one thing.
  init(_ catalog: StoreCatalog) {
    names = Dictionary(
      catalog.entities.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for root in catalog.roots {
      guard let table = catalog.table(ColumnNames.column(root.name)) else { continue }
      let entities = catalog.ids(ofKind: root.id).compactMap { catalog.entity($0) }
      tables.append(
        EntityTable(
          name: table.name, root: Entity(id: root.id, name: root.name),
          entities: entities.map { Entity(id: $0.id, name: $0.name) },
          keys: Self.keys(of: table, catalog), dates: Self.dates(of: table)))
    }
    joins = catalog.tableNames.compactMap { name in
      catalog.table(name).flatMap { Self.join($0, catalog) }
    }
  }

  private static func dates(of table: StoreCatalog.Table) -> [DateColumn] {
    table.columns.filter { $0.type.uppercased() == "TIMESTAMP" }.map {
      DateColumn(name: String($0.name.dropFirst()), column: $0.name)
    }
  }

  // MARK: To-one relationships

  private static func keys(of table: StoreCatalog.Table, _ catalog: StoreCatalog) -> [Key] {
    let integers = table.columns.filter { $0.type.uppercased() == "INTEGER" }.map(\.name)
    let parts = integers.map { ($0, ColumnPart($0)) }
    var found: [String: Key] = [:]
    func key(_ name: String) -> Key? {
      guard let column = soleColumn(of: name, in: integers) else { return nil }
      return found[column] ?? Key(name: String(column.dropFirst()), column: column)
    }
    for (column, part) in parts {
      switch part {
      case .order(let name):
        guard var key = key(name) else { continue }
        key.orderColumn = column
        found[key.column] = key
      case .entity(let id, let name):
        guard var key = key(name), key.entityColumn == nil else { continue }
        key.entityColumn = column
        key.target = target(id, catalog)
        found[key.column] = key
      case .reverse(let id, let name):
        // A to-many relationship of another entity, without an inverse.
        found[column] = Key(
          name: name, column: column, target: target(id, catalog), isReverse: true)
      case nil: continue
      }
    }
    return integers.compactMap { found[$0] }
  }

  /// The column of a relationship's name, unless numbers that keep names apart leave it open.
  ///
  /// Keys, entities and places are numbered apart: with `ZBOOK1`, `ZBOOK2` and `Z1_BOOK1`, the last
  /// may go with either.
  private static func soleColumn(of name: String, in columns: [String]) -> String? {
    let stem = "Z" + name
    var base = stem[...]
    while base.last?.isNumber == true { base.removeLast() }
    let candidates = columns.filter { column in
      column.hasPrefix(base) && column.dropFirst(base.count).allSatisfy(\.isNumber)
    }
    return candidates == [stem] ? stem : nil
  }

  private static func target(_ id: Int64, _ catalog: StoreCatalog) -> Target? {
    guard let entity = catalog.entity(id), let root = catalog.root(of: id),
      let table = catalog.table(ColumnNames.column(root.name))
    else { return nil }
    let ids = id == root.id ? nil : catalog.ids(ofKind: id)
    return Target(table: table.name, ids: ids, entity: entity.name)
  }

  // MARK: Many-to-many relationships

  private static func join(_ table: StoreCatalog.Table, _ catalog: StoreCatalog) -> Join? {
    guard case .join(let id, _)? = JoinPart(table.name), catalog.entity(id) != nil else {
      return nil
    }
    var join = Join(name: table.name, ends: [], orders: [])
    for column in table.columns {
      if column.name.hasPrefix(orderPrefix) {
        join.orders.append((column.name, String(column.name.dropFirst(orderPrefix.count)), nil))
      } else if case .join(let id, let name)? = JoinPart(column.name), join.ends.count < 2 {
        join.ends.append(End(column: column.name, target: target(id, catalog), name: name))
      }
    }
    guard join.ends.count == 2 else { return nil }
    // The places are those of the objects of the end of the same name, among those of the other one.
    for index in join.orders.indices {
      let end = join.ends.firstIndex { $0.column == "Z_\(join.orders[index].name)" }
      join.orders[index].owner = end.map { join.ends[1 - $0].column }
    }
    return join
  }

  static let orderPrefix = "Z_FOK_"

  /// The parts of the names that tables and columns of many-to-many relationships have.
  private enum JoinPart {
    /// `Z_2AUTHORS`.
    case join(Int64, String)

    init?(_ name: String) {
      guard name.hasPrefix("Z_") else { return nil }
      let digits = name.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
      let rest = name.dropFirst(2 + digits.count)
      guard let id = Int64(digits), !rest.isEmpty else { return nil }
      self = .join(id, String(rest))
    }
  }

  /// What the name of a column of integers can only mean.
  private enum ColumnPart {
    /// `Z_FOK_BOOK`: the place in the ordered relationship that leads back.
    case order(String)
    /// `Z1_BOOK`: the entity of what `ZBOOK` refers to, 1 or one that inherits from it.
    case entity(Int64, String)
    /// `Z1PAGES`: the key for a relationship of entity 1.
    case reverse(Int64, String)

    init?(_ column: String) {
      if column.hasPrefix(orderPrefix) {
        self = .order(String(column.dropFirst(orderPrefix.count)))
        return
      }
      guard column.hasPrefix("Z") else { return nil }
      // No property has a name that begins with a digit.
      let digits = column.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let rest = column.dropFirst(1 + digits.count)
      guard let id = Int64(digits), let first = rest.first else { return nil }
      self = first == "_" ? .entity(id, String(rest.dropFirst())) : .reverse(id, String(rest))
    }
  }
}
