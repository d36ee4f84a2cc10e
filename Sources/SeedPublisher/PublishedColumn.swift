/// A column of a table that is published.
package struct PublishedColumn: Sendable, Hashable {
  package var table: String
  package var column: String

  /// A column by its names.
  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}
