/// What a finished build made.
package struct BuildSummary: Sendable, Hashable {
  /// The path of the database.
  package var output: String
  /// The number of tables that hold the inputs' records.
  package var tableCount: Int
  /// The number of rows in these tables.
  package var rowCount: Int64
  /// The size of the database file.
  package var byteCount: Int64

  /// Creates a summary.
  package init(output: String, tableCount: Int, rowCount: Int64, byteCount: Int64) {
    self.output = output
    self.tableCount = tableCount
    self.rowCount = rowCount
    self.byteCount = byteCount
  }
}
