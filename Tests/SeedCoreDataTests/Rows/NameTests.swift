import SeedModel
import Testing

@testable import SeedCoreData

/// Objects whose entities and attributes have names that mean something to SQL or to the store.
@Suite struct NameTests {
  private func attribute(_ name: String, _ type: String = "String") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
  }

  @Test func `words of SQL are names like any other`() throws {
    let store = try FilledStore(
      """
      <R><Order select="s" from="2001-01-02" group="true" table="t" where="w">
      <index><Select order="1" values="v"/><Select order="2"/></index></Order><Select order="3"/></R>
      """,
      model: """
        <entity name="Order">\(attribute("select"))\(attribute("from", "Date"))
        \(attribute("group", "Boolean"))\(attribute("table"))\(attribute("where"))
        <relationship name="index" optional="YES" toMany="YES" ordered="YES" destinationEntity="Select" inverseName="join" inverseEntity="Select"/></entity>
        <entity name="Select">\(attribute("order", "Integer 16"))\(attribute("values"))
        <relationship name="join" optional="YES" maxCount="1" destinationEntity="Order" inverseName="index" inverseEntity="Order"/></entity>
        """)
    #expect(
      try store.lines("SELECT Z_PK, Z_ENT, ZGROUP, ZFROM, ZSELECT, ZTABLE, ZWHERE FROM ZORDER")
        == ["1|1|1|86400|s|t|w"])
    #expect(
      try store.lines("SELECT Z_PK, ZORDER, ZJOIN, Z_FOK_JOIN, ZVALUES FROM ZSELECT")
        == ["1|1|1|2048|v", "2|2|1|3072|", "3|3|||"])
  }

  @Test func `names of the store's own columns are no trouble`() throws {
    let store = try FilledStore(
      "<R><Metadata pk=\"p\" ent=\"e\" opt=\"o\" max=\"m\"/><Primarykey pk=\"q\"/></R>",
      model: """
        <entity name="Metadata">\(attribute("pk"))\(attribute("ent"))\(attribute("opt"))
        \(attribute("max"))</entity><entity name="Primarykey">\(attribute("pk"))</entity>
        """)
    #expect(
      try store.lines("SELECT Z_PK, Z_ENT, Z_OPT, ZPK, ZENT, ZOPT, ZMAX FROM ZMETADATA")
        == ["1|1|1|p|e|o|m"])
    #expect(
      try store.lines("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == ["Metadata|1", "Primarykey|1"])
  }

  @Test func `attributes of one name in sub-entities have columns of their own`() throws {
    let store = try FilledStore(
      "<R><Note text=\"n\" rank=\"1\"/><Mail text=\"m\" rank=\"1.5\"/><Item/></R>",
      model: """
        <entity name="Item"/>
        <entity name="Mail" parentEntity="Item">\(attribute("text"))\(attribute("rank", "Double"))</entity>
        <entity name="Note" parentEntity="Item">\(attribute("text"))\(attribute("rank", "Integer 16"))</entity>
        """)
    #expect(
      try store.lines("SELECT Z_PK, Z_ENT, ZTEXT, ZTEXT1, ZRANK, ZRANK1 FROM ZITEM")
        == ["1|3||n||1", "2|2|m||1.5|", "3|1||||"])
  }

  @Test(arguments: [
    (isOrdered: true, names: ["a|b|2048|2048", "a|c|2048|3072"]),
    (isOrdered: false, names: ["a|b", "a|c"]),
  ])
  func `a many-to-many relationship within one entity has a row for each link`(
    isOrdered: Bool, names: [String]
  ) throws {
    let ordered = isOrdered ? "ordered=\"YES\"" : ""
    let store = try FilledStore(
      """
      <R><Person name="a"><friends><Person name="b"/><Person name="c"/></friends></Person></R>
      """,
      model: """
        <entity name="Person">\(attribute("name"))
        <relationship name="friends" optional="YES" toMany="YES" \(ordered) destinationEntity="Person" inverseName="friendOf" inverseEntity="Person"/>
        <relationship name="friendOf" optional="YES" toMany="YES" \(ordered) destinationEntity="Person" inverseName="friends" inverseEntity="Person"/></entity>
        """)
    let table = try #require(
      try store.lines("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_1*'")
        .first)
    // Who has the friends stands in the column that is called after the inverse.
    let orders = isOrdered ? ", j.Z_FOK_1FRIENDOF, j.Z_FOK_1FRIENDS" : ""
    #expect(
      try store.lines(
        """
        SELECT o.ZNAME, f.ZNAME\(orders) FROM \(table) AS j JOIN ZPERSON AS o ON o.Z_PK = j.Z_1FRIENDOF
        JOIN ZPERSON AS f ON f.Z_PK = j.Z_1FRIENDS ORDER BY 2
        """) == names)
  }
}
