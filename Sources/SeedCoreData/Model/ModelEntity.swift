package import SeedModel

/// An entity of a model with the properties that it declares itself.
package struct ModelEntity: Sendable, Hashable {
  package var name: String
  /// The name of the entity that it inherits from.
  package var parent: String?
  package var isAbstract = false
  package var className: String?
  package var versionHashModifier: String?
  package var attributes: [ModelAttribute] = []
  package var relationships: [ModelRelationship] = []
  /// The names of fetched properties, which the store knows nothing of.
  package var fetchedProperties: [Located<String>] = []
  package var indexes: [ModelIndex] = []
  /// Sets of attributes whose values together occur only once.
  package var uniquenessConstraints: [UniquenessConstraint] = []
  package var userInfo: [String: String] = [:]
  /// Where the model declares it.
  package var location: SourceLocation

  package init(_ name: String, at location: SourceLocation) {
    self.name = name
    self.location = location
  }
}

/// An index that a model asks for.
package struct ModelIndex: Sendable, Hashable {
  /// How a model writes an index.
  package enum Kind: Sendable, Hashable {
    /// `fetchIndex`, with a name of its own.
    case fetch
    /// `compoundIndex`, as Xcode wrote them before fetch indexes.
    case compound
  }

  /// A property in an index.
  package struct Element: Sendable, Hashable {
    package var property: String
    package var isDescending = false
    package var location: SourceLocation
  }

  package var kind: Kind
  /// The name; for a compound index, those of its properties.
  package var name: String
  package var elements: [Element]
  package var location: SourceLocation
}

/// Attributes whose values together occur only once.
package struct UniquenessConstraint: Sendable, Hashable {
  /// The names of the attributes, in their order.
  package var attributes: [Located<String>]
  package var location: SourceLocation

  /// The names alone.
  package var names: [String] { attributes.map(\.value) }
}
