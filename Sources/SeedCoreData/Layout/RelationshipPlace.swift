/// Where a relationship lives in a store.
package enum RelationshipPlace: Sendable, Hashable {
  /// A to-one relationship: a column of its own object's row.
  case own(ForeignKey)
  /// A to-many relationship: the column with the key is in the rows of the objects at its end.
  case inverse(ForeignKey)
  /// A many-to-many relationship: rows of a table between.
  case join(JoinPlace)
}

/// The columns in which one row refers to another.
package struct ForeignKey: Sendable, Hashable {
  /// The table that has the columns.
  package var table: String
  /// The column with the `Z_PK` of the row that is referred to, or NULL.
  package var column: String
  /// The column with the `Z_ENT` of that row; nil where it can have one only.
  package var entityColumn: String?
  /// The column with the place of the row in the ordered to-many relationship that leads to it.
  package var orderColumn: String?
}

/// The table between the two ends of a many-to-many relationship, as one of the ends sees it.
package struct JoinPlace: Sendable, Hashable {
  package var table: String
  /// The column with the `Z_PK` of the object that has the relationship.
  package var sourceColumn: String
  /// The column with the `Z_PK` of the object at its end.
  package var destinationColumn: String
  /// The column with the place of the object at the end, if the relationship is ordered.
  package var orderColumn: String?
  /// The column with the place of the object in the inverse, if that is ordered.
  package var inverseOrderColumn: String?
  /// Whether this end gave the table its name.
  package var isMaster: Bool
}
