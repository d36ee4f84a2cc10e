import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Builds from JSON and property lists whose tables are ruled as in a project file.
@Suite struct ObjectRuleTests {
  @Test func `a field keeps a column of its own where a rule gives its name to another`() throws {
    let rule = RecordRule("*", table: "t", columns: [ColumnRule("name", from: "title")])
    let built = try BuiltProject(
      [("a.csv", "name,title,id\nreal,T,5\n"), ("b.csv", "title,name,id\nU,true,6\n")],
      records: ["a.csv": [rule], "b.csv": [rule]])
    #expect(
      try built.rows("SELECT name, name_2 FROM t ORDER BY id") == [
        [.text("T"), .text("real")], [.text("U"), .text("true")],
      ])
  }

  @Test func `a field keeps a column of its own where a reference has its name`() throws {
    let text =
      "<c><cat name='x'/><item price='2.5' cat='x'/><item price='3.25' cat='x'/></c>"
    let built = try BuiltProject([("c.xml", text)]) {
      $0.mapping.references = [
        ReferenceRule(
          table: "item", column: "price", from: Located("@cat"), targetTable: "cat",
          targetColumn: "name")
      ]
    }
    #expect(
      try built.rows("SELECT price, price_2 FROM item ORDER BY id") == [
        [.integer(1), .real(2.5)], [.integer(1), .real(3.25)],
      ])
  }

  private static let json = (
    "notes.json",
    #"{"data": {"notes": [{"id": 1, "price": 1.0, "at": "16.01.2010"}, {"id": 2, "price": 2}]}}"#
  )
  private static let list = (
    "icons.plist",
    """
    <plist><array><dict><key>n</key><real>1</real><key>icon</key><data>AAH/</data></dict>
    <dict><key>n</key><real>2</real><key>icon</key><data></data></dict></array></plist>
    """
  )

  private func schema(_ built: BuiltProject) throws -> [[SQLiteValue]] {
    try built.rows("SELECT sql FROM sqlite_schema WHERE name <> '_seed' ORDER BY rowid")
  }

  @Test(arguments: [(json, "data/notes", "notes"), (list, "*", "icons"), (list, "icons", "icons")])
  func `a rule without effect gives what a build without rules gives`(
    file: (name: String, text: String), path: String, table: String
  ) throws {
    let plain = try BuiltProject([file])
    let ruled = try BuiltProject([file], records: [file.name: [RecordRule(path)]])
    #expect(try schema(plain) == schema(ruled))
    let query = "SELECT * FROM \(table) ORDER BY 1"
    #expect(try plain.rows(query) == ruled.rows(query))
  }

  @Test func `a path has no name for what has none in the document`() throws {
    let built = try BuiltProject(
      [ObjectRuleTests.json],
      records: [
        "notes.json": [
          RecordRule(
            "data/notes", table: "note",
            columns: [ColumnRule("day", from: "at", type: .date, format: "dd.MM.yyyy")])
        ]
      ])
    #expect(
      try built.rows("SELECT id, day FROM note") == [
        [.integer(1), .text("2010-01-16")], [.integer(2), .null],
      ])
  }

  @Test func `declared types rule binary data too`() throws {
    let built = try BuiltProject(
      [ObjectRuleTests.list],
      schema: "CREATE TABLE icons (n INTEGER, icon BLOB); CREATE TABLE x (y);")
    #expect(
      try built.rows("SELECT * FROM icons") == [
        [.integer(1), .blob([0, 1, 0xFF])], [.integer(2), .blob([])],
      ])
  }

  @Test func `rules that leave nothing are told of`() throws {
    var rule = RecordRule("*")
    rule.isSkipped = true
    let built = try BuiltProject([("t.json", #"[{"a": 1}]"#)], records: ["t.json": [rule]])
    #expect(
      built.remarks.map(\.message) == [
        "all records are skipped or left out, so the database has no tables"
      ])
    #expect(built.remarks.first?.hint == "see \"skip\" in seed.json, and --ignore-extra")
  }

  @Test func `a path to the root says that no record is there`() throws {
    let rule = RecordRule("root/item", columns: [ColumnRule("lang", from: "../@lang")])
    let said = try BuiltProject.failure(
      [("r.xml", "<root lang='de'><item id='1'/><item id='2'/></root>")],
      records: ["r.xml": [rule]])
    #expect(said.count == 1)
    #expect(
      said.first?.contains("[they have @id; no record stands around them: the document's root")
        == true,
      "\(said)")
  }

  @Test func `a path to the record around says what that has`() throws {
    let rule = RecordRule("root/order/item", columns: [ColumnRule("n", from: "../@numer")])
    let said = try BuiltProject.failure(
      [("r.xml", "<root><order number='1'><item id='1'/><item id='2'/></order></root>")],
      records: ["r.xml": [rule]])
    #expect(said.first?.hasSuffix("[did you mean \"../@number\"?]") == true, "\(said)")
  }
}
