import SeedBuilder
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// What both ends of a relationship, and what is counted of it, have to agree on: each test damages a
/// good store in one way.
@Suite struct LinkVerificationTests {
  private static let model = """
    <entity name="Card"><attribute name="code" optional="YES" attributeType="String"/>
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Member" inverseName="card" inverseEntity="Member"/></entity>
    <entity name="Club"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="players" toMany="YES" maxCount="2" destinationEntity="Player" inverseName="club" inverseEntity="Player"/></entity>
    <entity name="Member"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="card" optional="YES" maxCount="1" destinationEntity="Card" inverseName="owner" inverseEntity="Card"/>
    <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" inverseEntity="Team"/></entity>
    <entity name="Player"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="club" optional="YES" maxCount="1" destinationEntity="Club" inverseName="players" inverseEntity="Club"/></entity>
    <entity name="Tag"><attribute name="label" optional="YES" attributeType="String"/>
    <relationship name="teams" optional="YES" toMany="YES" destinationEntity="Team" inverseName="tags" inverseEntity="Team"/></entity>
    <entity name="Team"><attribute name="memberCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="members.@count"/>
    <relationship name="members" optional="YES" toMany="YES" ordered="YES" destinationEntity="Member" inverseName="team" inverseEntity="Member"/>
    <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag" inverseName="teams" inverseEntity="Tag"/></entity>
    """

  private static let xml = """
    <R><Team><members><Member name="x"><card><Card code="1"/></card></Member>
    <Member name="y"><card><Card code="2"/></card></Member></members>
    <tags><Tag label="t"/><Tag label="u"/></tags></Team>
    <Club><players><Player name="p"/></players></Club></R>
    """

  /// What is wrong with the store after some statements.
  private func findings(after sql: String, withModel: Bool = true) throws -> [Finding] {
    let store = try FilledStore(Self.xml, model: Self.model)
    let connection = try Connection(path: store.path, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
    let model = try StoreModel(StoreOptions(model: store.directory.path("contents")))
    return try Verification.findings(
      inDatabaseAt: store.path, with: StoreVerification(model: withModel ? model : nil, now: 0)
    ).filter { $0.code != .contentChanged }
  }

  @Test(arguments: [
    (
      "UPDATE ZCARD SET ZOWNER = NULL WHERE Z_PK = 1", Finding.Code.storeReference, "ZMEMBER",
      "row 1 of \"ZMEMBER\" refers to row 1 of \"ZCARD\" by \"card\", whose \"owner\" leads to nothing "
        + "and not back"
    ),
    (
      "UPDATE ZTEAM SET ZMEMBERCOUNT = 7", .storeRequired, "ZTEAM",
      "row 1 of \"ZTEAM\" has 7 as the derived \"memberCount\", and 2 \"members\""
    ),
    (
      "UPDATE ZTEAM SET ZMEMBERCOUNT = NULL", .storeRequired, "ZTEAM",
      "row 1 of \"ZTEAM\" has 0 as the derived \"memberCount\", and 2 \"members\""
    ),
  ])
  func `what does not agree is found with the model, and its remedy repairs it`(
    damage: String, code: Finding.Code, table: String, message: String
  ) throws {
    #expect(try findings(after: "") == [])
    let found = try findings(after: damage)
    #expect(found.map(\.message) == [message])
    #expect(found.map(\.code) == [code] && found.map(\.table) == [table])
    let remedy = try #require(found.first?.hint.split(separator: "run: ").last)
    #expect(try findings(after: "\(damage); \(remedy)") == [])
  }

  @Test func `two objects that swapped their partners on one side only are both found`() throws {
    let damage = "UPDATE ZCARD SET ZOWNER = 3 - ZOWNER"
    let found = try findings(after: damage)
    #expect(found.count == 4)
    #expect(
      found.first?.message
        == "row 1 of \"ZCARD\" refers to row 2 of \"ZMEMBER\" by \"owner\", whose \"card\" leads to "
        + "row 2 and not back")
    let remedy = try #require(found.first?.hint.split(separator: "run: ").last)
    #expect(try findings(after: "\(damage); \(remedy)") == [])
  }

