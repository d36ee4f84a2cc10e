internal import SeedModel

/// Finds a place for everything that a model declares.
struct LayoutPlanner {
  let model: CoreDataModel
  private(set) var entities: [EntityLayout] = []
  private(set) var tables: [StoreTable] = []
  /// The keys and entity columns of each table in the order in which they were named.
  private(set) var foreignKeys: [String: [ForeignKey]] = [:]
  private(set) var warnings: [Diagnostic] = []
  private(set) var errors: [ModelError] = []
  private var indices: [String: Int] = [:]
  /// By the name of the entity that declares it, then by its own.
  private var places: [String: [String: RelationshipPlace]] = [:]
  /// By the name of an entity, the to-many relationships that lead to it and have no way back.
  private var withoutInverse: [String: [LoneRelationship]] = [:]
  /// The columns of each entity's own attributes.
  private var columns: [String: [String: StoreColumn]] = [:]

  init(_ model: CoreDataModel) {
    self.model = model
  }

  func entity(_ name: String) -> EntityLayout? { indices[name].map { entities[$0] } }

  mutating func note(_ reason: ModelError.Reason, at location: SourceLocation) {
    errors.append(ModelError(reason, at: location))
  }

  /// Lays out everything.
  ///
  /// - Throws: ``ModelErrors`` with all that is not known well enough.
  mutating func run() throws(ModelErrors) {
    numberEntities()
    collectRelationshipsWithoutInverse()
    checkNames()
    let roots = entities.filter { $0.parentID == 0 }
    let hierarchies = Dictionary(grouping: entities, by: \.root)
    for root in roots { layOut(root, hierarchies[root.name] ?? []) }
    placeInverses()
    var joins = JoinPlanner(self)
    joins.run()
    errors += joins.errors
    warnings += joins.warnings
    for (owner, name, place) in joins.places { places[owner, default: [:]][name] = place }
    let rootTables = Dictionary(
      tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    tables = roots.flatMap { root in
      [rootTables[root.table]].compactMap(\.self) + (joins.tables[root.name] ?? [])
    }
    checkTables()
    inherit()
    guard errors.isEmpty else { throw ModelErrors(errors) }
  }

  // MARK: Entities

  private mutating func numberEntities() {
    let roots = model.entities.filter { $0.parent == nil }.map(\.name)
    // The next to be numbered is the last.
    var waiting = roots.sorted(by: EntityOrder.precedes).reversed().map { ($0, 0, $0) }
    while let (name, parentID, root) = waiting.popLast() {
      guard let entity = model.entity(name) else { continue }
      let children = model.children(of: name)
      let id = entities.count + 1
      indices[name] = entities.count
      entities.append(
        EntityLayout(
          name: name, id: id, parentID: parentID, root: root, isAbstract: entity.isAbstract,
          hasChildren: !children.isEmpty, table: ColumnNames.column(root)))
      waiting += children.reversed().map { ($0, id, root) }
    }
  }

  /// Warns of names that no known store has the like of.
  private mutating func checkNames() {
    for entity in model.entities {
      let names =
        [entity.name] + entity.attributes.map(\.name) + entity.relationships.map(\.name)
      guard let name = names.first(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) else { continue }
      warnings.append(
        Diagnostic(
          .warning, "what Core Data calls the column or table of \"\(name)\" is a guess",
          at: entity.location, hint: "use letters from A to Z in names"))
    }
  }

  // MARK: Tables of entities

  /// Gives the attributes and relationships of an entity, and of all that inherit from it, columns
  /// in its table.
  private mutating func layOut(_ root: EntityLayout, _ hierarchy: [EntityLayout]) {
    var names = ColumnNames(taken: SystemTables.entityColumns)
    var columns: [StoreColumn] = []
    for entity in hierarchy {
      guard let declared = model.entity(entity.name) else { continue }
      for attribute in declared.attributes.sorted(by: { EntityOrder.isBefore($0.name, $1.name) }) {
        guard !attribute.isTransient, let kind = StoreColumn.Kind(attribute.type) else { continue }
        let column = StoreColumn(names.take(ColumnNames.column(attribute.name)), kind)
        columns.append(column)
        self.columns[entity.name, default: [:]][attribute.name] = column
      }
      for relationship in Self.sorted(declared.relationships)
      where !relationship.isToMany && !relationship.isTransient {
        let key = foreignKey(relationship, in: root.table, &names)
        columns += [key.column, key.entityColumn].compactMap(\.self).map {
          StoreColumn($0, .integer)
        }
        places[entity.name, default: [:]][relationship.name] = .own(key)
      }
      columns += virtualKeys(of: entity, &names)
    }
    for entity in hierarchy { columns += orderColumns(of: entity, &names) }
    if columns.count > ModelReader.mostProperties - SystemTables.entityColumns.count,
      let location = model.entity(root.name)?.location
    {
      note(
        .tooMany("columns of \"\(root.name)\"", limit: ModelReader.mostProperties), at: location)
    }
    let sorted = columns.enumerated().sorted {
      $0.element.kind < $1.element.kind
        || (!($1.element.kind < $0.element.kind) && $0.offset < $1.offset)
    }
    tables.append(
      StoreTable(name: root.table, kind: .entity(root.name), columns: sorted.map(\.element)))
    foreignKeys[root.table] = hierarchy.flatMap { foreignKeys(of: $0) }
  }

  static func sorted(_ relationships: [ModelRelationship]) -> [ModelRelationship] {
    relationships.sorted { EntityOrder.isBefore($0.name, $1.name) }
  }

  private func foreignKey(
    _ relationship: ModelRelationship, in table: String, _ names: inout ColumnNames
  ) -> ForeignKey {
    let capitals = relationship.name.uppercased()
    var key = ForeignKey(table: table, column: names.take("Z" + capitals))
    if let destination = entity(relationship.destination), destination.hasChildren {
      key.entityColumn = names.take("Z\(destination.id)_\(capitals)")
    }
    return key
  }

  /// The keys that an entity declares, and those it has for others.
  private func foreignKeys(of entity: EntityLayout) -> [ForeignKey] {
    let own = model.entity(entity.name).map { Self.sorted($0.relationships) } ?? []
    let declared = own.compactMap { relationship -> ForeignKey? in
      guard case .own(let key)? = places[entity.name]?[relationship.name] else { return nil }
      return key
    }
    return declared
      + (withoutInverse[entity.name] ?? []).compactMap { source, relationship in
        guard case .inverse(let key)? = places[source.name]?[relationship.name] else { return nil }
        return key
      }
  }

  // MARK: Relationships without an inverse

  private typealias LoneRelationship = (source: EntityLayout, relationship: ModelRelationship)

  private mutating func collectRelationshipsWithoutInverse() {
    for source in entities {
      for relationship in Self.sorted(model.entity(source.name)?.relationships ?? [])
      where relationship.isToMany && relationship.inverse == nil && !relationship.isTransient {
        withoutInverse[relationship.destination, default: []].append((source, relationship))
      }
    }
  }

  /// The columns of an entity for those: the key has the number of the entity that it leads to in
  /// its name.
  private mutating func virtualKeys(
    of entity: EntityLayout, _ names: inout ColumnNames
  ) -> [StoreColumn] {
    (withoutInverse[entity.name] ?? []).map { source, relationship in
      if relationship.isOrdered || source.hasChildren {
        let kind = relationship.isOrdered ? "ordered relationship" : "relationship"
        note(
          .uncovered(
            .init(
              what: "the \(kind) \"\(relationship.name)\" of \"\(source.name)\" without an inverse",
              isOnlyHash: false)),
          at: relationship.location)
      }
      warnings.append(
        Diagnostic(
          .warning,
          "the column of the to-many relationship \"\(relationship.name)\" without an inverse is "
            + "known from descriptions only", at: relationship.location,
          hint: "give it an inverse, or compare with a store that the app wrote"))
      let column = names.take("Z\(source.id)\(relationship.name.uppercased())")
      places[source.name, default: [:]][relationship.name] = .inverse(
        ForeignKey(table: entity.table, column: column))
      return StoreColumn(column, .integer)
    }
  }

  // MARK: Orders and inverses

  /// The columns with the places of an entity's objects in the ordered relationships to them.
  private mutating func orderColumns(
    of entity: EntityLayout, _ names: inout ColumnNames
  ) -> [StoreColumn] {
    Self.sorted(model.entity(entity.name)?.relationships ?? []).compactMap { relationship in
      guard case .own(var key)? = places[entity.name]?[relationship.name],
        let inverse = model.inverse(of: relationship)?.relationship, inverse.isOrdered
      else { return nil }
      let column = names.take("Z_FOK_" + relationship.name.uppercased())
      key.orderColumn = column
      places[entity.name]?[relationship.name] = .own(key)
      return StoreColumn(column, .integer)
    }
  }

  /// Finds the to-many relationships whose inverse has the key.
  private mutating func placeInverses() {
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isToMany {
        guard let (owner, inverse) = model.inverse(of: relationship), !inverse.isToMany,
          case .own(let key)? = places[owner]?[inverse.name]
        else { continue }
        places[entity.name, default: [:]][relationship.name] = .inverse(key)
      }
    }
  }

