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

  /// Finds the tables, in the order in which the masters' entities and properties are walked.
  mutating func run() {
    let masters = masters()
    for entity in layout.entities {
      let own = model.entity(entity.name)?.relationships ?? []
      guard
        own.contains(where: { masters.contains(End(entity: entity.name, relationship: $0.name)) })
      else { continue }
      for name in walk(entity.name)
      where masters.contains(End(entity: entity.name, relationship: name)) {
        guard let relationship = own.first(where: { $0.name == name }) else { continue }
        addTable(entity, relationship)
      }
    }
  }

  // MARK: Masters

  /// The ends that name a table.
  private mutating func masters() -> Set<End> {
    var masters: Set<End> = []
    var rootsToWalk: Set<String> = []
    for entity in model.entities {
      for relationship in entity.relationships {
        guard let other = otherEnd(of: relationship, entity) else { continue }
        if layout.entity(entity.name)?.root == layout.entity(other.entity)?.root {
          rootsToWalk.insert(model.root(of: entity.name))
        } else if EntityOrder.isBefore(entity.name, other.entity) {
          masters.insert(End(entity: entity.name, relationship: relationship.name))
        }
      }
    }
    for root in rootsToWalk.sorted() { masters.formUnion(mastersInHierarchy(root)) }
    return masters
  }

  /// The other end of a many-to-many relationship; nil for any other relationship.
  private mutating func otherEnd(of relationship: ModelRelationship, _ entity: ModelEntity) -> End?
  {
    guard relationship.isToMany, !relationship.isTransient,
      let inverse = model.inverse(of: relationship), inverse.relationship.isToMany
    else { return nil }
    guard inverse.relationship.name != relationship.name || inverse.entity != entity.name else {
      note("the to-many relationship \"\(relationship.name)\", its own inverse", relationship)
      return nil
    }
    return End(entity: inverse.entity, relationship: inverse.relationship.name)
  }

  private mutating func note(_ what: String, _ relationship: ModelRelationship) {
    errors.append(
      ModelError(
        .uncovered(.init(what: what, isOnlyHash: false)), at: relationship.location))
  }

  /// The end that is met first becomes the master, when entities are walked in the order of their
  /// names.
  ///
  /// Whether a sub-entity meets what it inherits is not told by any known store. So both ways are
  /// walked, and a model for which it matters is refused.
  private mutating func mastersInHierarchy(_ root: String) -> Set<End> {
    let names = layout.entities.filter { $0.root == root }.map(\.name)
      .sorted(by: EntityOrder.isBefore)
    let met = mastersMet(in: names, includingInherited: true)
    let declared = mastersMet(in: names, includingInherited: false)
    for end in met.subtracting(declared).sorted(by: { $0.entity < $1.entity }) {
      guard let relationship = model.relationship(end.relationship, of: end.entity)?.relationship
      else { continue }
      note(
        "the many-to-many relationship \"\(end.relationship)\" between \"\(end.entity)\" and an"
          + " entity of the same hierarchy", relationship)
    }
    return met
  }

  private mutating func mastersMet(in names: [String], includingInherited: Bool) -> Set<End> {
    var masters: Set<End> = []
    let toMany = Set(
      names.flatMap { model.entity($0)?.relationships ?? [] }.filter(\.isToMany).map(\.name))
    for name in names {
      for key in walk(name) where toMany.contains(key) {
        guard let (owner, relationship) = model.relationship(key, of: name),
          includingInherited || owner == name, let entity = model.entity(owner),
          let other = silentOtherEnd(of: relationship, entity), !masters.contains(other)
        else { continue }
        masters.insert(End(entity: owner, relationship: key))
      }
    }
    return masters
  }

  /// The other end, if it is in the same hierarchy.
  private func silentOtherEnd(of relationship: ModelRelationship, _ entity: ModelEntity) -> End? {
    guard relationship.isToMany, !relationship.isTransient,
      let inverse = model.inverse(of: relationship), inverse.relationship.isToMany,
      inverse.relationship.name != relationship.name || inverse.entity != entity.name,
      layout.entity(inverse.entity)?.root == layout.entity(entity.name)?.root
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
