internal import SeedModel

/// Writes the statements for the indexes of a store.
struct IndexPlanner {
  private let model: CoreDataModel
  private let layout: LayoutPlanner
  /// The statements table by table, in the order of the tables.
  let statements: [String]

  init(model: CoreDataModel, layout: LayoutPlanner) {
    self.model = model
    self.layout = layout
    let hierarchies = Dictionary(grouping: layout.entities, by: \.root)
    statements = layout.tables.flatMap { table in
      switch table.kind {
      case .entity(let root):
        Self.indexes(of: table, hierarchies[root] ?? [], model, layout)
      case .join: [Self.index(ofJoin: table)]
      }
    }
  }

  /// The index by which the rows of the other end are found.
  private static func index(ofJoin table: StoreTable) -> String {
    let (first, second) = (table.columns[0].name, table.columns[1].name)
    return "CREATE INDEX \(table.name)_\(second)_INDEX ON \(table.name) (\(second), \(first))"
  }

  private static func indexes(
    of table: StoreTable, _ hierarchy: [EntityLayout], _ model: CoreDataModel,
    _ layout: LayoutPlanner
  ) -> [String] {
    var result = (layout.foreignKeys[table.name] ?? []).map { key in
      "CREATE INDEX \(table.name)_\(key.column)_INDEX ON \(table.name) (\(key.column))"
    }
    if hierarchy.count > 1 {
      result.append("CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)")
    }
    for entity in hierarchy { result += declaredIndexes(of: entity, model) }
    for entity in hierarchy { result += constraints(of: entity, model) }
    return result
  }

  /// The indexes that an entity declares: of attributes, by name, and by properties together.
  private static func declaredIndexes(
    of entity: EntityLayout, _ model: CoreDataModel
  ) -> [String] {
    guard let declared = model.entity(entity.name) else { return [] }
    let indexed = declared.attributes.filter(\.isIndexed).sorted {
      EntityOrder.isBefore($0.name, $1.name)
    }
    let single = indexed.compactMap { attribute in
      column(attribute.name, of: entity).map {
        statement("INDEX", attribute.name, entity, [part($0, isDescending: false)])
      }
    }
    return single
      + declared.indexes.map { index in
        statement(
          "INDEX", index.name, entity,
          index.elements.compactMap { element in
            column(element.property, of: entity).map {
              part($0, isDescending: element.isDescending)
            }
          })
      }
  }

  private static func constraints(of entity: EntityLayout, _ model: CoreDataModel) -> [String] {
    (model.entity(entity.name)?.uniquenessConstraints ?? []).map { constraint in
      statement(
        "UNIQUE INDEX", "UNIQUE_" + constraint.names.joined(separator: "_"), entity,
        constraint.names.compactMap { column($0, of: entity) }.map {
          part($0, isDescending: false)
        })
    }
  }

  private static func statement(
    _ kind: String, _ name: String, _ entity: EntityLayout, _ parts: [String]
  ) -> String {
    "CREATE \(kind) Z_\(entity.name)_\(name) ON \(entity.table) (\(parts.joined(separator: ", ")))"
  }

  private static func part(_ column: String, isDescending: Bool) -> String {
    "\(column) COLLATE BINARY \(isDescending ? "DESC" : "ASC")"
  }

  /// The column of an attribute or to-one relationship.
  private static func column(_ property: String, of entity: EntityLayout) -> String? {
    if let column = entity.attributes[property] { return column.name }
    guard case .own(let key)? = entity.relationships[property] else { return nil }
    return key.column
  }
}
