internal import SeedModel
package import SeedSQLite

/// What an installation writes into the stamp of its copy.
///
/// The stamp's table gets two more columns, which no build writes, or a Core Data store's property
/// list two more members, so that the record is in the database file itself and goes where that
/// goes. A database without a stamp gets nothing: it is not ours to change.
package struct InstallRecord: Sendable, Hashable {
  /// Which installation this is: unlike the seed's name, no two have the same.
  package var identifier: String
  /// The change counter of the file as it was published: an equal one in rollback mode means that
  /// nothing was written since.
  package var changeCounter: UInt32

  private static let identifierKey = SeedStamp.metadataPrefix + "InstallID"
  private static let counterKey = SeedStamp.metadataPrefix + "InstallCounter"

  /// A record from its parts.
  package init(identifier: String, changeCounter: UInt32) {
    self.identifier = identifier
    self.changeCounter = changeCounter
  }

  /// A random identifier in the form of a UUID.
  package static func newIdentifier() -> String {
    var digits = ""
    for index in 0..<16 {
      if [4, 6, 8, 10].contains(index) { digits += "-" }
      var byte = UInt8.random(in: 0...255)
      // The version, random, and the variant of RFC 9562.
      if index == 6 { byte = byte & 0x0F | 0x40 }
      if index == 8 { byte = byte & 0x3F | 0x80 }
      let text = String(byte, radix: 16)
      digits += byte < 16 ? "0" + text : text
    }
    return digits
  }

  /// The record of an installed database; nil in one that was not installed.
  ///
  /// - Throws: ``SQLiteError``.
  package static func read(from connection: Connection) throws(SQLiteError) -> InstallRecord? {
    guard try hasColumns(connection) else {
      let members = try StoreMetadata.read(from: connection)?.members
      guard let identifier = members?[identifierKey]?.string,
        let counter = members?[counterKey]?.integer
      else { return nil }
      return InstallRecord(
        identifier: identifier, changeCounter: UInt32(truncatingIfNeeded: counter))
    }
    let rows = try connection.rows("SELECT install_id, install_counter FROM _seed LIMIT 1")
    guard case .text(let identifier)? = rows.first?[0],
      case .integer(let counter)? = rows.first?[1]
    else { return nil }
    return InstallRecord(
      identifier: identifier, changeCounter: UInt32(truncatingIfNeeded: counter))
  }

  /// Writes the record into a stamp, in place of an earlier one.
  ///
  /// - Precondition: The database has a stamp.
  /// - Throws: ``SQLiteError``.
  package func write(to connection: Connection) throws(SQLiteError) {
    if var metadata = try StoreMetadata.read(from: connection),
      metadata.members[SeedStamp.formatKey] != nil
    {
      metadata.members[Self.identifierKey] = .string(identifier)
      metadata.members[Self.counterKey] = .integer(Int64(changeCounter))
      try metadata.write(to: connection)
      return
    }
    if try !Self.hasColumns(connection) {
      try connection.execute(
        """
        ALTER TABLE _seed ADD COLUMN install_id TEXT;
        ALTER TABLE _seed ADD COLUMN install_counter INTEGER;
        """)
    }
    try connection.run(
      "UPDATE _seed SET install_id = ?, install_counter = ?", .text(identifier),
      .integer(Int64(changeCounter)))
  }

  private static func hasColumns(_ connection: Connection) throws(SQLiteError) -> Bool {
    try connection.scalarInteger(
      """
      SELECT count(*) FROM pragma_table_info('_seed')
      WHERE name IN ('install_id', 'install_counter')
      """) == 2
  }
}
