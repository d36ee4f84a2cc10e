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

  @Test func `a table that is new in the schema gets all of its rows`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change {
      $0.resources[0].versions[0].append(
        HyperHiveResource.Table(
          "more", columns: [HyperHiveResource.Column("id", "BIGINT", isKey: true)], rows: [["1"]]))
    }
    #expect(try bench.loadSchema().tables == ["fruits_more"])
    #expect(try bench.load().outcome == .whole)
    #expect(try bench.rows("fruits_more") == ["1"])
  }

  @Test func `an answer by another schema than the last one has the schema asked for`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { tables in
        tables[0].columns?.append(HyperHiveResource.Column("color", "TEXT"))
        tables[0].rows = tables[0].rows.map { $0 + [#""red""#] }
      }
    }
    let load = try bench.load()
    #expect(load.outcome == .whole)
    #expect(load.warnings == ["the server's schema has changed; the whole was loaded"])
    #expect(try bench.rows().first == "1|0.5|apple|red")
    bench.server.change { state in
      state.change("fruits") { tables in
        tables[0].columns?[1].type = "TEXT"
        tables[0].rows[0][1] = #""dear""#
      }
    }
    guard case .changedType("list", "price", "DOUBLE", "TEXT")? = try bench.failure()?.reason else {
      Issue.record("the changed type is not told")
      return
    }
  }

  @Test(arguments: [
    [[#""x""#, "1", #""fig""#]], [["4", "1", #""fig""#, "true"]], [] as [[String]],
  ])
  func `changes that do not fit columns taken from older rows load the whole`(
    rows: [[String]]
  ) throws {
    var resource = HyperHiveBench.resource
    resource.versions[0][0].columns = nil
    if rows.isEmpty { resource.versions[0][0].rows = [] }
    let bench = try HyperHiveBench(resource)
    try bench.load()
    let new = rows.isEmpty ? [["1", #""fig""#]] : rows
    bench.server.change { state in state.change("fruits") { $0[0].rows = new } }
    let load = try bench.load()
    #expect(load.outcome == .whole)
    #expect(load.warnings.contains { $0.contains("do not fit") })
    #expect(try bench.rows().count == 1)
    #expect(try bench.load().outcome == .unchanged)
  }

  @Test(arguments: [("a_b", "c"), ("sqlite", "x"), ("_seed_hyperhive", "table")])
  func `a name that is taken keeps one resource away, not all of them`(
    resource: String, table: String
  ) throws {
    let columns = [HyperHiveResource.Column("id", "BIGINT")]
    let bench = try HyperHiveBench(
      HyperHiveResource("a", HyperHiveResource.Table("b_c", columns: columns, rows: [["1"]])))
    bench.server.change {
      $0.resources.append(
        HyperHiveResource(
          resource, HyperHiveResource.Table(table, columns: columns, rows: [["2"]])))
    }
    let load = try bench.loadSchema()
    #expect(load.tables == ["a_b_c"])
    #expect(load.warnings.count == 1)
    #expect(load.warnings.first?.hasPrefix("\(resource)_\(table): ") == true)
    try bench.load("a")
    let error = try bench.failure(resource)
    #expect(error?.source == .core)
    #expect(error?.place == "\(resource)_\(table)")
    #expect(try bench.rows("a_b_c") == ["1"])
  }

  @Test func `the case of a table's name does not matter`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let body = #"[{"name":"LIST","data":[[1,2,"a"]]}]"#
    bench.server.change { $0.fault = { _ in .answer(HTTPAnswer(200, text: body)) } }
    #expect(try bench.load().tables == ["fruits_list"])
    #expect(try bench.rows() == ["1|2.0|a"])
  }

  @Test func `a row of almost as many columns as SQLite allows is changed in place`() throws {
    let count = 1999
    var resource = HyperHiveResource(
      "wide",
      HyperHiveResource.Table(
        "t",
        columns: (0..<count).map {
          HyperHiveResource.Column("c\($0)", "BIGINT", isKey: $0 == 0)
        }, rows: [(0..<count).map { "\($0)" }]))
    let bench = try HyperHiveBench(resource)
    try bench.load("wide")
    resource.change { $0[0].rows[0][count - 1] = "-1" }
    bench.server.change { [resource] in $0.resources = [resource] }
    #expect(try bench.load("wide").outcome == .delta)
    #expect(try bench.rows("wide_t").first?.hasSuffix("|1997|-1") == true)
  }

  @Test func `a table that SQLite cannot have keeps one resource away, not all of them`() throws {
    let columns = (0...2000).map { HyperHiveResource.Column("c\($0)", "TEXT") }
    let bench = try HyperHiveBench()
    bench.server.change {
      $0.resources.append(
        HyperHiveResource("wide", HyperHiveResource.Table("t", columns: columns, rows: [])))
    }
    let load = try bench.loadSchema()
    #expect(load.tables == ["fruits_list"])
    #expect(load.warnings == ["wide_t: the table has 2001 columns; SQLite allows 2000"])
    try bench.load()
    let error = try bench.failure("wide")
    #expect(error?.place == "wide_t")
    #expect(error?.message == "the table has 2001 columns; SQLite allows 2000")
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
