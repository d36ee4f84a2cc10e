/// Where an entity lives in a store.
package struct EntityLayout: Sendable, Hashable {
  package var name: String
  /// The number in `Z_ENT`, from 1.
  package var id: Int
  /// The number of the entity that it inherits from; 0 for none.
  package var parentID: Int
  /// The name of the entity without a parent that it inherits from in the end.
  package var root: String
  package var isAbstract: Bool
  /// Whether other entities inherit from it.
  package var hasChildren: Bool
  /// The table of its objects.
  package var table: String
  /// The column of each stored attribute by name, the inherited ones included.
  package var attributes: [String: StoreColumn] = [:]
  /// The place of each stored relationship by name, the inherited ones included.
  package var relationships: [String: RelationshipPlace] = [:]
}
