import SeedInput
import SeedModel
import SeedSQLite
import Testing

@testable import SeedBuilder

/// Inputs at a bound are built, and those beyond it are refused with a place.
@Suite struct BuildLimitTests {
  /// The error that a document is refused with.
  private func refusal(_ document: String, pacing: Pacing = Pacing()) throws -> InputError {
    try #require(throws: InputError.self) { try BuiltDocument(document, pacing: pacing) }
  }

  /// A record of that many attributes in two elements, neither of which has too many.
  private func record(attributeCount: Int) -> String {
    let half = attributeCount / 2
    return [0..<half, half..<attributeCount].map { range in
      "<v" + range.map { " a\($0)='\($0)'" }.joined() + "/>"
    }.joined()
  }

  @Test func `a table may have 2,000 columns with its key`() throws {
    let database = try BuiltDocument("<r>\(record(attributeCount: 1_999))</r>")
    #expect(
      try database.rows("SELECT count(*) FROM pragma_table_info('v')") == [[.integer(2_000)]])
    #expect(
      try database.rows("SELECT a0, a998, a999, a1998 FROM v")
        == [
          [.integer(0), .integer(998), .null, .null],
          [.null, .null, .integer(999), .integer(1_998)],
        ])
    #expect(try database.computedDigest == database.stampedDigest)
  }

  @Test(arguments: [Pacing(), Pacing(batchWordCount: 1, sampleBatchCount: 1)])
  func `a table of 2,001 columns is refused`(pacing: Pacing) throws {
    let error = try refusal("<r>\(record(attributeCount: 2_000))</r>", pacing: pacing)
    guard case .tooManyColumns("v") = error.reason else {
      Issue.record("\(error.reason)")
      return
    }
    #expect(error.location.file.hasSuffix("input.xml"))
  }

  private func tables(_ count: Int) -> String {
    "<r>" + (0..<count).map { "<t\($0) a='\($0)'/>" }.joined() + "</r>"
  }

  @Test func `a database may have 2,000 tables`() throws {
    let database = try BuiltDocument(tables(2_000))
    #expect(database.summary.tableCount == 2_000)
    #expect(try database.rows("SELECT a FROM t1999") == [[.integer(1_999)]])
    #expect(try database.computedDigest == database.stampedDigest)
  }

  @Test func `more than 2,000 tables are refused`() throws {
    let error = try refusal(tables(2_001))
    #expect(error.reason == .tooMany(what: "different kinds of records", limit: 2_000))
  }

  private func nested(_ depth: Int) -> String {
    let names = (0..<depth).map { "e\($0)" }
    return names.map { "<\($0)>" }.joined() + names.reversed().map { "</\($0)>" }.joined()
  }

  @Test func `elements may be nested 1,000 deep`() throws {
    let database = try BuiltDocument(nested(1_000))
    // Each wraps the next, down to the last but one: a record of which the last is a column.
    #expect(try database.rows("SELECT id, e999 FROM e998") == [[.integer(1), .text("")]])
    #expect(try refusal(nested(1_001)).reason == .tooDeep)
  }

  @Test func `records may be nested 1,000 deep`() throws {
    let database = try BuiltDocument(
      String(repeating: "<e a='1'>", count: 1_000) + String(repeating: "</e>", count: 1_000))
    #expect(
      try database.rows("SELECT count(*), max(id - parent_id), min(id - parent_id) FROM e")
        == [[.integer(1_000), .integer(1), .integer(1)]])
  }

  @Test func `names may lead from one to the next further than elements are nested`() throws {
    let chains = (0..<15).map { chain in
      let names = (chain * 990..<chain * 990 + 992).map { "e\($0)" }
      return names.map { "<\($0)>" }.joined() + names.reversed().map { "</\($0)>" }.joined()
    }
    let database = try BuiltDocument("<r>" + chains.joined() + "</r>")
    #expect(database.summary.tableCount > 0)
    #expect(try database.computedDigest == database.stampedDigest)
  }

  @Test func `a record may have 15 MiB in one value or in a thousand runs of text`() throws {
    let value = String(repeating: "x", count: 15 << 20)
    let database = try BuiltDocument("<r><v a='1'><t>\(value)</t></v><v a='2'/></r>")
    #expect(try database.rows("SELECT length(t) FROM v") == [[.integer(15 << 20)], [.null]])
    let run = String(repeating: "y", count: (15 << 20) / 1_000)
    let runs = try BuiltDocument(
      "<r><v a='1'>" + String(repeating: "\(run)<b/>", count: 1_000) + "</v></r>")
    #expect(
      try runs.rows("SELECT length(text), trim(text, 'y') FROM v")
        == [[.integer(Int64(run.utf8.count) * 1_000), .text("")]])
  }

  @Test(arguments: ["<t>%</t><u>%</u>", "%<b/>%", "<t>%</t>\n<u/>%", "\n%\n%", "<t>\n%\n%</t>"])
  func `a record of more than 16 MiB is refused with its line`(content: String) throws {
    let half = String(repeating: "x", count: 9 << 20)
    let parts = content.split(separator: "%", omittingEmptySubsequences: false)
    let error = try refusal("<r>\n<v>1</v>\n<v>" + parts.joined(separator: half) + "</v></r>")
    guard case .tooLong = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(error.location.line == 3)
  }

  @Test func `a great many runs of text take time in proportion`() throws {
    // Copied anew for each run, they would take minutes.
    let database = try BuiltDocument(
      "<r><v k='1'>" + String(repeating: "<b/>a", count: 200_000) + "</v></r>")
    #expect(try database.rows("SELECT length(text) FROM v") == [[.integer(200_000)]])
  }
}
