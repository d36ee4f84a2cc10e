internal import SeedModel

/// One reading of an answer.
internal struct ShapeReading {
  private typealias State = CollectionFindings.State

  /// One name among the members of a place's objects.
  private struct Link {
    var path: Int
    var field: Int?
    var place: Int?
    var rowPlace: Int?
    var hasPlainValue = false
    var isStructured: Bool
    var state: State
    var hasFit = false
  }

  /// What is known of a place besides its shape.
  private struct PlaceFacts {
    var path: Int
    var links: [QualifiedName: Int] = [:]
    var textField: Int?
    var hasPlainItem = false
    var hasStructuredItems: Bool
    var keyField: Int?
    var itemPlace: Int?
    var rowPlace: Int?
    var state: State
    var hasFit = false
  }

  /// What an object belongs to that may be a keyed collection.
  private enum Owner: Hashable {
    case link(Int)
    case place(Int)
  }

  var findings: CollectionFindings
  var shape = AnswerShape()
  private var links: [Link] = []
  private var facts: [PlaceFacts] = []
  private var rowNames: [Owner: (common: Set<QualifiedName>, most: Int)] = [:]
  private let recordName: QualifiedName
  private var order = 0

  init(_ findings: CollectionFindings, name: String) {
    self.findings = findings
    recordName = QualifiedName(local: name)
    _ = addPlace(.document(name), below: nil, path: 0)
  }

  mutating func read(_ document: LocatedJSON) {
    switch document.value {
    case .object: item(document, at: 0, into: shape.root)
    case .array(let items): array(items, elementAt: 0, shape.root)
    default: break
    }
  }

  /// Decides at the end about all objects that look like keyed collections.
  mutating func settle() {
    for link in links where link.hasFit && link.state == .candidate {
      findings.revise(link.path) { $0.member = .keyed }
    }
    for place in facts where place.hasFit && place.state == .candidate {
      findings.revise(place.path) { $0.item = .keyed }
    }
  }

  // MARK: Objects

  /// Reads an object that is an element by itself.
  private mutating func item(_ json: LocatedJSON, at place: Int, into element: AnswerShape.Element)
  {
    guard facts[place].state != .keyed else {
      let known = facts[place].rowPlace
      let path = findings.path(facts[place].path, .itemRows)
      let rows =
        known ?? addPlace(place == 0 ? recordName : Self.itemName, below: place, path: path)
      facts[place].rowPlace = rows
      shape.places[rows].repeats = true
      return collection(json.members, of: .place(place), at: rows, into: element)
    }
    object(json.members, of: .place(place), at: place, into: element)
  }

  private static let itemName = QualifiedName(local: "item")

  private mutating func object(
    _ members: [LocatedJSON.Member], of owner: Owner, at place: Int,
    into element: AnswerShape.Element
  ) {
    var isCandidate = state(of: owner) == .candidate
    for member in members {
      let link = link(QualifiedName(local: member.name.value), of: place)
      switch member.value.value {
      case .object: memberObject(member.value.members, link, below: place, into: element)
      case .array(let items):
        noteStructured(link)
        let itemPlace = self.place(of: link, below: place, named: member.name.value)
        shape.places[itemPlace].repeats = true
        self.items(items, at: itemPlace, into: element)
        reject(owner, &isCandidate)
      case .null:
        if links[link].field == nil, !links[link].isStructured { defineField(link, place, member) }
        reject(owner, &isCandidate)
      default:
        if links[link].field == nil { defineField(link, place, member) }
        links[link].hasPlainValue = true
        if let field = links[link].field { add(member.value, to: field, of: element) }
        reject(owner, &isCandidate)
      }
    }
    if isCandidate { judge(members, of: owner, at: place) }
  }

