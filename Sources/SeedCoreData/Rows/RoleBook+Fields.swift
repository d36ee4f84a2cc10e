internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Deciding where values go.
extension RoleBook {
  /// The last step to a value.
  enum Leaf {
    case attribute(String)
    /// An element with nothing but a value.
    case element(String)
    /// The text of a record.
    case text
  }

  // MARK: Paths of rules

  /// Where the rules of the objects around want a value to go; -1 when none of them wants it.
  func ruleSinks(in role: Int, leaf: Leaf) -> Int {
    var result = Sink.nowhere
    var names: [(name: String, isOptional: Bool)] = []
    var level = 0
    var current = role
    while current >= 0 {
      let detail = details[current]
      for (path, target) in detail.paths where RoleBook.matches(path, names, leaf) {
        guard let sink = sink(for: target, of: current, level: level, then: result) else {
          continue
        }
        result = sink
      }
      for (path, slot) in detail.slots where RoleBook.matches(.path(path), names, leaf) {
        var sink = Sink(kind: .slot)
        sink.role = current
        sink.slot = slot
        sink.next = result
        result = append(sink)
      }
      let kind = roles.base[current].kind
      names.insert((name(of: current), kind == .container || kind == .wrapper), at: 0)
      if kind == .object { level += 1 }
      current = roles.base[current].parent
    }
    return result
  }

  private static func matches(
    _ path: RulePath, _ names: [(name: String, isOptional: Bool)], _ leaf: Leaf
  ) -> Bool {
    switch (path, leaf) {
    case (.folded(let folded), .attribute(let name)), (.folded(let folded), .element(let name)):
      return names.isEmpty && PropertyName.folded(name) == folded
    case (.folded(let folded), .text): return names.isEmpty && folded == "text"
    case (.path(let path), .attribute(let name)):
      guard path.leaf == .attribute(name) || path.leaf == .named(name) else { return false }
      return matches(path.records[...], names[...])
    case (.path(let path), .element(let name)):
      if path.leaf == .named(name) { return matches(path.records[...], names[...]) }
      return path.leaf == .text && matches(path.records[...], (names + [(name, false)])[...])
    case (.path(let path), .text):
      return path.leaf == .text && matches(path.records[...], names[...])
    }
  }

  /// Whether a path's records are those of a chain, in which some may be left out.
  private static func matches(
    _ records: ArraySlice<String>, _ names: ArraySlice<(name: String, isOptional: Bool)>
  ) -> Bool {
    guard let first = names.first else { return records.isEmpty }
    if first.name == records.first, matches(records.dropFirst(), names.dropFirst()) { return true }
    return first.isOptional && matches(records, names.dropFirst())
  }

  /// The sink of what a path leads to.
  func sink(for target: PathTarget, of role: Int, level: Int = 0, then next: Int) -> Int? {
    var sink: Sink
    switch target {
    case .attribute(let number, let column):
      usage.note(document: self.number, rule: details[role].ruleNumber, column: column)
      guard let made = cellSink(number, role, column: column) else { return nil }
      sink = made
    case .reference(let rule):
      usage.note(reference: rule)
      guard let made = keySink(rule, role) else { return nil }
      sink = made
    }
    sink.level = level
    sink.next = next
    return append(sink)
  }

  // MARK: Sinks

  /// The sink of an attribute of an object; nil, with a report, when it takes no values.
  func attributeSink(_ attribute: Int, _ role: Int, what: String) -> Int? {
    let model = plan.entities[details[role].entity].attributes[attribute].model
    guard !details[role].ruledAttributes.contains(attribute) else {
      reportExtra("\(what) has no place: a rule fills attribute \"\(model.name)\" from elsewhere")
      return nil
    }
    guard isFillable(model, at: place),
      let sink = cellSink(attribute, role, column: nil)
    else { return nil }
    return append(sink)
  }

  /// Whether an attribute takes values; reports if not.
  func isFillable(_ attribute: ModelAttribute, at place: RowMisfits.Place) -> Bool {
    if attribute.derivation != nil {
      misfits.addOnce(
        "attribute \"\(attribute.name)\" is derived and takes no value",
        hint: "leave it out: it is computed", at: place)
      return false
    }
    if attribute.isTransient {
      guard !mapping.ignoresExtra else { return false }
      misfits.addOnce(
        "attribute \"\(attribute.name)\" is transient and not stored",
        hint: "leave it out, or with --ignore-extra", at: place)
      return false
    }
    return true
  }

