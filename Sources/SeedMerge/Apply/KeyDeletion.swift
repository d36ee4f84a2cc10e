package import SeedSQLite

/// The rows of a section that are to be deleted, given by their keys.
///
/// Nothing is deleted here: a row that comes back in a later section keeps its rowid, its children
/// and the app's columns. ``RowMerge/finish()`` deletes the rest.
package final class KeyDeletion {
  private let keys: PendingKeys
  private let connection: Connection
  private let statement: Statement
  /// Where the key's columns stand in a row, in the order of the key.
  private let positions: [Int]
  private let columnCount: Int

  init(
    _ keys: PendingKeys, columns: [LayoutColumn], _ connection: Connection
  ) throws(MergeError) {
    self.keys = keys
    self.connection = connection
    columnCount = columns.count
    positions = keys.layout.key.compactMap { part in
      columns.firstIndex { $0.name == part.name }
    }
    statement = try keys.insertion()
  }

  /// Adds the key of one row.
  ///
  /// - Parameter row: A value for each column of the section; its texts and blobs are not needed
  ///   afterwards.
  /// - Throws: ``MergeError``.
  package func add(_ row: UnsafePointer<BoundValue>) throws(MergeError) {
    try RowBinding.checkKey(row, positions, keys.layout)
    do throws(SQLiteError) {
      for (index, position) in positions.enumerated() {
        try statement.bindUncopied(Int32(index + 1), row[position])
      }
      try statement.run()
      let changes = connection.changes
      try keys.forgetHeld(positions.map { row[$0] })
      keys.wasAdded(changes)
    } catch {
      throw MergeError(error, table: keys.layout.name)
    }
  }

  /// Adds the key of one row, in values of its own.
  ///
  /// - Parameter row: A value for each column of the section.
  /// - Throws: ``MergeError``.
  /// - Precondition: There are as many values as columns.
  package func add(_ row: [SQLiteValue]) throws(MergeError) {
    precondition(row.count == columnCount, "a value for each column of the section")
    try RowBinding.withBoundValues(row) { (values) throws(MergeError) in try add(values) }
  }
}
