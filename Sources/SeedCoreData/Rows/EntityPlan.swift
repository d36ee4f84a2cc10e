internal import SeedModel

/// An entity, prepared for filling: all it has or inherits, by name.
struct EntityPlan {
  /// An attribute with the column that it has.
  struct Attribute {
    var model: ModelAttribute
    /// The number of the column; nil for what is not stored.
    var column: Int?
  }

  /// Something that a name in a document may mean.
  enum Property {
    case attribute(Int)
    case relationship(Int)
  }

  let layout: EntityLayout
  /// The number of its table.
  let table: Int
  let attributes: [Attribute]
  let relationships: [ModelRelationship]
  private var properties: [String: Property] = [:]
  private var foldedProperties: [String: [Property]] = [:]

  var name: String { layout.name }

  /// - Parameters:
  ///   - layout: Where the entity lives.
  ///   - model: The model that declares it.
  ///   - number: The number of its table.
  ///   - columns: The table.
  init(_ layout: EntityLayout, model: CoreDataModel, number: Int, in columns: StorePlan.Table) {
    self.layout = layout
    table = number
    attributes = model.allAttributes(of: layout.name).map { attribute in
      Attribute(
        model: attribute,
        column: attribute.isTransient
          ? nil : layout.attributes[attribute.name].map { columns.column($0.name) })
    }
    relationships = model.allRelationships(of: layout.name)
    for (number, attribute) in attributes.enumerated() {
      add(attribute.model.name, .attribute(number))
    }
    for (number, relationship) in relationships.enumerated() {
      add(relationship.name, .relationship(number))
    }
  }

  private mutating func add(_ name: String, _ property: Property) {
    properties[name] = property
    foldedProperties[PropertyName.folded(name), default: []].append(property)
  }

  /// What a name in a document means: the property of just this name, or all that differ from it
  /// in what does not count.
  func properties(matching name: String) -> [Property] {
    if let exact = properties[name] { return [exact] }
    return foldedProperties[PropertyName.folded(name)] ?? []
  }

  /// The number of the relationship of a name.
  func relationship(named name: String) -> Int? {
    if case .relationship(let number)? = properties[name] { number } else { nil }
  }

  /// The names of what a document may have values or records for.
  var propertyNames: [String] {
    attributes.filter { $0.column != nil && $0.model.derivation == nil }.map(\.model.name)
      + relationships.filter { !$0.isTransient }.map(\.name)
  }
}
