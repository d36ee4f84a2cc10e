internal import SeedModel

/// What the elements at each place of an answer become, by the rules of a build.
///
/// Elements of one name below parents of one name are judged together, wherever the parents stand:
/// the parents' rows share a table, so what is a column for one of them is a column for all.
internal struct PlaceRoles {
  /// What an element becomes.
  enum Role {
    /// The root, when it has nothing of its own: no row.
    case container
    /// Transparent: its children belong to the record around it.
    case wrapper
    /// A column of the record around it: an object without members.
    case scalar
    /// A row.
    case record
  }

  private struct GroupKey: Hashable {
    var parent: QualifiedName?
    var name: QualifiedName
  }

  private struct Group {
    var name: QualifiedName
    var hasFields = false
    var repeats = false
    var isRecursive = false
    var children: Set<Int> = []
  }

  /// The role of each place.
  private(set) var roles: [Role] = []
  private var groups: [Group] = []
  private var numbers: [GroupKey: Int] = [:]
  private var decided: [Role?] = []

  init(_ shape: AnswerShape) {
    let places = shape.places
    let groupOfPlace = places.map { number(of: $0.name, below: $0.parent, places) }
    for (place, group) in zip(places, groupOfPlace) { add(place, to: group, places) }
    decided = Array(repeating: nil, count: groups.count)
    for group in groups.indices { decide(group) }
    keepWrappersApart()
    for (place, group) in zip(places, groupOfPlace) {
      roles.append(
        place.parent == nil ? rootRole(place, groupOfPlace) : decided[group] ?? .record)
    }
  }

  private mutating func number(
    of name: QualifiedName, below parent: Int?, _ places: [AnswerShape.Place]
  ) -> Int {
    let key = GroupKey(parent: parent.map { places[$0].name }, name: name)
    if let known = numbers[key] { return known }
    numbers[key] = groups.count
    groups.append(Group(name: name))
    return groups.count - 1
  }

  private mutating func add(
    _ place: AnswerShape.Place, to group: Int, _ places: [AnswerShape.Place]
  ) {
    groups[group].hasFields = groups[group].hasFields || !place.fields.isEmpty
    groups[group].repeats = groups[group].repeats || place.repeats
    groups[group].isRecursive = groups[group].isRecursive || !place.recursions.isEmpty
    for child in place.children {
      groups[group].children.insert(
        number(of: places[child].name, below: places[child].parent, places))
    }
    for recursion in place.recursions {
      let inner = number(of: place.name, below: recursion.parent, places)
      groups[inner].isRecursive = true
      let parent = places[recursion.parent]
      let outer = number(of: parent.name, below: parent.parent, places)
      groups[outer].children.insert(inner)
    }
  }

  /// What a group is by itself; nil when it has the shape of a wrapper, which its child decides.
  private func ownRole(_ number: Int) -> Role? {
    let group = groups[number]
    if group.isRecursive || group.hasFields || group.repeats { return .record }
    if group.children.isEmpty { return .scalar }
    return group.children.count > 1 ? .record : nil
  }

  private mutating func decide(_ first: Int) {
    var chain: [Int] = []
    var next: Int? = first
    while let number = next, decided[number] == nil {
      if let role = ownRole(number) {
        decided[number] = role
        break
      }
      // Provisional: what leads back here goes round in a circle, and nothing in it is a wrapper.
      decided[number] = .container
      chain.append(number)
      next = groups[number].children.first
    }
    if let start = next, let circle = chain.firstIndex(of: start) {
      for number in chain[circle...] { decided[number] = .record }
      chain.removeSubrange(circle...)
    }
    while let number = chain.popLast(), let child = groups[number].children.first {
      decided[number] = decided[child] != .scalar || groups[child].repeats ? .wrapper : .record
    }
  }

  /// Makes records of wrappers side by side that lead to records of one name: if both were
  /// transparent, nothing would say any more which record is whose.
  private mutating func keepWrappersApart() {
    var childrenOfName: [QualifiedName: Set<Int>] = [:]
    for group in groups { childrenOfName[group.name, default: []].formUnion(group.children) }
    // All are found before any is changed: what is found must not depend on the order.
    for group in childrenOfName.values.flatMap(mixedWrappers) { decided[group] = .record }
  }

  private func mixedWrappers(_ children: Set<Int>) -> [Int] {
    guard children.count > 1 else { return [] }
    var contents: [QualifiedName: [Int]] = [:]
    for child in children where decided[child] == .wrapper || decided[child] == .record {
      contents[groups[content(of: child)].name, default: []].append(child)
    }
    return contents.values.filter { $0.count > 1 }.flatMap { $0 }
  }

  /// The group of records to which a group leads when it is transparent, as are others below it.
  private func content(of group: Int) -> Int {
    var current = group
    var seen: Set<Int> = [group]
    while let child = soleChild(of: current), decided[child] != .scalar {
      guard seen.insert(child).inserted else { return group }
      current = child
    }
    return current
  }

  private func soleChild(of number: Int) -> Int? {
    let group = groups[number]
    guard !group.isRecursive, !group.hasFields, group.children.count == 1 else { return nil }
    return group.children.first
  }

  private func rootRole(_ root: AnswerShape.Place, _ groupOfPlace: [Int]) -> Role {
    if !root.recursions.isEmpty || !root.fields.isEmpty { return .record }
    return root.children.contains { decided[groupOfPlace[$0]] == .scalar } ? .record : .container
  }
}
