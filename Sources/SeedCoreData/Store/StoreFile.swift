internal import SeedBuilder
internal import SeedFiles
internal import SeedFormat
internal import SeedModel
package import SeedSQLite

/// Makes the tables of a Core Data store in an open database, and finishes them.
///
/// Rows go in between: ``createTables(_:)``, then the rows, then ``finish(_:_:)``. The order of the
/// statements stays Core Data's.
package struct StoreFile {
  /// The version of Core Data that the store says it was written by: that of iOS 17 and macOS 14.
  static let frameworkVersion: Int64 = 1_344
  /// The bytes of a page, as Core Data has them.
  package static let pageSize = 4_096

  /// What the store says about itself.
  package struct Identity: Sendable {
    package var hashes: EntityHashes
    /// What the developer calls the version of the model.
    package var modelIdentifier: String
    /// The seed's name and version for the stamp.
    package var name: String
    package var version: String?
    /// The digest of inputs and options for the stamp, if it is recorded.
    package var inputsSHA256: String?

    package init(
      hashes: EntityHashes, modelIdentifier: String, name: String, version: String? = nil,
      inputsSHA256: String? = nil
    ) {
      self.hashes = hashes
      self.modelIdentifier = modelIdentifier
      self.name = name
      self.version = version
      self.inputsSHA256 = inputsSHA256
    }
  }

  private let layout: StoreLayout

  package init(_ layout: StoreLayout) {
    self.layout = layout
  }

  /// Creates the tables of entities and many-to-many relationships.
  ///
  /// - Throws: ``SQLiteError``.
  package func createTables(_ connection: Connection) throws(SQLiteError) {
    for table in layout.tables { try connection.execute(table.createSQL) }
  }

  /// Creates everything else: indexes, triggers, the number of the last row of each table, and the
  /// metadata with the stamp.
  ///
  /// The store's UUID follows from its content, so that the same build gives the same bytes.
  ///
  /// - Parameters:
  ///   - connection: The store.
  ///   - identity: What the store says about itself.
  ///   - knownRows: The rows of tables, by name, that were digested already.
  /// - Precondition: All rows are there.
  /// - Throws: ``SQLiteError``.
  package func finish(
    _ connection: Connection, _ identity: Identity,
    knownRows: [String: (count: Int64, sha256: [UInt8])] = [:]
  ) throws(SQLiteError) {
    for statement in layout.indexes + layout.triggers + SystemTables.statements {
      try connection.execute(statement)
    }
    try writePrimaryKeys(connection)
    try Self.writeMetadata(
      Self.members(identity), name: identity.name, version: identity.version,
      inputsSHA256: identity.inputsSHA256, knownRows: knownRows, to: connection)
  }

  /// Writes the metadata with the stamp and a UUID, both of which follow from the content.
  ///
  /// - Precondition: All else is there.
  static func writeMetadata(
    _ members: [String: PropertyList], name: String, version: String?, inputsSHA256: String?,
    knownRows: [String: (count: Int64, sha256: [UInt8])] = [:], to connection: Connection
  ) throws(SQLiteError) {
    var metadata = StoreMetadata(
      uuid: "", members: members.filter { !$0.key.hasPrefix(SeedStamp.metadataPrefix) })
    try metadata.write(to: connection)
    let content = try ContentDigest.compute(connection, knownRows: knownRows)
    let stamp = SeedStamp(
      name: name, version: version, contentSHA256: content, tool: ToolVersion.stamp,
      inputsSHA256: inputsSHA256)
    metadata.uuid = uuid(content: content)
    metadata.members.merge(stamp.metadata) { _, new in new }
    try metadata.write(to: connection)
  }

  /// Writes a row for each entity; that of a root has the highest key of its table.
  private func writePrimaryKeys(_ connection: Connection) throws(SQLiteError) {
    for entity in layout.entities {
      let highest =
        entity.parentID == 0
        ? try connection.scalarInteger("SELECT max(Z_PK) FROM \(entity.table)") ?? 0 : 0
      try connection.run(
        "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", .integer(Int64(entity.id)),
        .text(entity.name), .integer(Int64(entity.parentID)), .integer(highest))
    }
  }

  private static func members(_ identity: Identity) -> [String: PropertyList] {
    [
      "NSStoreType": .string("SQLite"),
      "_NSAutoVacuumLevel": .string("2"),
      "NSPersistenceFrameworkVersion": .integer(frameworkVersion),
      "NSStoreModelVersionIdentifiers": .array([.string(identity.modelIdentifier)]),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashes": .dictionary(identity.hashes.hashes.mapValues { .data($0) }),
      "NSStoreModelVersionHashesDigest": .string(identity.hashes.digest),
      "NSStoreModelVersionChecksumKey": .string(identity.hashes.checksum),
    ]
  }

  /// A UUID of version 8 (RFC 9562, section 5.8), whose bits are those of a digest.
  static func uuid(content: String) -> String {
    var bytes = Array(EntityHasher.sha256(Array("Core Data store \(content)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(SHA256Digest.hexadecimal(bytes).uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }
}
