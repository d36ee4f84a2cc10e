internal import SeedBuilder
internal import SeedModel

/// Elements with nothing in them.
extension RoleBook {
  /// Reports an array or an object with nothing in it that may be the value of a Transformable, when
  /// only the model could tell.
  func reportEmptyOfGuess(_ place: Place, in parent: Int) {
    guard plan.model.isGuessed, roles.base[parent].kind == .object else { return }
    let entity = plan.entities[details[parent].entity]
    let properties = entity.properties(matching: place.name.local)
    guard properties.count == 1, case .attribute(let number) = properties[0],
      entity.attributes[number].model.type == .binary,
      !details[parent].ruledAttributes.contains(number)
    else { return }
    report(
      "\(whatElement(place.name.local, in: parent)) is an array or an object with nothing in it, and "
        + "the store alone does not tell whether its attribute takes such",
      hint: "give the model, too, with --model, or leave the member out")
  }

  /// Whether elements at a place inside those of a role are values that may be arrays and objects.
  func takesStructure(_ place: Int, in parent: Int) -> Bool {
    switch roles.base[parent].kind {
    case .container, .wrapper, .object: break
    case .undecided, .value, .structure, .skipped: return false
    }
    if let rule = rule(for: place)?.rule, rule.isSkipped || rule.table != nil { return false }
    let name = places[place].name.local
    let ruled = ruleSinks(in: parent, leaf: .element(name))
    if ruled >= 0 { return sinks.base[ruled].takesSeveral && sinks.base[ruled].kind == .cell }
    guard roles.base[parent].kind == .object,
      details[parent].rule?.onlyNamedColumns != true
    else { return false }
    guard let number = structure(name, of: details[parent].entity) else { return false }
    return !details[parent].ruledAttributes.contains(number)
  }

  /// The attribute of an entity, by number, that a name means and that takes arrays and objects.
  private func structure(_ name: String, of number: Int) -> Int? {
    let entity = plan.entities[number]
    let properties = entity.properties(matching: name)
    guard properties.count == 1, case .attribute(let number) = properties[0] else { return nil }
    let attribute = entity.attributes[number]
    return attribute.model.type == .transformable && attribute.column != nil
      && attribute.model.derivation == nil ? number : nil
  }

  /// Whether a name means such an attribute of the objects at the end of an undecided element's
  /// relationship.
  func isStructureOfEnd(_ name: String, _ role: Int) -> Bool {
    let owner = details[roles.base[role].parent].entity
    let relationship = plan.entities[owner].relationships[roles.base[role].relationship]
    return plan.entity(named: relationship.destination).flatMap { structure(name, of: $0) } != nil
  }

  /// Reports records that have nothing in them and are called like no entity: one with a value would
  /// have been an error at that.
  ///
  /// Only the items of arrays are surely records; another element with nothing in it may be a list.
  func reportEmptyRecords() {
    let parents = Set((0..<roles.count).map { roles.base[$0].parent })
    for role in 0..<roles.count where roles.base[role].kind == .container {
      guard roles.base[role].parent >= 0, roles.base[role].fieldCount == 0,
        roles.base[role].textSink == Sink.unknown, places[roles.base[role].place].isArray,
        !parents.contains(role)
      else { continue }
      line = details[role].line
      reportUnknown(role)
    }
  }

  /// Notes that rules are of use whose fields are there without a value in any record, such as null,
  /// and those for records of which there are none.
  func noteEmptyFields() {
    guard !mapping.references.isEmpty || !document.input.records.isEmpty else { return }
    for place in places.indices {
      usage.paths[number, default: []].insert(path(of: place))
      _ = rule(for: place)
    }
    let fields = Dictionary(grouping: self.fields, by: \.place)
    for role in 0..<roles.count where roles.base[role].kind != .skipped {
      for field in fields[roles.base[role].place] ?? [] {
        _ = ruleSinks(in: role, leaf: field.name.map { .attribute($0.local) } ?? .text)
      }
    }
  }

  /// Whether there are elements that might have been objects, and are none.
  var hasOtherElements: Bool {
    (0..<roles.count).contains {
      roles.base[$0].parent >= 0 && roles.base[$0].kind == .container
    }
  }
}