  private mutating func memberObject(
    _ members: [LocatedJSON.Member], _ link: Int, below place: Int,
    into element: AnswerShape.Element
  ) {
    noteStructured(link)
    let name = linkNames[link]
    guard links[link].state == .keyed else {
      let child = AnswerShape.Element(self.place(of: link, below: place, named: name))
      element.children.append(child)
      return object(members, of: .link(link), at: child.place, into: child)
    }
    let path = findings.path(links[link].path, .memberRows)
    let rows =
      links[link].rowPlace ?? addPlace(QualifiedName(local: name), below: place, path: path)
    links[link].rowPlace = rows
    shape.places[rows].repeats = true
    collection(members, of: .link(link), at: rows, into: element)
  }

  /// Reads the rows of a keyed collection.
  private mutating func collection(
    _ members: [LocatedJSON.Member], of owner: Owner, at place: Int,
    into element: AnswerShape.Element
  ) {
    for member in members {
      guard case .object = member.value.value else { return decide(.ordinary, owner) }
      let key: Int
      if let known = facts[place].keyField {
        key = known
      } else {
        key = addField(.collectionKey, of: place)
        facts[place].keyField = key
      }
      let row = AnswerShape.Element(place)
      row.values.append((key, member.name.value))
      element.children.append(row)
      item(member.value, at: place, into: row)
      if facts[place].state != .keyed { judgeRow(member.value, of: owner) }
    }
  }

  // MARK: Arrays

  /// Reads an array that is an element by itself.
  private mutating func array(
    _ items: [LocatedJSON], elementAt place: Int, _ element: AnswerShape.Element
  ) {
    let path = findings.path(facts[place].path, .items)
    let inner =
      facts[place].itemPlace
      ?? addPlace(place == 0 ? recordName : Self.itemName, below: place, path: path)
    facts[place].itemPlace = inner
    shape.places[inner].repeats = true
    self.items(items, at: inner, into: element)
  }

  private mutating func items(
    _ items: [LocatedJSON], at place: Int, into element: AnswerShape.Element
  ) {
    for json in items {
      let child = AnswerShape.Element(place)
      element.children.append(child)
      switch json.value {
      case .object:
        noteStructuredItem(place)
        item(json, at: place, into: child)
      case .array(let inner):
        noteStructuredItem(place)
        array(inner, elementAt: place, child)
      case .null:
        if facts[place].textField == nil, !facts[place].hasStructuredItems { defineText(place) }
      default:
        if facts[place].textField == nil { defineText(place) }
        facts[place].hasPlainItem = true
        if let field = facts[place].textField { add(json, to: field, of: child) }
      }
    }
  }

  // MARK: Values

  private mutating func add(
    _ json: LocatedJSON, to field: Int, of element: AnswerShape.Element
  ) {
    switch json.value {
    case .string(let text): element.values.append((field, text))
    case .bool(let value): element.values.append((field, value ? "true" : "false"))
    case .integer, .number:
      let literal = json.literal ?? ""
      if literal.utf8.contains(where: { [0x2E, 0x45, 0x65].contains($0) }) {
        shape.fields[field].hasDecimals = true
      }
      element.values.append((field, NumberText.canonical(literal)))
    case .null, .array, .object: break
    }
  }

  private mutating func noteStructured(_ link: Int) {
    guard !links[link].isStructured else { return }
    links[link].isStructured = true
    // A column was made for nulls that were none of a column.
    guard links[link].field != nil, !links[link].hasPlainValue else { return }
    findings.revise(links[link].path) { $0.isStructured = true }
  }

  private mutating func noteStructuredItem(_ place: Int) {
    guard !facts[place].hasStructuredItems else { return }
    facts[place].hasStructuredItems = true
    guard facts[place].textField != nil, !facts[place].hasPlainItem else { return }
    findings.revise(facts[place].path) { $0.hasStructuredItems = true }
  }

  // MARK: Keyed collections

  private func state(of owner: Owner) -> State {
    switch owner {
    case .link(let link): links[link].state
    case .place(let place): facts[place].state
    }
  }

  private mutating func setState(_ state: State, of owner: Owner) {
    switch owner {
    case .link(let link): links[link].state = state
    case .place(let place): facts[place].state = state
    }
  }

