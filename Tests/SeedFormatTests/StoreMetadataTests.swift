import SeedModel
import SeedSQLite
import Testing

@testable import SeedFormat

/// The metadata of Core Data stores, in which their stamp is.
@Suite struct StoreMetadataTests {
  private let connection: Connection

  init() throws {
    connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
  }

  private let stamp = SeedStamp(
    name: "app", version: "1", contentSHA256: "c", tool: "seed", inputsSHA256: "i")

  @Test func `a stamp is read from where it was written`() throws {
    #expect(try SeedStamp.read(from: connection) == .absent)
    var metadata = StoreMetadata(uuid: "U", members: ["NSStoreType": .string("SQLite")])
    try metadata.write(to: connection)
    #expect(try SeedStamp.read(from: connection) == .absent)
    metadata.members.merge(stamp.metadata) { _, new in new }
    try metadata.write(to: connection)
    #expect(try SeedStamp.read(from: connection) == .present(stamp))
    #expect(try StoreMetadata.read(from: connection) == metadata)
  }

  @Test(arguments: [
    ("SeedFormat", PropertyList.string("1")), ("SeedFormat", .integer(2)),
    ("SeedName", .integer(1)), ("SeedTool", .data([])),
  ])
  func `a stamp of another kind is malformed`(key: String, value: PropertyList) throws {
    var members = stamp.metadata
    members[key] = value
    try StoreMetadata(uuid: "U", members: members).write(to: connection)
    guard case .malformed = try SeedStamp.read(from: connection) else {
      Issue.record("taken for a stamp")
      return
    }
  }

  @Test func `neither stamp nor UUID is content, all else is`() throws {
    var metadata = StoreMetadata(uuid: "U", members: ["NSStoreType": .string("SQLite")])
    try metadata.write(to: connection)
    let digest = try ContentDigest.compute(connection)
    metadata.uuid = "V"
    metadata.members.merge(stamp.metadata) { _, new in new }
    try metadata.write(to: connection)
    #expect(try ContentDigest.compute(connection) == digest)
    metadata.members["NSStoreModelVersionHashesVersion"] = .integer(3)
    try metadata.write(to: connection)
    #expect(try ContentDigest.compute(connection) != digest)
  }

  @Test func `the record of an installation is a part of the stamp, and no content`() throws {
    var metadata = StoreMetadata(uuid: "U", members: ["NSStoreType": .string("SQLite")])
    metadata.members.merge(stamp.metadata) { _, new in new }
    try metadata.write(to: connection)
    let digest = try ContentDigest.compute(connection)
    let record = InstallRecord(identifier: InstallRecord.newIdentifier(), changeCounter: .max)
    #expect(try InstallRecord.read(from: connection) == nil)
    try record.write(to: connection)
    #expect(try InstallRecord.read(from: connection) == record)
    #expect(try SeedStamp.read(from: connection) == .present(stamp))
    #expect(try ContentDigest.compute(connection) == digest)
  }

  @Test(arguments: ["x'00'", "NULL", "'text'"])
  func `what is no property list is content like any other`(value: String) throws {
    try connection.execute("INSERT INTO Z_METADATA VALUES (1, 'U', \(value))")
    #expect(try StoreMetadata.read(from: connection) == nil)
    let digest = try ContentDigest.compute(connection)
    try connection.execute("UPDATE Z_METADATA SET Z_UUID = 'V'")
    #expect(try ContentDigest.compute(connection) != digest)
  }
}
