package import SeedModel

/// An element of a small XML document with all that is in it.
package struct XMLElement: Sendable {
  /// An attribute as it is written.
  package struct Attribute: Sendable, Hashable {
    /// The name with its prefix.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The name with its prefix.
  package var name: String
  /// Where its start tag stands; the column is 0 when it is not known.
  package var location: SourceLocation
  /// The attributes in their order.
  package var attributes: [Attribute]
  /// The elements directly inside it.
  package var children: [XMLElement] = []
  /// The text directly inside it.
  package var text = ""

  package init(
    name: String, location: SourceLocation, attributes: [Attribute] = [],
    children: [XMLElement] = [], text: String = ""
  ) {
    self.name = name
    self.location = location
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The value of the attribute of a name.
  package func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }
}
