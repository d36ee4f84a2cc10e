/// What `seed inspect` says about a Core Data store beyond what it says about any database.
package struct StoreReport: Sendable, Hashable {
  /// An entity with the properties that it declares itself.
  ///
  /// Without a model, an entity without a parent has the columns of its whole table: the store does not
  /// tell which are those of its sub-entities.
  package struct Entity: Sendable, Hashable {
    /// The entity's name.
    package var name: String
    /// The number in `Z_ENT`.
    package var id: Int64
    /// The entity that it inherits from.
    package var parent: String?
    /// Whether it has no objects of its own; nil where only the model knows.
    package var isAbstract: Bool?
    /// Whether others inherit from it.
    package var hasChildren: Bool
    /// The table of its objects.
    package var table: String
    /// The number of its own objects, without those of its sub-entities; nil where it cannot be told.
    package var rowCount: Int64?
    /// The attributes by name.
    package var attributes: [Attribute] = []
    /// The relationships by name.
    package var relationships: [Relationship] = []
  }

  /// An attribute, or a column that may be one.
  package struct Attribute: Sendable, Hashable {
    /// The name; without a model that of the column without its `Z`, in capitals.
    package var name: String
    /// The types that it may have; one if the model is known.
    package var types: [String]
    /// Whether it may be nil; nil where only the model knows.
    package var isOptional: Bool?
    /// What it is computed from, if it is.
    package var derivation: String?
    /// The column; nil for one that is not stored.
    package var column: String?
  }

  /// A relationship, as far as it is known.
  package struct Relationship: Sendable, Hashable {
    /// The name; without a model as the store has it, in capitals.
    package var name: String
    /// The entity that it leads to; nil where the store does not tell.
    package var destination: String?
    package var isToMany: Bool
    /// Whether its objects have an order.
    package var isOrdered: Bool
    /// Whether it may be empty; nil where only the model knows.
    package var isOptional: Bool?
    /// The relationship that leads back, if it is known.
    package var inverse: String?
    /// The table that has the column or columns, if it is stored.
    package var table: String?
    /// The columns with the keys: one, or the two of a table between, that of this object first.
    package var columns: [String]
  }

  /// A table that belongs to no entity and no relationship.
  package struct OtherTable: Sendable, Hashable {
    package var name: String
    /// Whether it is one of Core Data's own.
    package var isCoreData: Bool
  }

  /// The store's UUID.
  package var uuid: String?
  /// The version of Core Data that wrote it.
  package var frameworkVersion: Int64?
  /// What the developers call the versions of the model.
  package var modelIdentifiers: [String]
  /// The version of the way in which the hashes are computed.
  package var hashesVersion: Int64?
  /// The checksum over the version hashes: as the store states it, or computed.
  package var checksum: String?
  /// Whether names and types are those of the model, and not what the store tells.
  package var isModelKnown: Bool
  /// The entities by their numbers.
  package var entities: [Entity]
  /// The tables that are not told of as entities and relationships.
  package var otherTables: [OtherTable]
  /// What could not be told, and why.
  package var notes: [String]
}
