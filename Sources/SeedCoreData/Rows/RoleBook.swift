internal import SeedBuilder
internal import SeedModel

/// What the elements of one document are: decided when the loop first meets one of its kind.
final class RoleBook {
  /// One path of element names.
  struct Place {
    var name: QualifiedName
    var parent: Int?
    /// Whether its elements are the items of an array.
    var isArray = false
    var fieldCount = 0
  }

  /// One attribute, or the direct text, of the elements at a place.
  struct Field {
    /// Nil for direct text.
    var name: QualifiedName?
    var place: Int
    /// Its number within its place.
    var local: Int
    /// Whether its values are known to be data in base64.
    var isData = false
    /// The first value that is a number or a truth value and no string, with its line.
    var bareValue: (text: String, line: Int)?
  }

  /// What is needed of a role when another one is made.
  struct Details {
    /// The entity of an object, by number.
    var entity = -1
    /// The rule for its records.
    var rule: RecordRule?
    var ruleNumber = -1
    /// Paths from an object with what gets their values.
    var paths: [(path: RulePath, target: PathTarget)] = []
    /// Paths of values that objects inside need, with their slots.
    var slots: [(path: FieldPath, slot: Int)] = []
    /// The attributes that rules fill.
    var ruledAttributes: Set<Int> = []
    /// The line of the first element.
    var line = 0
    /// Whether an undecided element with nothing in it was passed over.
    var hasEmptyUndecided = false
  }

  /// A path of a rule, or the name of a property whose like is looked for.
  enum RulePath {
    case path(FieldPath)
    case folded(String)
  }

  /// What gets a value that a path leads to.
  enum PathTarget {
    /// An attribute, by number, with the column rule's number.
    case attribute(Int, rule: Int)
    /// A relationship, by the number of the reference rule.
    case reference(Int)
  }

  let document: InputDocument
  /// The document's number.
  let number: Int
  let plan: StorePlan
  let mapping: MappingRules
  let conversions: ConversionBook
  let misfits: RowMisfits
  let learnt: LearntFacts
  let usage: RuleUsage

