/// What `seed inspect` says about one table.
package struct TableReport: Sendable, Hashable {
  /// The kinds of tables that a database has.
  package enum Kind: String, Sendable {
    case table
    case virtual
    /// A table in which a virtual table keeps its content.
    case shadow
    /// A table of SQLite or of this tool.
    case `internal`
  }

  /// One column.
  package struct Column: Sendable, Hashable {
    /// The column's name.
    package var name: String
    /// The type as declared; empty when none is.
    package var declaredType: String
    /// Whether the column is declared NOT NULL.
    package var isNotNull: Bool
    /// The place in the primary key, counted from 1; nil outside of it.
    package var primaryKeyPosition: Int?
    /// The default's SQL expression.
    package var defaultValue: String?
    /// Whether the value is computed from other columns.
    package var isGenerated: Bool
  }

  /// One index, declared or made by SQLite for a key.
  package struct Index: Sendable, Hashable {
    /// The index's name.
    package var name: String
    /// The indexed columns in order; an expression is nil.
    package var columns: [String?]
    /// Whether the index admits each key once.
    package var isUnique: Bool
    /// Whether the index covers only the rows that a condition selects.
    package var isPartial: Bool
    /// The size in the file; nil when it cannot be told.
    package var byteCount: Int64?
  }

  /// One foreign key.
  package struct ForeignKey: Sendable, Hashable {
    /// The columns of this table.
    package var columns: [String]
    /// The table they refer to.
    package var parentTable: String
    /// The columns they refer to; empty when the parent has no such key.
    package var parentColumns: [String]
    /// What happens to the row when the parent is deleted.
    package var onDelete: String
    /// What happens to the row when the parent's key changes.
    package var onUpdate: String

    /// Creates a description of a key.
    package init(
      columns: [String], parentTable: String, parentColumns: [String], onDelete: String,
      onUpdate: String
    ) {
      self.columns = columns
      self.parentTable = parentTable
      self.parentColumns = parentColumns
      self.onDelete = onDelete
      self.onUpdate = onUpdate
    }
  }

  /// The table's name.
  package var name: String
  /// The table's kind.
  package var kind: Kind
  /// Whether the primary key takes the place of the rowid.
  package var isWithoutRowID: Bool
  /// Whether values must match the declared types.
  package var isStrict: Bool
  /// The columns in order.
  package var columns: [Column]
  /// The number of rows; nil when they cannot be counted.
  package var rowCount: Int64?
  /// The table's size in the file without its indexes; nil when it cannot be told.
  package var byteCount: Int64?
  /// The indexes by name.
  package var indexes: [Index]
  /// The foreign keys in the order of their declaration.
  package var foreignKeys: [ForeignKey]
}
