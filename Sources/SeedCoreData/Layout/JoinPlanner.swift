internal import SeedModel

/// Finds the tables between the ends of many-to-many relationships.
struct JoinPlanner {
  /// One end: a relationship and the entity that declares it.
  private struct End: Hashable {
    var entity: String
    var relationship: String
  }

  private let layout: LayoutPlanner
  private let model: CoreDataModel
  private(set) var errors: [ModelError] = []
  private(set) var warnings: [Diagnostic] = []
  /// The tables by the root of the entity that names them.
  private(set) var tables: [String: [StoreTable]] = [:]
  /// The places of both ends, with the entity that declares it and the relationship.
  private(set) var places: [(owner: String, relationship: String, place: RelationshipPlace)] = []
  /// The first tables and the walks of entities by name.
  private var propertyTables: [String: FirstPropertyTable] = [:]
  private var walks: [String: [String]] = [:]

  init(_ layout: LayoutPlanner) {
    self.layout = layout
    model = layout.model
  }

  /// Finds the tables.
  ///
  /// Those of one entity come in the order of a table of its relationships' names, as in the one
  /// known store that has several. The order makes no difference to Core Data.
  mutating func run() {
    let masters = masters()
    for entity in layout.entities {
      let own = model.entity(entity.name)?.relationships ?? []
      guard
        own.contains(where: { masters.contains(End(entity: entity.name, relationship: $0.name)) })
      else { continue }
      for name in LayoutPlanner.walk(model.allRelationships(of: entity.name).map(\.name))
      where masters.contains(End(entity: entity.name, relationship: name)) {
        guard let relationship = own.first(where: { $0.name == name }) else { continue }
        addTable(entity, relationship)
      }
    }
  }

  // MARK: Masters

  /// The ends that name a table: of each two, the one that is met first when all entities are
  /// walked in the order of their names.
  ///
  /// A sub-entity has what it inherits and is walked under its own name, so an end may be met there
  /// before the entity that declares it: Apple's own Photos library has `Z_26ALBUMLISTS`, after a
  /// relationship of GenericAlbum to AlbumList, for Album inherits it. That is known from queries in
  /// public only, so a model for which it matters is given a warning.
  private mutating func masters() -> Set<End> {
    checkOwnInverses()
    let names = layout.entities.map(\.name).sorted(by: EntityOrder.isBefore)
    let met = mastersMet(in: names, includingInherited: true)
    let declared = mastersMet(in: names, includingInherited: false)
    for end in met.subtracting(declared).sorted(by: {
      ($0.entity, $0.relationship) < ($1.entity, $1.relationship)
    }) {
      guard let relationship = model.relationship(end.relationship, of: end.entity)?.relationship
      else { continue }
      warnings.append(
        Diagnostic(
          .warning,
          "the table of the many-to-many relationship \"\(end.relationship)\" is named as a"
            + " sub-entity of \"\(end.entity)\" suggests, which is known from descriptions only",
          at: relationship.location, hint: "compare with a store that the app wrote"))
    }
    return met
  }

  /// Refuses to-many relationships that are their own inverse.
  private mutating func checkOwnInverses() {
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isToMany {
        guard let inverse = model.inverse(of: relationship), inverse.entity == entity.name,
          inverse.relationship.name == relationship.name
        else { continue }
        errors.append(
          ModelError(
            .uncovered(
              .init(
                what: "the to-many relationship \"\(relationship.name)\", its own inverse,",
                isOnlyHash: false)), at: relationship.location))
      }
    }
  }

  private mutating func mastersMet(in names: [String], includingInherited: Bool) -> Set<End> {
    var masters: Set<End> = []
    let pairs = Set(
      model.entities.flatMap { entity in
        entity.relationships.filter { otherEnd(of: $0, entity) != nil }.map(\.name)
      })
    guard !pairs.isEmpty else { return [] }
    for name in names {
      let owners =
        includingInherited ? model.lineage(of: name) : [model.entity(name)].compactMap(\.self)
      guard owners.contains(where: { $0.relationships.contains { pairs.contains($0.name) } }) else {
        continue
      }
      for key in walk(name) where pairs.contains(key) {
        guard let (owner, relationship) = model.relationship(key, of: name),
          includingInherited || owner == name, let entity = model.entity(owner),
          let other = otherEnd(of: relationship, entity), !masters.contains(other)
        else { continue }
        masters.insert(End(entity: owner, relationship: key))
      }
    }
    return masters
  }

  /// The other end of a many-to-many relationship; nil for any other relationship.
  private func otherEnd(of relationship: ModelRelationship, _ entity: ModelEntity) -> End? {
    guard relationship.isToMany, !relationship.isTransient,
      let inverse = model.inverse(of: relationship), inverse.relationship.isToMany,
      inverse.relationship.name != relationship.name || inverse.entity != entity.name
    else { return nil }
    return End(entity: inverse.entity, relationship: inverse.relationship.name)
  }

  // MARK: Walking

  /// The keys of an entity's properties in the order in which Core Data walks them.
  private mutating func walk(_ entity: String) -> [String] {
    if let walk = walks[entity] { return walk }
    let walk = PropertyTables.secondWalk(propertyTable(of: entity).keys)
    walks[entity] = walk
    return walk
  }

  /// The first table of an entity: that of its parent, added anew, and its own keys.
  private mutating func propertyTable(of entity: String) -> FirstPropertyTable {
    var table = FirstPropertyTable()
    for key in ["_ent", "_pk", "_opt"] { table.add(key) }
    for ancestor in model.lineage(of: entity).reversed() {
      if let known = propertyTables[ancestor.name] {
        table = known
        continue
      }
      if ancestor.parent != nil {
        let inherited = table.keys
        table = FirstPropertyTable()
        for key in inherited { table.add(key) }
      }
      for key in layout.propertyKeys(of: ancestor.name) { table.add(key) }
      propertyTables[ancestor.name] = table
    }
    return table
  }

  // MARK: Tables

  private mutating func addTable(_ master: EntityLayout, _ relationship: ModelRelationship) {
    guard let (owner, inverse) = model.inverse(of: relationship), let other = layout.entity(owner)
    else { return }
    let (forward, backward) = (relationship.name.uppercased(), inverse.name.uppercased())
    var names = ColumnNames()
    let source = "\(master.id)\(backward)"
    let destination = "\(other.id)\(forward)"
    let sourceColumn = names.take("Z_" + source)
    let destinationColumn = names.take("Z_" + destination)
    let inverseOrder = inverse.isOrdered ? names.take("Z_FOK_" + source) : nil
    let order = relationship.isOrdered ? names.take("Z_FOK_" + destination) : nil
    let table = StoreTable(
      name: "Z_\(master.id)\(forward)",
      kind: .join(entity: master.name, relationship: relationship.name),
      columns: [sourceColumn, destinationColumn, inverseOrder, order].compactMap(\.self).map {
        StoreColumn($0, .integer)
      })
    tables[master.root, default: []].append(table)
    let place = JoinPlace(
      table: table.name, sourceColumn: sourceColumn, destinationColumn: destinationColumn,
      orderColumn: order, inverseOrderColumn: inverseOrder, isMaster: true)
    places.append((master.name, relationship.name, .join(place)))
    places.append(
      (
        owner, inverse.name,
        .join(
          JoinPlace(
            table: table.name, sourceColumn: destinationColumn, destinationColumn: sourceColumn,
            orderColumn: inverseOrder, inverseOrderColumn: order, isMaster: false))
      ))
  }
}
