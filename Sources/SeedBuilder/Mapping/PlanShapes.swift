internal import SeedModel

/// The shapes that a plan has a role for, by their names.
///
/// An input that brings nothing but these changes nothing in the plan: its places get the roles of
/// their like and its fields the columns. So a table may come from thousands of inputs without being
/// planned anew for each.
struct PlanShapes {
  /// Places of one name below parents of one name, which ``PlaceKinds`` judges together.
  private struct Key: Hashable {
    /// Nil for a root.
    var parent: QualifiedName?
    var name: QualifiedName
  }

  fileprivate struct Shape {
    var hasAttributes = false
    var hasText = false
    var repeats = false
    var children: Set<QualifiedName> = []
    var role = Role(kind: .container)
    /// The mark of a wrapper directly below a record.
    var mark: Int32?
  }

  /// What the plan gets at its end.
  struct Continuation {
    /// The roles of the new places.
    fileprivate(set) var roles: [Role] = []
    /// The columns of the new fields; -1 where there is none.
    fileprivate(set) var columnOfField: [Int] = []
    /// The fields of the input that have a column, those that were planned before too.
    fileprivate(set) var uses: [Use] = []
  }

  /// That a field's values go to a column.
  struct Use {
    var field: Int
    var table: Int
    var column: Int
  }

  private var shapes: [Key: Shape] = [:]
  private var tableOfName: [QualifiedName: Int] = [:]
  private var columns: [[TablePlan.Source: Int]] = []
  private var placeCount = 0

  /// Takes up what a plan has at its end since the last time.
  mutating func update(_ plan: LoadPlan, _ facts: DocumentFacts) {
    for index in columns.count..<plan.tables.count {
      tableOfName[plan.tables[index].name] = index
      columns.append(
        Dictionary(
          plan.tables[index].columns.enumerated().map { ($1.source, $0) },
          uniquingKeysWith: { first, _ in first }))
    }
    for index in placeCount..<plan.roles.count {
      let place = facts.places[index]
      let role = plan.roles[index]
      shapes[key(of: place, facts), default: Shape()].add(place, role)
      if let parent = place.parent {
        shapes[key(of: facts.places[parent], facts), default: Shape()].children.insert(place.name)
      }
    }
    placeCount = plan.roles.count
  }

  private func key(of place: DocumentFacts.Place, _ facts: DocumentFacts) -> Key {
    Key(parent: place.parent.map { facts.places[$0].name }, name: place.name)
  }

  /// Whether roots of a name were all mere containers of records.
  func hasContainer(_ root: DocumentFacts.Place) -> Bool {
    guard !root.isRecursive, let shape = shapes[Key(parent: nil, name: root.name)] else {
      return false
    }
    return shape.role.kind == .container && !shape.hasAttributes && !shape.hasText
  }

  /// What the input at hand adds to a plan, if the plan has something for all that it has.
  ///
  /// - Parameters:
  ///   - plan: The plan, which was taken up whole.
  ///   - facts: All that is known, the input's part of it at the end.
  ///   - placeBase: The number of the input's first place.
  ///   - fieldBase: The number of the input's first field.
  /// - Returns: What its new places and fields get, and which fields go to which columns.
  func continuation(
    of plan: LoadPlan, _ facts: DocumentFacts, placeBase: Int, fieldBase: Int
  ) -> Continuation? {
    var result = Continuation()
    for index in placeBase..<facts.places.count {
      let place = facts.places[index]
      guard let shape = shapes[key(of: place, facts)], !place.isRecursive, shape.includes(place)
      else { return nil }
      for child in place.children where !shape.children.contains(facts.places[child].name) {
        return nil
      }
      guard index >= plan.roles.count else { continue }
      let parentRole = place.parent.map { parent in
        parent < plan.roles.count
          ? plan.roles[parent] : result.roles[parent - plan.roles.count]
      }
      guard let role = role(of: place, shape, parentRole) else { return nil }
      result.roles.append(role)
    }
    let roles = { (place: Int) in
      place < plan.roles.count ? plan.roles[place] : result.roles[place - plan.roles.count]
    }
    for index in max(placeBase, plan.roles.count)..<facts.places.count
    where !hasParentColumn(index, facts, roles) { return nil }
    // A root without a name is what its own values make it.
    let root = facts.places[placeBase]
    if root.name.isMadeUp, !isKept(root, as: roles(placeBase), roles) { return nil }
    for index in fieldBase..<facts.fields.count {
      guard let column = column(of: facts.fields[index], facts, roles) else { return nil }
      if index >= plan.columnOfField.count { result.columnOfField.append(column.index) }
      if column.index >= 0 {
        result.uses.append(Use(field: index, table: column.table, column: column.index))
      }
    }
    return result
  }

  private func role(
    of place: DocumentFacts.Place, _ shape: Shape, _ parentRole: Role?
  ) -> Role? {
    guard shape.role.kind == .wrapper else { return shape.role }
    guard parentRole?.kind == .record else { return Role(kind: .wrapper) }
    return shape.mark.map { Role(kind: .wrapper, index: $0) }
  }

  private func isKept(
    _ root: DocumentFacts.Place, as role: Role, _ roles: (Int) -> Role
  ) -> Bool {
    let isRecord =
      !root.attributes.isEmpty || root.hasText
      || root.children.contains { roles($0).kind == .scalar }
    return role.kind == (isRecord ? .record : .container)
  }

  /// Whether records at a place have a column that refers to the record around them, if any is.
  private func hasParentColumn(
    _ index: Int, _ facts: DocumentFacts, _ roles: (Int) -> Role
  ) -> Bool {
    guard roles(index).kind == .record else { return true }
    var current = facts.places[index].parent
    while let parent = current, let next = facts.places[parent].parent {
      if roles(parent).kind == .record {
        return columns[Int(roles(index).index)][.parent(table: Int(roles(parent).index))] != nil
      }
      current = next
    }
    return true
  }

  /// The column of a field, -1 for none; nil when the plan lacks it.
  private func column(
    of field: DocumentFacts.Field, _ facts: DocumentFacts, _ roles: (Int) -> Role
  ) -> (table: Int, index: Int)? {
    let place = facts.places[field.place]
    let role = roles(field.place)
    switch role.kind {
    case .record:
      let table = Int(role.index)
      if let name = field.name {
        return columns[table][.attribute(name)].map { (table, $0) }
      }
      if let column = columns[table][.text] { return (table, column) }
      return place.hasText ? nil : (-1, -1)
    case .scalar:
      guard let parent = place.parent, let table = tableOfName[facts.places[parent].name]
      else { return nil }
      return (table, Int(role.index))
    case .container, .wrapper: return (-1, -1)
    }
  }
}

extension PlanShapes.Shape {
  mutating func add(_ place: DocumentFacts.Place, _ role: Role) {
    hasAttributes = hasAttributes || !place.attributes.isEmpty
    hasText = hasText || place.hasText
    repeats = repeats || place.repeats
    self.role = role
    if role.kind == .wrapper, role.index >= 0 { mark = role.index }
  }

  /// Whether a place has nothing that others of the shape have not had.
  func includes(_ place: DocumentFacts.Place) -> Bool {
    (hasAttributes || place.attributes.isEmpty) && (hasText || !place.hasText)
      && (repeats || !place.repeats)
  }
}
