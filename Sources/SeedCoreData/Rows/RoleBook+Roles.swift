internal import SeedBuilder
internal import SeedModel

/// Deciding what elements are.
extension RoleBook {
  /// Makes the role of the elements at a place inside those of another role.
  func makeRole(_ place: Int, _ parent: Int) -> Int {
    usage.paths[number, default: []].insert(path(of: place))
    let ruled = rule(for: place)
    if ruled?.rule.isSkipped == true { return plainRole(.skipped, place, parent) }
    guard parent >= 0 else { return rootRole(place, ruled) }
    switch roles.base[parent].kind {
    case .skipped: return plainRole(.skipped, place, parent)
    case .structure: return plainRole(.structure, place, parent)
    case .value: return roleInsideValue(place, parent)
    case .container, .wrapper, .undecided, .object: break
    }
    if let ruled, let table = ruled.rule.table {
      return ruledRole(place, parent, ruled, entity: table)
    }
    let name = places[place].name.local
    let sink = ruleSinks(in: parent, leaf: .element(name))
    if sink >= 0 { return valueRole(place, parent, sink) }
    if roles.base[parent].kind == .wrapper { return wrappedRole(place, parent, ruled) }
    guard let owner = object(around: parent) else { return topRole(place, parent, ruled) }
    if owner == parent, let role = propertyRole(place, owner, ruled) { return role }
    return roleByEntity(place, parent, owner, ruled)
  }

  /// A role without anything to it.
  func plainRole(_ kind: ElementRole.Kind, _ place: Int, _ parent: Int) -> Int {
    var detail = Details()
    detail.slots = slots(at: place)
    var role = ElementRole(kind, place: place, parent: parent)
    role.slotCount = detail.slots.count
    return append(role, detail)
  }

  private func slots(at place: Int) -> [(path: FieldPath, slot: Int)] {
    (learnt.slots[key(of: place)] ?? []).enumerated().map { ($0.element, $0.offset) }
  }

  private func valueRole(_ place: Int, _ parent: Int, _ sink: Int) -> Int {
    let role = plainRole(.value, place, parent)
    roles.base[role].textSink = sink
    return role
  }

  // MARK: Outermost elements

  private func rootRole(_ place: Int, _ ruled: (number: Int, rule: RecordRule)?) -> Int {
    if let ruled, let table = ruled.rule.table {
      return ruledRole(place, -1, ruled, entity: table)
    }
    if learnt.objects.contains(key(of: place)), let entity = rootEntity(place) {
      return objectRole(place, -1, entity, link: nil, ruled)
    }
    return plainRole(.container, place, -1)
  }

  /// The entity of the outermost element, if it has values of its own.
  func rootEntity(_ place: Int) -> Int? {
    let entities = plan.entities(matching: places[place].name.local)
    guard entities.count == 1, !plan.entities[entities[0]].layout.isAbstract else { return nil }
    return entities[0]
  }

  /// Whether a name means an attribute of the outermost element, which is then an object.
  func isAttributeOfRoot(_ name: String, _ root: Int) -> Bool {
    guard let entity = rootEntity(roles.base[root].place) else { return false }
    return plan.entities[entity].properties(matching: name).contains {
      if case .attribute = $0 { true } else { false }
    }
  }

  /// Makes an object of the outermost element, before anything else was made of the document.
  func promoteRoot(_ role: Int) {
    let place = roles.base[role].place
    guard let entity = rootEntity(place) else { return }
    shape(entity, for: role, nil)
    roles.base[role].kind = .object
  }

  private func topRole(
    _ place: Int, _ parent: Int, _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    let name = places[place].name.local
    let entities = plan.entities(matching: name)
    guard let entity = entities.first else { return plainRole(.container, place, parent) }
    guard entities.count == 1 else { return ambiguousRole(name, entities, place, parent) }
    return objectRole(place, parent, entity, link: nil, ruled)
  }

  func ambiguousRole(_ name: String, _ entities: [Int], _ place: Int, _ parent: Int) -> Int {
    let names = entities.map { "\"\(plan.entities[$0].name)\"" }.joined(separator: ", ")
    report(
      "the records \"\(name)\" may be those of several entities: \(names)",
      hint: "say which in seed.json")
    return plainRole(.skipped, place, parent)
  }

  private func ruledRole(
    _ place: Int, _ parent: Int, _ ruled: (number: Int, rule: RecordRule),
    entity name: Located<String>
  ) -> Int {
    let entities = plan.entities(matching: name.value)
    guard entities.count == 1 else {
      let nearest = Suggestion.nearest(to: name.value, in: plan.concreteNames)
      misfits.addOnce(
        "the model has no entity \"\(name.value)\"",
        hint: nearest.map { "did you mean \"\($0)\"?" }
          ?? "it has \(plan.concreteNames.joined(separator: ", "))",
        at: .known(name.location))
      return plainRole(.skipped, place, parent)
    }
    guard parent >= 0, let owner = object(around: parent) else {
      return objectRole(place, parent, entities[0], link: nil, ruled)
    }
    var relationship: Int? =
      roles.base[parent].kind == .wrapper ? roles.base[parent].relationship : nil
    if relationship == nil, owner == parent,
      case .relationship(let number)? = plan.entities[details[owner].entity]
        .properties(matching: places[place].name.local).first
    {
      relationship = number
    }
    guard let relationship else { return roleOf(entities[0], place, parent, owner, ruled) }
    return endRole(place, parent, owner, relationship, entities[0], ruled)
  }

