/// A table of a store: one for each entity without a parent, and one for each many-to-many
/// relationship.
package struct StoreTable: Sendable, Hashable {
  /// What the rows of a table are.
  package enum Kind: Sendable, Hashable {
    /// Objects of the entity of this name and of all that inherit from it.
    case entity(String)
    /// Links of a many-to-many relationship; the primary key is the first two columns.
    case join(entity: String, relationship: String)
  }

  package var name: String
  package var kind: Kind
  /// The columns in their order, without `Z_PK`, `Z_ENT` and `Z_OPT`.
  package var columns: [StoreColumn]

  /// The text of its `CREATE TABLE`, as Core Data writes it.
  package var createSQL: String {
    let list = columns.map(\.sql)
    switch kind {
    case .entity:
      let own = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      return "CREATE TABLE \(name) ( \((own + list).joined(separator: ", ")) )"
    case .join:
      let key = columns.prefix(2).map(\.name).joined(separator: ", ")
      return "CREATE TABLE \(name) ( \(list.joined(separator: ", ")), PRIMARY KEY (\(key)) )"
    }
  }
}