  private func cellSink(_ attribute: Int, _ role: Int, column: Int?) -> Sink? {
    let entity = plan.entities[details[role].entity]
    let planned = entity.attributes[attribute]
    guard let number = planned.column else { return nil }
    var sink = Sink(kind: .cell)
    sink.column = number
    sink.takesSeveral = planned.model.type == .transformable
    if let column, let rule = details[role].rule?.columns[column] {
      sink.conversion = ruledConversion(planned.model, role, column, rule)
    } else {
      sink.conversion = conversions.number(
        "\(plan.model.root(of: entity.name)) \(number)", of: planned.model,
        what: "\(entity.name).\(planned.model.name)")
    }
    return sink
  }

  /// The number of the conversion of what a rule says of an attribute: its values, default and
  /// constant.
  func ruledConversion(
    _ attribute: ModelAttribute, _ role: Int, _ column: Int, _ rule: ColumnRule
  ) -> Int {
    conversions.number(
      "\(number) \(details[role].ruleNumber) \(column)", of: attribute,
      what: "\(plan.entities[details[role].entity].name).\(attribute.name)"
    ) { prepare(&$0, rule) }
  }

  private func prepare(_ conversion: inout AttributeConversion, _ rule: ColumnRule) {
    conversion.nullTexts = Set(rule.nullTexts.map { Array($0.utf8) })
    conversion.isTrimmed = rule.isTrimmed
    if let type = rule.type, !type.value.allows(conversion.attribute.type) {
      misfits.addOnce(
        "attribute \"\(conversion.attribute.name)\" is a \(conversion.attribute.type.rawValue), "
          + "not a \(type.value.rawValue)", hint: "leave \"type\" out: the model says it",
        at: .known(type.location))
    }
    if rule.type?.value == .blob { conversion.takesBase64() }
    if let format = rule.format,
      let fault = conversion.use(format: format.value, timeZone: conversions.timeZone)
    {
      misfits.addOnce(fault.message, hint: fault.hint, at: .known(format.location))
    }
  }

  /// The sink of a natural key: it is converted as the attribute is that has it.
  private func keySink(_ number: Int, _ role: Int) -> Sink? {
    let rule = mapping.references[number]
    guard let target = ReferenceTarget(rule, plan) else { return nil }
    var sink = Sink(kind: .key)
    sink.rule = number
    sink.takesSeveral = target.relationship(of: details[role].entity, plan)?.isToMany == true
    sink.conversion = conversions.number(
      "key \(number)", of: target.attribute,
      what: "\(rule.targetTable).\(target.attribute.name)")
    return sink
  }

  // MARK: Fields

  /// Decides where an attribute of a role's elements goes.
  func resolveField(_ role: Int, _ field: Int) -> Int {
    let local = fields[field].local
    let sink = fields[field].name.map { self.sink(ofAttribute: $0.local, role) } ?? Sink.nowhere
    if fields[field].isData, sink >= 0 { takesBase64(sink) }
    roles.base[role].setSink(sink, ofField: local)
    if fields[field].bareValue != nil { refuseBareValue(of: field) }
    return sink
  }

  /// Refuses a number or a truth value where data belong: it may look like base64, but only a string
  /// can be that.
  func refuseBareValue(of field: Int) {
    guard let bare = fields[field].bareValue else { return }
    for role in 0..<roles.count where roles.base[role].place == fields[field].place {
      var sink = sinkNumber(ofField: field, role)
      while sink >= 0 {
        let item = sinks.base[sink]
        if case .cell = item.kind, item.conversion >= 0 {
          let conversion = conversions.conversions[item.conversion]
          if conversion.pointee.attribute.type == .binary {
            conversion.pointee.isRefused = true
            misfits.addOnce(
              "\(bare.text) is no string, and only a string can be binary data, in attribute "
                + conversion.pointee.attribute.name,
              hint: "write the data in base64 or in hexadecimal digits",
              at: .input(document: number, line: bare.line, value: Array(bare.text.utf8)))
          }
        }
        sink = item.next
      }
    }
  }

