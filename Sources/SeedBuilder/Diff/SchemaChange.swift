/// A table, index, view or trigger that only one of two databases has, or that differs in them.
package struct SchemaChange: Sendable, Hashable {
  /// What the schema is made of, in the order in which changes are told.
  package enum Kind: String, Sendable, CaseIterable {
    case table, index, view, trigger
  }

  /// What happened to an object.
  package enum Action: String, Sendable {
    case added, removed, changed
  }

  /// A column of a changed table that only one database has, or that is declared differently.
  package struct Column: Sendable, Hashable {
    /// The column's name.
    package var name: String
    /// The declaration before; nil when the column is new.
    package var old: String?
    /// The declaration after; nil when the column is gone.
    package var new: String?
  }

  /// What the object is.
  package var kind: Kind
  /// The object's name.
  package var name: String
  /// The table or view that an index or a trigger belongs to.
  package var table: String?
  /// What happened to it.
  package var action: Action
  /// The columns of a changed table that differ; none when the difference lies elsewhere, as in
  /// the columns' order or in a constraint.
  package var columns: [Column] = []
  /// The statement before; nil when the object is new.
  package var oldSQL: String?
  /// The statement after; nil when the object is gone.
  package var newSQL: String?
}
