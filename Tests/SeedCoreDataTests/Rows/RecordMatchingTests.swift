import SeedBuilder
import SeedModel
import TestSupport
import Testing

@testable import SeedCoreData

/// Which records become which objects, and which values go where.
@Suite struct RecordMatchingTests {
  private let model = """
    <entity name="Event"><attribute name="timeStamp" optional="YES" attributeType="Date"/>
    <attribute name="title" optional="YES" attributeType="String"/>
    <attribute name="place" optional="YES" attributeType="String"/></entity>
    """

  private func titles(_ store: FilledStore) throws -> [String] {
    try store.lines("SELECT ZTITLE FROM ZEVENT ORDER BY Z_PK")
  }

  @Test(arguments: ["time_stamp", "TimeStamp", "time-stamp", "TIMESTAMP"])
  func `names match without regard to case and marks`(name: String) throws {
    for xml in [
      "<R><event \(name)=\"2010-01-16\"/></R>",
      "<R><EVENT><\(name)>2010-01-16</\(name)></EVENT></R>",
    ] {
      #expect(
        try FilledStore(xml, model: model).lines("SELECT ZTIMESTAMP FROM ZEVENT") == ["285292800"])
    }
  }

  @Test func `wrappers are transparent`() throws {
    let store = try FilledStore(
      "<export><data><events><Event title=\"a\"/><Event title=\"b\"/></events></data></export>",
      model: model)
    #expect(try titles(store) == ["a", "b"])
  }

  @Test(arguments: [
    ("Event.json", "[{\"title\": \"a\"}, {\"title\": \"b\"}]"),
    ("x.json", "{\"event\": [{\"title\": \"a\"}, {\"title\": \"b\"}]}"),
    ("Event.ndjson", "{\"title\": \"a\"}\n{\"title\": \"b\"}\n"),
    ("Event.csv", "title\na\nb\n"),
    ("event.tsv", "title\tplace\na\tx\nb\ty\n"),
    (
      "x.plist",
      "<plist version=\"1.0\"><dict><key>event</key><array><dict><key>title</key><string>a</string></dict><dict><key>title</key><string>b</string></dict></array></dict></plist>"
    ),
  ])
  func `every format gives objects`(name: String, text: String) throws {
    #expect(try titles(try FilledStore([(name, text)], model: model)) == ["a", "b"])
  }

  @Test func `several sources fill one store, one after the other`() throws {
    let store = try FilledStore(
      [("a.xml", "<R><Event title=\"a\"/></R>"), ("Event.csv", "title\nb\n")], model: model)
    #expect(try titles(store) == ["a", "b"])
    #expect(try store.lines("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["2"])
  }

  @Test func `an outermost object with values of its own is an object`() throws {
    #expect(try titles(try FilledStore("<Event title=\"a\"/>", model: model)) == ["a"])
    #expect(try titles(try FilledStore("<Event><title>a</title></Event>", model: model)) == ["a"])
    #expect(
      try titles(try FilledStore([("Event.json", "{\"title\": \"a\"}")], model: model)) == ["a"])
  }

  @Test func `an outermost element is an object when its value comes after others inside`() throws {
    let store = try FilledStore(
      "<Group><Event title=\"a\"/><name>g</name></Group>",
      model: """
        <entity name="Group"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="events" optional="YES" toMany="YES" destinationEntity="Event" inverseName="group" inverseEntity="Event"/></entity>
        <entity name="Event"><attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="group" optional="YES" maxCount="1" destinationEntity="Group" inverseName="events" inverseEntity="Group"/></entity>
        """)
    #expect(try store.lines("SELECT ZTITLE, ZGROUP FROM ZEVENT") == ["a|1"])
    #expect(try store.lines("SELECT ZNAME FROM ZGROUP") == ["g"])
  }

  // MARK: Rules

  private func ruled(
    _ xml: String, _ rule: RecordRule, model: String? = nil
  ) throws -> FilledStore {
    try FilledStore(
      [("input.xml", xml)], model: model ?? self.model, records: ["input.xml": [rule]])
  }

  @Test func `a rule names the entity and where the attributes come from`() throws {
    let store = try ruled(
      "<R><row when=\"16.01.2010\"><info><name> a </name></info><place>p</place></row></R>",
      RecordRule(
        "R/row", entity: "Event",
        columns: [
          ColumnRule("timeStamp", from: "@when", format: "dd.MM.yyyy"),
          ColumnRule("title", from: "info/name"),
        ]))
    #expect(try store.lines("SELECT ZTIMESTAMP, ZTITLE, ZPLACE FROM ZEVENT") == ["285292800| a |p"])
  }

  @Test func `a rule reaches out to the record around, which need not be an object`() throws {
    let store = try ruled(
      "<R><day date=\"2010-01-16\"><Event title=\"a\"/><Event title=\"b\"/></day></R>",
      RecordRule("R/day/Event", columns: [ColumnRule("timeStamp", from: "../@date")]))
    #expect(
      try store.lines("SELECT ZTIMESTAMP, ZTITLE FROM ZEVENT") == ["285292800|a", "285292800|b"])
  }

  @Test func `constants, defaults, texts for NULL and blanks around values follow the rule`() throws
  {
    var place = ColumnRule("place")
    place.nullTexts = ["n/a"]
    place.isTrimmed = true
    let store = try ruled(
      "<R><Event place=\" p \"/><Event place=\"n/a\" timeStamp=\"2010-01-17\"/></R>",
      RecordRule(
        "R/Event",
        columns: [
          place, ColumnRule("title", constant: "same"),
          ColumnRule("timeStamp", defaultValue: "2010-01-16"),
        ]))
    #expect(
      try store.lines("SELECT ZTITLE, ZPLACE, ZTIMESTAMP FROM ZEVENT")
        == ["same|p|285292800", "same||285379200"])
  }

  @Test func `records can be left out, and all but the named values`() throws {
    let store = try FilledStore(
      [
        (
          "input.xml",
          "<R><Event title=\"a\" foo=\"1\"/><Other x=\"1\"><Event title=\"b\"/></Other></R>"
        )
      ],
      model: model,
      records: [
        "input.xml": [
          RecordRule("R/Event", columns: [ColumnRule("title")], only: true),
          RecordRule("R/Other", skip: true),
        ]
      ])
    #expect(try titles(store) == ["a"])
  }

  @Test func `the members of an envelope are no values`() throws {
    let envelope = EnvelopeRule(success: "ok", message: "error")
    let store = try FilledStore(
      [("a.json", "{\"ok\": true, \"error\": \"\", \"event\": [{\"title\": \"a\"}]}")],
      model: model,
      envelope: envelope)
    #expect(try titles(store) == ["a"])
    #expect(
      try FilledStore.failure(
        [("a.json", "{\"ok\": false, \"error\": \"closed\", \"event\": []}")], model: model,
        envelope: envelope) == ["a.json: the server says: closed"])
  }

  // MARK: What is wrong

  @Test func `all that has no place comes in one report`() throws {
    #expect(
      try FilledStore.failure(
        """
        <R>
        <Event titel="a" x="1"/>
        <Evnt title="b"/>
        <Event><where>w</where></Event>
        </R>
        """, model: model) == [
          "input.xml:2:15: entity \"Event\" has no attribute for attribute titel of Event "
            + "[did you mean \"title\"? or leave it out with --ignore-extra]",
          "input.xml:2:21: entity \"Event\" has no attribute for attribute x of Event "
            + "[name the attribute in seed.json, or leave it out with --ignore-extra]",
          "input.xml:3:1: the model has no entity for the records \"Evnt\" "
            + "[did you mean entity \"Event\"? name it in seed.json, or leave it out with --ignore-extra]",
          "input.xml:4:15: entity \"Event\" has no attribute for element where of Event "
            + "[name the attribute in seed.json, or leave it out with --ignore-extra]",
        ])
  }

  @Test func `what has no place is left out when that is wanted`() throws {
    let store = try FilledStore(
      "<R note=\"n\"><Event title=\"a\" x=\"1\"><y>2</y>text</Event><Other z=\"3\"/></R>",
      model: model
    ) { $0.mapping.ignoresExtra = true }
    #expect(try titles(store) == ["a"])
  }

  @Test func `a second value for one attribute is an error`() throws {
    #expect(
      try FilledStore.failure(
        "<R>\n<Event><title>a</title><title>b</title></Event></R>", model: model) == [
          "input.xml:2:31: a second value for attribute title of Event "
            + "[make it a to-many relationship, or a Transformable]"
        ])
  }

  @Test func `rules that are of no use are errors`() throws {
    func failure(_ rule: RecordRule) throws -> [String] {
      try FilledStore.failure(
        [("input.xml", "<R><Event title=\"a\"/></R>")], model: model, records: ["input.xml": [rule]]
      )
    }
    #expect(
      try failure(RecordRule("R/Evnt"))
        == ["input.xml has no records at \"R/Evnt\" [did you mean \"R/Event\"?]"])
    #expect(
      try failure(RecordRule("R/Event", entity: "Evnt"))
        == ["the model has no entity \"Evnt\" [did you mean \"Event\"?]"])
    #expect(
      try failure(RecordRule("R/Event", columns: [ColumnRule("titel")]))[0]
        .hasPrefix("entity \"Event\" has no attribute \"titel\" [did you mean \"title\"?]"))
    #expect(
      try failure(RecordRule("R/Event", columns: [ColumnRule("place", from: "@where")])) == [
        "no record at \"R/Event\" has a value at \"@where\" [correct the path, or give a default]"
      ])
  }

  @Test func `the same sources give the same bytes, and other objects another UUID`() throws {
    let first = try FilledStore("<R><Event title=\"a\"/></R>", model: model)
    let second = try FilledStore("<R><Event title=\"a\"/></R>", model: model)
    let third = try FilledStore("<R><Event title=\"b\"/></R>", model: model)
    #expect(
      try first.directory.bytes(of: "output.sqlite") == second.directory.bytes(of: "output.sqlite"))
    let uuid = "SELECT Z_UUID FROM Z_METADATA"
    #expect(try first.lines(uuid) != third.lines(uuid))
  }

  @Test func `many objects survive the pieces in which they are read`() throws {
    let count = 20_000
    var xml = "<R>"
    for number in 0..<count {
      xml += "<Event title=\"title \(number)\"><place>p&amp;\(number)</place></Event>"
    }
    let store = try FilledStore(xml + "</R>", model: model)
    #expect(try store.lines("SELECT count(*) FROM ZEVENT") == ["\(count)"])
    #expect(
      try store.lines(
        "SELECT count(*) FROM ZEVENT WHERE ZTITLE = 'title ' || (Z_PK - 1) AND ZPLACE = 'p&' || (Z_PK - 1)"
      )
        == ["\(count)"])
  }
}