  /// Where a field of a role's elements goes, as far as that was decided.
  private func sinkNumber(ofField field: Int, _ role: Int) -> Int {
    if isText(field) {
      let sink = roles.base[role].textSink
      if sink != Sink.unknown || fields[field].name == nil { return sink }
    }
    let local = fields[field].local
    guard local < roles.base[role].fieldCount else { return Sink.unknown }
    return Int(roles.base[role].fieldSinks[local])
  }

  private func takesBase64(_ sink: Int) {
    var current = sink
    while current >= 0 {
      let conversion = sinks.base[current].conversion
      if conversion >= 0 { conversions.conversions[conversion].pointee.takesBase64() }
      current = sinks.base[current].next
    }
  }

  private func sink(ofAttribute name: String, _ role: Int) -> Int {
    if roles.base[role].parent < 0, let envelope = envelopeSink(name) { return envelope }
    let ruled = ruleSinks(in: role, leaf: .attribute(name))
    guard roles.base[role].kind == .object else {
      if ruled < 0 { reportValue(of: role, attribute: name) }
      return ruled
    }
    if isFilled(role, by: ruled) || details[role].rule?.onlyNamedColumns == true { return ruled }
    return property(named: name, role, what: whatAttribute(name, of: role), else: ruled)
  }

  /// Whether an object's own rule takes a value.
  private func isFilled(_ role: Int, by sink: Int) -> Bool {
    var current = sink
    while current >= 0 {
      let item = sinks.base[current]
      if item.kind != .slot, item.level == 0 { return true }
      current = item.next
    }
    return false
  }

  /// The sink of the attribute that a value's name means.
  private func property(named name: String, _ role: Int, what: String, else ruled: Int) -> Int {
    let entity = plan.entities[details[role].entity]
    let properties = entity.properties(matching: name)
    guard let property = properties.first else {
      if ruled < 0, name != "text" || !reportKeyOfEnd(role, what) {
        reportNothingFor(what, name, entity)
      }
      return ruled
    }
    guard properties.count == 1 else {
      report(
        "\(what) may be several properties of entity \"\(entity.name)\"",
        hint: "write the name as the model has it")
      return ruled
    }
    switch property {
    case .attribute(let number):
      guard let sink = attributeSink(number, role, what: what) else { return ruled }
      sinks.base[sink].next = ruled
      return sink
    case .relationship(let number):
      if ruled < 0 { reportKeyWithoutRule(what, entity, entity.relationships[number]) }
      return ruled
    }
  }

  /// Decides where the text of a role's elements goes.
  func resolveText(_ role: Int) -> Int {
    let ruled = ruleSinks(in: role, leaf: .text)
    var sink = ruled
    switch roles.base[role].kind {
    case .object:
      if !isFilled(role, by: ruled), details[role].rule?.onlyNamedColumns != true {
        sink = property(
          named: "text", role, what: "the text of \(name(of: role))", else: ruled)
      }
    case .container, .wrapper: if ruled < 0 { reportText(of: role) }
    case .undecided, .value, .structure, .skipped: break
    }
    roles.base[role].textSink = sink
    for field in fields.indices where fields[field].place == roles.base[role].place {
      if fields[field].bareValue != nil { refuseBareValue(of: field) }
    }
    return sink
  }

  private func envelopeSink(_ name: String) -> Int? {
    guard let envelope = document.input.envelope else { return nil }
    guard name == envelope.success || name == envelope.message else { return nil }
    var sink = Sink(kind: .envelope)
    sink.slot = name == envelope.success ? 0 : 1
    return append(sink)
  }
}

extension DeclaredType {
  /// Whether values of an attribute may be declared to be of the type.
  func allows(_ type: AttributeType) -> Bool {
    switch self {
    case .text: [.string, .uri, .uuid, .transformable].contains(type)
    case .integer: [.integer16, .integer32, .integer64].contains(type)
    case .real: [.double, .float, .decimal].contains(type)
    case .decimal: type == .decimal
    case .boolean: type == .boolean
    case .date, .datetime: type == .date
    case .blob: [.binary, .transformable].contains(type)
    }
  }
}
