import SeedModel
import Testing

@testable import SeedCoreData

/// Tables, columns, keys.
///
/// The expected texts follow from the rules that Core Data's stores show:
/// ids depth first by name without regard to case, `Z` and capitals, columns sorted by type.
@Suite struct StoreLayoutTests {
  private func layout(_ body: String) throws -> StoreLayout {
    try StoreLayout(try ModelText.read(body))
  }

  private func attribute(_ name: String, _ type: String = "String", _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  private func relationship(
    _ name: String, to destination: String, inverse: String?, _ more: String = ""
  ) -> String {
    let back = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" destinationEntity=\"\(destination)\" \(back) \(more)/>"
  }

  private let many = "toMany=\"YES\""
  private let orderedMany = "toMany=\"YES\" ordered=\"YES\""

  // MARK: Entities

  @Test func `thirty entities of five hierarchies are numbered depth first`() throws {
    // Of each root: two children, the first with two children of its own, the last of which has one.
    let body = ["Fox", "ant", "Cow", "Dog", "bee"].map { root in
      """
      <entity name="\(root)"/>
      <entity name="z\(root)" parentEntity="\(root)"/>
      <entity name="A\(root)" parentEntity="\(root)"/>
      <entity name="b\(root)" parentEntity="A\(root)"/>
      <entity name="C\(root)" parentEntity="A\(root)"/>
      <entity name="D\(root)" parentEntity="C\(root)"/>
      """
    }.joined()
    let layout = try layout(body)
    let expected = ["ant", "bee", "Cow", "Dog", "Fox"].flatMap { root in
      [root, "A\(root)", "b\(root)", "C\(root)", "D\(root)", "z\(root)"]
    }
    #expect(layout.entities.map(\.name) == expected)
    #expect(layout.entities.map(\.id) == Array(1...30))
    #expect(layout.entities.prefix(6).map(\.parentID) == [0, 1, 2, 2, 4, 1])
    #expect(layout.tables.map(\.name) == ["ZANT", "ZBEE", "ZCOW", "ZDOG", "ZFOX"])
    #expect(layout.entity("DCow")?.table == "ZCOW")
    #expect(layout.entity(id: 13)?.name == "Cow")
    #expect(
      layout.indexes
        == ["ANT", "BEE", "COW", "DOG", "FOX"].map {
          "CREATE INDEX Z\($0)_Z_ENT_INDEX ON Z\($0) (Z_ENT)"
        })
  }

  // MARK: Columns

