package import SeedModel
package import SeedSQLite

/// What Core Data keeps about a store as a whole: the one row of its table `Z_METADATA`.
package struct StoreMetadata: Sendable, Hashable {
  /// The name of the table.
  package static let tableName = "Z_METADATA"

  /// The store's UUID as Core Data writes it, in capitals.
  package var uuid: String
  /// The members of the property list.
  package var members: [String: PropertyList]

  package init(uuid: String, members: [String: PropertyList]) {
    self.uuid = uuid
    self.members = members
  }

  /// Reads a store's metadata.
  ///
  /// - Returns: Nil for a database that is no Core Data store, or whose row cannot be understood.
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  package static func read(from connection: Connection) throws(SQLiteError) -> StoreMetadata? {
    let columns = try connection.rows("SELECT name FROM pragma_table_info('\(tableName)')")
    for column in ["Z_VERSION", "Z_UUID", "Z_PLIST"] where !columns.contains([.text(column)]) {
      return nil
    }
    let rows = try connection.rows("SELECT Z_UUID, Z_PLIST FROM \(tableName) LIMIT 2")
    guard let row = rows.first, rows.count == 1, case .text(let uuid) = row[0],
      case .blob(let bytes) = row[1],
      case .dictionary(let members)? = PropertyList(binary: bytes)
    else { return nil }
    return StoreMetadata(uuid: uuid, members: members)
  }

  /// Makes this the row of an empty or filled table.
  ///
  /// - Throws: ``SQLiteError``.
  package func write(to connection: Connection) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO \(Self.tableName) VALUES (1, ?, ?)", .text(uuid),
      .blob(PropertyList.dictionary(members).binary))
  }

  /// The bytes that count as content: all but the UUID and the stamp, which follow from it.
  package var content: [UInt8] {
    PropertyList.dictionary(
      members.filter { !$0.key.hasPrefix(SeedStamp.metadataPrefix) }
    ).binary
  }
}
