import SeedBuilder
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// Damages to what a store says about itself and its entities.
@Suite struct StoreMetadataTests {
  @Test(arguments: [
    ("DROP TABLE Z_METADATA", "there is no table \"Z_METADATA\""),
    ("DELETE FROM Z_METADATA", "table \"Z_METADATA\" has no row, and one is needed"),
    (
      "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
      "table \"Z_METADATA\" has 2 rows, and one is needed"
    ),
    (
      "ALTER TABLE Z_METADATA DROP COLUMN Z_UUID",
      "table \"Z_METADATA\" has no column \"Z_UUID\""
    ),
    (
      "UPDATE Z_METADATA SET Z_UUID = 'x'", "the store has no UUID: \"Z_UUID\" is not one"
    ),
    (
      "UPDATE Z_METADATA SET Z_PLIST = NULL",
      "the store has no property list: \"Z_PLIST\" is no BLOB"
    ),
  ])
  func `metadata that are not there are found`(sql: String, message: String) throws {
    let findings = try CinemaStore.findings(after: sql, model: false)
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.code) == [.storeMetadata])
    #expect(findings.map(\.table) == ["Z_METADATA"])
  }

  @Test(arguments: ["x'00'", "x'62706c6973743030ff'", "x'62706c6973743030'"])
  func `a property list that cannot be read is found`(bytes: String) throws {
    let findings = try CinemaStore.findings(
      after: "UPDATE Z_METADATA SET Z_PLIST = \(bytes)", model: false)
    #expect(findings.map(\.code) == [.storeMetadata])
    #expect(findings.first?.message.hasPrefix("the property list in \"Z_PLIST\" ") == true)
  }

  @Test(arguments: [
    "DROP TABLE Z_METADATA", "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = NULL",
    "UPDATE Z_METADATA SET Z_PLIST = x'00'",
  ])
  func `metadata that cannot be read are of no other model`(sql: String) throws {
    #expect(try CinemaStore.findings(after: sql).map(\.code) == [.storeMetadata])
    // The rows are seen with the model all the same.
    let findings = try CinemaStore.findings(
      after: "\(sql); UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 2")
    #expect(findings.map(\.code) == [.storeMetadata, .storeRequired])
  }

  @Test(arguments: [
    (
      "NSStoreModelVersionHashesVersion", PropertyList.integer(4),
      "the version hashes are of version 4, and Core Data knows 3 at most"
    ),
    (
      "NSStoreType", .string("XML"),
      "the metadata says that the store is of another type than SQLite"
    ),
    (
      "NSStoreModelVersionHashesDigest", .string("x"),
      "\"NSStoreModelVersionHashesDigest\" does not go with the version hashes"
    ),
    (
      "NSStoreModelVersionChecksumKey", .string("x"),
      "\"NSStoreModelVersionChecksumKey\" does not go with the version hashes"
    ),
    (
      "NSStoreModelVersionHashes", .string("x"), "the metadata has no version hashes of entities"
    ),
  ])
  func `members of the metadata that are wrong are found`(
    key: String, value: PropertyList, message: String
  ) throws {
    let store = try CinemaStore()
    #expect(try store.findings(model: false) == [])
    try store.changeMetadata { $0.members[key] = value }
    let findings = try store.findings(model: false)
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.code) == [.storeMetadata])
  }

  // MARK: Entities and tables

  @Test(arguments: [
    ("DROP TABLE Z_PRIMARYKEY", Finding.Code.storeEntities, "there is no table \"Z_PRIMARYKEY\""),
    (
      "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'; DROP TABLE Z_2AUTHORS", .storeEntities,
      "entity \"Person\" has a version hash and no row"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 5 WHERE Z_ENT = 5", .storeEntities,
      "entity \"Review\" has the parent 5, from which no way leads to an entity without a parent"
    ),
    (
      "DROP TABLE ZSHOWING", .storeTables,
      "there is no table \"ZSHOWING\", which entity \"Showing\" needs"
    ),
    (
      "ALTER TABLE ZSHOWING DROP COLUMN Z_OPT", .storeTables,
      "table \"ZSHOWING\" has no column \"Z_OPT\", which entity \"Showing\" needs"
    ),
  ])
  func `entities and tables that are not there are found without a model`(
    sql: String, code: Finding.Code, message: String
  ) throws {
    let findings = try CinemaStore.findings(after: sql, model: false)
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.code) == [code])
  }

  @Test(arguments: [
    (
      "DROP TABLE Z_2AUTHORS",
      "there is no table \"Z_2AUTHORS\" for the relationship \"authors\" of \"Book\""
    ),
    (
      "ALTER TABLE ZREVIEW DROP COLUMN ZSTARS", "table \"ZREVIEW\" has no column \"ZSTARS\""
    ),
  ])
  func `tables and columns that the model asks for are found`(sql: String, message: String) throws {
    let findings = try CinemaStore.findings(after: sql)
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.code) == [.storeTables])
  }

  @Test func `entities under other numbers than the model's are found`() throws {
    let sql = "UPDATE Z_PRIMARYKEY SET Z_ENT = 8 WHERE Z_ENT = 7; UPDATE ZSHOWING SET Z_ENT = 8"
    let findings = try CinemaStore.findings(after: sql)
    #expect(findings.map(\.code) == [.storeEntities])
    #expect(
      findings.first?.message
        == "entity 7 has to be \"Showing\", with no parent, and \"Z_PRIMARYKEY\" says otherwise")
    #expect(try CinemaStore.findings(after: sql, model: false) == [])
  }

  @Test func `another model's hashes are found, and its rows are not asked for`() throws {
    let store = try CinemaStore()
    #expect(try store.findings() == [])
    let other = try store.directory.write(
      ModelText.contents(
        CinemaStore.body.replacing("name=\"stars\" optional", with: "name=\"grade\" optional")
          .replacing("\"Showing\"", with: "\"Screening\"")), to: "other-contents")
    let findings = try store.findings(of: StoreModel(StoreOptions(model: other)))
    #expect(findings.map(\.code) == [.storeHashes])
    #expect(
      findings.first?.message
        == "the store is of another model: its version hashes differ for \"Film\", \"Review\"; "
        + "it has no \"Screening\"; the model has no \"Showing\"")
    #expect(findings.first?.hint.contains("--model-version") == true)
  }

  @Test func `a hash that cannot be computed is noted, and the others are compared`() throws {
    let store = try CinemaStore()
    let text = CinemaStore.body.replacing(
      "entity name=\"Shelf\"", with: "entity name=\"Shelf\" versionHashModifier=\"2\"")
    let path = try store.directory.write(ModelText.contents(text), to: "other-contents")
    let findings = try store.findings(of: StoreModel(StoreOptions(model: path)))
    #expect(findings.map(\.severity) == [.note])
    #expect(findings.first?.message.contains("\"Shelf\" cannot be computed") == true)
  }

  @Test func `accounts that are no tables of Core Data's are findings and no crash`() throws {
    let tables = ["Z_PRIMARYKEY", "Z_METADATA", "ZITEM", "ZPERSON", "Z_2AUTHORS"]
    for table in tables {
      for replacement in [
        "CREATE TABLE \(table)(a)", "CREATE VIEW \(table) AS SELECT 1 AS Z_PK, 1 AS Z_ENT",
        "CREATE TABLE \(table)(Z_PK TEXT PRIMARY KEY, Z_ENT, Z_OPT) WITHOUT ROWID",
      ] {
        for model in [true, false] where model || table != "Z_2AUTHORS" {
          let findings = try CinemaStore.findings(
            after: "DROP TABLE \(table); \(replacement)", model: model)
          #expect(!findings.isEmpty, "\(replacement)")
          #expect(!findings.contains { $0.code == .unreadable }, "\(findings)")
        }
      }
    }
  }
}
