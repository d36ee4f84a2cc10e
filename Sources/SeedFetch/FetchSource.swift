/// A document on a server that a build reads, as it is described: secrets are named only.
package struct FetchSource: Sendable, Hashable {
  /// A name with its value.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: FetchValue

    /// Creates a field.
    package init(_ name: String, _ value: FetchValue) {
      self.name = name
      self.value = value
    }
  }

  /// The address, perhaps with a user and a password.
  package var url: String
  package var headers: [Field]
  /// What is added to the address's query.
  package var query: [Field]
  /// Whether the format is declared, so that a web page is taken for what it is said to be.
  package var isFormatDeclared = false

  /// The most pages; nil for the usual number.
  package var pageLimit: Int?

  /// Creates a source.
  package init(_ url: String, headers: [Field] = [], query: [Field] = []) {
    self.url = url
    self.headers = headers
    self.query = query
  }
}
