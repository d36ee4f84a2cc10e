internal import SeedModel

/// Which columns are filled when an object stands inside another one.
///
/// All numbers are those of columns; -1 where there is no such column.
struct NestedLink {
  /// The columns of the row of the object around.
  var outerKey = -1
  var outerEntity = -1
  var outerOrder = -1
  /// The columns of the row of the object inside.
  var innerKey = -1
  var innerEntity = -1
  var innerOrder = -1
  /// The table of a many-to-many relationship, by number.
  var join = -1
  /// Whether the object around is the one in the table's first column.
  var joinsOuterFirst = true
  /// Whether the table has the place of the inner object among those of the outer one, and the
  /// other way round.
  var joinHasOrder = false
  var joinHasInverseOrder = false
  /// The relationship of the object around, by number; -1 when only the inner object has one.
  var relationship = -1
  /// What messages call the relationship.
  var name = ""

  /// The place of the first object in an ordered relationship, and the distance to the next.
  static let firstOrder: Int64 = 2_048
  static let orderStep: Int64 = 1_024
}

/// Makes links.
struct LinkMaker {
  let plan: StorePlan

  /// The link when an object inside another is at the end of a relationship of that one.
  ///
  /// - Parameters:
  ///   - number: The relationship of the outer entity.
  ///   - outer: The entity of the object around.
  ///   - inner: The entity of the object inside.
  /// - Returns: The link; nil when the relationship has no place in a store.
  func link(_ number: Int, of outer: Int, to inner: Int) -> NestedLink? {
    let relationship = plan.entities[outer].relationships[number]
    guard let place = plan.entities[outer].layout.relationships[relationship.name] else {
      return nil
    }
    var link = NestedLink()
    link.relationship = number
    link.name = relationship.name
    let inverse = plan.model.inverse(of: relationship)?.relationship
    let inverseName = inverse?.name
    switch place {
    case .own(let key):
      (link.outerKey, link.outerEntity, link.outerOrder) = columns(key, of: outer)
      if let inverseName,
        case .own(let back)? = plan.entities[inner].layout.relationships[inverseName]
      {
        (link.innerKey, link.innerEntity, _) = columns(back, of: inner)
      }
    case .inverse(let key):
      (link.innerKey, link.innerEntity, link.innerOrder) = columns(key, of: inner)
    case .join(let join):
      let number = plan.join(named: join.table)
      link.join = number
      link.joinsOuterFirst = plan.joins[number].columns[0] == join.sourceColumn
      link.joinHasOrder = join.orderColumn != nil
      link.joinHasInverseOrder = join.inverseOrderColumn != nil
    }
    return link
  }

  /// The same for a relationship of the inner object that has no way back.
  func reversed(_ number: Int, of inner: Int, to outer: Int) -> NestedLink? {
    guard let link = link(number, of: inner, to: outer) else { return nil }
    var result = link
    (result.outerKey, result.outerEntity, result.outerOrder) =
      (link.innerKey, link.innerEntity, link.innerOrder)
    (result.innerKey, result.innerEntity, result.innerOrder) =
      (link.outerKey, link.outerEntity, link.outerOrder)
    result.joinsOuterFirst = !link.joinsOuterFirst
    (result.joinHasOrder, result.joinHasInverseOrder) =
      (link.joinHasInverseOrder, link.joinHasOrder)
    result.relationship = -1
    return result
  }

  private func columns(_ key: ForeignKey, of entity: Int) -> (key: Int, entity: Int, order: Int) {
    let table = plan.tables[plan.entities[entity].table]
    return (
      table.column(key.column), key.entityColumn.map { table.column($0) } ?? -1,
      key.orderColumn.map { table.column($0) } ?? -1
    )
  }
}
