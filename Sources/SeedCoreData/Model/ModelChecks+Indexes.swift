internal import SeedModel

extension ModelChecks {
  // MARK: Attributes

  /// Checks what a derived attribute is computed from.
  mutating func check(_ attribute: ModelAttribute, of entity: ModelEntity) {
    guard let derivation = attribute.derivation else { return }
    let suffix = ".@count"
    guard derivation.hasSuffix(suffix) else {
      return note(
        .uncovered(
          .init(
            what: "the derived attribute \"\(attribute.name)\" (\(derivation))", isOnlyHash: false)
        ), at: attribute.location)
    }
    let name = String(derivation.dropLast(suffix.count))
    guard attribute.type.integerRange != nil, ModelName.isValid(name),
      let relationship = relationship(name, of: entity), relationship.isToMany
    else { return note(.wrongDerivation(derivation), at: attribute.location) }
    // The triggers are known for the plain case alone.
    let destination = self.entity(relationship.destination)
    let inverse = destination.flatMap { destination in
      relationship.inverse.flatMap { self.relationship($0, of: destination) }
    }
    guard let inverse, !inverse.isToMany, !inverse.isTransient, entity.parent == nil,
      destination?.parent == nil
    else {
      return note(
        .uncovered(
          .init(
            what: "the derived attribute \"\(attribute.name)\" (\(derivation)) of this kind of"
              + " relationship", isOnlyHash: false)),
        at: attribute.location)
    }
  }

  // MARK: Indexes

  mutating func checkIndexes(_ entity: ModelEntity) {
    var names: Set<String> = []
    for index in entity.indexes {
      let what = index.kind == .fetch ? "the index \"\(index.name)\"" : "a compound index"
      if !names.insert(index.name).inserted { note(.repeatedIndex(index.name), at: index.location) }
      if index.elements.isEmpty { note(.empty(what), at: index.location) }
      var seen: Set<String> = []
      for element in index.elements {
        guard seen.insert(element.property).inserted else {
          note(.repeatedInIndex(element.property), at: element.location)
          continue
        }
        checkColumn(element.property, of: entity, what: what, at: element.location)
      }
    }
    for attribute in entity.attributes where attribute.isIndexed {
      if attribute.isTransient {
        note(.unstoredProperty(attribute.name, what: "an index"), at: attribute.location)
      } else if !names.insert(attribute.name).inserted {
        note(.repeatedIndex(attribute.name), at: attribute.location)
      }
    }
  }

  mutating func checkConstraints(_ entity: ModelEntity) {
    let what = "a uniqueness constraint"
    var seen: Set<[String]> = []
    for constraint in entity.uniquenessConstraints {
      if constraint.attributes.isEmpty { note(.empty(what), at: constraint.location) }
      if !seen.insert(constraint.names).inserted {
        note(
          .repeatedInIndex(constraint.names.joined(separator: ", ")), at: constraint.location)
      }
      var names: Set<String> = []
      for name in constraint.attributes {
        let location = name.location ?? constraint.location
        guard names.insert(name.value).inserted else {
          note(.repeatedInIndex(name.value), at: location)
          continue
        }
        guard let attribute = attribute(name.value, of: entity) else {
          note(.unknownProperty(name.value, of: entity.name, what: what), at: location)
          continue
        }
        if attribute.isTransient { note(.unstoredProperty(name.value, what: what), at: location) }
      }
    }
  }

  private mutating func attribute(_ name: String, of entity: ModelEntity) -> ModelAttribute? {
    for owner in lineage(of: entity) {
      if let found = owner.attributes.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  /// Checks that a property has a column: a stored attribute, or a to-one relationship.
  private mutating func checkColumn(
    _ name: String, of entity: ModelEntity, what: String, at location: SourceLocation
  ) {
    if let attribute = attribute(name, of: entity) {
      if attribute.isTransient { note(.unstoredProperty(name, what: what), at: location) }
    } else if let relationship = relationship(name, of: entity), !relationship.isToMany {
      if relationship.isTransient { note(.unstoredProperty(name, what: what), at: location) }
    } else {
      note(.unknownProperty(name, of: entity.name, what: what), at: location)
    }
  }
}
