package import SeedModel

/// One version of a Core Data model, read and found to be sound.
package struct CoreDataModel: Sendable {
  /// The entities in the order of the file.
  package let entities: [ModelEntity]
  /// What the developer calls this version (`userDefinedModelVersionIdentifier`).
  package let identifier: String
  /// What messages call the file.
  package let file: String
  /// What is not wrong but worth a warning.
  package let warnings: [Diagnostic]
  /// Whether it is only what a store shows of its model.
  var isGuessed = false
  private let indices: [String: Int]
  /// By the name of an entity, those that inherit from it directly, sorted by name.
  private let children: [String: [String]]

  /// Creates a model of entities that are known to be sound; see ``ModelReader``.
  init(entities: [ModelEntity], identifier: String, file: String, warnings: [Diagnostic]) {
    self.entities = entities
    self.identifier = identifier
    self.file = file
    self.warnings = warnings
    indices = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    children = Dictionary(grouping: entities.filter { $0.parent != nil }, by: { $0.parent ?? "" })
      .mapValues { $0.map(\.name).sorted(by: EntityOrder.precedes) }
  }

  /// The entity of a name.
  package func entity(_ name: String) -> ModelEntity? { indices[name].map { entities[$0] } }

  /// The names of the entities that inherit from another directly, in the order of their ids.
  package func children(of name: String) -> [String] { children[name] ?? [] }

  /// An entity and those it inherits from, itself first.
  package func lineage(of name: String) -> [ModelEntity] {
    var result: [ModelEntity] = []
    var next = entity(name)
    while let entity = next {
      result.append(entity)
      next = entity.parent.flatMap { self.entity($0) }
    }
    return result
  }

  /// The name of the entity without a parent that an entity inherits from, which has the table.
  package func root(of name: String) -> String { lineage(of: name).last?.name ?? name }

  /// The attributes of an entity, the inherited ones included, sorted by name.
  package func allAttributes(of name: String) -> [ModelAttribute] {
    lineage(of: name).flatMap(\.attributes).sorted { EntityOrder.isBefore($0.name, $1.name) }
  }

  /// The relationships of an entity, the inherited ones included, sorted by name.
  package func allRelationships(of name: String) -> [ModelRelationship] {
    lineage(of: name).flatMap(\.relationships).sorted { EntityOrder.isBefore($0.name, $1.name) }
  }

  /// A relationship with the entity that declares it.
  package typealias DeclaredRelationship = (entity: String, relationship: ModelRelationship)

  /// The relationship of a name that an entity has or inherits.
  package func relationship(_ name: String, of entity: String) -> DeclaredRelationship? {
    for owner in lineage(of: entity) {
      if let found = owner.relationships.first(where: { $0.name == name }) {
        return (owner.name, found)
      }
    }
    return nil
  }

  /// The relationship that leads back from the end of another.
  package func inverse(of relationship: ModelRelationship) -> DeclaredRelationship? {
    relationship.inverse.flatMap { self.relationship($0, of: relationship.destination) }
  }
}