  /// The line of the element at hand, for reports.
  var line = 0
  /// The value at hand, if reports are about one.
  var value: UnsafeBufferPointer<UInt8>?
  /// The attributes in whose archives numbers became texts.
  private(set) var archivedNumbers: Set<String> = []
  /// Whether something was learnt that has to be known from the start.
  var needsReread = false
  private(set) var places: [Place] = []
  private(set) var fields: [Field] = []
  var roles = PinnedList<ElementRole>()
  var details: [Details] = []
  var sinks = PinnedList<Sink>()
  var links = PinnedList<NestedLink>()
  var shapes = PinnedList<ObjectShape>()
  /// The role that each place had last.
  var latestRoles = PinnedList<Int32>()
  var localFields = PinnedList<Int32>()
  private var roleOfPair: [Pair: Int] = [:]
  /// Where arrays and objects with nothing in them go.
  private var emptySinks: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var place: Int
    var parent: Int
  }

  init(
    _ document: InputDocument, number: Int, plan: StorePlan, mapping: MappingRules,
    conversions: ConversionBook, misfits: RowMisfits, learnt: LearntFacts, usage: RuleUsage
  ) {
    self.document = document
    self.number = number
    self.plan = plan
    self.mapping = mapping
    self.conversions = conversions
    self.misfits = misfits
    self.learnt = learnt
    self.usage = usage
  }

  deinit {
    for index in 0..<roles.count { roles.base[index].deallocate() }
    for index in 0..<shapes.count { shapes.base[index].deallocate() }
    roles.deallocate()
    sinks.deallocate()
    links.deallocate()
    shapes.deallocate()
    latestRoles.deallocate()
    localFields.deallocate()
  }

  /// Takes the definitions of a batch.
  func define(_ definitions: [TokenDefinition]) {
    for definition in definitions {
      switch definition {
      case .place(let name, let parent):
        places.append(Place(name: name, parent: parent))
        latestRoles.append(-1)
        if !learnt.arrays.isEmpty {
          places[places.count - 1].isArray = learnt.arrays.contains(key(of: places.count - 1))
        }
      case .recursion: break
      case .array(let place): noteArray(place)
      case .attribute(let name, let place): addField(name, place)
      case .text(let place): addField(nil, place)
      case .real: break
      case .bare(let field, let value, let line):
        fields[field].bareValue = (value, line)
        refuseBareValue(of: field)
      case .data(let field), .mixedData(let field):
        // Data and other texts under one name cannot be told apart any more.
        fields[field].isData = if case .data = definition { true } else { false }
      }
    }
  }

  /// All elements at the place are items of arrays then, those that came before included.
  private func noteArray(_ place: Int) {
    guard !places[place].isArray else { return }
    places[place].isArray = true
    guard latestRoles.base[place] >= 0 else { return }
    learnt.arrays.insert(key(of: place))
    needsReread = true
  }

  private func addField(_ name: QualifiedName?, _ place: Int) {
    localFields.append(Int32(places[place].fieldCount))
    fields.append(Field(name: name, place: place, local: places[place].fieldCount))
    places[place].fieldCount += 1
  }

  /// Whether a field is the value of an array's item that is neither an array nor an object.
  func isText(_ field: Int) -> Bool {
    guard let name = fields[field].name else { return true }
    return name.local == "text" && places[fields[field].place].isArray && hasNamelessRoot
  }

  /// Notes that what looks like a number was archived as a text.
  func noteArchivedNumbers(_ attribute: String) { archivedNumbers.insert(attribute) }

  // MARK: Roles

  /// The role of an element at a place inside one of another role; -1 for the outermost.
  func role(of place: Int, in parent: Int) -> Int {
    let pair = Pair(place: place, parent: parent)
    let role = roleOfPair[pair] ?? recursiveRole(place, parent) ?? makeRole(place, parent)
    roleOfPair[pair] = role
    latestRoles.base[place] = Int32(role)
    return role
  }

  /// Where an array or an object with nothing in it goes, which is a member of an element of a role;
  /// ``Sink/nowhere`` unless it is the value of an attribute that takes such.
  ///
  /// Of others nothing is said: they are like members that are not there.
  func structureSink(of place: Int, in parent: Int) -> Int {
    let pair = Pair(place: place, parent: parent)
    if let known = emptySinks[pair] { return known }
    var sink = Sink.nowhere
    if takesStructure(place, in: parent) {
      let role = role(of: place, in: parent)
      if roles.base[role].kind == .value { sink = roles.base[role].textSink }
    } else {
      reportEmptyOfGuess(places[place], in: parent)
    }
    emptySinks[pair] = sink
    return sink
  }

  /// The role that an element has, which stands inside its own kind in the same way as another one
  /// further out does.
  private func recursiveRole(_ place: Int, _ parent: Int) -> Int? {
    guard parent >= 0 else { return nil }
    var current = parent
    while current >= 0 {
      let role = roles.base[current]
      if role.place == place, role.parent >= 0, role.parent != parent, isAlike(role.parent, parent)
      {
        return current
      }
      current = role.parent
    }
    return nil
  }

  /// Whether what stands in elements of one role belongs to the same kind of objects, and in the same
  /// way, as what stands in those of another one: objects of different entities may be around elements
  /// of one place.
  private func isAlike(_ one: Int, _ other: Int) -> Bool {
    let (first, second) = (roles.base[one], roles.base[other])
    return first.place == second.place && first.kind == second.kind && first.link == second.link
      && first.relationship == second.relationship
      && object(around: one).map { details[$0].entity }
        == object(around: other).map { details[$0].entity }
  }

  func append(_ role: ElementRole, _ detail: Details = Details()) -> Int {
    roles.append(role)
    details.append(detail)
    details[roles.count - 1].line = line
    return roles.count - 1
  }

  func append(_ sink: Sink) -> Int {
    sinks.append(sink)
    return sinks.count - 1
  }

  /// The name of a role's elements.
  func name(of role: Int) -> String { places[roles.base[role].place].name.local }

  /// The nearest object at or around a role; nil when there is none.
  func object(around role: Int) -> Int? {
    var current = role
    while current >= 0 {
      if roles.base[current].kind == .object { return current }
      current = roles.base[current].parent
    }
    return nil
  }

  // MARK: Paths

  /// Whether the outermost value of the document has no name: that of all formats but XML, and that
  /// of property lists in XML.
  var hasNamelessRoot: Bool { document.format != .xml || places.first?.name.isMadeUp == true }

  /// The path of a place as ``RecordRule/path`` writes it.
  func path(of place: Int) -> String {
    var names: [String] = []
    var current: Int? = place
    while let index = current {
      names.insert(places[index].name.local, at: 0)
      current = places[index].parent
    }
    guard hasNamelessRoot else { return names.joined(separator: "/") }
    names.removeFirst()
    guard !names.isEmpty else { return "." }
    if isNamelessRow(place) { names[0] = "*" }
    return names.joined(separator: "/")
  }

  /// Whether the first name of a place's path below the root was made up by the reader.
  private func isNamelessRow(_ place: Int) -> Bool {
    var current = place
    while let parent = places[current].parent, parent != 0 { current = parent }
    guard let root = places[current].parent else { return false }
    let rootName = places[root].name
    return places[current].name
      == (rootName.isMadeUp ? QualifiedName(local: rootName.local) : rootName)
  }

  /// The rule for the records at a place.
  func rule(for place: Int) -> (number: Int, rule: RecordRule)? {
    let own = path(of: place)
    let rules = document.input.records
    let other =
      hasNamelessRoot && own.hasPrefix("*") ? places[0].name.local + own.dropFirst() : own
    guard
      let number = rules.firstIndex(where: { $0.path.value == own || $0.path.value == other })
    else { return nil }
    usage.note(document: self.number, rule: number)
    return (number, rules[number])
  }

  /// What tells a place in all readings.
  func key(of place: Int) -> String { "\(number) \(path(of: place))" }
}

/// Which rules were of use in a reading.
final class RuleUsage {
  private struct Key: Hashable {
    var document: Int
    var rule: Int
    var column: Int
  }

  private var used: Set<Key> = []
  /// The rules whose records were met.
  private var filled: Set<Key> = []
  /// The entities whose objects were met, by number.
  private(set) var entities: Set<Int> = []
  private(set) var usedReferences: Set<Int> = []
  /// The paths of records in each document, for suggestions.
  var paths: [Int: Set<String>] = [:]

  func note(document: Int, rule: Int, column: Int = -1) {
    used.insert(Key(document: document, rule: rule, column: column))
  }

  /// Notes that there are objects of an entity, and the rule for their records.
  func note(entity: Int, document: Int, rule: Int) {
    entities.insert(entity)
    filled.insert(Key(document: document, rule: rule, column: -1))
  }

  func note(reference: Int) { usedReferences.insert(reference) }

  /// Whether there are records of a rule.
  func hasRecords(document: Int, rule: Int) -> Bool {
    filled.contains(Key(document: document, rule: rule, column: -1))
  }

  func isUsed(document: Int, rule: Int, column: Int = -1) -> Bool {
    used.contains(Key(document: document, rule: rule, column: column))
  }
}
