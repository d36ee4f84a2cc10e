import SeedBuilder
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// The empty store of a model.
@Suite struct StoreBuildTests {
  private let directory: TemporaryDirectory
  private let model: String
  private let output: String

  init() throws {
    directory = try TemporaryDirectory()
    model = try directory.write(ModelText.contents(LibraryModel.body), to: "contents")
    output = directory.path("Library.sqlite")
  }

  private func build(_ change: (inout BuildOptions) -> Void = { _ in }) throws -> BuildSummary {
    var options = BuildOptions(inputs: [], output: output)
    change(&options)
    return try Build.run(options) { try StoreBuild($0, StoreOptions(model: model)) }
  }

  private func rows(_ sql: String) throws -> [[SQLiteValue]] {
    try Connection(path: output, mode: .immutable).rows(sql)
  }

  private func metadata() throws -> StoreMetadata {
    try #require(
      try StoreMetadata.read(from: Connection(path: output, mode: .immutable)))
  }

  @Test func `the store has the statements of the layout in their order`() throws {
    let summary = try build()
    #expect(summary.tableCount == 4 && summary.rowCount == 0)
    let layout = try StoreLayout(try ModelText.read(LibraryModel.body))
    #expect(
      try rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
        == layout.statements.map { [.text($0)] })
  }

  @Test func `the file is laid out as Core Data lays it out`() throws {
    _ = try build()
    #expect(try rows("PRAGMA auto_vacuum") == [[.integer(2)]])
    #expect(try rows("PRAGMA page_size") == [[.integer(4096)]])
    #expect(try rows("PRAGMA user_version") == [[.integer(0)]])
    #expect(try rows("PRAGMA application_id") == [[.integer(0)]])
    #expect(try rows("PRAGMA encoding") == [[.text("UTF-8")]])
    #expect(try rows("PRAGMA journal_mode") == [[.text("delete")]])
    #expect(try directory.names.sorted() == ["Library.sqlite", "contents"])
  }

  @Test func `each entity has a row with its parent, and no key is taken yet`() throws {
    _ = try build()
    #expect(
      try rows("SELECT * FROM Z_PRIMARYKEY") == [
        [.integer(1), .text("Author"), .integer(0), .integer(0)],
        [.integer(2), .text("Chapter"), .integer(0), .integer(0)],
        [.integer(3), .text("Work"), .integer(0), .integer(0)],
        [.integer(4), .text("Book"), .integer(3), .integer(0)],
      ])
    #expect(try rows("SELECT * FROM Z_MODELCACHE").isEmpty)
  }

  @Test func `the metadata has what Core Data looks for, and the stamp`() throws {
    _ = try build {
      $0.seedName = "library"
      $0.seedVersion = "1.2"
    }
    let metadata = try metadata()
    let members = metadata.members
    #expect(members["NSStoreType"] == .string("SQLite"))
    #expect(members["_NSAutoVacuumLevel"] == .string("2"))
    #expect(members["NSStoreModelVersionHashesVersion"] == .integer(3))
    #expect(members["NSStoreModelVersionIdentifiers"] == .array([.string("")]))
    let hashes = try EntityHashes(try ModelText.read(LibraryModel.body))
    #expect(
      members["NSStoreModelVersionHashes"]
        == .dictionary(hashes.hashes.mapValues { .data($0) }))
    #expect(members["NSStoreModelVersionHashesDigest"] == .string(hashes.digest))
    #expect(members["NSStoreModelVersionChecksumKey"] == .string(hashes.checksum))
    #expect(members["NSStoreUUID"] == nil)
    #expect(try rows("SELECT Z_VERSION FROM Z_METADATA") == [[.integer(1)]])
    let connection = try Connection(path: output, mode: .immutable)
    guard case .present(let stamp) = try SeedStamp.read(from: connection) else {
      Issue.record("no stamp")
      return
    }
    #expect(stamp.name == "library" && stamp.version == "1.2")
    #expect(stamp.contentSHA256 == (try ContentDigest.compute(connection)))
  }

  @Test func `the same model gives the same bytes, and another one another UUID`() throws {
    _ = try build()
    let (bytes, uuid) = (try directory.bytes(of: "Library.sqlite"), try metadata().uuid)
    _ = try build()
    #expect(try directory.bytes(of: "Library.sqlite") == bytes)
    #expect(uuid == uuid.uppercased() && uuid.count == 36)
    // Version 8 and the variant of RFC 9562.
    #expect(Array(uuid)[14] == "8" && "89AB".contains(Array(uuid)[19]))
    try directory.write(
      ModelText.contents(LibraryModel.body + "<entity name=\"New\"/>"), to: "contents")
    _ = try build()
    #expect(try metadata().uuid != uuid)
  }

  @Test func `the content changes with a hash alone`() throws {
    _ = try build()
    let uuid = try metadata().uuid
    let text = LibraryModel.body.replacing("maxCount=\"4\"", with: "maxCount=\"5\"")
    try directory.write(ModelText.contents(text), to: "contents")
    _ = try build()
    #expect(try metadata().uuid != uuid)
  }

  @Test func `a model that is wrong leaves the old store as it is`() throws {
    _ = try build()
    let bytes = try directory.bytes(of: "Library.sqlite")
    try directory.write(ModelText.contents("<entity name=\"A\" q=\"\"/>"), to: "contents")
    let error = #expect(throws: BuildError.self) { try build() }
    #expect(error?.reason == .input)
    #expect(error?.diagnostics.first?.location?.line == 2)
    #expect(error?.diagnostics.first?.excerpt?.text == "<entity name=\"A\" q=\"\"/>")
    #expect(try directory.bytes(of: "Library.sqlite") == bytes)
  }

  @Test func `what Core Data decides cannot be asked for`() throws {
    for change: (inout BuildOptions) -> Void in [
      { $0.pageSize = 8192 }, { $0.userVersion = 1 }, { $0.applicationID = 1 },
    ] {
      let error = #expect(throws: BuildError.self) { try build(change) }
      #expect(error?.reason == .usage)
    }
  }

  @Test func `a key is noted as the last of its table when there are rows`() throws {
    let layout = try StoreLayout(try ModelText.read(LibraryModel.body))
    let connection = try Connection.inMemory()
    let file = StoreFile(layout)
    try file.createTables(connection)
    try connection.execute("INSERT INTO ZWORK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1), (7, 4, 1)")
    try file.finish(
      connection,
      StoreFile.Identity(
        hashes: EntityHashes([:]), modelIdentifier: "1", name: "library"))
    #expect(
      try connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0")
        == [[.text("Work"), .integer(7)]])
  }
}
