import Foundation
import Testing

/// What elements and attributes are called in the database.
@Suite struct NameTests {
  /// Compares code unit by code unit: Swift takes composed and decomposed letters for equal.
  func expectColumns(
    _ names: [String], of table: String, in database: BuiltDatabase,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let query = "SELECT name FROM pragma_table_info('\(table)') ORDER BY cid"
    let columns = try await database.column(query)
    #expect(
      columns.map { Array($0.utf8) } == names.map { Array("'\($0)'".utf8) },
      "\(columns)", sourceLocation: sourceLocation)
  }

  @Test func `id beside ID gives two columns, and the one that is a key is the key`() async throws {
    let database = try await Workspace().build(
      #"<r><v id="7" ID="a"/><v id="3" ID="b"/></r>"#)
    #expect(
      try await database.definition(of: "v")
        == "CREATE TABLE v (\n  id INTEGER PRIMARY KEY,\n  ID_2 TEXT NOT NULL\n)")
    #expect(
      try await database.rows("SELECT * FROM v ORDER BY id") == [["3", "'b'"], ["7", "'a'"]])
  }

  @Test func `a key that is made yields to columns of its names`() async throws {
    let database = try await Workspace().build(
      #"<r><v Id="x" _ID="y"/><v Id="x" _ID="z"/></r>"#)
    try await expectColumns(["_id_2", "Id", "_ID"], of: "v", in: database)
    #expect(
      try await database.rows("SELECT * FROM v")
        == [["1", "'x'", "'y'"], ["2", "'x'", "'z'"]])
  }

  @Test func `an attribute and a child of one name are two columns`() async throws {
    let database = try await Workspace().build(
      #"<r><v a="1"><a>x</a></v><v a="2"><a>y</a></v></r>"#)
    try await expectColumns(["id", "a", "a_2"], of: "v", in: database)
    #expect(try await database.rows("SELECT a, a_2 FROM v") == [["1", "'x'"], ["2", "'y'"]])
  }

  @Test func `a reference to the parent yields to an attribute of its name`() async throws {
    let database = try await Workspace().build(
      #"<r><p k="1"><c p_id="x"/></p><p k="2"><c p_id="y"/></p></r>"#)
    try await expectColumns(["id", "p_id_2", "p_id"], of: "c", in: database)
    #expect(
      try await database.rows(#"SELECT "from", "table" FROM pragma_foreign_key_list('c')"#)
        == [["'p_id_2'", "'p'"]])
    #expect(
      try await database.rows("SELECT p_id_2, p_id FROM c") == [["1", "'x'"], ["2", "'y'"]])
  }

  @Test(arguments: ["order", "select", "table", "group", "index", "values", "null", "rowid"])
  func `a word of SQL may be an element and an attribute`(word: String) async throws {
    let database = try await Workspace().build(
      "<r><\(word) \(word)=\"1\"><c \(word)=\"2\"/></\(word)><\(word) \(word)=\"3\"/></r>")
    #expect(
      try await database.column("SELECT \"\(word)\" FROM \"\(word)\" ORDER BY 1") == ["1", "3"])
    #expect(
      try await database.rows("SELECT \"\(word)_id\", \"\(word)\" FROM c") == [["1", "2"]])
  }

  @Test func `a table that SQL needs quoted is quoted in its definition`() async throws {
    let database = try await Workspace().build(
      "<r><order n=\"1\"><line-item a.b=\"2\"/></order><order n=\"2\"/></r>")
    #expect(
      try await database.definition(of: "order")
        == "CREATE TABLE \"order\" (\n  id INTEGER PRIMARY KEY,\n  n INTEGER NOT NULL\n)")
    #expect(
      try await database.definition(of: "line-item")
        == "CREATE TABLE \"line-item\" (\n  id INTEGER PRIMARY KEY,\n"
        + "  order_id INTEGER NOT NULL REFERENCES \"order\",\n  \"a.b\" INTEGER NOT NULL\n)")
    #expect(
      try await database.definition(of: "line-item_order_id")
        == "CREATE INDEX \"line-item_order_id\" ON \"line-item\" (order_id)")
  }

  /// The first and the last character of every range in which XML 1.0 lets a name begin.
  static let starts: [ClosedRange<UInt32>] = [
    0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
    0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF,
    0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF,
  ]

  /// The same for the characters that may only follow.
  static let followers: [ClosedRange<UInt32>] = [
    0x2D...0x2E, 0x30...0x39, 0xB7...0xB7, 0x300...0x36F, 0x203F...0x2040,
  ]

  @Test func `every character that a name may have is kept in it`() async throws {
    func scalars(_ ranges: [ClosedRange<UInt32>]) -> [Unicode.Scalar] {
      ranges.flatMap { [$0.lowerBound, $0.upperBound] }.compactMap(Unicode.Scalar.init)
    }
    // A number after the character keeps names apart that differ in case only.
    let names =
      scalars(Self.starts).enumerated().map { "\($1)\($0)" }
      + scalars(Self.followers).enumerated().map { "n\($1)x\($0)" }
    let attributes = names.enumerated().map { " \($1)=\"\($0)\"" }.joined()
    let database = try await Workspace().build("<r><v\(attributes)/><v/></r>")
    try await expectColumns(["id"] + names, of: "v", in: database)
    #expect(
      try await database.rows("SELECT * FROM v ORDER BY id LIMIT 1")
        == [["1"] + names.indices.map(String.init)])
  }

  @Test func `names that Unicode takes for equal are two columns and two tables`() async throws {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    let database = try await Workspace().build(
      "<r><v \(composed)=\"1\" \(decomposed)=\"2\"/>"
        + "<\(composed) a=\"3\"/><\(decomposed) a=\"4\"/></r>")
    try await expectColumns(["id", composed, decomposed], of: "v", in: database)
    #expect(try await database.rows("SELECT * FROM v") == [["1", "1", "2"]])
    #expect(try await database.rows("SELECT a FROM \"\(composed)\"") == [["3"]])
    #expect(try await database.rows("SELECT a FROM \"\(decomposed)\"") == [["4"]])
  }

  @Test func `elements of two namespaces are two tables, with their prefixes`() async throws {
    let database = try await Workspace().build(
      """
      <r xmlns:x="urn:one" xmlns:y="urn:two"><x:a n="1"/><y:a n="2"/><x:a n="3"/><x:b m="4"/></r>
      """)
    #expect(try await database.column(#"SELECT n FROM "x:a" ORDER BY id"#) == ["1", "3"])
    #expect(try await database.column(#"SELECT n FROM "y:a" ORDER BY id"#) == ["2"])
    #expect(try await database.column("SELECT m FROM b") == ["4"])
  }

  @Test func `elements that differ in case only are two tables`() async throws {
    let database = try await Workspace().build(#"<r><Item n="1"/><item n="2"/><Item n="3"/></r>"#)
    #expect(try await database.column("SELECT n FROM Item ORDER BY id") == ["1", "3"])
    #expect(try await database.column("SELECT n FROM item_2") == ["2"])
  }

  @Test func `a root that recurs is an ordinary record of its tree`() async throws {
    let database = try await Workspace().build(
      #"<node name="a"><node name="b"><node name="c"/></node><leaf size="1"/></node>"#)
    #expect(
      try await database.rows("SELECT id, name, parent_id FROM node ORDER BY id")
        == [["1", "'a'", "NULL"], ["2", "'b'", "1"], ["3", "'c'", "2"]])
    #expect(try await database.rows("SELECT node_id, size FROM leaf") == [["1", "1"]])
  }
}