  @Test(arguments: [
    // Two of one side at one of the other, by either side.
    "UPDATE ZMEMBER SET ZCARD = 1", "UPDATE ZMEMBER SET ZCARD = 2", "UPDATE ZCARD SET ZOWNER = 2",
    "UPDATE ZMEMBER SET ZCARD = 1; UPDATE ZCARD SET ZOWNER = 2",
    "UPDATE ZMEMBER SET ZCARD = 1; UPDATE ZCARD SET ZOWNER = NULL",
    "UPDATE ZMEMBER SET ZCARD = NULL WHERE Z_PK = 1; UPDATE ZCARD SET ZOWNER = 1 WHERE Z_PK = 2",
    "UPDATE ZCARD SET ZOWNER = 3 - ZOWNER; UPDATE ZMEMBER SET ZCARD = NULL WHERE Z_PK = 2",
    "UPDATE ZCARD SET Z_ENT = 9; UPDATE ZMEMBER SET ZCARD = 2; UPDATE ZMEMBER SET Z_OPT = NULL",
    "UPDATE ZCARD SET ZOWNER = 1 WHERE Z_PK = 2; UPDATE ZMEMBER SET Z_FOK_TEAM = 7.5",
  ])
  func `the remedies repair a store when they are run in their order`(damage: String) throws {
    try expectRemedies(after: damage)
  }

  /// Runs the statements of all findings as they are printed.
  private func expectRemedies(after damage: String) throws {
    let found = try findings(after: damage)
    #expect(!found.isEmpty)
    var hints: [String] = []
    for finding in found where hints.last != finding.hint { hints.append(finding.hint) }
    let remedies = try hints.map { hint in
      let start = try #require(hint.firstRange(of: "run: "), "\(hint)").upperBound
      return String(hint[start...])
    }
    #expect(remedies.allSatisfy { $0.hasSuffix(";") })
    #expect(try findings(after: "\(damage); \(remedies.joined(separator: " "))") == [])
  }

