import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// The places of values that do not fit, found again in the input long after it was read.
@Suite struct ValuePlaceTests {
  private let schema = "CREATE TABLE t(a TEXT, n INTEGER);"

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines end in CSV as its reader has it`(newline: String) throws {
    let lines = ["a,n", "x,1", "\"two\(newline)lines\",2", "", "é,seven", "y,3"]
    let said = try BuiltProject.failure(
      [("t.csv", lines.joined(separator: newline) + newline)], schema: schema)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("t.csv:6:3: \"seven\" is not an integer") == true)
  }

  @Test func `line ends of several kinds count each`() throws {
    let said = try BuiltProject.failure(
      [("t.tsv", "a\tn\r\nx\t1\ry\t2\n\rz\tseven\r\n")], schema: schema)
    #expect(said.first?.hasPrefix("t.tsv:5:3: \"seven\" is not an integer") == true)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines end in XML as XML has it`(newline: String) throws {
    let lines = ["<r>", "<t a='x' n='1'/>", "", "<t a='é'", " n='seven'/>", "</r>"]
    let said = try BuiltProject.failure(
      [("t.xml", lines.joined(separator: newline))], schema: schema)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("t.xml:5:5: \"seven\" is not an integer") == true)
  }

  @Test func `a carriage return is a blank to JSON`() throws {
    let said = try BuiltProject.failure(
      [("t.ndjson", "{\"a\": \"x\",\r\"n\": 1}\n{\"n\":\r\"seven\"}\n")], schema: schema)
    #expect(said.first?.hasPrefix("t.ndjson:2:") == true)
  }

  @Test func `a line beyond the first piece is found whatever ends it`() throws {
    // A CR stands at the end of a piece of 64 KiB, and its LF at the start of the next.
    for newline in ["\r\n", "\r"] {
      var text = "a,n\(newline)"
      while text.utf8.count < (64 << 10) - 40 { text += "x,1\(newline)" }
      text += String(repeating: "y", count: (64 << 10) - 3 - text.utf8.count) + ",1\(newline)"
      #expect(text.utf8.count >= 64 << 10)
      let line = text.utf8.count { $0 == 0x0D } + 1
      let said = try BuiltProject.failure(
        [("t.csv", text + "z,seven\(newline)")], schema: schema)
      #expect(said.first?.hasPrefix("t.csv:\(line):3: \"seven\"") == true, "\(said)")
    }
  }

  @Test(arguments: [
    ("[{\"kids\": [{\"a\": 1}, {\"a\": 2}], \"n\": \"bad\"}]", "1:39"),
    ("[{\"n\": \"bad\", \"kids\": [{\"a\": 1}, {\"a\": 2}]}]", "1:9"),
  ])
  func `a value of the record around is found before and behind, and told once`(
    text: String, place: String
  ) throws {
    let said = try BuiltProject.failure(
      [("t.json", text)], schema: "CREATE TABLE kids(a INTEGER, n INTEGER);",
      records: ["t.json": RecordRule.kidsWithNumber])
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.hasPrefix("t.json:\(place): \"bad\" is not an integer") == true, "\(said)")
  }

  @Test func `a value behind is that of the record's own parent`() throws {
    let said = try BuiltProject.failure(
      [
        (
          "t.json",
          """
          [{"kids": [{"a": 1}], "n": 7},
           {"kids": [{"a": 2}], "n": "bad"},
           {"kids": [{"a": 3}], "n": "bad"}]
          """
        )
      ], schema: "CREATE TABLE kids(a INTEGER, n INTEGER);",
      records: ["t.json": RecordRule.kidsWithNumber])
    #expect(said.map { $0.prefix(11) } == ["t.json:2:29", "t.json:3:29"])
  }

  @Test func `errors of one kind beyond the fifth are counted`() throws {
    let rows = (1...9).map { "x,bad\($0)\n" }.joined()
    let said = try BuiltProject.failure([("t.csv", "a,n\n\(rows)")], schema: schema)
    #expect(said.count == 6)
    #expect(said.last == "t.csv:6:3: 4 more of this kind are not shown")
  }

  @Test func `references to nothing are told beside values that do not fit`() throws {
    let said = try BuiltProject.failure(
      [("t.json", #"{"p": [{"id": 1}], "c": [{"p_id": 7, "n": 1}, {"p_id": 1, "n": "x"}]}"#)],
      schema: """
        CREATE TABLE p(id INTEGER PRIMARY KEY);
        CREATE TABLE c(p_id INTEGER REFERENCES p(id), n INTEGER);
        """)
    #expect(said.count == 2, "\(said)")
    #expect(said.first?.contains("column \"p_id\" of \"c\" refers to \"7\"") == true, "\(said)")
    #expect(said.last?.contains("\"x\" is not an integer") == true, "\(said)")
  }

  @Test func `references to rows that are missing because of other errors are no error`() throws {
    let said = try BuiltProject.failure(
      [("t.json", #"{"p": [{"id": 1, "n": "x"}], "c": [{"p_id": 1}]}"#)],
      schema: """
        CREATE TABLE p(id INTEGER PRIMARY KEY, n INTEGER);
        CREATE TABLE c(p_id INTEGER REFERENCES p(id));
        """)
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.contains("\"x\" is not an integer") == true, "\(said)")
  }

  @Test func `a column that another value goes into is not proposed`() throws {
    let said = try BuiltProject.failure(
      [("n.json", #"[{"N": 1, "n": 5}, {"N": 1, "n": 3}]"#)], schema: "CREATE TABLE n(n INTEGER);")
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.contains("did you mean") == false, "\(said)")
    #expect(said.first?.contains("another value goes into column \"n\"") == true, "\(said)")
  }
}

extension RecordRule {
  /// Rules that give the children a value of the record around them.
  fileprivate static var kidsWithNumber: [RecordRule] {
    var skipped = RecordRule("*")
    skipped.isSkipped = true
    var number = ColumnRule(name: Located("n"))
    number.from = Located("../n")
    return [skipped, RecordRule("*/kids", table: "kids", columns: [number])]
  }
}
