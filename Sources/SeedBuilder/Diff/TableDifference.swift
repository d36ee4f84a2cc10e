/// The rows of one table that differ in two databases.
package struct TableDifference: Sendable, Hashable {
  /// A column with its value in one row.
  package struct Field: Sendable, Hashable {
    /// The column's name.
    package var column: String
    /// The value, shortened if it is long.
    package var value: DiffValue
  }

  /// A row that only one database has.
  package struct Row: Sendable, Hashable {
    /// The values that identify the row; none in a table without a key.
    package var key: [Field]
    /// The other values.
    package var values: [Field]
  }

  /// A row whose values differ.
  package struct ChangedRow: Sendable, Hashable {
    /// The values that identify the row, as they were before.
    package var key: [Field]
    /// The columns whose values differ.
    package var changes: [ValueChange]
  }

  /// A value before and after.
  package struct ValueChange: Sendable, Hashable {
    /// The column's name.
    package var column: String
    /// The value before, shortened if it is long.
    package var old: DiffValue
    /// The value after, shortened if it is long.
    package var new: DiffValue
  }

  /// The table's name.
  package var name: String
  /// The columns by which rows are recognised; none when they are compared as wholes.
  package var key: [String]
  /// How many rows were added.
  package var addedCount: Int64 = 0
  /// How many rows were removed.
  package var removedCount: Int64 = 0
  /// How many rows have other values under the same key.
  package var changedCount: Int64 = 0
  /// The first of the added rows.
  package var added: [Row] = []
  /// The first of the removed rows.
  package var removed: [Row] = []
  /// The first of the changed rows.
  package var changed: [ChangedRow] = []

  /// Whether the rows are the same.
  package var isEmpty: Bool { addedCount == 0 && removedCount == 0 && changedCount == 0 }
}
