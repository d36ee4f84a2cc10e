internal import SeedModel

/// Decides what the elements at each place are.
///
/// Elements of one name below parents of one name are judged together, wherever the parents stand:
/// the parents' rows share a table, so what is a column for one of them is a column for all.
struct PlaceKinds {
  enum Kind {
    /// The root without content of its own.
    case container
    /// Transparent: `<items>` around `<item>`s.
    case wrapper
    /// A column of the record around it.
    case scalar
    /// A row.
    case record
  }

  /// The kind of each place.
  private(set) var kinds: [Kind] = []

  private struct GroupKey: Hashable {
    var parent: QualifiedName?
    var name: QualifiedName
  }

  private struct Group {
    var isRoot: Bool
    var hasAttributes = false
    var hasText = false
    var repeats = false
    var isRecursive = false
    var children: Set<GroupKey> = []
    /// Names of children that stand inside their own kind and so are records.
    var recursiveChildren: Set<QualifiedName> = []
  }

  private var groups: [GroupKey: Group] = [:]
  private var decided: [GroupKey: Kind] = [:]

  init(_ facts: DocumentFacts) {
    for place in facts.places { add(place, facts) }
    kinds = facts.places.map { kind(of: PlaceKinds.key(of: $0, facts)) }
  }

  private static func key(of place: DocumentFacts.Place, _ facts: DocumentFacts) -> GroupKey {
    GroupKey(parent: place.parent.map { facts.places[$0].name }, name: place.name)
  }

  private mutating func add(_ place: DocumentFacts.Place, _ facts: DocumentFacts) {
    let key = PlaceKinds.key(of: place, facts)
    var group = groups[key] ?? Group(isRoot: place.parent == nil)
    group.hasAttributes = group.hasAttributes || !place.attributes.isEmpty
    group.hasText = group.hasText || place.hasText
    group.repeats = group.repeats || place.repeats
    group.isRecursive = group.isRecursive || place.isRecursive
    for child in place.children {
      group.children.insert(GroupKey(parent: place.name, name: facts.places[child].name))
    }
    groups[key] = group
    for recursion in place.recursions {
      // The parent is a descendant and so comes later: it gets its group here.
      let parent = facts.places[recursion.parent]
      let parentKey = PlaceKinds.key(of: parent, facts)
      groups[parentKey, default: Group(isRoot: parent.parent == nil)]
        .recursiveChildren.insert(place.name)
    }
  }

  /// A group's kind; asks for the kinds of its children first.
  ///
  /// The depth of these questions is bounded by ``InputLimits/depth``, and no group is below
  /// itself: elements inside their own kind are records without further questions.
  private mutating func kind(of key: GroupKey) -> Kind {
    if let known = decided[key] { return known }
    guard let group = groups[key] else { return .record }
    // Provisional, should the names below lead back here by another way.
    decided[key] = .record
    let result = kind(of: group, key)
    decided[key] = result
    return result
  }

  private mutating func kind(of group: Group, _ key: GroupKey) -> Kind {
    if group.isRecursive { return .record }
    if group.isRoot {
      let hasColumns = group.children.contains { kind(of: $0) == .scalar }
      return group.hasAttributes || group.hasText || hasColumns ? .record : .container
    }
    if group.hasAttributes || group.repeats { return .record }
    if group.children.isEmpty, group.recursiveChildren.isEmpty { return .scalar }
    guard !group.hasText else { return .record }
    let names = Set(group.children.map(\.name)).union(group.recursiveChildren)
    guard names.count == 1 else { return .record }
    guard let child = group.children.first else { return .wrapper }
    let childKind = kind(of: child)
    let childRepeats = groups[child]?.repeats ?? false
    return childRepeats || childKind == .record || childKind == .wrapper ? .wrapper : .record
  }
}
