import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStreams

/// What becomes of a database when the server's schema changes.
@Suite struct HyperHiveSchemaTests {
  @Test func `a new column is added and the whole loaded anew`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { tables in
        tables[0].columns?.append(HyperHiveResource.Column("weight", "BIGINT"))
        for index in tables[0].rows.indices { tables[0].rows[index].append("\(index)") }
      }
    }
    try bench.loadSchema()
    #expect(try bench.load().outcome == .whole)
    #expect(try bench.rows() == ["1|0.5|apple|0", "2|2.0|pêr|1", "3|NULL|ki\"wi|2"])
  }

  @Test func `a removed column stays with what it has, and is empty in new rows`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { tables in
        tables[0].columns?.remove(at: 1)
        for index in tables[0].rows.indices { tables[0].rows[index].remove(at: 1) }
        tables[0].rows.append(["4", #""fig""#])
      }
    }
    try bench.loadSchema()
    try bench.load()
    #expect(
      try bench.rows() == ["1|0.5|apple", "2|2.0|pêr", "3|NULL|ki\"wi", "4|NULL|fig"])
  }

  @Test func `a changed type is an error that names it, and changes nothing`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    try bench.load()
    bench.server.change { $0.resources[0].versions[0][0].columns?[1].type = "TEXT" }
    do {
      try bench.loadSchema()
      Issue.record("taken")
    } catch let error as HyperHiveError {
      #expect(
        error.reason
          == .changedType(table: "list", column: "price", from: "DOUBLE", to: "TEXT"))
    }
    #expect(try bench.rows().count == 3)
    #expect(try bench.load().outcome == .unchanged)
  }

  @Test func `an unknown type is text of whatever comes, with a warning`() throws {
    let bench = try HyperHiveBench(
      HyperHiveResource(
        "fruits",
        HyperHiveResource.Table(
          "list",
          columns: [
            HyperHiveResource.Column("id", "BIGINT", isKey: true),
            HyperHiveResource.Column("any", "NUMERIC(9,2)"),
          ],
          rows: [
            ["1", "12.50"], ["2", "true"], ["3", #"{"a": ["\u00e9\n", null]}"#], ["4", #""x""#],
            ["5", "null"], ["6", "123456789012345678901234567890"],
          ])))
    #expect(try bench.loadSchema().warnings.count == 1)
    try bench.load()
    #expect(
      try bench.rows() == [
        "1|12.50", "2|true", #"3|{"a": ["\u00e9\n", null]}"#, "4|x", "5|NULL",
        "6|123456789012345678901234567890",
      ])
  }

  @Test func `a table that the schema lacks gets columns by its rows, with a warning`() throws {
    let bench = try HyperHiveBench(
      HyperHiveResource(
        "fruits",
        HyperHiveResource.Table(
          "list", columns: nil,
          rows: [
            ["1", "1", #""a""#, "null"], ["2", "2.5", "7", "null"], ["3", "null", "8", "1"],
          ])))
    try bench.loadSchema()
    #expect(try bench.load().warnings.count == 1)
    #expect(try bench.rows() == ["1|1.0|a|NULL", "2|2.5|7|NULL", "3|NULL|8|1"])
    let types = try HyperHiveDatabase(path: bench.database).run(
      "SELECT group_concat(name || ' ' || type) AS x FROM pragma_table_info('fruits_list')")
    #expect(types.records == [["x": "c1 INTEGER,c2 REAL,c3 TEXT,c4 INTEGER"]])
    bench.server.change { $0.change("fruits") { $0[0].rows[0][2] = #""b""# } }
    #expect(try bench.load().outcome == .delta)
    #expect(try bench.rows().first == "1|1.0|b|NULL")
  }

  @Test func `a table of the app's is not touched`() throws {
    let bench = try HyperHiveBench()
    let connection = try Connection(path: bench.database, mode: .create)
    try connection.execute("CREATE TABLE fruits_list(x); INSERT INTO fruits_list VALUES (1)")
    try connection.close()
    #expect(throws: HyperHiveError.self) { try bench.loadSchema() }
    #expect(try bench.rows() == ["1"])
  }

  @Test(arguments: [
    ("[]", "the schema is no object"), ("<html>", "web page"), (#"{"a":1}"#, "no object"),
    (#"{"a":{"output":{"t":{"columns":[{"type":"TEXT"}]}}}}"#, "no name"),
    (#"{"a":{"output":{"t":{"columns":[{"name":"x"},{"name":"X"}]}}}}"#, "stands twice"),
    (#"{"a":{"output":[{"columns":[{"name":"x"}]}]}}"#, "no name"), ("{", "no JSON"),
  ])
  func `a broken schema is a clear error`(text: String, words: String) throws {
    do throws(HyperHiveError) {
      _ = try HyperHiveSchema(Array(text.utf8))
      Issue.record("taken")
    } catch {
      #expect(error.message.contains(words), "\(error)")
    }
  }
}
