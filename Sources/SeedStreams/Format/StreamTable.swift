/// A table of a stream: its key and its columns with their affinities.
package struct StreamTable: Sendable, Hashable {
  /// The table's name.
  package var name: String
  /// The columns of the key, in its order.
  package var key: [String]
  /// All columns that the stream carries, the key's among them, in the order of the rows.
  package var columns: [StreamColumn]

  /// A table from its parts.
  package init(name: String, key: [String], columns: [StreamColumn]) {
    self.name = name
    self.key = key
    self.columns = columns
  }
}

/// A column of a stream's table.
package struct StreamColumn: Sendable, Hashable {
  /// The column's name.
  package var name: String
  /// Its affinity by SQLite's rules ("Datatypes In SQLite", 3.1): INTEGER, REAL, NUMERIC, TEXT or
  /// BLOB.
  package var affinity: String

  /// A column from its parts.
  package init(name: String, affinity: String) {
    self.name = name
    self.affinity = affinity
  }
}
