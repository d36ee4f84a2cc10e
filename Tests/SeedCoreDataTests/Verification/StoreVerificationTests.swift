import SeedBuilder
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// Each test damages a store in one way, after having seen that it is sound otherwise.
@Suite struct StoreVerificationTests {
  @Test func `a sound store has no findings, with its model or without`() throws {
    let store = try CinemaStore()
    for model in [store.model, nil] {
      let check = StoreVerification(model: model, now: CinemaStore.now)
      #expect(try Verification.findings(inDatabaseAt: store.path, with: check) == [])
    }
    #expect(try store.directory.names.sorted() == ["Cinema.sqlite", "contents"])
  }

  // MARK: Rows

  /// A damage that the store itself tells of.
  struct Damage: Sendable, CustomTestStringConvertible {
    var sql: String
    var code: Finding.Code
    var table: String
    var row: Int64?
    var message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Damage(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Item'", code: .storeHighestKey,
      table: "ZITEM", row: 3,
      message: "Z_MAX of \"Item\" is 2, and row 3 of \"ZITEM\" is there: "
        + "the app's next new objects would take keys that are in use"),
    Damage(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Shelf'", code: .storeHighestKey,
      table: "ZSHELF", row: 1,
      message: "Z_MAX of \"Shelf\" is nothing, and row 1 of \"ZSHELF\" is there: "
        + "the app's next new objects would take keys that are in use"),
    Damage(
      sql: "UPDATE ZPERSON SET Z_ENT = 5 WHERE Z_PK = 2", code: .storeEntityWrong,
      table: "ZPERSON", row: 2,
      message: "row 2 of \"ZPERSON\" has Z_ENT 5, which is Review, an entity of another table"),
    Damage(
      sql: "UPDATE ZPERSON SET Z_ENT = 99 WHERE Z_PK = 2", code: .storeEntityWrong,
      table: "ZPERSON", row: 2, message: "row 2 of \"ZPERSON\" has Z_ENT 99, which is no entity"),
    Damage(
      sql: "UPDATE ZPERSON SET Z_ENT = NULL WHERE Z_PK = 2", code: .storeEntityMissing,
      table: "ZPERSON", row: 2,
      message: "row 2 of \"ZPERSON\" has no Z_ENT, so that it is an object of no entity"),
    Damage(
      sql: "UPDATE ZREVIEW SET Z1_ITEM = NULL WHERE Z_PK = 2", code: .storeReferenceEntity,
      table: "ZREVIEW", row: 2,
      message: "row 2 of \"ZREVIEW\" refers to row 2 by \"item\" and does not say of which entity: "
        + "\"Z1_ITEM\" is NULL"),
    Damage(
      sql: "UPDATE ZREVIEW SET ZITEM = NULL WHERE Z_PK = 2", code: .storeReferenceEntity,
      table: "ZREVIEW", row: 2,
      message: "row 2 of \"ZREVIEW\" has entity 3 in \"Z1_ITEM\" and refers to nothing by \"item\""),
    Damage(
      sql: "UPDATE ZREVIEW SET Z1_ITEM = 2 WHERE Z_PK = 2", code: .storeReferenceEntity,
      table: "ZREVIEW", row: 2,
      message: "row 2 of \"ZREVIEW\" says in \"Z1_ITEM\" that row 2 of \"ZITEM\" is Book (2), "
        + "and it is Film (3)"),
    Damage(
      sql: "UPDATE ZREVIEW SET ZITEM = 77 WHERE Z_PK = 2", code: .storeReference,
      table: "ZREVIEW", row: 2,
      message: "row 2 of \"ZREVIEW\" refers to row 77 of \"ZITEM\" by \"item\", which is not there"),
    Damage(
      sql: "INSERT INTO Z_2AUTHORS VALUES (1, 8, 2048)", code: .storeJoin, table: "Z_2AUTHORS",
      row: nil,
      message: "row (1, 8) of \"Z_2AUTHORS\" links row 8 of \"ZPERSON\" by \"Z_4AUTHORS\", "
        + "which is not there"),
    Damage(
      sql: "INSERT INTO Z_2AUTHORS VALUES (2, 2, 3072)", code: .storeJoin, table: "Z_2AUTHORS",
      row: nil,
      message: "row (2, 2) of \"Z_2AUTHORS\" links row 2 of \"ZITEM\" by \"Z_2BOOKS\", "
        + "which is Film (3) and has to be Book"),
    Damage(
      sql: "UPDATE ZITEM SET Z_FOK_SHELF = NULL WHERE Z_PK = 1", code: .storeOrder,
      table: "ZITEM", row: 1,
      message: "row 1 of \"ZITEM\" refers to row 1 by \"shelf\" and has no place among the ordered "
        + "objects there: \"Z_FOK_SHELF\" is NULL"),
    Damage(
      sql: "UPDATE Z_2AUTHORS SET Z_FOK_2BOOKS = NULL WHERE Z_4AUTHORS = 2", code: .storeOrder,
      table: "Z_2AUTHORS", row: nil,
      message: "row (3, 2) of \"Z_2AUTHORS\" has no place in the ordered relationship \"books\": "
        + "\"Z_FOK_2BOOKS\" is NULL"),
    Damage(
      sql: "UPDATE ZSHOWING SET ZSTARTS = '2024-05-01'", code: .storeDate, table: "ZSHOWING",
      row: 1,
      message: "row 1 of \"ZSHOWING\" has \"2024-05-01\" as the date \"starts\", which is no number"
    ),
    Damage(
      sql: "UPDATE ZSHOWING SET ZSTARTS = 1714521600000", code: .storeDate, table: "ZSHOWING",
      row: 1,
      message: "row 1 of \"ZSHOWING\" has 1714521600000 as the date \"starts\", "
        + "which is beyond the year 10000"),
  ])
  func `a damage to a row is found with and without the model`(damage: Damage) throws {
    let findings = try CinemaStore.findings(after: damage.sql)
    #expect(findings.map(\.message) == [damage.message])
    let finding = try #require(findings.first)
    #expect(finding.code == damage.code && finding.severity == .error)
    #expect(finding.table == damage.table && finding.rowID == damage.row)
    #expect(!finding.hint.isEmpty)
    let alone = try CinemaStore.findings(after: damage.sql, model: false)
    // Without a model, relationships are known by their columns, in capitals.
    #expect(alone.map(\.code) == [damage.code])
    #expect(alone.first?.table == damage.table && alone.first?.rowID == damage.row)
  }

  @Test(arguments: [
    Damage(
      sql: "UPDATE ZITEM SET Z_ENT = 1 WHERE Z_PK = 3; DELETE FROM Z_2AUTHORS WHERE Z_2BOOKS = 3",
      code: .storeEntityWrong, table: "ZITEM", row: 3,
      message: "row 3 of \"ZITEM\" has Z_ENT 1, which is Item, an abstract entity"),
    Damage(
      sql: "UPDATE ZSHOWING SET ZFILM = 9", code: .storeReference, table: "ZSHOWING", row: 1,
      message: "row 1 of \"ZSHOWING\" refers to row 9 of \"ZITEM\" by \"film\", which is not there"),
    Damage(
      sql: "UPDATE ZSHOWING SET ZFILM = 1", code: .storeReferenceEntity, table: "ZSHOWING", row: 1,
      message: "row 1 of \"ZSHOWING\" refers to row 1 of \"ZITEM\" by \"film\", "
        + "which is Book (2) and has to be Film"),
    Damage(
      sql: "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 2", code: .storeRequired,
      table: "ZPERSON", row: 2,
      message:
        "row 2 of \"ZPERSON\", of entity Person, has no \"name\", and the attribute is not optional"
    ),
    Damage(
      sql: "UPDATE ZITEM SET ZMINUTES = NULL", code: .storeRequired, table: "ZITEM", row: 2,
      message:
        "row 2 of \"ZITEM\", of entity Film, has no \"minutes\", and the attribute is not optional"),
    Damage(
      sql: "UPDATE ZSHOWING SET ZFILM = NULL", code: .storeRequired, table: "ZSHOWING", row: 1,
      message: "row 1 of \"ZSHOWING\", of entity Showing, has no \"film\", "
        + "and the relationship is not optional"),
  ])
  func `a damage that only the model tells of is found with it`(damage: Damage) throws {
    let findings = try CinemaStore.findings(after: damage.sql)
    #expect(findings.map(\.message) == [damage.message])
    #expect(findings.first?.code == damage.code)
    #expect(findings.first?.table == damage.table && findings.first?.rowID == damage.row)
    #expect(try CinemaStore.findings(after: damage.sql, model: false) == [])
  }

  @Test func `the remedy for a low key is the statement that sets it`() throws {
    let damage = "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Item'"
    let hint = try #require(try CinemaStore.findings(after: damage).first?.hint)
    #expect(hint.hasPrefix("run: "))
    #expect(try CinemaStore("\(damage); \(hint.dropFirst(5))").findings() == [])
  }

  @Test(arguments: [
    (
      "UPDATE ZREVIEW SET Z1_ITEM = NULL WHERE Z_PK = 2",
      "UPDATE ZREVIEW SET Z1_ITEM = (SELECT o.Z_ENT FROM ZITEM AS o WHERE o.Z_PK = ZREVIEW.ZITEM);"
    ),
    (
      "UPDATE ZREVIEW SET Z1_ITEM = 2 WHERE Z_PK = 2",
      "UPDATE ZREVIEW SET Z1_ITEM = (SELECT o.Z_ENT FROM ZITEM AS o WHERE o.Z_PK = ZREVIEW.ZITEM);"
    ),
    ("UPDATE ZPERSON SET Z_ENT = 5", "UPDATE ZPERSON SET Z_ENT = 4;"),
  ])
  func `the remedy for a wrong entity names its table and repairs it`(
    damage: String, remedy: String
  ) throws {
    let hint = try #require(try CinemaStore.findings(after: damage).first?.hint)
    #expect(hint == "run: \(remedy)")
    #expect(try CinemaStore("\(damage); \(remedy)").findings() == [])
  }

  @Test func `of many damaged rows a few are listed and the rest is counted`() throws {
    let findings = try CinemaStore.findings(
      after: """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1009)
          INSERT INTO ZREVIEW (Z_PK, Z_ENT, Z_OPT, ZITEM, Z1_ITEM) SELECT i, 5, 1, 77, 2 FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1009 WHERE Z_ENT = 5
        """)
    #expect(findings.map(\.code) == Array(repeating: .storeReference, count: 6))
    #expect(findings.map(\.rowID) == [10, 11, 12, 13, 14, nil])
    #expect(
      findings.last?.message
        == "995 more rows of \"ZREVIEW\" refer to missing rows of \"ZITEM\" by \"item\"")
  }

  @Test func `rows with the same values are found where the unique index is lost`() throws {
    let lost = "DROP INDEX Z_Book_UNIQUE_isbn"
    let note = try CinemaStore.findings(after: lost)
    #expect(note.map(\.code) == [.storeUnique])
    #expect(note.map(\.severity) == [.note])
    let findings = try CinemaStore.findings(
      after: "\(lost); UPDATE ZITEM SET ZISBN = '978-0' WHERE Z_PK = 3")
    // First the rows have to differ.
    #expect(findings.map(\.severity) == [.error, .note])
    #expect(
      findings.first?.message
        == "row 3 of \"ZITEM\" has the same \"isbn\" as row 1, which \"Book\" has only once")
    #expect(findings.first?.rowID == 3)
    // The remedy of the note makes the index that was lost.
    let hint = try #require(note.first?.hint)
    #expect(try CinemaStore("\(lost); \(hint.dropFirst("run: ".count))").findings() == [])
  }

  // MARK: Files

  @Test func `a log beside the store is found, and WAL mode is a note`() throws {
    let store = try CinemaStore()
    let writer = try Connection(path: store.path, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL; UPDATE ZPERSON SET Z_OPT = 2 WHERE Z_PK = 1")
    #expect(try store.findings().map(\.code) == [.walMode, .walFile])
    try writer.close()
    let findings = try store.findings()
    #expect(findings.map(\.code) == [.walMode] && findings.map(\.severity) == [.note])
    try store.directory.write("", to: "Cinema.sqlite-wal")
    #expect(try store.findings().map(\.code).contains(.walFile))
  }

  @Test(arguments: [
    ("PRAGMA page_size = 8192", "page_size is 8192, and 4096 in stores that Core Data writes"),
    ("PRAGMA auto_vacuum = FULL", "auto_vacuum is 1, and 2 in stores that Core Data writes"),
    (
      "PRAGMA encoding = 'UTF-16le'",
      "texts are in UTF-16le, and in UTF-8 in stores that Core Data writes"
    ),
  ])
  func `a file that is laid out otherwise is noted`(pragma: String, message: String) throws {
    #expect(try CinemaStore().findings() == [])
    let findings = try CinemaStore(pragmas: pragma).findings()
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.severity) == [.note])
  }

  @Test func `a history is noted if it has rows`() throws {
    let history = "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY); "
    #expect(try CinemaStore.findings(after: history) == [])
    let findings = try CinemaStore.findings(after: history + "INSERT INTO ATRANSACTION VALUES (1)")
    #expect(findings.map(\.code) == [.storeHistory] && findings.map(\.severity) == [.note])
    #expect(findings.first?.message.contains("read-only") == true)
  }

  // MARK: Stamp and kind

  @Test func `a store needs no stamp, and one that has it must not have changed`() throws {
    let store = try CinemaStore()
    let check = StoreVerification(model: store.model, now: CinemaStore.now)
    let writer = try Connection(path: store.path, mode: .readWrite)
    try writer.execute("UPDATE ZPERSON SET ZNAME = 'Anne' WHERE Z_PK = 2")
    try writer.close()
    #expect(
      try Verification.findings(inDatabaseAt: store.path, with: check).map(\.code)
        == [.contentChanged])
    try store.changeMetadata { metadata in
      metadata.members = metadata.members.filter {
        !$0.key.hasPrefix(SeedStamp.metadataPrefix)
      }
    }
    #expect(try Verification.findings(inDatabaseAt: store.path, with: check) == [])
  }

  @Test func `a database that is no store is not taken for one, unless a model is given`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("plain.sqlite")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("CREATE TABLE a(b)")
    try connection.close()
    #expect(
      try Verification.findings(inDatabaseAt: path, with: StoreVerification()).map(\.code)
        == [.stampMissing])
    let model = try CinemaStore().model
    let codes = try Verification.findings(
      inDatabaseAt: path, with: StoreVerification(model: model)
    ).map(\.code)
    #expect(codes.first == .storeMetadata && codes.contains(.storeEntities))
  }

  @Test func `a database with tables of the names alone is no store`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.sqlite")
    let input = try directory.write(
      #"{"Z_METADATA": [{"a": 1}], "Z_PRIMARYKEY": [{"b": 1}]}"#, to: "a.json")
    _ = try Build.run(BuildOptions(inputs: [.file(input)], output: path))
    #expect(try Verification.findings(inDatabaseAt: path, with: StoreVerification()) == [])
    #expect(
      try Connection(path: path, mode: .readOnly).scalarInteger("SELECT a FROM Z_METADATA") == 1)
  }
}
