import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Sources whose names collide: what one of them has of a name adds no rows or columns to another.
@Suite struct UnitedSourceTests {
  private static let csv = ("t.csv", "name,n\na,1\nb,2\n")

  /// The rows of `t` and the tables besides it, staged or not.
  private func expect(
    _ files: [(name: String, text: String)], rows: [[SQLiteValue]], columns: String,
    tables: [String] = []
  ) throws {
    for order in [files, files.reversed()] {
      for isMapped in [false, true] {
        let built = try BuiltProject(order) { $0.alwaysMaps = isMapped }
        let found = try built.rows("SELECT \(columns) FROM t ORDER BY 1, 2")
        #expect(found == rows, "\(order.map(\.name)), mapped \(isMapped)")
        let names = try built.rows("SELECT count(*) FROM pragma_table_info('t')")
        let expected = columns.split(separator: ",").count + 1
        #expect(names == [[.integer(Int64(expected))]], "\(order.map(\.name))")
        let objects = try built.rows(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('t', '_seed') ORDER BY 1"
        )
        #expect(objects == tables.map { [.text($0)] })
      }
    }
  }

  @Test func `a root with attributes is one row and makes none of the other source`() throws {
    try expect(
      [Self.csv, ("t.xml", "<t v='9'><row m='1'/><row m='2'/></t>")],
      rows: [
        [.null, .null, .integer(9)], [.text("a"), .integer(1), .null],
        [.text("b"), .integer(2), .null],
      ], columns: "name, n, v", tables: ["row"])
  }

  @Test func `a plain root is nothing`() throws {
    try expect(
      [Self.csv, ("t.xml", "<t><row m='1'/><row m='2'/></t>")],
      rows: [[.text("a"), .integer(1)], [.text("b"), .integer(2)]], columns: "name, n",
      tables: ["row"])
  }

  @Test func `a root inside its own kind makes no row of the other source`() throws {
    try expect(
      [Self.csv, ("t.xml", "<t><t name='c' n='3'/></t>")],
      rows: [
        [.null, .null, .null], [.text("a"), .integer(1), .null], [.text("b"), .integer(2), .null],
        [.text("c"), .integer(3), .integer(1)],
      ], columns: "name, n, parent_id IS NOT NULL AND 1 OR NULL")
  }

  @Test(arguments: [
    ("t.json", #"[{"name": "c", "n": 3}]"#), ("t.ndjson", #"{"name": "c", "n": 3}"#),
    ("t.tsv", "name\tn\nc\t3\n"), ("t.xml", "<list><t name='c' n='3'/></list>"),
    ("t.xml", "<list><t><name>c</name><n>3</n></t></list>"),
    (
      "t.plist",
      "<plist><array><dict><key>name</key><string>c</string><key>n</key><integer>3</integer></dict></array></plist>"
    ),
  ])
  func `records of one name share rows and columns, however they are written`(
    name: String, text: String
  ) throws {
    try expect(
      [Self.csv, (name, text)],
      rows: [[.text("a"), .integer(1)], [.text("b"), .integer(2)], [.text("c"), .integer(3)]],
      columns: "name, n")
  }

  @Test func `an object with values beside an array of the same name adds a row of its own`() throws
  {
    let built = try BuiltProject([
      Self.csv, ("t.json", #"{"version": 2, "t": [{"name": "c", "n": 3}]}"#),
    ])
    #expect(
      try built.rows("SELECT name FROM t ORDER BY 1") == [[.text("a")], [.text("b")], [.text("c")]])
    #expect(try built.rows("SELECT version FROM t_2") == [[.integer(2)]])
  }

  @Test func `documents of objects have roots of their own`() throws {
    let built = try BuiltProject([
      ("t.json", #"{"version": 2}"#), ("t.ndjson", #"{"name": "c"}"#), ("t.csv", "name\na\n"),
    ])
    #expect(try built.rows("SELECT name FROM t ORDER BY 1") == [[.text("a")], [.text("c")]])
    #expect(try built.rows("SELECT version FROM t_2") == [[.integer(2)]])
  }

  @Test func `an attribute and a child of one input stay two columns`() throws {
    let built = try BuiltProject([
      Self.csv, ("t.xml", "<list><t name='c'><name>d</name></t></list>"),
    ])
    #expect(
      try built.rows("SELECT name, name_2 FROM t ORDER BY 1") == [
        [.text("a"), .null], [.text("b"), .null], [.text("c"), .text("d")],
      ])
  }

  @Test func `a rule names the child of one input and the field of the other`() throws {
    let built = try BuiltProject(
      [("t.csv", "name\na\n"), ("t.xml", "<list><t><name>c</name></t></list>")],
      records: [
        "t.xml": [RecordRule("list/t", columns: [ColumnRule("title", from: "name")])],
        "t.csv": [RecordRule("*", columns: [ColumnRule("title", from: "name")])],
      ])
    #expect(try built.rows("SELECT title FROM t ORDER BY 1") == [[.text("a")], [.text("c")]])
  }
}
