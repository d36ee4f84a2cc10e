/// A row that has a unique value which a row of a snapshot brings.
///
/// The first one is in nobody's gift: it is no row of the snapshot, and none that a merge deletes.
package struct UniqueConflict: Sendable, Hashable, CustomStringConvertible {
  /// The table of both rows.
  package var table: String
  /// The key of the row that is there, as SQL writes values.
  package var present: String
  /// The key of the row that the snapshot brings.
  package var brought: String
  /// The columns whose values no two rows may share.
  package var columns: [String]
  /// The values that both have.
  package var values: String

  /// A conflict from its parts.
  package init(
    table: String, present: String, brought: String, columns: [String], values: String
  ) {
    self.table = table
    self.present = present
    self.brought = brought
    self.columns = columns
    self.values = values
  }

  /// The two rows and what they share:
  /// `table "category": row 100 has "title" 'books' already, which row 4 of the seed brings`.
  package var description: String {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "table \"\(table)\": row \(present) has \(names) \(values) already, "
      + "which row \(brought) of the seed brings"
  }
}
