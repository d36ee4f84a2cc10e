package import SeedModel

/// A relationship that an entity declares.
package struct ModelRelationship: Sendable, Hashable {
  /// What becomes of the objects at its end when its own is deleted.
  package enum DeletionRule: String, Sendable, CaseIterable {
    case noAction = "No Action"
    case nullify = "Nullify"
    case cascade = "Cascade"
    case deny = "Deny"
  }

  package var name: String
  /// The name of the entity at its end.
  package var destination: String
  /// The name of the relationship that leads back, if there is one.
  package var inverse: String?
  package var isToMany = false
  package var isOrdered = false
  package var isOptional = false
  /// Whether it lives in memory only.
  package var isTransient = false
  /// The fewest objects, 0 when the model does not say.
  package var minCount: Int64 = 0
  /// The most objects: 1 for to-one, 0 where there is no bound.
  package var maxCount: Int64 = 1
  package var deletionRule = DeletionRule.nullify
  package var versionHashModifier: String?
  package var userInfo: [String: String] = [:]
  /// Where the model declares it.
  package var location: SourceLocation

  /// Whether an object cannot be saved without another one at this end.
  ///
  /// The fewest count where there are any: an optional relationship may always have none
  /// (developer.apple.com/documentation/coredata/nsrelationshipdescription, "Cardinality").
  var needsObject: Bool { !isOptional }

  /// The fewest objects that an object can be saved with, unless it may have none and has none.
  var leastCount: Int64 { isOptional ? minCount : max(1, minCount) }

  package init(_ name: String, to destination: String, at location: SourceLocation) {
    self.name = name
    self.destination = destination
    self.location = location
  }
}
