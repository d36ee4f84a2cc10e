import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// BLOB columns of a schema, filled from formats that tell strings from other values.
@Suite struct BinaryColumnTests {
  private let schema = "CREATE TABLE t(d BLOB);"

  @Test(arguments: ["true", "1234", "false"])
  func `a value that is no string is an error with its place`(value: String) throws {
    let said = try BuiltProject.failure(
      [("t.json", "[{\"d\": \"SGk=\"},\n {\"d\": \(value)}]")], schema: schema)
    #expect(
      said == [
        "t.json:2:8: \(value) is no string, and only a string can be binary data, in d of t "
          + "[write the data in base64 or in hexadecimal digits, or declare another type]"
      ])
  }

  @Test func `a number with a fraction has its line`() throws {
    let said = try BuiltProject.failure(
      [("t.ndjson", "{\"d\": \"SGk=\"}\n\n{\"d\": 1.50}\n")], schema: schema)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("t.ndjson:3:7: 1.5 is no string") == true)
  }

  @Test(arguments: ["<integer>1234</integer>", "<true/>", "<real>1</real>"])
  func `a property list is taken at its word`(value: String) throws {
    let said = try BuiltProject.failure(
      [("t.plist", "<plist><array>\n<dict><key>d</key>\(value)</dict></array></plist>")],
      schema: schema)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("t.plist:2") == true)
    #expect(said.first?.contains("is no string") == true)
  }

  @Test func `strings that look alike are data`() throws {
    let built = try BuiltProject(
      [("t.json", #"[{"d": "true"}, {"d": "1234"}, {"d": null}, {"d": ""}]"#)], schema: schema)
    #expect(
      try built.rows("SELECT hex(d), typeof(d) FROM t ORDER BY rowid") == [
        [.text("B6BB9E"), .text("blob")], [.text("D76DF8"), .text("blob")],
        [.text(""), .text("null")], [.text(""), .text("null")],
      ])
  }

  @Test func `a value elsewhere says nothing of a column`() throws {
    let built = try BuiltProject(
      [("t.json", #"{"t": [{"d": "SGk="}], "u": [{"d": 1}]}"#)],
      schema: schema + "CREATE TABLE u(d INTEGER);")
    #expect(try built.rows("SELECT CAST(d AS TEXT) FROM t") == [[.text("Hi")]])
  }

  @Test func `texts that are hexadecimal digits and base64 alike are told of once`() throws {
    let built = try BuiltProject(
      [("t.json", #"[{"d": "deadbeef"}, {"d": "cafe"}]"#)], schema: schema)
    #expect(
      try built.rows("SELECT hex(d) FROM t ORDER BY rowid").map { $0[0] }
        == [.text("DEADBEEF"), .text("CAFE")])
    #expect(
      built.remarks == [
        Diagnostic(
          .warning,
          "all values in d of t are read as hexadecimal digits and could be base64 as well",
          at: SourceLocation(file: "t.json"),
          hint: "say which with \"format\": \"hex\" or \"format\": \"base64\" of the column in "
            + "seed.json")
      ])
  }

  @Test(arguments: [("hex", "DEADBEEF"), ("base64", "75E69D6DE79F")])
  func `who says which it is hears nothing`(format: String, bytes: String) throws {
    let rule = RecordRule("*", columns: [ColumnRule("d", format: format)])
    let built = try BuiltProject(
      [("t.json", #"[{"d": "deadbeef"}]"#)], schema: schema, records: ["t.json": [rule]])
    #expect(built.remarks.isEmpty)
    #expect(try built.rows("SELECT hex(d) FROM t") == [[.text(bytes)]])
  }

  @Test(arguments: [#"[{"d": "0xdeadbeef"}]"#, #"[{"d": "deadbeef"}, {"d": "cafe01"}]"#])
  func `digits that cannot be base64 are read without a word`(text: String) throws {
    #expect(try BuiltProject([("t.json", text)], schema: schema).remarks.isEmpty)
  }
}
