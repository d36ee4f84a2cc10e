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
}