  // MARK: Inside objects

  /// The role of an element that is called like a property of the object around it.
  private func propertyRole(
    _ place: Int, _ owner: Int, _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int? {
    let name = places[place].name.local
    let entity = plan.entities[details[owner].entity]
    let properties = entity.properties(matching: name)
    guard let property = properties.first else { return nil }
    guard properties.count == 1 else {
      report(
        "\(whatElement(name, in: owner)) may be several properties of entity \"\(entity.name)\"",
        hint: "write the name as the model has it")
      return plainRole(.skipped, place, owner)
    }
    switch property {
    case .attribute(let number):
      guard let sink = attributeSink(number, owner, what: whatElement(name, in: owner)) else {
        return plainRole(.skipped, place, owner)
      }
      if places[place].isArray, !sinks.base[sink].takesSeveral {
        report(
          "\(whatElement(name, in: owner)) is an array, and attribute "
            + "\"\(entity.attributes[number].model.name)\" takes one value",
          hint: plan.hint("make it a to-many relationship, or a Transformable"))
        return plainRole(.skipped, place, owner)
      }
      return valueRole(place, owner, sink)
    case .relationship(let number):
      return relationshipRole(place, owner, number, ruled)
    }
  }

  private func relationshipRole(
    _ place: Int, _ owner: Int, _ number: Int, _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    let relationship = plan.entities[details[owner].entity].relationships[number]
    guard !relationship.isTransient else {
      report(
        "relationship \"\(relationship.name)\" is transient and not stored",
        hint: "leave it out, or with --ignore-extra")
      return plainRole(.skipped, place, owner)
    }
    if places[place].isArray || learnt.objects.contains(key(of: place)) {
      return endRole(place, owner, owner, number, nil, ruled)
    }
    let role = plainRole(.undecided, place, owner)
    roles.base[role].relationship = number
    details[role].rule = ruled?.rule
    details[role].ruleNumber = ruled?.number ?? -1
    return role
  }

  /// What the first thing in an undecided element shows it to be.
  enum Evidence {
    case value
    case element(String)
  }

  /// Decides what an element is that is called like a relationship.
  func decide(_ role: Int, by evidence: Evidence) {
    let owner = roles.base[role].parent
    let number = roles.base[role].relationship
    let relationship = plan.entities[details[owner].entity].relationships[number]
    if case .element(let name) = evidence, isWrapper(relationship, of: name) {
      roles.base[role].kind = .wrapper
      return
    }
    if details[role].hasEmptyUndecided {
      // Others like it were passed over, and are objects too.
      learnt.objects.insert(key(of: roles.base[role].place))
      needsReread = true
    }
    makeEnd(role, of: owner, number)
  }

  /// Whether an element inside shows that the one around it is no object itself.
  private func isWrapper(_ relationship: ModelRelationship, of name: String) -> Bool {
    guard let destination = plan.entity(named: relationship.destination) else { return false }
    if plan.entities[destination].layout.isAbstract { return true }
    if !plan.entities[destination].properties(matching: name).isEmpty { return false }
    let entities = plan.entities(matching: name)
    if entities.contains(where: { plan.isKind($0, of: destination) }) { return true }
    guard relationship.isToMany else { return false }
    let (own, inside) = (PropertyName.folded(relationship.name), PropertyName.folded(name))
    return inside == "item" || own == inside + "s" || own == inside + "es"
      || inside.hasSuffix("y") && own == inside.dropLast() + "ies"
  }

  /// Makes an object at the end of a relationship of an undecided role.
  private func makeEnd(_ role: Int, of owner: Int, _ number: Int) {
    let relationship = plan.entities[details[owner].entity].relationships[number]
    guard let destination = plan.entity(named: relationship.destination),
      isConcrete(destination, for: relationship.name),
      let link = LinkMaker(plan: plan).link(number, of: details[owner].entity, to: destination)
    else {
      roles.base[role].kind = .skipped
      return
    }
    roles.base[role].link = append(link)
    let rule = details[role].rule.map { (number: details[role].ruleNumber, rule: $0) }
    shape(destination, for: role, rule)
    roles.base[role].kind = .object
  }

  private func append(_ link: NestedLink) -> Int {
    links.append(link)
    return links.count - 1
  }

  /// The role of an element inside the wrapper of a relationship.
  private func wrappedRole(
    _ place: Int, _ parent: Int, _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    guard let owner = object(around: parent) else { return plainRole(.skipped, place, parent) }
    let number = roles.base[parent].relationship
    let relationship = plan.entities[details[owner].entity].relationships[number]
    let named = plan.entities(matching: places[place].name.local).filter { entity in
      plan.entity(named: relationship.destination).map { plan.isKind(entity, of: $0) } ?? false
    }
    return endRole(place, parent, owner, number, named.count == 1 ? named[0] : nil, ruled)
  }

  /// The role of an object at the end of a relationship; its entity is the one that something
  /// names, else the one at the relationship's end.
  private func endRole(
    _ place: Int, _ parent: Int, _ owner: Int, _ number: Int, _ entity: Int?,
    _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    let relationship = plan.entities[details[owner].entity].relationships[number]
    guard let destination = plan.entity(named: relationship.destination) else {
      return plainRole(.skipped, place, parent)
    }
    let end = entity ?? destination
    guard plan.isKind(end, of: destination) else {
      report(
        "relationship \"\(relationship.name)\" leads to \"\(relationship.destination)\", and not to "
          + "\"\(plan.entities[end].name)\"", hint: nil)
      return plainRole(.skipped, place, parent)
    }
    guard isConcrete(end, for: relationship.name) else {
      return plainRole(.skipped, place, parent)
    }
    return objectRole(
      place, parent, end,
      link: LinkMaker(plan: plan).link(number, of: details[owner].entity, to: end), ruled)
  }

  /// The role of an element that is called like an entity, inside an object.
  private func roleByEntity(
    _ place: Int, _ parent: Int, _ owner: Int, _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    let name = places[place].name.local
    let entities = plan.entities(matching: name)
    guard let entity = entities.first else { return plainRole(.container, place, parent) }
    guard entities.count == 1 else { return ambiguousRole(name, entities, place, parent) }
    return roleOf(entity, place, parent, owner, ruled)
  }

  /// The role of an object of an entity inside another one: by the only relationship between them.
  private func roleOf(
    _ entity: Int, _ place: Int, _ parent: Int, _ owner: Int,
    _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    let maker = LinkMaker(plan: plan)
    let outer = details[owner].entity
    let forward = relationships(from: outer, to: entity) { _ in true }
    if forward.count == 1 {
      return objectRole(
        place, parent, entity, link: maker.link(forward[0], of: outer, to: entity), ruled)
    }
    // Relationships with a way back would have been found from the other side.
    let back = relationships(from: entity, to: outer) { $0.inverse == nil }
    if forward.isEmpty, back.count == 1 {
      return objectRole(
        place, parent, entity, link: maker.reversed(back[0], of: entity, to: outer), ruled)
    }
    if forward.isEmpty, back.isEmpty, mapping.ignoresExtra {
      return objectRole(place, parent, entity, link: nil, ruled)
    }
    reportUnlinked(entity, outer, forward)
    return plainRole(.skipped, place, parent)
  }

  private func relationships(
    from entity: Int, to end: Int, where condition: (ModelRelationship) -> Bool
  ) -> [Int] {
    plan.entities[entity].relationships.indices.filter { number in
      let relationship = plan.entities[entity].relationships[number]
      guard !relationship.isTransient, condition(relationship),
        let destination = plan.entity(named: relationship.destination)
      else { return false }
      return plan.isKind(end, of: destination)
    }
  }

  // MARK: Objects

  private func objectRole(
    _ place: Int, _ parent: Int, _ entity: Int, link: NestedLink?,
    _ ruled: (number: Int, rule: RecordRule)?
  ) -> Int {
    guard isConcrete(entity, for: nil) else { return plainRole(.skipped, place, parent) }
    let role = plainRole(.object, place, parent)
    if let link { roles.base[role].link = append(link) }
    shape(entity, for: role, ruled)
    return role
  }

  /// Whether an entity can have objects; reports if not.
  private func isConcrete(_ entity: Int, for relationship: String?) -> Bool {
    guard plan.entities[entity].layout.isAbstract else { return true }
    let name = plan.entities[entity].name
    let others = plan.entities.indices.filter {
      $0 != entity && plan.isKind($0, of: entity) && !plan.entities[$0].layout.isAbstract
    }.map { "\"\(plan.entities[$0].name)\"" }
    let reason = relationship.map { ", to which relationship \"\($0)\" leads," } ?? ""
    report(
      "entity \"\(name)\"\(reason) is abstract and has no objects of its own",
      hint: others.isEmpty
        ? nil
        : "name the records after one that inherits from it: \(others.joined(separator: ", "))"
    )
    return false
  }

  // MARK: Structured values

  /// Elements inside a value are parts of an array or a dictionary, if the attribute takes such.
  private func roleInsideValue(_ place: Int, _ parent: Int) -> Int {
    let sink = roles.base[parent].textSink
    if sink >= 0, sinks.base[sink].takesSeveral, sinks.base[sink].kind == .cell {
      return plainRole(.structure, place, parent)
    }
    let sinkOfChild = ruleSinks(in: parent, leaf: .element(places[place].name.local))
    if sinkOfChild >= 0 { return valueRole(place, parent, sinkOfChild) }
    report(
      "element \"\(name(of: parent))\" is one value, and has elements inside",
      hint: plan.hint("make the attribute a relationship, or a Transformable"))
    return plainRole(.skipped, place, parent)
  }
}
