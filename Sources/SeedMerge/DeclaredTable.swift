/// A table of a live database and what of it may be written from outside: by a newer seed, a
/// stream or a server's answer.
///
/// All else in the database, other tables and other columns of this one, belongs to the app.
package struct DeclaredTable: Sendable, Hashable {
  /// The table's name as the database spells it.
  package var name: String
  /// The columns that tell one row from another, in the order of the key.
  package var key: [String]
  /// The columns that may be written, the key's among them.
  package var columns: [String]

  /// A table from its parts.
  package init(name: String, key: [String], columns: [String]) {
    self.name = name
    self.key = key
    self.columns = columns
  }
}
