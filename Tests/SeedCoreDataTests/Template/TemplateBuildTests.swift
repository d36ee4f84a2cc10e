import SeedBuilder
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// Filling an empty store that something else wrote.
@Suite struct TemplateBuildTests {
  private let directory: TemporaryDirectory
  private let model: String
  private let template: String
  private let output: String

  private static let body = """
    <entity name="Author"><attribute name="fullName" optional="YES" attributeType="String"/>
    <attribute name="isAlive" optional="YES" attributeType="Boolean"/>
    <attribute name="key" optional="YES" attributeType="UUID"/>
    <relationship name="books" optional="YES" toMany="YES" ordered="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="fullName"/></uniquenessConstraint></uniquenessConstraints></entity>
    <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
    <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/></entity>
    """

  /// Makes an empty store and gives it what only Core Data writes.
  init() throws {
    directory = try TemporaryDirectory()
    output = directory.path("output.sqlite")
    template = directory.path("Empty.sqlite")
    let model = try directory.write(ModelText.contents(Self.body), to: "contents")
    self.model = model
    _ = try Build.run(BuildOptions(inputs: [], output: template)) {
      try StoreBuild($0, StoreOptions(model: model))
    }
    try change(
      """
      UPDATE Z_METADATA SET Z_UUID = '00000000-0000-0000-0000-000000000000';
      INSERT INTO Z_MODELCACHE VALUES (x'0102');
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER );
      INSERT INTO ACHANGE VALUES (1, 16001);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 7);
      """)
  }

