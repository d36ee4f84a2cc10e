import SeedModel
import Testing

@testable import SeedCoreData

/// Many-to-many relationships.
///
/// Which side names the table was computed with another program, in
/// Python, from the description of Core Data's two hash tables.
@Suite struct JoinTableTests {
  private func layout(_ body: String) throws -> StoreLayout {
    try StoreLayout(try ModelText.read(body))
  }

  private func many(
    _ name: String, to destination: String, inverse: String, isOrdered: Bool = false
  ) -> String {
    "<relationship name=\"\(name)\" toMany=\"YES\" \(isOrdered ? "ordered=\"YES\"" : "") "
      + "destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" "
      + "inverseEntity=\"\(destination)\"/>"
  }

  private func attributes(_ names: [String]) -> String {
    names.map { "<attribute name=\"\($0)\" attributeType=\"String\"/>" }.joined()
  }

  @Test func `the entity whose name comes first names the table`() throws {
    let layout = try layout(
      """
      <entity name="Tag">\(many("notes", to: "Note", inverse: "tags"))</entity>
      <entity name="Note">\(many("tags", to: "Tag", inverse: "notes", isOrdered: true))</entity>
      """)
    #expect(
      layout.tables[1].createSQL
        == "CREATE TABLE Z_1TAGS ( Z_1NOTES INTEGER, Z_2TAGS INTEGER, Z_FOK_2TAGS INTEGER, "
        + "PRIMARY KEY (Z_1NOTES, Z_2TAGS) )")
    #expect(
      layout.indexes == ["CREATE INDEX Z_1TAGS_Z_2TAGS_INDEX ON Z_1TAGS (Z_2TAGS, Z_1NOTES)"])
    #expect(
      layout.entity("Note")?.relationships["tags"]
        == .join(
          JoinPlace(
            table: "Z_1TAGS", sourceColumn: "Z_1NOTES", destinationColumn: "Z_2TAGS",
            orderColumn: "Z_FOK_2TAGS", isMaster: true)))
    #expect(
      layout.entity("Tag")?.relationships["notes"]
        == .join(
          JoinPlace(
            table: "Z_1TAGS", sourceColumn: "Z_2TAGS", destinationColumn: "Z_1NOTES",
            inverseOrderColumn: "Z_FOK_2TAGS", isMaster: false)))
  }

  @Test func `both sides may be ordered`() throws {
    let layout = try layout(
      """
      <entity name="A">\(many("bs", to: "B", inverse: "as", isOrdered: true))</entity>
      <entity name="B">\(many("as", to: "A", inverse: "bs", isOrdered: true))</entity>
      """)
    #expect(
      layout.tables[1].createSQL
        == "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, "
        + "Z_FOK_2BS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )")
  }

  @Test(arguments: [
    (["name"], "friends", "friendOf", "friends"), (["title"], "related", "relatedBy", "related"),
    (["title"], "children", "parents", "parents"),
    (["code", "name"], "follows", "followers", "followers"),
    ([], "sources", "targets", "sources"),
    (["a", "b", "c", "d", "e", "f", "g", "h"], "likes", "likedBy", "likedBy"),
    (["identifier"], "prerequisites", "requiredBy", "requiredBy"),
    (["x"], "before", "after", "before"),
  ])
  func `inside one entity the order of a hash table decides`(
    names: [String], one: String, other: String, master: String
  ) throws {
    let layout = try layout(
      """
      <entity name="Node">\(attributes(names))\(many(one, to: "Node", inverse: other))
      \(many(other, to: "Node", inverse: one, isOrdered: true))</entity>
      """)
    let slave = master == one ? other : one
    let table = try #require(layout.tables.last)
    #expect(table.name == "Z_1\(master.uppercased())")
    let order = "Z_FOK_1\(other.uppercased())"
    #expect(
      table.columns.map(\.name)
        == ["Z_1\(slave.uppercased())", "Z_1\(master.uppercased())", order])
    guard case .join(let place)? = layout.entity("Node")?.relationships[other] else {
      Issue.record("no table between")
      return
    }
    #expect(place.destinationColumn == "Z_1\(other.uppercased())")
    #expect(place.orderColumn == order)
    #expect(layout.warnings.isEmpty)
  }

  /// With columns of to-one relationships among the keys: `_ent`, `_pk`, `title`, `_opt`,
  /// `favorites`, `url`, `_ZPARENT`, `parent`, `children`, `uuid`, `favoriteFolders`.
  @Test func `keys of columns take part in the order`() throws {
    let layout = try layout(
      """
      <entity name="Mark">\(attributes(["title", "url", "uuid"]))
      <relationship name="parent" destinationEntity="Mark" inverseName="children" \
      inverseEntity="Mark"/>\(many("children", to: "Mark", inverse: "parent"))
      \(many("favorites", to: "Mark", inverse: "favoriteFolders"))
      \(many("favoriteFolders", to: "Mark", inverse: "favorites"))</entity>
      """)
    #expect(layout.tables.map(\.name) == ["ZMARK", "Z_1FAVORITES"])
  }

  @Test func `an end is met under the name of the first sub-entity that inherits it`() throws {
    let body = """
      <entity name="AlbumList">\(many("albums", to: "GenericAlbum", inverse: "albumLists"))</entity>
      <entity name="GenericAlbum">\(many("albumLists", to: "AlbumList", inverse: "albums"))
      </entity>
      """
    // Apple's own Photos library has a sub-entity Album, and a table Z_26ALBUMLISTS with the columns
    // Z_26ALBUMS and Z_2ALBUMLISTS, as queries in public show.
    let withChild = try layout(body + "<entity name=\"Album\" parentEntity=\"GenericAlbum\"/>")
    #expect(withChild.tables.map(\.name) == ["ZALBUMLIST", "ZGENERICALBUM", "Z_2ALBUMLISTS"])
    #expect(withChild.warnings.count == 1)
    let without = try layout(body)
    #expect(without.tables.map(\.name) == ["ZALBUMLIST", "Z_1ALBUMS", "ZGENERICALBUM"])
    #expect(without.warnings.isEmpty)
  }

  @Test func `a to-many relationship that is its own inverse is not known`() throws {
    let error = #expect(throws: ModelErrors.self) {
      try layout("<entity name=\"A\">\n\(many("as", to: "A", inverse: "as"))</entity>")
    }
    #expect(error?.errors.map(\.location.line) == [3])
  }

  // MARK: The hash tables

  @Test(arguments: [
    ("", 0 as UInt32, 0 as UInt32), ("a", 1_062, 1_062), ("abc", 516_202_353, 516_202_353),
    ("abcd", 2_627_015_790, 2_627_015_790), ("abcde", 2_627_915_124, 2_627_915_124),
    (String(repeating: "Z", count: 31), 540_820_997, 895_481_999),
    (String(repeating: "b", count: 97), 487_747_427, 1_401_183_411),
    ("favoriteFolders_of_a_long_name_0123456789", 3_933_452_231, 1_875_186_421),
  ])
  func `names hash as in the other program`(name: String, first: UInt32, second: UInt32) {
    #expect(PropertyTables.firstHash(name) == first)
    #expect(PropertyTables.secondHash(name) == second)
  }

  @Test func `tables grow as in the other program`() {
    let keys = ["_ent", "_pk", "_opt"] + (0..<60).map { "property\($0)" }
    let order = PropertyTables.order(keys)
    #expect(
      order.prefix(12) == [
        "property32", "property25", "property18", "property7", "property40", "property33",
        "property26", "property19", "_ent", "property9", "property41", "property34",
      ])
    #expect(
      order.suffix(5) == ["property3", "property31", "property24", "property17", "property5"])
    #expect(Set(order) == Set(keys))
  }
}
