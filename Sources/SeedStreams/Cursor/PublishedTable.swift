/// A table of a database that is published: what the stream carries of it, and how its rows are
/// told apart.
package struct PublishedTable: Sendable, Hashable {
  /// A UNIQUE index besides the key.
  package struct UniqueIndex: Sendable, Hashable {
    /// The index's name.
    package var name: String
    /// Its columns; nil when its entries also depend on others, by an expression or a condition.
    package var columns: [String]?
  }

  /// Name, key and columns, the key's columns first.
  package var table: StreamTable
  /// How the key's columns are compared, in their order, by the names of SQLite.
  package var keyCollations: [String]
  /// The UNIQUE indexes besides the key.
  package var uniqueIndexes: [UniqueIndex]
  /// The columns besides the key that are declared NOT NULL, or were in a database that was published.
  package var required: Set<String>

  /// A table from its parts.
  package init(
    table: StreamTable, keyCollations: [String], uniqueIndexes: [UniqueIndex],
    required: Set<String> = []
  ) {
    self.table = table
    self.keyCollations = keyCollations
    self.uniqueIndexes = uniqueIndexes
    self.required = required
  }
}