  @Test func `a pair that agrees stays when another row refers to one of it`() throws {
    let damage = "UPDATE ZMEMBER SET ZCARD = 2"
    let hint = try #require(try findings(after: damage).first?.hint)
    let remedy = try #require(hint.split(separator: "run: ").last)
    let store = try FilledStore(Self.xml, model: Self.model)
    let connection = try Connection(path: store.path, mode: .readWrite)
    try connection.execute("\(damage); \(remedy)")
    #expect(
      try connection.rows("SELECT Z_PK FROM ZMEMBER WHERE ZCARD = 2") == [[.integer(2)]])
    #expect(
      try connection.rows("SELECT Z_PK FROM ZCARD WHERE ZOWNER = 2") == [[.integer(2)]])
  }

  @Test(arguments: [
    (
      "UPDATE ZMEMBER SET ZNAME = x'00' WHERE Z_PK = 1", Finding.Code.storeValue,
      "row 1 of \"ZMEMBER\" has a BLOB in \"ZNAME\", where Core Data keeps a text"
    ),
    (
      "UPDATE ZMEMBER SET Z_OPT = NULL WHERE Z_PK = 1", .storeRequired,
      "row 1 of \"ZMEMBER\" has no Z_OPT, the number of times that it was saved"
    ),
    (
      "UPDATE ZMEMBER SET Z_OPT = 'once' WHERE Z_PK = 1", .storeValue,
      "row 1 of \"ZMEMBER\" has \"once\" in \"Z_OPT\", where Core Data keeps an integer"
    ),
    (
      "UPDATE ZMEMBER SET Z_FOK_TEAM = 'first' WHERE Z_PK = 1", .storeOrder,
      "row 1 of \"ZMEMBER\" refers to row 1 by \"team\" and has no place among the ordered objects "
        + "there: \"Z_FOK_TEAM\" is \"first\""
    ),
    (
      "UPDATE Z_5TEAMS SET Z_FOK_5TAGS = 2048.5 WHERE Z_5TAGS = 1", .storeOrder,
      "row (1, 1) of \"Z_5TEAMS\" has no place in the ordered relationship \"tags\": \"Z_FOK_5TAGS\" "
        + "is 2048.5"
    ),
    (
      "UPDATE Z_METADATA SET Z_VERSION = 2", .storeMetadata,
      "\"Z_VERSION\" is 2, and 1 in every store that Core Data writes"
    ),
  ])
  func `values that Core Data does not keep so are found`(
    damage: String, code: Finding.Code, message: String
  ) throws {
    let found = try findings(after: damage)
    #expect(found.map(\.message) == [message])
    #expect(found.map(\.code) == [code])
    #expect(try findings(after: damage, withModel: false).map(\.code) == [code])
  }

  @Test(arguments: [
    (
      "UPDATE ZMEMBER SET Z_FOK_TEAM = 2048", "ZMEMBER",
      "row 1 of \"ZMEMBER\" has the place 2048 in \"Z_FOK_TEAM\" that another row has, too, of the "
        + "objects that belong to row 1 by "
    ),
    (
      "UPDATE Z_5TEAMS SET Z_FOK_5TAGS = 2048", "Z_5TEAMS",
      "row (1, 1) of \"Z_5TEAMS\" has the place 2048 in \"Z_FOK_5TAGS\" that another row has, too, "
        + "of the objects that belong to row 1 by "
    ),
  ])
  func `equal places in one ordered relationship are found, and the remedy numbers them`(
    damage: String, table: String, message: String
  ) throws {
    for withModel in [true, false] {
      let found = try findings(after: damage, withModel: withModel)
      #expect(found.map(\.code) == [.storeOrder, .storeOrder])
      #expect(found.first?.message.hasPrefix(message) == true, "\(found.map(\.message))")
      #expect(found.map(\.table) == [table, table])
      let remedy = try #require(found.first?.hint.split(separator: "run: ").last)
      #expect(try findings(after: "\(damage); \(remedy)", withModel: withModel) == [])
    }
  }

  @Test(arguments: [
    ("DELETE FROM ZPLAYER; UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Player'", 0),
    (
      "INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZCLUB) VALUES (2, 4, 1, 1), (3, 4, 1, 1); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Player'", 3
    ),
  ])
  func `too few and too many objects of a relationship are found with the model`(
    damage: String, count: Int
  ) throws {
    let found = try findings(after: damage)
    // Nothing of the model says a least number.
    let words =
      count == 0
      ? "has no \"players\", and the relationship is not optional"
      : "has \(count) \"players\", and the model demands at most 2"
    #expect(found.map(\.message) == ["row 1 of \"ZCLUB\", of entity Club, \(words)"])
    #expect(found.map(\.code) == [.storeRequired])
    #expect(found.first?.hint.contains("\"ZPLAYER\"") == true)
    #expect(try findings(after: damage, withModel: false) == [])
  }

  @Test func `a trigger that is not there is found with the model, and the remedy makes it`() throws
  {
    let damage = "DROP TRIGGER Z_DA_ZMEMBER_Team_memberCount_PARAMETER_DELETE"
    let found = try findings(after: damage)
    #expect(
      found.map(\.message) == [
        "there is no trigger \"Z_DA_ZMEMBER_Team_memberCount_PARAMETER_DELETE\", "
          + "which keeps a derived attribute right"
      ])
    let remedy = try #require(found.first?.hint.dropFirst("run: ".count))
    #expect(try findings(after: "\(damage); \(remedy)") == [])
  }

  @Test func `a remedy that changes rows with triggers says how to go without them`() throws {
    let found = try findings(
      after: """
        CREATE TEMP TABLE t AS SELECT name, sql FROM sqlite_schema WHERE type = 'trigger';
        PRAGMA writable_schema = ON;
        DELETE FROM sqlite_schema WHERE type = 'trigger';
        PRAGMA writable_schema = RESET;
        UPDATE ZMEMBER SET ZTEAM = 9;
        PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema SELECT 'trigger', name, CASE WHEN name LIKE '%SOURCE%' THEN 'ZTEAM'
          ELSE 'ZMEMBER' END, 0, sql FROM t;
        """)
    let reference = try #require(found.first { $0.code == .storeReference })
    #expect(reference.hint.contains("set \"ZTEAM\" to NULL"))
    #expect(reference.hint.contains(".dbconfig enable_trigger off"), "\(reference.hint)")
  }

  @Test func `a build refuses an object without those that its model demands`() throws {
    let faults = try FilledStore.failure("<R>\n<Club name=\"c\"/></R>", model: Self.model)
    #expect(
      faults == ["input.xml:2:1: Club has no players, and the relationship is not optional"])
  }
}
