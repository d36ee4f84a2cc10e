internal import SeedModel

/// What a rule about natural keys is about, by the model.
struct ReferenceTarget {
  /// The entity whose objects refer.
  var source: Int
  /// The entity that is referred to.
  var target: Int
  /// The attribute that has the natural key.
  var attribute: ModelAttribute
  /// The number of its column.
  var column: Int
  private var relationshipName: String

  /// Nil when the model lacks some of it; see ``RuleCheck``.
  init?(_ rule: ReferenceRule, _ plan: StorePlan) {
    let sources = plan.entities(matching: rule.table)
    let targets = plan.entities(matching: rule.targetTable)
    guard sources.count == 1, targets.count == 1,
      case .relationship(let number)? = plan.entities[sources[0]].properties(matching: rule.column)
        .first,
      case .attribute(let key)? = plan.entities[targets[0]].properties(matching: rule.targetColumn)
        .first, let column = plan.entities[targets[0]].attributes[key].column
    else { return nil }
    source = sources[0]
    target = targets[0]
    attribute = plan.entities[target].attributes[key].model
    self.column = column
    relationshipName = plan.entities[source].relationships[number].name
  }

  /// The relationship of an entity that refers.
  func relationship(of entity: Int, _ plan: StorePlan) -> ModelRelationship? {
    number(of: entity, plan).map { plan.entities[entity].relationships[$0] }
  }

  /// Its number.
  func number(of entity: Int, _ plan: StorePlan) -> Int? {
    plan.entities[entity].relationship(named: relationshipName)
  }
}
