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
  /// The objects of a Core Data store by their entities; empty for other databases.
  package var entities: [Entity] = []

  /// An entity with the number of its objects, without those of entities that inherit from it.
  package struct Entity: Sendable, Hashable {
    package var name: String
    package var count: Int64

    package init(name: String, count: Int64) {
      self.name = name
      self.count = count
    }
  }

  /// Creates a summary.
  package init(output: String, tableCount: Int, rowCount: Int64, byteCount: Int64) {
    self.output = output
    self.tableCount = tableCount
    self.rowCount = rowCount
    self.byteCount = byteCount
  }
}