  /// Gives every entity what it inherits: parents come first.
  private mutating func inherit() {
    for index in entities.indices {
      let name = entities[index].name
      var attributes = columns[name] ?? [:]
      var relationships = places[name] ?? [:]
      if entities[index].parentID > 0 {
        let parent = entities[entities[index].parentID - 1]
        attributes.merge(parent.attributes) { own, _ in own }
        relationships.merge(parent.relationships) { own, _ in own }
      }
      entities[index].attributes = attributes
      entities[index].relationships = relationships
    }
  }

  /// Refuses tables that SQLite would take for one.
  private mutating func checkTables() {
    var seen: Set<String> = []
    for table in tables where !seen.insert(table.name).inserted {
      guard case .join(let entity, let name) = table.kind,
        let relationship = model.relationship(name, of: entity)?.relationship
      else { continue }
      note(
        .uncovered(
          .init(
            what: "two relationships that differ in the case of letters only", isOnlyHash: false)),
        at: relationship.location)
    }
  }
}

extension LayoutPlanner {
  /// The keys under which Core Data knows what an entity declares, in the order in which they go
  /// into its table of properties.
  func propertyKeys(of entity: String) -> [String] {
    guard let declared = model.entity(entity) else { return [] }
    let own = Dictionary(
      declared.attributes.map { ($0.name, $0.isTransient) }, uniquingKeysWith: { first, _ in first }
    )
    let attributes = Self.walk(model.allAttributes(of: entity).map(\.name)).filter {
      own[$0] == false
    }
    let relationships = Self.walk(model.allRelationships(of: entity).map(\.name)).flatMap {
      name -> [String] in
      guard let relationship = declared.relationships.first(where: { $0.name == name }),
        !relationship.isTransient
      else { return [] }
      guard case .own(let key)? = places[entity]?[name] else { return [name] }
      return [key.column, key.entityColumn].compactMap(\.self).map { "_" + $0 } + [name]
    }
    return attributes + relationships
  }

  /// The order of names that went into a table of their own, sorted.
  static func walk(_ names: [String]) -> [String] {
    var table = FirstPropertyTable()
    for name in names { table.add(name) }
    return table.keys
  }
}
