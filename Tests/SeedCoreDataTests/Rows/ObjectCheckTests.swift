import SeedBuilder
import SeedModel
import TestSupport
import Testing

@testable import SeedCoreData

/// What Core Data would say when the objects were saved.
@Suite struct ObjectCheckTests {
  @Test func `a relationship that is not optional needs an object`() throws {
    let model = """
      <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="author" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/></entity>
      <entity name="Author"><relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
      """
    #expect(
      try FilledStore.failure(
        "<L><Book><author><Author/></author></Book>\n<Author><books><Book/></books></Author>\n\n<Book title=\"x\"/></L>",
        model: model)
        == ["input.xml:4:1: Book has no author, and the relationship is not optional"])
  }

  private func counted(_ bounds: String, inverseToMany: Bool) -> String {
    """
    <entity name="Team"><relationship name="players" optional="YES" toMany="YES" \(bounds) destinationEntity="Player" inverseName="team" inverseEntity="Player"/></entity>
    <entity name="Player"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="team" optional="YES" \(inverseToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") destinationEntity="Team" inverseName="players" inverseEntity="Team"/></entity>
    """
  }

  @Test(arguments: [true, false])
  func `the counts of the model hold`(isManyToMany: Bool) throws {
    let xml = """
      <L><Team><players><Player/><Player/></players></Team>
      <Team><players><Player name="a"/></players></Team>
      <Team><players><Player/><Player/><Player/><Player/></players></Team></L>
      """
    let model = counted("minCount=\"2\" maxCount=\"3\"", inverseToMany: isManyToMany)
    #expect(
      try FilledStore.failure(xml, model: model) == [
        "input.xml:2:1: Team has 1 players, and the model demands none or at least 2",
        "input.xml:3:1: Team has 4 players, and the model demands at most 3",
      ])
  }

  @Test func `an optional relationship may have no objects, whatever the model's fewest are`()
    throws
  {
    let model = counted("minCount=\"2\" maxCount=\"3\"", inverseToMany: false)
      .replacing("\"YES\" maxCount=\"1\"", with: "\"YES\" minCount=\"1\" maxCount=\"1\"")
    let store = try FilledStore("<L><Team/><Player name=\"a\"/></L>", model: model)
    #expect(try store.lines("SELECT count(*) FROM ZTEAM") == ["1"])
    #expect(try store.lines("SELECT count(*) FROM ZPLAYER WHERE ZTEAM IS NULL") == ["1"])
    let check = StoreVerification(
      model: try StoreModel(StoreOptions(model: store.directory.path("contents"))))
    #expect(try Verification.findings(inDatabaseAt: store.path, with: check).isEmpty)
  }

  @Test func `values that occur only once are found where they occur again`() throws {
    let model = """
      <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="kind" optional="YES" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="kind"/></uniquenessConstraint></uniquenessConstraints></entity>
      """
    let store = try FilledStore(
      "<L><Tag name=\"a\" kind=\"x\"/><Tag name=\"a\" kind=\"y\"/><Tag name=\"a\"/><Tag name=\"a\"/></L>",
      model: model)
    #expect(try store.lines("SELECT count(*) FROM ZTAG") == ["4"])
    #expect(
      try FilledStore.failure(
        "<L><Tag name=\"a\" kind=\"x\"/>\n\n<Tag name=\"a\" kind=\"x\"/></L>", model: model) == [
          "input.xml:3:12: another Tag has name \"a\" and kind \"x\" already, which the model wants "
            + "only once [leave one of the two out, or correct its value; the other is in input.xml:1:4]"
        ])
  }

  @Test func `objects of several documents are told apart`() throws {
    let model = """
      <entity name="Tag"><attribute name="name" attributeType="String"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints></entity>
      """
    #expect(
      try FilledStore.failure(
        [
          ("a.xml", "<L><Tag name=\"a\"/></L>"),
          ("b.json", "{\"tag\": [\n{\"name\": \"b\"},\n{\"name\": \"a\"}]}"),
        ],
        model: model) == [
          "b.json:3:11: another Tag has name \"a\" already, which the model wants only once "
            + "[leave one of the two out, or correct its value; the other is in a.xml:1:4]"
        ])
  }
}