  private func change(_ sql: String) throws {
    let connection = try Connection(path: template, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  private func build(_ xml: String, withModel: Bool = false) throws -> BuildSummary {
    let input = BuildInput(.file(try directory.write(xml, to: "input.xml")), name: "input.xml")
    return try Build.run(BuildOptions(inputs: [input], output: output)) {
      try TemplateBuild(
        $0, template: template, model: withModel ? StoreOptions(model: model) : nil)
    }
  }

  private func failure(_ xml: String, withModel: Bool = false) throws -> [String] {
    do {
      _ = try build(xml, withModel: withModel)
      return []
    } catch let error as BuildError {
      return error.diagnostics.map(\.message)
    }
  }

  private func rows(_ query: String) throws -> [[SQLiteValue]] {
    try Connection(path: output, mode: .immutable).rows(query)
  }

  @Test func `schema, metadata and archived model stay, keys and UUID are new`() throws {
    let before = try Connection(path: template, mode: .immutable)
    let schema = try before.rows("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid")
    let metadata = try #require(try StoreMetadata.read(from: before))
    _ = try build("<R><Author full-name=\"A\" isAlive=\"yes\"/><Author fullName=\"B\"/></R>")
    #expect(try rows("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid") == schema)
    #expect(
      try rows("SELECT Z_PK, Z_ENT, Z_OPT, ZISALIVE, ZFULLNAME FROM ZAUTHOR") == [
        [.integer(1), .integer(1), .integer(1), .integer(1), .text("A")],
        [.integer(2), .integer(1), .integer(1), .null, .text("B")],
      ])
    #expect(
      try rows("SELECT * FROM Z_PRIMARYKEY") == [
        [.integer(1), .text("Author"), .integer(0), .integer(2)],
        [.integer(2), .text("Book"), .integer(0), .integer(0)],
        [.integer(16001), .text("CHANGE"), .integer(0), .integer(7)],
      ])
    #expect(try rows("SELECT * FROM Z_MODELCACHE") == [[.blob([1, 2])]])
    // A history with rows would make the store read-only for an app that asks for none.
    #expect(try rows("SELECT * FROM ACHANGE").isEmpty)
    let after = try #require(
      try StoreMetadata.read(from: Connection(path: output, mode: .immutable)))
    #expect(after.uuid != metadata.uuid)
    #expect(
      after.members["NSStoreModelVersionHashes"] == metadata.members["NSStoreModelVersionHashes"])
    #expect(try rows("PRAGMA auto_vacuum") == [[.integer(2)]])
  }

  @Test func `what the app keeps beside the tables of Core Data stays`() throws {
    try change(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, twice INTEGER AS (id * 2));
      CREATE TRIGGER once AFTER INSERT ON note BEGIN DELETE FROM note WHERE id = 7; END;
      DROP TRIGGER once;
      INSERT INTO note (id, body) VALUES (7, 'a'), (9, NULL);
      CREATE TRIGGER once AFTER INSERT ON note BEGIN DELETE FROM note WHERE id = 7; END;
      CREATE TABLE pair (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO pair VALUES (1, x'00'), (1, 2.5);
      PRAGMA user_version = 5;
      PRAGMA application_id = 77;
      """)
    _ = try build("<R><Author fullName=\"A\"/></R>")
    #expect(
      try rows("SELECT id, body, twice FROM note") == [
        [.integer(7), .text("a"), .integer(14)], [.integer(9), .null, .integer(18)],
      ])
    #expect(
      try rows("SELECT * FROM pair") == [[.integer(1), .real(2.5)], [.integer(1), .blob([0])]])
    #expect(try rows("PRAGMA user_version") == [[.integer(5)]])
    #expect(try rows("PRAGMA application_id") == [[.integer(77)]])
  }

  @Test func `triggers on the accounts fire for the app and not for the build`() throws {
    try change(
      """
      CREATE TRIGGER keep BEFORE INSERT ON Z_PRIMARYKEY BEGIN SELECT RAISE(ABORT, 'no'); END;
      CREATE TRIGGER hide AFTER INSERT ON Z_MODELCACHE BEGIN DELETE FROM Z_MODELCACHE; END;
      """)
    _ = try build("<R><Author fullName=\"A\"/></R>")
    #expect(try rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == [[.integer(1)]])
    #expect(try rows("SELECT count(*) FROM Z_MODELCACHE") == [[.integer(1)]])
  }

  @Test(arguments: [
    (
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'Z_MAX INTEGER', 'Z_MAX INTEGER CHECK (Z_MAX = 0)')
        WHERE name = 'Z_PRIMARYKEY';
      """, "Z_PRIMARYKEY"
    ),
    (
      "CREATE TRIGGER keep BEFORE INSERT ON Z_METADATA BEGIN SELECT RAISE(ABORT, 'no'); END",
      "Z_METADATA"
    ),
  ])
  func `accounts that refuse their rows are an error that names the table`(
    sql: String, table: String
  ) throws {
    try change(sql)
    let faults = try failure("<R><Author fullName=\"A\"/></R>")
    #expect(faults.count == 1)
    #expect(
      faults.first?.hasPrefix("\"\(table)\" of the template ") == true
        && faults.first?.contains("cannot be used: ") == true, "\(faults)")
  }

  @Test(arguments: ["[]", "{}"])
  func `an array or an object with nothing in it may be a value, which only the model tells`(
    value: String
  ) throws {
    let path = try directory.write(
      "{\"author\": [{\"fullName\": \"A\", \"key\": \(value)}]}", to: "input.json")
    let options = BuildOptions(
      inputs: [BuildInput(.file(path), name: "input.json")], output: output)
    do {
      _ = try Build.run(options) { try TemplateBuild($0, template: template, model: nil) }
      Issue.record("it was built")
    } catch let error as BuildError {
      #expect(error.diagnostics.count == 1)
      #expect(error.diagnostics[0].message.hasPrefix("key of author is an array or an object"))
      #expect(error.diagnostics[0].hint?.contains("--model") == true)
    }
  }

  @Test func `a column of data takes UUIDs, and data in base64`() throws {
    _ = try build(
      "<R><Author fullName=\"A\" key=\"c4637490-bd7f-4428-b093-63a1720e17d2\"/><Author fullName=\"B\" key=\"aGk=\"/></R>"
    )
    #expect(try rows("SELECT length(ZKEY) FROM ZAUTHOR") == [[.integer(16)], [.integer(2)]])
  }

  @Test func `with the model records nest`() throws {
    _ = try build(
      "<R><Author fullName=\"A\"><books><Book title=\"1\"/><Book title=\"2\"/></books></Author></R>",
      withModel: true)
    #expect(
      try rows("SELECT ZAUTHOR, Z_FOK_AUTHOR, ZTITLE FROM ZBOOK") == [
        [.integer(1), .integer(2048), .text("1")], [.integer(1), .integer(3072), .text("2")],
      ])
  }

  @Test func `what the columns do not have is an error`() throws {
    #expect(
      try failure("<R><Author name=\"A\"/></R>")
        == ["entity \"Author\" has no attribute for attribute name of Author"])
    #expect(
      try failure("<R><Author fullName=\"A\"/><Author fullName=\"A\"/></R>")
        == ["another Author has fullname \"A\" already, which the model wants only once"])
  }

  @Test(arguments: [
    "<R><Author name=\"A\"/></R>", "<R><Author><books><Book title=\"1\"/></books></Author></R>",
    "<R><Author><Book title=\"1\"/></Author></R>", "<R><Book><author><Author/></author></Book></R>",
    "<R><Book author=\"Ann\"/></R>", "<R><Book author=\"1\"/></R>",
    "<R><Author key=\"red\"/></R>",
  ])
  func `what only the model tells is refused with a hint at it`(xml: String) throws {
    do {
      _ = try build(xml)
      Issue.record("it was built")
    } catch let error as BuildError {
      #expect(error.diagnostics.allSatisfy { $0.hint?.contains("--model") == true })
    }
  }

  @Test func `with the model no hint asks for it`() throws {
    do {
      _ = try build("<R><Author name=\"A\"/></R>", withModel: true)
      Issue.record("it was built")
    } catch let error as BuildError {
      #expect(error.diagnostics.allSatisfy { $0.hint?.contains("--model") == false })
    }
  }

  @Test func `a template with rows is refused`() throws {
    try change("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)")
    #expect(
      try failure("<R><Author fullName=\"A\"/></R>")
        == ["the template has 1 row of its own in ZBOOK"])
  }

  @Test func `a template with a log beside it is refused, with what to do`() throws {
    try directory.write("x", to: "Empty.sqlite-wal")
    let faults = try failure("<R><Author fullName=\"A\"/></R>")
    #expect(faults.count == 1 && faults[0].hasPrefix("the template has unfinished work in "))
  }

  @Test func `a model that is not the template's is refused`() throws {
    try directory.write(
      ModelText.contents(Self.body.replacing("\"title\" optional=\"YES\"", with: "\"title\"")),
      to: "contents")
    #expect(
      try failure("<R><Author fullName=\"A\"/></R>", withModel: true)
        == ["the template is of another model: the version hashes differ for \"Book\""])
  }

  @Test(arguments: [
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 2", "entity \"Book\" has a version hash and no row"),
    ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Author' WHERE Z_ENT = 2", "entity \"Author\" has two rows"),
    ("DROP TABLE ZBOOK", "which entity \"Book\" needs"),
  ])
  func `a template that verification would refuse is refused`(sql: String, fault: String) throws {
    try change(sql)
    for withModel in [false, true] {
      let messages = try failure("<R><Author fullName=\"A\"/></R>", withModel: withModel)
      #expect(messages.count == 1)
      #expect(messages.first?.hasPrefix("the template is not whole: ") == true, "\(messages)")
      #expect(messages.first?.contains(fault) == true, "\(messages)")
    }
  }
}
