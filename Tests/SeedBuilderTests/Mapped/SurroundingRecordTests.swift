import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// What records get from those that they stand in.
@Suite struct SurroundingRecordTests {
  private static func schema(_ key: String) -> String {
    "CREATE TABLE a(code \(key), n INTEGER);"
      + "CREATE TABLE b(a_code REFERENCES a(code), v INTEGER);"
  }

  @Test(arguments: [
    #"<r><a n="1"><b v="2"/></a><a code="q" n="3"><b v="4"/></a></r>"#,
    #"<r><a n="1"><b v="2"/></a><a n="3" code="q"/></r>"#, #"<r><a n="1"><b v="2"/></a></r>"#,
  ])
  func `a record around without a key gives the default that it gets`(text: String) throws {
    let built = try BuiltProject(
      [("r.xml", text)], schema: Self.schema("TEXT PRIMARY KEY DEFAULT 'dd'"))
    #expect(try built.rows("SELECT a_code FROM b WHERE v = 2") == [[.text("dd")]])
    #expect(try built.rows("SELECT code FROM a WHERE n = 1") == [[.text("dd")]])
  }

  @Test func `a default of the rules is given too`() throws {
    var code = ColumnRule("code")
    code.defaultValue = Located(.string("zz"))
    code.nullTexts = ["-"]
    let built = try BuiltProject(
      [("r.xml", #"<r><a code="-" n="1"><b v="2"/></a><a code="q" n="3"><b v="4"/></a></r>"#)],
      schema: Self.schema("TEXT PRIMARY KEY"),
      records: ["r.xml": [RecordRule("r/a", columns: [code])]])
    #expect(try built.rows("SELECT a_code FROM b ORDER BY v") == [[.text("zz")], [.text("q")]])
  }

  @Test(arguments: ["TEXT PRIMARY KEY", "INTEGER PRIMARY KEY"])
  func `a record around without a key is an error at the record in it`(key: String) throws {
    let said = try BuiltProject.failure(
      [("r.xml", "<r>\n<a n='1'>\n<b v='2'/></a>\n<a code='7' n='3'/></r>")],
      schema: Self.schema(key))
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix(
        "r.xml:3:1: the record around has no value for a.code, to which column \"a_code\" refers")
        == true, "\(said)")
  }

  @Test func `records around that have no key at all are an error with a place`() throws {
    let said = try BuiltProject.failure(
      [("r.xml", "<r>\n<a n='1'>\n<b v='2'/></a></r>")], schema: Self.schema("TEXT PRIMARY KEY"))
    let expected = "r.xml:3:1: column \"a_code\" of \"b\" refers to \"code\" of \"a\""
    #expect(said.first?.hasPrefix(expected) == true, "\(said)")
  }

  @Test func `records that stand in none keep no reference`() throws {
    let built = try BuiltProject(
      [("r.xml", "<r><a code='x' n='1'><b v='2'/></a><b v='3'/></r>")],
      schema: Self.schema("TEXT PRIMARY KEY DEFAULT 'dd'"))
    #expect(try built.rows("SELECT a_code FROM b ORDER BY v") == [[.text("x")], [.null]])
  }

  @Test func `of two references to the records around the one that is taken is said`() throws {
    let person = "CREATE TABLE person(id INTEGER PRIMARY KEY, n TEXT);"
    let files = [("p.xml", "<r><person n='A'><msg t='hi'/></person></r>")]
    let built = try BuiltProject(
      files,
      schema: person + "CREATE TABLE msg(id INTEGER PRIMARY KEY, "
        + "receiver INTEGER REFERENCES person, sender INTEGER REFERENCES person, t)")
    #expect(try built.rows("SELECT receiver, sender FROM msg") == [[.integer(1), .null]])
    #expect(
      built.remarks.map(\.message) == [
        "columns \"receiver\", \"sender\" of \"msg\" refer to \"person\", and \"receiver\" gets the "
          + "record around"
      ])
    let named = try BuiltProject(
      files,
      schema: person + "CREATE TABLE msg(id INTEGER PRIMARY KEY, "
        + "receiver INTEGER REFERENCES person, person_id INTEGER REFERENCES person, t)")
    #expect(named.remarks.isEmpty)
  }

  @Test func `a path upwards leads to the records around, not to others of the same name`() throws {
    let text = #"<r><o d="x"><l><i a="1"/></l></o><o d="y"><i a="3"/></o></r>"#
    func rules(_ from: String) -> [String: [RecordRule]] {
      ["r.xml": [RecordRule("r/o/l/i", table: "i", columns: [ColumnRule("od", from: from)])]]
    }
    let said = try BuiltProject.failure([("r.xml", text)], records: rules("../@d"))
    #expect(
      said == [
        "no record at \"r/o/l/i\" has a value at \"../@d\" [they have @a, ../../@d]"
      ])
    let built = try BuiltProject([("r.xml", text)], records: rules("../../@d"))
    #expect(try built.rows("SELECT od FROM i WHERE a = 1") == [[.text("x")]])
  }
}
