internal import SeedModel

/// Decides what the elements at each place are.
///
/// Elements of one name below parents of one name are judged together, wherever the parents stand:
/// the parents' rows share a table, so what is a column for one of them is a column for all.
struct PlaceKinds {
  typealias Kind = Role.Kind

  /// The kind of each place.
  private(set) var kinds: [Kind] = []

  private struct GroupKey: Hashable {
    /// Nil for a root.
    var parent: QualifiedName?
    var name: QualifiedName
  }

  private struct Group {
    var name: QualifiedName
    var hasAttributes = false
    var hasText = false
    var repeats = false
    /// Whether some of its elements stand inside their own kind, or around it.
    var isRecursive = false
    /// The groups of the children, by number.
    var children: Set<Int> = []
  }

  private var groups: [Group] = []
  private var numbers: [GroupKey: Int] = [:]
  private var decided: [Kind?] = []

  init(_ facts: DocumentFacts) {
    let groupOfPlace = facts.places.map { number(of: $0.name, below: $0.parent, facts) }
    for (place, group) in zip(facts.places, groupOfPlace) { add(place, to: group, facts) }
    decided = Array(repeating: nil, count: groups.count)
    for group in groups.indices { decide(group) }
    keepWrappersApart()
    for (place, group) in zip(facts.places, groupOfPlace) {
      let isRoot = place.parent == nil
      kinds.append(
        !isRoot
          ? decided[group] ?? .record
          : place.name.isMadeUp ? ownRootKind(place, groupOfPlace) : rootKind(group))
    }
  }

  private mutating func number(
    of name: QualifiedName, below parent: Int?, _ facts: DocumentFacts
  ) -> Int {
    let key = GroupKey(parent: parent.map { facts.places[$0].name }, name: name)
    if let known = numbers[key] { return known }
    numbers[key] = groups.count
    groups.append(Group(name: name))
    return groups.count - 1
  }

  private mutating func add(
    _ place: DocumentFacts.Place, to group: Int, _ facts: DocumentFacts
  ) {
    groups[group].hasAttributes = groups[group].hasAttributes || !place.attributes.isEmpty
    groups[group].hasText = groups[group].hasText || place.hasText
    groups[group].repeats = groups[group].repeats || place.repeats
    groups[group].isRecursive = groups[group].isRecursive || place.isRecursive
    for child in place.children {
      let name = facts.places[child].name
      groups[group].children.insert(
        number(of: name, below: facts.places[child].parent, facts))
    }
    for recursion in place.recursions {
      let inner = number(of: place.name, below: recursion.parent, facts)
      groups[inner].isRecursive = true
      let parent = facts.places[recursion.parent]
      groups[number(of: parent.name, below: parent.parent, facts)].children.insert(inner)
    }
  }

  /// What a group is by itself; nil when it has the shape of a wrapper, which its child decides.
  private func ownKind(_ number: Int) -> Kind? {
    let group = groups[number]
    if group.isRecursive || group.hasAttributes || group.repeats { return .record }
    if group.children.isEmpty { return .scalar }
    return group.hasText || group.children.count > 1 ? .record : nil
  }

  /// Decides a group and, where it depends on them, those below it.
  ///
  /// A loop and no recursion: names may lead from one to the next as often as there are places.
  private mutating func decide(_ first: Int) {
    var chain: [Int] = []
    var next: Int? = first
    while let number = next, decided[number] == nil {
      if let kind = ownKind(number) {
        decided[number] = kind
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

  /// Makes records of wrappers that would mix up what is in them.
  ///
  /// `<bill><address/></bill><ship><address/></ship>`: if both were transparent, nothing would say
  /// any more which address is which.
  private mutating func keepWrappersApart() {
    // Records of one name share a table, wherever they stand.
    var childrenOfName: [QualifiedName: Set<Int>] = [:]
    for group in groups { childrenOfName[group.name, default: []].formUnion(group.children) }
    // All are found before any is changed: what is found must not depend on the order.
    for group in childrenOfName.values.flatMap(mixedWrappers) { decided[group] = .record }
  }

  /// Those of some groups side by side that lead to records of the same name.
  private func mixedWrappers(_ children: Set<Int>) -> [Int] {
    guard children.count > 1 else { return [] }
    var contents: [QualifiedName: [Int]] = [:]
    for child in children where decided[child] == .wrapper || decided[child] == .record {
      contents[groups[content(of: child)].name, default: []].append(child)
    }
    return contents.values.filter { $0.count > 1 }.flatMap { $0 }
  }

  /// The group of records to which a group leads when it is transparent, as are others below it.
  ///
  /// Whether it repeats does not count: a second `<bill>` says nothing new of `<ship>`.
  private func content(of group: Int) -> Int {
    var current = group
    var seen: Set<Int> = [group]
    while let child = soleChild(of: current), decided[child] != .scalar {
      // Round in a circle.
      guard seen.insert(child).inserted else { return group }
      current = child
    }
    return current
  }

  /// The child of a group that has nothing but children of one name.
  private func soleChild(of number: Int) -> Int? {
    let group = groups[number]
    guard !group.isRecursive, !group.hasAttributes, !group.hasText, group.children.count == 1 else {
      return nil
    }
    return group.children.first
  }

  /// The kind of a root that stands for a document without names: what another of the same name
  /// has is none of it.
  private func ownRootKind(_ root: DocumentFacts.Place, _ groupOfPlace: [Int]) -> Kind {
    if root.isRecursive || !root.attributes.isEmpty || root.hasText { return .record }
    return root.children.contains { decided[groupOfPlace[$0]] == .scalar } ? .record : .container
  }

  private func rootKind(_ number: Int) -> Kind {
    let root = groups[number]
    if root.isRecursive || root.hasAttributes || root.hasText { return .record }
    return root.children.contains { decided[$0] == .scalar } ? .record : .container
  }
}
