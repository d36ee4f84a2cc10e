internal import SeedStreams

/// What a database must not change in the tables that apps in the field rely on.
enum SchemaCheck {
  /// Compares the tables that are published with those that are to be.
  ///
  /// - Returns: Whether tables or columns were added.
  /// - Throws: ``StreamPublishError`` when something is gone or is of another kind.
  static func compare(
    _ old: [StreamTable], _ new: [StreamTable], path: String
  ) throws(StreamPublishError) -> Bool {
    func refuse(_ reason: StreamPublishError.Reason) -> StreamPublishError {
      StreamPublishError(reason, path: path)
    }
    var isExtended = new.count > old.count
    for table in old {
      guard let found = new.first(where: { $0.name == table.name }) else {
        throw refuse(.tableGone(table.name))
      }
      for column in table.columns {
        guard let other = found.columns.first(where: { $0.name == column.name }) else {
          throw refuse(.columnGone(table: table.name, column: column.name))
        }
        guard other.affinity == column.affinity else {
          throw refuse(
            .columnRetyped(
              table: table.name, column: column.name, old: column.affinity, new: other.affinity))
        }
      }
      guard found.key == table.key else {
        throw refuse(.keyChanged(table: table.name, old: table.key, new: found.key))
      }
      if found.columns.count > table.columns.count { isExtended = true }
    }
    return isExtended
  }
}