  @Test func `columns are sorted by type and then stay in the order of names`() throws {
    let layout = try layout(LibraryModel.body)
    #expect(
      layout.tables.map(\.createSQL) == [
        "CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZCHAPTERCOUNT INTEGER, ZNAME VARCHAR )",
        "CREATE TABLE Z_1BOOKS ( Z_1AUTHORS INTEGER, Z_4BOOKS INTEGER, Z_FOK_4BOOKS INTEGER, "
          + "PRIMARY KEY (Z_1AUTHORS, Z_4BOOKS) )",
        "CREATE TABLE ZCHAPTER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZAUTHOR INTEGER, ZSOURCE INTEGER )",
        "CREATE TABLE ZWORK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZBYTES INTEGER, ZISNEW INTEGER, ZPAGES INTEGER, ZVIEWS INTEGER, ZEDITION INTEGER, "
          + "ZDAY TIMESTAMP, ZSCORE FLOAT, ZWEIGHT FLOAT, ZPRICE DECIMAL, ZSITE VARCHAR, "
          + "ZTITLE VARCHAR, ZKEY BLOB, ZTINT BLOB, ZCOVER BLOB )",
      ])
  }

  @Test func `what is transient or fetched has no column`() throws {
    let work = try #require(try layout(LibraryModel.body).entity("Work"))
    #expect(work.attributes["draft"] == nil)
    #expect(work.attributes.count == 13)
    #expect(work.attributes["cover"] == StoreColumn("ZCOVER", .binary))
  }

  @Test func `attributes of one name in sub-entities get numbers, depth first`() throws {
    let layout = try layout(
      """
      <entity name="Item">\(attribute("Text"))</entity>
      <entity name="Note" parentEntity="Item">\(attribute("text", "Integer 16"))
      \(relationship("link", to: "Item", inverse: nil))</entity>
      <entity name="Mail" parentEntity="Item">\(attribute("text", "Date"))
      \(relationship("link", to: "Item", inverse: nil))</entity>
      <entity name="Draft" parentEntity="Mail">\(attribute("tExt", "Binary"))</entity>
      """)
    let columns = ["Item", "Mail", "Draft", "Note"].map { name in
      layout.entity(name)?.attributes.sorted { $0.key < $1.key }.map(\.value.name) ?? []
    }
    #expect(
      columns == [
        ["ZTEXT"], ["ZTEXT", "ZTEXT1"], ["ZTEXT", "ZTEXT2", "ZTEXT1"], ["ZTEXT", "ZTEXT3"],
      ])
    guard case .own(let mail)? = layout.entity("Mail")?.relationships["link"],
      case .own(let note)? = layout.entity("Note")?.relationships["link"]
    else {
      Issue.record("no columns")
      return
    }
    // Both keys, and the entity columns beside them.
    #expect([mail.column, mail.entityColumn] == ["ZLINK", "Z1_LINK"])
    #expect([note.column, note.entityColumn] == ["ZLINK1", "Z1_LINK1"])
  }

  @Test func `names that are words of SQL or of Core Data's own are no trouble`() throws {
    let layout = try layout(
      """
      <entity name="Order">\(attribute("select"))\(attribute("from", "Date"))
      \(attribute("pk"))\(attribute("ent"))\(attribute("group", "Boolean"))
      <fetchIndex name="where"><fetchIndexElement property="select"/></fetchIndex></entity>
      """)
    #expect(
      layout.tables.map(\.createSQL) == [
        "CREATE TABLE ZORDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZGROUP INTEGER, ZFROM TIMESTAMP, ZENT VARCHAR, ZPK VARCHAR, ZSELECT VARCHAR )"
      ])
    #expect(
      layout.indexes == [
        "CREATE INDEX Z_Order_where ON ZORDER (ZSELECT COLLATE BINARY ASC)"
      ])
  }

  // MARK: To-one and to-many

  @Test func `a to-one relationship to an entity with sub-entities has an entity column`() throws {
    let layout = try layout(
      """
      <entity name="Animal">\(relationship("home", to: "Place", inverse: "animals"))</entity>
      <entity name="Cat" parentEntity="Animal"/>
      <entity name="Place">\(relationship("animals", to: "Animal", inverse: "home", many))
      \(relationship("pet", to: "Animal", inverse: nil))
      \(relationship("cat", to: "Cat", inverse: nil))</entity>
      """)
    let place = try #require(layout.entity("Place"))
    #expect(
      place.relationships["pet"]
        == .own(ForeignKey(table: "ZPLACE", column: "ZPET", entityColumn: "Z1_PET")))
    #expect(place.relationships["cat"] == .own(ForeignKey(table: "ZPLACE", column: "ZCAT")))
    let key = ForeignKey(table: "ZANIMAL", column: "ZHOME")
    #expect(place.relationships["animals"] == .inverse(key))
    #expect(layout.entity("Cat")?.relationships["home"] == .own(key))
    #expect(
      layout.indexes == [
        "CREATE INDEX ZANIMAL_ZHOME_INDEX ON ZANIMAL (ZHOME)",
        "CREATE INDEX ZANIMAL_Z_ENT_INDEX ON ZANIMAL (Z_ENT)",
        "CREATE INDEX ZPLACE_ZCAT_INDEX ON ZPLACE (ZCAT)",
        "CREATE INDEX ZPLACE_ZPET_INDEX ON ZPLACE (ZPET)",
      ])
  }

  @Test func `an ordered to-many relationship has a column with the places at its end`() throws {
    let layout = try layout(
      """
      <entity name="List">\(relationship("items", to: "Item", inverse: "list", orderedMany))
      \(relationship("extras", to: "Item", inverse: "extraOf", many))</entity>
      <entity name="Item">\(attribute("done", "Boolean"))\(attribute("due", "Date"))
      \(relationship("list", to: "List", inverse: "items"))
      \(relationship("extraOf", to: "List", inverse: "extras"))</entity>
      """)
    #expect(
      layout.tables[0].createSQL
        == "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZDONE INTEGER, ZEXTRAOF INTEGER, ZLIST INTEGER, Z_FOK_LIST INTEGER, ZDUE TIMESTAMP )")
    let key = ForeignKey(table: "ZITEM", column: "ZLIST", orderColumn: "Z_FOK_LIST")
    #expect(layout.entity("Item")?.relationships["list"] == .own(key))
    #expect(layout.entity("List")?.relationships["items"] == .inverse(key))
  }

  @Test func `both sides of a one-to-one relationship have a key`() throws {
    let layout = try layout(
      """
      <entity name="Car">\(relationship("driver", to: "Person", inverse: "car"))</entity>
      <entity name="Person">\(relationship("car", to: "Car", inverse: "driver"))</entity>
      """)
    #expect(
      layout.entity("Car")?.relationships["driver"]
        == .own(ForeignKey(table: "ZCAR", column: "ZDRIVER")))
    #expect(
      layout.entity("Person")?.relationships["car"]
        == .own(ForeignKey(table: "ZPERSON", column: "ZCAR")))
  }

  @Test func `a to-many relationship without an inverse has a key at its end, with a warning`()
    throws
  {
    let layout = try layout(
      """
      <entity name="Bag">\(relationship("things", to: "Thing", inverse: nil, many))</entity>
      <entity name="Thing"/>
      """)
    #expect(
      layout.entity("Bag")?.relationships["things"]
        == .inverse(ForeignKey(table: "ZTHING", column: "Z1THINGS")))
    #expect(layout.tables[1].columns == [StoreColumn("Z1THINGS", .integer)])
    #expect(layout.warnings.count == 1)
    let error = #expect(throws: ModelErrors.self) {
      try self.layout(
        """
        <entity name="Bag">\(relationship("things", to: "Thing", inverse: nil, orderedMany))
        </entity><entity name="Thing"/>
        """)
    }
    #expect(error?.errors.first?.location.line == 2)
  }

  @Test func `a transient relationship is not stored`() throws {
    let layout = try layout(
      "<entity name=\"A\">\(relationship("b", to: "A", inverse: nil, "transient=\"YES\""))</entity>"
    )
    #expect(layout.tables[0].columns.isEmpty)
    #expect(layout.entity("A")?.relationships.isEmpty == true)
  }

  @Test func `a name beyond ASCII is worth a warning`() throws {
    let layout = try layout("<entity name=\"Größe\">\(attribute("maß"))</entity>")
    #expect(layout.tables[0].name == "ZGRÖSSE")
    #expect(layout.warnings.count == 1)
  }
}
