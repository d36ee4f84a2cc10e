internal import SeedBuilder
internal import SeedModel

/// Taking over what rules say of objects.
extension RoleBook {
  /// Gives a role the shape of an entity's objects, changed as a rule says.
  func shape(_ entity: Int, for role: Int, _ ruled: (number: Int, rule: RecordRule)?) {
    details[role].entity = entity
    details[role].rule = ruled?.rule
    details[role].ruleNumber = ruled?.number ?? -1
    usage.note(entity: entity, document: number, rule: ruled?.number ?? -1)
    var shape = ObjectShape(entity, plan)
    for (number, column) in (ruled?.rule.columns ?? []).enumerated() {
      take(column, number, role, &shape)
    }
    for (number, rule) in mapping.references.enumerated() { take(rule, number, role, &shape) }
    shapes.append(shape)
    roles.base[role].shape = shapes.count - 1
  }

  private func take(_ column: ColumnRule, _ number: Int, _ role: Int, _ shape: inout ObjectShape) {
    let entity = plan.entities[details[role].entity]
    guard case .attribute(let attribute)? = entity.properties(matching: column.name.value).first
    else { return reportNoAttribute(column.name, entity) }
    let planned = entity.attributes[attribute]
    guard isFillable(planned.model, at: .known(column.name.location)), let cell = planned.column
    else { return }
    guard details[role].ruledAttributes.insert(attribute).inserted else {
      return misfits.addOnce(
        "attribute \"\(planned.model.name)\" of \"\(entity.name)\" is filled twice", hint: nil,
        at: .known(column.name.location))
    }
    if let value = column.constant ?? column.defaultValue {
      let conversion = ruledConversion(planned.model, role, number, column)
      if let stored = conversions.stored(value, conversion, misfits) { shape.set(cell, stored) }
      usage.note(document: self.number, rule: details[role].ruleNumber, column: number)
    }
    if column.constant != nil { return }
    guard let from = column.from else {
      // The name itself, with or without the marks of paths.
      return details[role].paths.append(
        (.folded(PropertyName.folded(column.name.value)), .attribute(attribute, rule: number)))
    }
    guard let path = FieldPath(from.value) else { return reportNoPath(from) }
    add(path, to: .attribute(attribute, rule: number), role, &shape)
  }

  private func take(
    _ rule: ReferenceRule, _ number: Int, _ role: Int, _ shape: inout ObjectShape
  ) {
    guard let target = ReferenceTarget(rule, plan),
      plan.isKind(details[role].entity, of: target.source),
      target.relationship(of: details[role].entity, plan) != nil
    else { return }
    guard let path = FieldPath(rule.from.value) else { return reportNoPath(rule.from) }
    add(path, to: .reference(number), role, &shape)
  }

  private func add(
    _ path: FieldPath, to target: PathTarget, _ role: Int, _ shape: inout ObjectShape
  ) {
    guard path.levelsUp > 0 else { return details[role].paths.append((.path(path), target)) }
    var inner = path
    inner.levelsUp = 0
    let slots = outerSlots(inner, levelsUp: path.levelsUp, from: roles.base[role].parent)
    guard let sink = sink(for: target, of: role, then: Sink.nowhere) else { return }
    shape.outerValues.append(ObjectShape.OuterValue(slots: slots, sink: sink))
  }

  /// The slots that keep a value of an element further out; asks for those that are not there yet.
  private func outerSlots(
    _ path: FieldPath, levelsUp: Int, from start: Int
  ) -> [(role: Int, slot: Int)] {
    var levels = 0
    var result: [(role: Int, slot: Int)] = []
    var current = start
    while current >= 0 {
      let kind = roles.base[current].kind
      if kind == .object || kind == .container { levels += 1 }
      if levels >= levelsUp {
        if let known = details[current].slots.first(where: { $0.path == path }) {
          result.append((current, known.slot))
        } else if kind == .object || kind == .container {
          // Its values may have been read already.
          learnt.slots[key(of: roles.base[current].place), default: []].append(path)
          needsReread = true
        }
        if kind == .object { break }
      }
      current = roles.base[current].parent
    }
    return result
  }

  // MARK: Reports

  private func reportNoAttribute(_ name: Located<String>, _ entity: EntityPlan) {
    if case .relationship? = entity.properties(matching: name.value).first {
      return misfits.addOnce(
        "\"\(name.value)\" is a relationship of \"\(entity.name)\", not an attribute",
        hint: "name in \"references\" what it refers to, such as "
          + "\"\(entity.name).\(name.value)\": { \"from\": …, \"to\": … }",
        at: .known(name.location))
    }
    let names = entity.attributes.map(\.model.name)
    misfits.addOnce(
      "entity \"\(entity.name)\" has no attribute \"\(name.value)\"",
      hint: plan.hint(
        Suggestion.nearest(to: name.value, in: names).map { "did you mean \"\($0)\"?" }
          ?? "it has \(names.joined(separator: ", "))"),
      at: .known(name.location))
  }

  private func reportNoPath(_ from: Located<String>) {
    misfits.addOnce(
      "\"\(from.value)\" is no path to a value",
      hint: "write @attribute, child, child/grandchild or .",
      at: .known(from.location))
  }
}
