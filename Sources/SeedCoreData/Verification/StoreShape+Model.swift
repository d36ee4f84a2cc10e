internal import SeedModel

extension StoreShape {
  /// What a model demands of its store.
  ///
  /// - Precondition: The store has the entities of the model under the same ids.
  init(_ model: CoreDataModel, _ layout: StoreLayout, _ catalog: StoreCatalog) {
    self.init(model: model, layout: layout)
    // What is missing is told elsewhere, and no query may ask for it.
    tables = tables.compactMap { table in
      guard let found = catalog.table(table.name) else { return nil }
      return table.keeping { found.column($0) != nil }
    }
    joins = joins.filter { join in
      guard let found = catalog.table(join.name) else { return false }
      return (join.ends.map(\.column) + join.orders.map(\.column)).allSatisfy {
        found.column($0) != nil
      }
    }
  }

  private init(model: CoreDataModel, layout: StoreLayout) {
    names = Dictionary(
      layout.entities.map { (Int64($0.id), $0.name) }, uniquingKeysWith: { first, _ in first })
    let hierarchies = Dictionary(grouping: layout.entities, by: \.root)
    for root in layout.entities where root.parentID == 0 {
      let all = hierarchies[root.name] ?? []
      tables.append(
        EntityTable(
          name: root.table, root: Entity(id: Int64(root.id), name: root.name),
          entities: all.filter { !$0.isAbstract }.map { Entity(id: Int64($0.id), name: $0.name) },
          abstractIDs: Set(all.filter(\.isAbstract).map { Int64($0.id) }),
          dates: Self.dates(of: all, model), required: Self.required(in: all, model),
          constraints: Self.constraints(of: all, model)))
    }
    let places = Dictionary(
      tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in layout.entities {
      for relationship in LayoutPlanner.sorted(model.entity(entity.name)?.relationships ?? []) {
        take(relationship, of: entity, model, layout, places)
      }
      if let place = places[entity.table] { takeCounts(of: entity, model, layout, place) }
    }
  }

  // MARK: Attributes

  private static func dates(of entities: [EntityLayout], _ model: CoreDataModel) -> [DateColumn] {
    entities.flatMap { entity in
      (model.entity(entity.name)?.attributes ?? []).compactMap { attribute in
        guard let column = entity.attributes[attribute.name], column.kind == .time else {
          return nil
        }
        return DateColumn(
          name: attribute.name, column: column.name,
          latest: attribute.bounds.most.flatMap(Double.init))
      }
    }
  }

  private static func required(
    in entities: [EntityLayout], _ model: CoreDataModel
  ) -> [RequiredColumn] {
    var columns: [RequiredColumn] = []
    var places: [String: Int] = [:]
    func add(_ name: String, _ column: String, _ owner: Int, isRelationship: Bool) {
      if let place = places[column] {
        columns[place].owners.append(Int64(owner))
      } else {
        places[column] = columns.count
        columns.append(
          RequiredColumn(
            name: name, column: column, owners: [Int64(owner)], isRelationship: isRelationship))
      }
    }
    for entity in entities where !entity.isAbstract {
      for attribute in model.allAttributes(of: entity.name)
      where !attribute.isOptional && !attribute.isTransient && attribute.derivation == nil {
        guard let column = entity.attributes[attribute.name] else { continue }
        add(attribute.name, column.name, entity.id, isRelationship: false)
      }
      for relationship in model.allRelationships(of: entity.name) where !relationship.isOptional {
        guard case .own(let key)? = entity.relationships[relationship.name] else { continue }
        add(relationship.name, key.column, entity.id, isRelationship: true)
      }
    }
    return columns
  }

  private static func constraints(
    of entities: [EntityLayout], _ model: CoreDataModel
  ) -> [Constraint] {
    entities.flatMap { entity in
      (model.entity(entity.name)?.uniquenessConstraints ?? []).compactMap { constraint in
        let columns = constraint.names.compactMap { entity.attributes[$0]?.name }
        guard columns.count == constraint.names.count, !columns.isEmpty else { return nil }
        return Constraint(entity: entity.name, names: constraint.names, columns: columns)
      }
    }
  }

  // MARK: Relationships

  /// Takes what a relationship that an entity declares has in the store.
  private mutating func take(
    _ relationship: ModelRelationship, of entity: EntityLayout, _ model: CoreDataModel,
    _ layout: StoreLayout, _ places: [String: Int]
  ) {
    func target(_ name: String) -> Target? {
      guard let end = layout.entity(name) else { return nil }
      return Target(
        table: end.table, ids: end.parentID == 0 ? nil : Self.ids(ofKind: name, model, layout),
        entity: name)
    }
    switch entity.relationships[relationship.name] {
    case .own(let key):
      guard let place = places[key.table] else { return }
      tables[place].keys.append(
        Key(
          name: relationship.name, column: key.column, entityColumn: key.entityColumn,
          orderColumn: key.orderColumn, target: target(relationship.destination),
          inverse: Self.inverse(of: relationship, model, layout)))
    case .inverse(let key) where relationship.inverse == nil:
      guard let place = places[key.table] else { return }
      tables[place].keys.append(
        Key(
          name: "\(entity.name).\(relationship.name)", column: key.column,
          entityColumn: key.entityColumn, orderColumn: key.orderColumn, target: target(entity.name),
          isReverse: true))
    case .join(let join) where join.isMaster:
      let inverse = model.inverse(of: relationship)?.relationship.name ?? relationship.name
      joins.append(
        Join(
          name: join.table,
          ends: [
            End(column: join.sourceColumn, target: target(entity.name), name: inverse),
            End(
              column: join.destinationColumn, target: target(relationship.destination),
              name: relationship.name),
          ],
          orders: [
            (join.inverseOrderColumn, inverse, join.destinationColumn),
            (join.orderColumn, relationship.name, join.sourceColumn),
          ].compactMap { column, name, owner in column.map { ($0, name, owner) } }))
    case .inverse, .join, nil: return
    }
  }

  /// The key that leads back, if the relationship is one-to-one.
  private static func inverse(
    of relationship: ModelRelationship, _ model: CoreDataModel, _ layout: StoreLayout
  ) -> Inverse? {
    guard let inverse = model.inverse(of: relationship),
      case .own(let key)? = layout.entity(inverse.entity)?.relationships[inverse.relationship.name]
    else { return nil }
    return Inverse(
      name: inverse.relationship.name, column: key.column, entityColumn: key.entityColumn)
  }

  /// Takes how many objects the to-many relationships of an entity have, and what is derived of that.
  private mutating func takeCounts(
    of entity: EntityLayout, _ model: CoreDataModel, _ layout: StoreLayout, _ place: Int
  ) {
    func links(_ relationship: String) -> Links? {
      switch entity.relationships[relationship] {
      case .inverse(let key): Links(table: key.table, column: key.column)
      case .join(let join): Links(table: join.table, column: join.sourceColumn)
      case .own, nil: nil
      }
    }
    let kind = Self.ids(ofKind: entity.name, model, layout)
    for relationship in LayoutPlanner.sorted(model.entity(entity.name)?.relationships ?? []) {
      guard let links = links(relationship.name),
        relationship.leastCount > 0
          || relationship.maxCount > 0
      else { continue }
      tables[place].counts.append(
        Count(
          name: relationship.name, links: links, entity: entity.name, owners: kind,
          least: relationship.leastCount, most: relationship.maxCount,
          mayBeNone: relationship.isOptional,
          isOnlyRequired: relationship.minCount == 0))
    }
    for attribute in model.entity(entity.name)?.attributes ?? [] {
      guard let relationship = attribute.derivation?.split(separator: ".").first.map(String.init),
        let column = entity.attributes[attribute.name], let links = links(relationship)
      else { continue }
      tables[place].derived.append(
        DerivedColumn(
          name: attribute.name, column: column.name, relationship: relationship, links: links,
          owners: kind))
    }
  }

  private static func ids(
    ofKind name: String, _ model: CoreDataModel, _ layout: StoreLayout
  ) -> [Int64] {
    var ids: [Int64] = []
    var waiting = [name]
    while let next = waiting.popLast() {
      if let entity = layout.entity(next) { ids.append(Int64(entity.id)) }
      waiting += model.children(of: next)
    }
    return ids.sorted()
  }
}

extension StoreShape.EntityTable {
  /// The table without what needs columns that are not there.
  fileprivate func keeping(_ isThere: (String) -> Bool) -> Self {
    var table = self
    table.keys = keys.compactMap { key in
      guard isThere(key.column) else { return nil }
      var key = key
      key.entityColumn = key.entityColumn.flatMap { isThere($0) ? $0 : nil }
      key.orderColumn = key.orderColumn.flatMap { isThere($0) ? $0 : nil }
      return key
    }
    table.dates = dates.filter { isThere($0.column) }
    table.required = required.filter { isThere($0.column) }
    table.derived = derived.filter { isThere($0.column) }
    table.constraints = constraints.filter { $0.columns.allSatisfy(isThere) }
    return table
  }
}
