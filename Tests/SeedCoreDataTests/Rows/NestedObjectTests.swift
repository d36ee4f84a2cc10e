import SeedBuilder
import SeedModel
import Testing

@testable import SeedCoreData

/// Records inside records: both sides of each relationship.
@Suite struct NestedObjectTests {
  private let model = """
    <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" ordered="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
    <relationship name="passport" optional="YES" maxCount="1" destinationEntity="Passport" inverseName="owner" inverseEntity="Passport"/>
    </entity>
    <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
    <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
    </entity>
    <entity name="Novel" parentEntity="Book"><attribute name="genre" optional="YES" attributeType="String"/></entity>
    <entity name="Passport"><attribute name="number" optional="YES" attributeType="String"/>
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Author" inverseName="passport" inverseEntity="Author"/></entity>
    <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/></entity>
    """

  @Test func `an ordered to-many relationship numbers its objects in document order`() throws {
    let store = try FilledStore(
      """
      <Library><Author name="A"><books><Book title="1"/><Book title="2"/></books></Author>
      <Author name="B"><books><Book title="3"/></books></Author></Library>
      """, model: model)
    #expect(
      try store.lines("SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHOR, Z_FOK_AUTHOR, ZTITLE FROM ZBOOK")
        == ["1|2|1|1|2048|1", "2|2|1|1|3072|2", "3|2|1|2|2048|3"])
    #expect(
      try store.lines("SELECT * FROM Z_PRIMARYKEY") == [
        "1|Author|0|2", "2|Book|0|3", "3|Novel|2|0", "4|Passport|0|0", "5|Tag|0|0",
      ])
  }

  @Test(arguments: [
    "<Author><books title=\"x\"/></Author>", "<Author><books><Book title=\"x\"/></books></Author>",
    "<Author><books><item title=\"x\"/></books></Author>", "<Author><Book title=\"x\"/></Author>",
    "<Author><books><title>x</title></books></Author>",
    "<Author><books><book><title>x</title></book></books></Author>",
  ])
  func `a relationship is found by its own name, as a wrapper, or by its entity`(
    xml: String
  ) throws {
    let store = try FilledStore("<Library>\(xml)</Library>", model: model)
    #expect(
      try store.lines("SELECT Z_PK, ZAUTHOR, Z_FOK_AUTHOR, ZTITLE FROM ZBOOK") == ["1|1|2048|x"])
    #expect(try store.lines("SELECT Z_PK FROM ZAUTHOR") == ["1"])
  }

  @Test func `an object inside a to-one relationship has the one around it in its to-many`() throws
  {
    let store = try FilledStore(
      "<Library><Book title=\"1\"><author name=\"A\"/></Book></Library>", model: model)
    #expect(try store.lines("SELECT ZAUTHOR, Z_FOK_AUTHOR FROM ZBOOK") == ["1|2048"])
    #expect(try store.lines("SELECT ZNAME FROM ZAUTHOR") == ["A"])
  }

  @Test func `both sides of a one-to-one relationship have the other's key`() throws {
    let store = try FilledStore(
      """
      <Library><Author name="A"/><Author name="B"><passport number="1"/></Author>
      <Passport number="2"><owner name="C"/></Passport></Library>
      """, model: model)
    #expect(try store.lines("SELECT ZNAME, ZPASSPORT FROM ZAUTHOR") == ["A|", "B|1", "C|2"])
    #expect(try store.lines("SELECT ZNUMBER, ZOWNER FROM ZPASSPORT") == ["1|2", "2|3"])
  }

  @Test func `a many-to-many relationship has one row for each link, ordered on one side`() throws {
    let store = try FilledStore(
      """
      <Library><Book title="1"><tags><Tag name="a"/><Tag name="b"/></tags></Book>
      <Tag name="c"><books><Book title="2"/></books></Tag></Library>
      """, model: model)
    #expect(
      try store.lines("SELECT Z_2BOOKS, Z_5TAGS, Z_FOK_5TAGS FROM Z_2TAGS ORDER BY 1, 2")
        == ["1|1|2048", "1|2|3072", "2|3|2048"])
  }

  @Test func `a sub-entity's objects share the table and the keys of their root`() throws {
    let store = try FilledStore(
      """
      <Library><Novel genre="crime" title="1"/><Book title="2"/>
      <Author><books><Novel title="3"/><Book title="4"/></books></Author></Library>
      """, model: model)
    #expect(
      try store.lines("SELECT Z_PK, Z_ENT, ZTITLE, ZGENRE, Z_FOK_AUTHOR FROM ZBOOK") == [
        "1|3|1|crime|", "2|2|2||", "3|3|3||2048", "4|2|4||3072",
      ])
    #expect(
      store.summary.entities.map { "\($0.name) \($0.count)" }
        == ["Author 1", "Book 2", "Novel 2", "Passport 0", "Tag 0"])
  }

  @Test func `a key to an entity with sub-entities says which it is`() throws {
    let store = try FilledStore(
      """
      <Root><Owner><pet><Dog name="d"/></pet></Owner><Owner><pet><Cat name="c"/></pet></Owner>
      <Dog name="e"><owners><Owner/><Owner/></owners></Dog></Root>
      """,
      model: """
        <entity name="Animal" isAbstract="YES"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="owners" optional="YES" toMany="YES" destinationEntity="Owner" inverseName="pet" inverseEntity="Owner"/></entity>
        <entity name="Cat" parentEntity="Animal"/><entity name="Dog" parentEntity="Animal"/>
        <entity name="Owner"><relationship name="pet" optional="YES" maxCount="1" destinationEntity="Animal" inverseName="owners" inverseEntity="Animal"/></entity>
        """)
    #expect(
      try store.lines("SELECT Z_PK, ZPET, Z1_PET FROM ZOWNER")
        == ["1|1|3", "2|2|2", "3|3|3", "4|3|3"])
    #expect(
      try store.lines("SELECT Z_PK, Z_ENT, ZNAME FROM ZANIMAL") == ["1|3|d", "2|2|c", "3|3|e"])
  }

  @Test func `records nest in their own kind to any depth`() throws {
    let store = try FilledStore(
      """
      <Root><Folder name="a"><children><Folder name="b"><children><Folder name="c"/></children>
      </Folder><Folder name="d"/></children></Folder></Root>
      """,
      model: """
        <entity name="Folder"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="children" optional="YES" toMany="YES" ordered="YES" destinationEntity="Folder" inverseName="parent" inverseEntity="Folder"/>
        <relationship name="parent" optional="YES" maxCount="1" destinationEntity="Folder" inverseName="children" inverseEntity="Folder"/></entity>
        """)
    #expect(
      try store.lines("SELECT Z_PK, ZPARENT, Z_FOK_PARENT, ZNAME FROM ZFOLDER")
        == ["1|||a", "2|1|2048|b", "3|2|2048|c", "4|1|3072|d"])
  }

  @Test func `records of several entities nest in each other by one relationship`() throws {
    // The relationship has another number among those of each entity.
    let model = """
      <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Item" inverseName="whole" inverseEntity="Item"/>
      <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Item" inverseName="parts" inverseEntity="Item"/></entity>
      <entity name="Box" parentEntity="Item">
      <relationship name="a" optional="YES" maxCount="1" destinationEntity="Tag" inverseName="box" inverseEntity="Tag"/>
      <relationship name="b" optional="YES" maxCount="1" destinationEntity="Tag" inverseName="otherBox" inverseEntity="Tag"/></entity>
      <entity name="Tag">
      <relationship name="box" optional="YES" maxCount="1" destinationEntity="Box" inverseName="a" inverseEntity="Box"/>
      <relationship name="otherBox" optional="YES" maxCount="1" destinationEntity="Box" inverseName="b" inverseEntity="Box"/></entity>
      """
    let store = try FilledStore(
      """
      <R><Box name="1"><parts><Item name="2"><parts><Item name="3"/><Box name="4"><parts><Item name="5">
      <parts><Item name="6"/><Box name="7"/></parts></Item></parts></Box></parts></Item></parts></Box></R>
      """, model: model)
    #expect(
      try store.lines("SELECT ZNAME, Z_ENT, ZWHOLE, Z_FOK_WHOLE FROM ZITEM ORDER BY 1") == [
        "1|2||", "2|1|1|2048", "3|1|2|2048", "4|2|2|3072", "5|1|4|2048", "6|1|5|2048",
        "7|2|5|3072",
      ])
  }

  @Test func `a many-to-many relationship within one entity is seen from the side it stands on`()
    throws
  {
    let store = try FilledStore(
      "<Root><Person name=\"a\"><friends><Person name=\"b\"/></friends></Person></Root>",
      model: """
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" inverseName="friendOf" inverseEntity="Person"/>
        <relationship name="friendOf" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/></entity>
        """)
    // Who has the friend is the object whose "friends" the link is in: the owner of "friendOf" is b.
    let layout = try #require(
      try store.lines("SELECT sql FROM sqlite_schema WHERE name LIKE 'Z\\_1%' ESCAPE '\\'").first)
    #expect(layout.contains("Z_FOK_"))
    let names = try store.lines(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z\\_1%' ESCAPE '\\'")
    // The column named after a relationship has the keys of the objects at its end.
    #expect(try store.lines("SELECT Z_1FRIENDOF, Z_1FRIENDS FROM \(names[0])") == ["1|2"])
  }

  @Test func `JSON nests as XML does`() throws {
    let store = try FilledStore(
      [
        (
          "Library.json",
          """
          {"authors": 1, "author": [{"name": "A", "passport": {"number": "1"},
            "books": [{"title": "1", "tags": [{"name": "t"}]}, {"title": "2"}]}]}
          """
        )
      ], model: model, records: ["Library.json": []], rules: { $0.mapping.ignoresExtra = true })
    #expect(try store.lines("SELECT ZNAME, ZPASSPORT FROM ZAUTHOR") == ["A|1"])
    #expect(
      try store.lines("SELECT ZTITLE, ZAUTHOR, Z_FOK_AUTHOR FROM ZBOOK") == [
        "1|1|2048", "2|1|3072",
      ])
    #expect(try store.lines("SELECT * FROM Z_2TAGS") == ["1|1|2048"])
  }

  @Test func `the count of a relationship is computed, and the triggers are there`() throws {
    let store = try FilledStore(
      "<Root><Book><pages/><pages/></Book><Book><Page number=\"1\"/></Book><Book/></Root>",
      model: """
        <entity name="Book"><attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="pages.@count"/>
        <relationship name="pages" optional="YES" toMany="YES" destinationEntity="Page" inverseName="book" inverseEntity="Book"/></entity>
        <entity name="Page"><attribute name="number" optional="YES" attributeType="Integer 16"/>
        <relationship name="book" optional="YES" maxCount="1" destinationEntity="Book" inverseName="pages" inverseEntity="Book"/></entity>
        """.replacing(
          "inverseName=\"book\" inverseEntity=\"Book\"",
          with: "inverseName=\"book\" inverseEntity=\"Page\""))
    #expect(try store.lines("SELECT Z_PK, ZCOUNT FROM ZBOOK") == ["1|0", "2|1", "3|0"])
    #expect(try store.lines("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == ["5"])
  }

  // MARK: What is wrong

  @Test func `a second object for a to-one relationship is an error at its place`() throws {
    #expect(
      try FilledStore.failure(
        "<L><Author>\n<passport number=\"1\"/>\n<passport number=\"2\"/></Author></L>", model: model
      )
        == ["input.xml:3:1: a second object for the to-one relationship passport"])
    #expect(
      try FilledStore.failure(
        "<L><Author><books><Book>\n<author name=\"B\"/></Book></books></Author></L>", model: model)
        == ["input.xml:2:1: a second object for the to-one relationship author"])
  }

  @Test func `an abstract entity has no objects`() throws {
    let model = """
      <entity name="Animal" isAbstract="YES"/><entity name="Cat" parentEntity="Animal"/>
      """
    #expect(
      try FilledStore.failure("<R>\n<Animal/></R>", model: model) == [
        "input.xml:2:1: entity \"Animal\" is abstract and has no objects of its own "
          + "[name the records after one that inherits from it: \"Cat\"]"
      ])
  }

  @Test func `records without a relationship between them are an error, which may be waived`()
    throws
  {
    let xml = "<L><Author name=\"A\">\n<Tag name=\"t\"/></Author></L>"
    #expect(
      try FilledStore.failure(xml, model: model) == [
        "input.xml:2:1: \"Tag\" stands inside \"Author\", and no relationship leads from one to the "
          + "other [put the records elsewhere, or leave the relation out with --ignore-extra]"
      ])
    let store = try FilledStore(xml, model: model) { $0.mapping.ignoresExtra = true }
    #expect(try store.lines("SELECT ZNAME FROM ZTAG") == ["t"])
  }

  @Test func `several relationships to one entity want the name of one`() throws {
    let model = """
      <entity name="Match"><relationship name="home" optional="YES" maxCount="1" destinationEntity="Team"/>
      <relationship name="guest" optional="YES" maxCount="1" destinationEntity="Team"/></entity>
      <entity name="Team"><attribute name="name" optional="YES" attributeType="String"/></entity>
      """
    #expect(
      try FilledStore.failure("<L><Match>\n<Team name=\"x\"/></Match></L>", model: model) == [
        "input.xml:2:1: several relationships lead from \"Match\" to \"Team\": \"guest\", \"home\" "
          + "[put the records into an element called like the one that is meant]"
      ])
    let store = try FilledStore(
      "<L><Match><home name=\"x\"/><guest><Team name=\"y\"/></guest></Match></L>", model: model)
    #expect(try store.lines("SELECT ZHOME, ZGUEST FROM ZMATCH") == ["1|2"])
  }
}
