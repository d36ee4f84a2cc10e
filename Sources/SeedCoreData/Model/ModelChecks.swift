internal import SeedModel

/// Finds what is wrong between the entities of a model.
struct ModelChecks {
  let entities: [ModelEntity]
  var errors: [ModelError] = []
  var warnings: [Diagnostic] = []
  /// The entities whose parents are sound, by name.
  private var known: [String: ModelEntity] = [:]
  private var lineages: [String: [ModelEntity]] = [:]

  init(entities: [ModelEntity]) {
    self.entities = entities
  }

  /// Looks at everything; later checks see only what the earlier ones found sound.
  mutating func run() {
    checkEntityNames()
    checkParents()
    // The rest would only repeat what is wrong above.
    guard errors.isEmpty else { return }
    checkTables()
    for entity in entities { checkPropertyNames(entity) }
    guard errors.isEmpty else { return }
    for entity in entities {
      for relationship in entity.relationships { check(relationship, of: entity) }
      for attribute in entity.attributes { check(attribute, of: entity) }
      checkIndexes(entity)
      checkConstraints(entity)
    }
  }

  mutating func note(_ reason: ModelError.Reason, at location: SourceLocation) {
    errors.append(ModelError(reason, at: location))
  }

  // MARK: Entities

  private mutating func checkEntityNames() {
    for entity in entities {
      if let first = known[entity.name] {
        note(.repeatedEntity(entity.name, line: first.location.line), at: entity.location)
      } else {
        known[entity.name] = entity
      }
    }
  }

  private mutating func checkParents() {
    for entity in entities {
      guard let parent = entity.parent else { continue }
      if known[parent] == nil { note(.unknownParent(parent), at: entity.location) }
    }
    guard errors.isEmpty else { return }
    // Each entity is looked at once: what leads to a sound one is sound. Their levels count from 1.
    var levels: [String: Int] = [:]
    for entity in entities {
      var path: [String] = []
      var onPath: Set<String> = []
      var next: ModelEntity? = entity
      while let current = next, levels[current.name] == nil {
        guard onPath.insert(current.name).inserted else {
          note(.cyclicParents(current.name), at: current.location)
          break
        }
        path.append(current.name)
        next = current.parent.flatMap { known[$0] }
      }
      var level = next.flatMap { levels[$0.name] } ?? 0
      for name in path.reversed() {
        level += 1
        levels[name] = level
      }
      guard level <= ModelReader.mostLevels else {
        return note(
          .tooMany("levels of inheritance", limit: ModelReader.mostLevels), at: entity.location)
      }
    }
  }

  /// Tables are called after root entities in capitals.
  private mutating func checkTables() {
    var roots: [String: String] = [:]
    for entity in entities where entity.parent == nil {
      let table = entity.name.uppercased()
      if let other = roots[table] {
        note(.sameTable(other, entity.name), at: entity.location)
      }
      roots[table] = entity.name
    }
  }

  /// An entity and those that it inherits from, itself first.
  mutating func lineage(of entity: ModelEntity) -> [ModelEntity] {
    if let lineage = lineages[entity.name] { return lineage }
    var lineage: [ModelEntity] = []
    var next: ModelEntity? = entity
    while let current = next {
      lineage.append(current)
      next = current.parent.flatMap { known[$0] }
    }
    lineages[entity.name] = lineage
    return lineage
  }

  func entity(_ name: String) -> ModelEntity? { known[name] }

  // MARK: Properties

  private mutating func checkPropertyNames(_ entity: ModelEntity) {
    var seen: [String: (line: Int, owner: String)] = [:]
    for owner in lineage(of: entity).reversed() {
      for property in Self.properties(of: owner) {
        guard let first = seen[property.name] else {
          seen[property.name] = (property.location.line, owner.name)
          continue
        }
        // What an entity inherits twice is wrong where it is declared, not here.
        guard owner.name == entity.name else { continue }
        note(
          .repeatedProperty(
            property.name, of: entity.name, line: first.line, owner: first.owner),
          at: property.location)
      }
    }
    if seen.count > ModelReader.mostProperties {
      note(
        .tooMany("properties of \"\(entity.name)\"", limit: ModelReader.mostProperties),
        at: entity.location)
    }
  }

  private static func properties(
    of entity: ModelEntity
  ) -> [(name: String, location: SourceLocation)] {
    let all =
      entity.attributes.map { ($0.name, $0.location) }
      + entity.relationships.map { ($0.name, $0.location) }
      + entity.fetchedProperties.map { ($0.value, $0.location ?? entity.location) }
    return all.sorted { ($0.1.line, $0.1.column) < ($1.1.line, $1.1.column) }
  }

  // MARK: Relationships

  /// The relationship of a name that an entity has or inherits.
  mutating func relationship(_ name: String, of entity: ModelEntity) -> ModelRelationship? {
    for owner in lineage(of: entity) {
      if let found = owner.relationships.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  private mutating func check(_ relationship: ModelRelationship, of entity: ModelEntity) {
    guard let destination = known[relationship.destination] else {
      return note(.unknownDestination(relationship.destination), at: relationship.location)
    }
    guard let inverseName = relationship.inverse else {
      return warnOfMissingInverse(relationship, of: entity)
    }
    guard let inverse = self.relationship(inverseName, of: destination) else {
      return note(
        .unknownInverse(inverseName, entity: destination.name), at: relationship.location)
    }
    guard inverse.inverse == relationship.name else {
      let points = inverse.inverse.map { "its own inverse is \"\($0)\"" } ?? "it has no inverse"
      return note(
        .otherInverse(inverseName, of: destination.name, points: points),
        at: relationship.location)
    }
    guard inverse.destination == entity.name else {
      return note(
        .wrongDestinationOfInverse(
          inverseName, destination: inverse.destination, expected: entity.name),
        at: relationship.location)
    }
    if inverse.isTransient != relationship.isTransient {
      note(
        .uncovered(
          .init(
            what: "the transient relationship \""
              + "\(relationship.isTransient ? relationship.name : inverse.name)\","
              + " whose inverse is stored", isOnlyHash: false)),
        at: relationship.location)
    }
  }

  private mutating func warnOfMissingInverse(
    _ relationship: ModelRelationship, of entity: ModelEntity
  ) {
    warnings.append(
      Diagnostic(
        .warning, "the relationship \"\(relationship.name)\" of \"\(entity.name)\" has no inverse",
        at: relationship.location,
        hint: "give it one in Xcode; Core Data keeps both sides in step only then"))
  }
}
