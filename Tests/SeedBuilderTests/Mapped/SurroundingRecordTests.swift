import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// What records get from those that they stand in.
@Suite struct SurroundingRecordTests {
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
