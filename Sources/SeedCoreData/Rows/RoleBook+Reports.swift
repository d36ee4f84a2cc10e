internal import SeedBuilder
internal import SeedModel

/// What does not fit, in words.
extension RoleBook {
  /// Reports something about the element at hand.
  func report(_ message: String, hint: String?, at place: RowMisfits.Place? = nil) {
    misfits.addOnce(message, hint: hint, at: place ?? self.place)
  }

  /// The place of the element at hand, or of its value.
  var place: RowMisfits.Place {
    .input(document: number, line: line, value: value.flatMap { $0.isEmpty ? nil : Array($0) })
  }

  /// Reports what may be left out.
  func reportExtra(
    _ message: String, hint: String? = nil, at place: RowMisfits.Place? = nil
  ) {
    guard !mapping.ignoresExtra else { return }
    let way = "leave it out with --ignore-extra"
    // A question ends by itself.
    report(
      message, hint: hint.map { $0.hasSuffix("?") ? "\($0) or \(way)" : "\($0), or \(way)" } ?? way,
      at: place)
  }

  /// `element title of Book`.
  func whatElement(_ name: String, in role: Int) -> String {
    "\(hasNamelessRoot ? "" : "element ")\(name) of \(self.name(of: role))"
  }

  /// `attribute title of Book`.
  func whatAttribute(_ name: String, of role: Int) -> String {
    "\(hasNamelessRoot ? "" : "attribute ")\(name) of \(self.name(of: role))"
  }

  /// Reports a value of an object that its entity has nothing for.
  func reportNothingFor(_ what: String, _ name: String, _ entity: EntityPlan) {
    let nearest = Suggestion.nearest(to: name, in: entity.propertyNames)
    reportExtra(
      "entity \"\(entity.name)\" has no attribute for \(what)",
      hint: plan.hint(
        nearest.map { "did you mean \"\($0)\"?" } ?? "name the attribute in seed.json"))
  }

  /// Reports the value of a relationship, which may be a natural key.
  func reportKeyWithoutRule(
    _ what: String, _ entity: EntityPlan, _ relationship: ModelRelationship
  ) {
    reportExtra(
      "\(what) is a value, and \"\(relationship.name)\" is a relationship to "
        + "\"\(relationship.destination)\"",
      hint: "say in seed.json what it refers to: \"references\": { \"\(entity.name)."
        + "\(relationship.name)\": { \"from\": …, \"to\": \"\(relationship.destination).…\" } }")
  }

  /// Reports the text of an object at the end of a relationship, which may be its natural key;
  /// false when it is no such object.
  func reportKeyOfEnd(_ role: Int, _ what: String) -> Bool {
    let link = roles.base[role].link
    guard link >= 0, links.base[link].relationship >= 0,
      let owner = object(around: roles.base[role].parent)
    else { return false }
    let entity = plan.entities[details[owner].entity]
    reportKeyWithoutRule(what, entity, entity.relationships[links.base[link].relationship])
    return true
  }

  /// Reports a value of an element that is no object.
  func reportValue(of role: Int, attribute name: String) {
    switch roles.base[role].kind {
    case .value, .wrapper:
      reportExtra("\(whatAttribute(name, of: role)) belongs to nothing that is stored")
    default: reportUnknown(role)
    }
  }

  /// Reports the text of an element that is no object.
  func reportText(of role: Int) {
    guard roles.base[role].kind == .container else {
      return reportExtra("the text of \(name(of: role)) belongs to nothing that is stored")
    }
    // Of a record that is not known, the record is missing and not its first value.
    let parent = roles.base[role].parent
    let isValue = parent >= 0 && roles.base[parent].kind == .container
    reportUnknown(isValue && roles.base[parent].parent >= 0 ? parent : role)
  }

  /// How many elements are around those of a role.
  private func depth(of role: Int) -> Int {
    var (depth, current) = (0, roles.base[role].parent)
    while current >= 0 {
      depth += 1
      current = roles.base[current].parent
    }
    return depth
  }

  func reportUnknown(_ role: Int) {
    let name = self.name(of: role)
    guard let owner = object(around: role) else {
      let nearest = Suggestion.nearest(to: name, in: plan.concreteNames)
      return reportExtra(
        "the model has no entity for the records \"\(name)\"",
        hint: nearest.map { "did you mean entity \"\($0)\"? name it in seed.json" }
          ?? "name the entity in seed.json: \(plan.entityList)",
        // The record is what is wrong, and not the value that came first in it.
        at: .input(document: number, line: line, value: nil, object: .element(depth(of: role))))
    }
    var outermost = role
    while roles.base[outermost].parent != owner { outermost = roles.base[outermost].parent }
    let entity = plan.entities[details[owner].entity]
    let unknown = self.name(of: outermost)
    reportNothingFor(whatElement(unknown, in: owner), unknown, entity)
  }

  /// Reports an object inside another one to which no relationship leads, or several do.
  func reportUnlinked(_ entity: Int, _ outer: Int, _ relationships: [Int]) {
    let (inside, around) = (plan.entities[entity].name, plan.entities[outer].name)
    guard !relationships.isEmpty else {
      return report(
        "\"\(inside)\" stands inside \"\(around)\", and no relationship leads from one to the other",
        hint: plan.hint("put the records elsewhere")
          .map { "\($0), or leave the relation out with --ignore-extra" })
    }
    let names = relationships.map { "\"\(plan.entities[outer].relationships[$0].name)\"" }
    report(
      "several relationships lead from \"\(around)\" to \"\(inside)\": \(names.joined(separator: ", "))",
      hint: "put the records into an element called like the one that is meant")
  }
}

extension JSONValue {
  /// The value as it is written, without a line break at its end.
  var shortText: String {
    let text = self.text
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