  private mutating func reject(_ owner: Owner, _ isCandidate: inout Bool) {
    guard isCandidate else { return }
    isCandidate = false
    setState(.ordinary, of: owner)
  }

  /// Decides for the next reading what the objects at an object's path are.
  private mutating func decide(_ state: State, _ owner: Owner) {
    switch owner {
    case .link(let link):
      if findings[links[link].path].member != state {
        findings.revise(links[link].path) { $0.member = state }
      }
    case .place(let place):
      if findings[facts[place].path].item != state {
        findings.revise(facts[place].path) { $0.item = state }
      }
    }
  }

  private mutating func judge(_ members: [LocatedJSON.Member], of owner: Owner, at place: Int) {
    guard members.count >= 3, state(of: owner) == .candidate else { return }
    var common: Set<QualifiedName>?
    var most = 0
    for member in members {
      // What was read as a collection has no names.
      let link = facts[place].links[QualifiedName(local: member.name.value)]
      guard let link, links[link].state != .keyed else { return setState(.ordinary, of: owner) }
      let names = Self.names(member.value)
      most = max(most, names.count)
      common = common?.intersection(names) ?? names
    }
    guard let common, !common.isEmpty, 2 * common.count >= most else {
      return setState(.ordinary, of: owner)
    }
    switch owner {
    case .link(let link): links[link].hasFit = true
    case .place(let place): facts[place].hasFit = true
    }
  }

  private mutating func judgeRow(_ row: LocatedJSON, of owner: Owner) {
    let names = Self.names(row)
    var known = rowNames[owner] ?? (names, 0)
    known.common.formIntersection(names)
    known.most = max(known.most, names.count)
    rowNames[owner] = known
    if known.common.isEmpty || 2 * known.common.count < known.most { decide(.ordinary, owner) }
  }

  private static func names(_ json: LocatedJSON) -> Set<QualifiedName> {
    Set(json.members.map { QualifiedName(local: $0.name.value) })
  }

  // MARK: Places and fields

  private var linkNames: [String] = []

  private mutating func link(_ name: QualifiedName, of place: Int) -> Int {
    if let known = facts[place].links[name] { return known }
    let path = findings.path(facts[place].path, .member, name)
    let known = findings[path]
    links.append(
      Link(
        path: path, isStructured: known.isStructured,
        state: findings.allowsCollections ? known.member : .ordinary))
    linkNames.append(name.local)
    facts[place].links[name] = links.count - 1
    return links.count - 1
  }

  private mutating func defineField(_ link: Int, _ place: Int, _ member: LocatedJSON.Member) {
    links[link].field = addField(QualifiedName(local: member.name.value), of: place)
  }

  private mutating func defineText(_ place: Int) {
    facts[place].textField = addField(QualifiedName(local: "text"), of: place)
  }

  private mutating func addField(_ name: QualifiedName, of place: Int) -> Int {
    order += 1
    let field = shape.fields.count
    shape.fields.append(AnswerShape.Field(place: place, name: name, order: order))
    shape.places[place].fields.append(field)
    return field
  }

  private mutating func place(of link: Int, below parent: Int, named name: String) -> Int {
    if let known = links[link].place { return known }
    let place = addPlace(QualifiedName(local: name), below: parent, path: links[link].path)
    links[link].place = place
    return place
  }

  private mutating func addPlace(_ name: QualifiedName, below parent: Int?, path: Int) -> Int {
    order += 1
    var ancestor = parent
    while let place = ancestor {
      if shape.places[place].name == name, let parent {
        // An object inside one of its own kind is the same place, so that recursion has an end.
        shape.places[place].recursions.append((parent, order))
        return place
      }
      ancestor = shape.places[place].parent
    }
    let known = findings[path]
    let place = shape.places.count
    shape.places.append(AnswerShape.Place(name: name, parent: parent, order: order))
    if let parent { shape.places[parent].children.append(place) }
    facts.append(
      PlaceFacts(
        path: path, hasStructuredItems: known.hasStructuredItems,
        state: findings.allowsCollections ? known.item : .ordinary))
    return place
  }
}
