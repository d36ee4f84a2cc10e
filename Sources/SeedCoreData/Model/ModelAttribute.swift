package import SeedModel

/// An attribute that an entity declares.
package struct ModelAttribute: Sendable, Hashable {
  package var name: String
  package var type: AttributeType
  package var isOptional = false
  /// Whether it lives in memory only, without a column.
  package var isTransient = false
  /// What an object has when nothing else is said, if the model says.
  package var defaultValue: ModelValue?
  /// The default as it is written.
  package var defaultText: String?
  /// What computes it, such as `pages.@count`; nil for an attribute that is not derived.
  package var derivation: String?
  /// Whether large data may lie in files of its own.
  package var allowsExternalStorage = false
  /// Whether its value goes into the history when its object is deleted.
  package var isPreservedAfterDeletion = false
  /// The name of what turns the value of a Transformable into data.
  package var transformerName: String?
  package var customClassName: String?
  package var versionHashModifier: String?
  /// Whether the model of an old Xcode wants an index of it.
  package var isIndexed = false
  /// Whether the type is only that of a column, so that it may be another one of its kind.
  package var isGuessed = false
  /// What a value must keep to when its object is saved.
  package var bounds = AttributeBounds()
  package var userInfo: [String: String] = [:]
  /// Where the model declares it.
  package var location: SourceLocation

  package init(_ name: String, _ type: AttributeType, at location: SourceLocation) {
    self.name = name
    self.type = type
    self.location = location
  }
}

/// What the values of an attribute must keep to.
package struct AttributeBounds: Sendable, Hashable {
  /// The least value as it is written: of a date in seconds since 2001, of a string its length.
  package var least: String?
  /// The most.
  package var most: String?
  /// The regular expression that all of a string must match.
  package var pattern: String?
}

/// A value that a model gives an attribute by default.
package enum ModelValue: Sendable, Hashable {
  case integer(Int64)
  /// A number as it is written.
  case decimal(String)
  case real(Double)
  case boolean(Bool)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// A string, or a URI.
  case text(String)
  /// The 16 bytes of a UUID.
  case uuid([UInt8])
}
