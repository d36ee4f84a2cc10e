import SeedSQLite
import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

@Suite struct HyperHiveLoadTests {
  @Test(arguments: [false, true])
  func `the schema makes the tables of all resources`(isList: Bool) throws {
    var resource = HyperHiveBench.resource
    resource.listsTables = isList
    let bench = try HyperHiveBench(resource)
    let load = try bench.loadSchema()
    #expect(load.tables == ["fruits_list"])
    let connection = try Connection(path: bench.database, mode: .readOnly)
    #expect(
      try connection.scalarText("SELECT sql FROM sqlite_schema WHERE name = 'fruits_list'")
        == """
        CREATE TABLE "fruits_list" (
          "id" INTEGER PRIMARY KEY,
          "price" REAL,
          "name" TEXT
        )
        """)
    #expect(try bench.loadSchema().tables == [])
  }

  @Test func `a load fills the tables and notes the version`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let load = try bench.load()
    #expect(load.outcome == .whole)
    #expect(load.version == 1)
    #expect(load.changedRowCount == 3)
    #expect(load.tables == ["fruits_list"])
    #expect(load.warnings == [])
    #expect(load.exchange.status == 200)
    #expect(load.exchange.byteCount == Int64(HyperHiveBench.resource.whole.utf8.count))
    #expect(try bench.rows() == ["1|0.5|apple", "2|2.0|pêr", "3|NULL|ki\"wi"])
    #expect(try bench.leftovers == [])
  }

  @Test func `a load without the schema asks for it first`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    #expect(try bench.rows().count == 3)
    #expect(bench.server.server.requests.map(\.target).contains("/api/v1/schema/"))
  }

  @Test func `later loads ask for changes and apply them`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { tables in
        tables[0].rows = [
          ["1", "7", #""apple""#], ["3", "null", #""ki\"wi""#], ["4", "4", "null"],
        ]
      }
    }
    let load = try bench.load()
    #expect(load.outcome == .delta)
    #expect(load.version == 2)
    #expect(load.changedRowCount == 3)
    #expect(try bench.rows() == ["1|7.0|apple", "3|NULL|ki\"wi", "4|4.0|NULL"])
    #expect(bench.server.calls.map(\.delta) == [nil, "v1-last"])
  }

  @Test func `nothing new leaves everything as it is`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let load = try bench.load()
    #expect(load.outcome == .unchanged)
    #expect(load.exchange.status == 304)
    #expect(load.changedRowCount == 0)
    #expect(load.version == 1)
    #expect(try bench.rows().count == 3)
  }

  @Test(arguments: ["3", "v3", "delta v1-v3"])
  func `all forms of the version are understood`(text: String) {
    #expect(HyperHiveRules.version(in: text)?.reached == 3)
  }

  @Test(arguments: ["", "v", "three", "delta v1", "delta 1-x", "-3", "v3 beta"])
  func `what is no version is none`(text: String) {
    #expect(HyperHiveRules.version(in: text) == nil)
  }

  @Test func `a version that is too old is dropped and the whole loaded once`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { $0[0].rows.removeLast() }
      state.resources[0].oldestVersion = 2
    }
    let load = try bench.load()
    #expect(load.outcome == .whole)
    #expect(load.version == 2)
    #expect(load.warnings.count == 1)
    #expect(try bench.rows().count == 2)
    #expect(bench.server.calls.map(\.delta) == [nil, "v1-last", nil])
  }

  @Test func `changes that start elsewhere are not applied`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { $0[0].rows.removeFirst() }
      state.contentVersion = { from, to in from == nil ? "v\(to)" : "delta v9-v\(to)" }
    }
    #expect(try bench.load().outcome == .whole)
    #expect(try bench.rows().count == 2)
  }

  @Test func `a server without versions is asked by the tag`() throws {
    let bench = try HyperHiveBench()
    bench.server.change { $0.contentVersion = { _, _ in nil } }
    try bench.load()
    bench.server.change { $0.change("fruits") { $0[0].rows.removeFirst() } }
    #expect(try bench.load().outcome == .delta)
    #expect(bench.server.calls.map(\.delta) == [nil, "auto"])
    #expect(try bench.rows().count == 2)
  }

  @Test func `the first load of changes starts at version 0`() throws {
    let bench = try HyperHiveBench()
    let load = try bench.load { $0.extent = .changes }
    #expect(load.outcome == .delta)
    #expect(bench.server.calls.map(\.delta) == ["v0-last"])
    #expect(try bench.rows().count == 3)
  }

  @Test func `a repetition with a transaction's id gets the same answer`() throws {
    let bench = try HyperHiveBench()
    try bench.load { $0.transactionID = "one" }
    bench.server.change { $0.change("fruits") { $0[0].rows.removeFirst() } }
    try bench.load {
      $0.transactionID = "one"
      $0.extent = .whole
    }
    #expect(try bench.rows().count == 3)
    #expect(bench.server.calls.count == 1)
  }

  @Test func `the whole in place of a refused version is no repetition of the transaction`() throws
  {
    let bench = try HyperHiveBench()
    try bench.load()
    bench.server.change { state in
      state.change("fruits") { $0[0].rows.removeLast() }
      state.resources[0].oldestVersion = 2
    }
    let load = try bench.load { $0.transactionID = "once" }
    #expect(load.outcome == .whole)
    #expect(try bench.rows().count == 2)
    #expect(
      bench.server.server.requests.suffix(2).map { $0["x-transaction-id"] } == ["once", nil])
  }

  @Test(arguments: ["*", "", "abc", "\"\"", "\"a b\"", "\"a\"b\"", "\"é\""])
  func `changes are not asked for by what is no tag`(tag: String) throws {
    let bench = try HyperHiveBench()
    let answer = HTTPAnswer(200, [("ETag", tag)], text: HyperHiveBench.resource.whole)
    bench.server.change { $0.fault = { _ in .answer(answer) } }
    try bench.load()
    #expect(try bench.load().outcome == .whole)
    #expect(bench.server.calls.map(\.delta) == [nil, nil])
  }

  @Test(arguments: ["delta v1-v0", "delta v0-v2"])
  func `changes between other versions are not applied`(version: String) throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let answer = HTTPAnswer(
      200, [("Content-Version", version)], text: #"[{"name":"list","delete_ids":[1]}]"#)
    bench.server.change { $0.fault = { $0 == 1 ? .answer(answer) : nil } }
    #expect(try bench.load().outcome == .whole)
    #expect(try bench.rows().count == 3)
  }

  @Test func `parameters are sent, and name the tables of a cache`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    try bench.load { $0.isCachedByParameters = true }
    try bench.load {
      $0.isCachedByParameters = true
      $0.parameters = #"{ "b": [1, 2.5], "a": "ü\n" }"#
    }
    let requests = bench.server.server.requests.filter { $0.target.contains("/rpc/") }
    #expect(
      requests.map { String(decoding: $0.body, as: UTF8.self) }
        == ["{}", #"{"a":"ü\n","b":[1,2.5]}"#])
    let database = HyperHiveDatabase(path: bench.database)
    #expect(
      try database.tableNames(ofResource: "fruits", table: "list")
        == ["fruits_37a6259cc0c1dae299a7866489dff0bd_list", "fruits_list"])
    #expect(
      try database.tableNames(
        ofResource: "fruits", parameters: #"{"a":"ü\n","b":[1,2.5]}"#
      ).count == 2)
    #expect(try bench.rows("fruits_37a6259cc0c1dae299a7866489dff0bd_list").count == 3)
    #expect(try bench.rows("fruits_list").count == 0)
  }

  @Test func `other parameters in the same tables load the whole`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    try bench.load { $0.parameters = #"{"a":1}"# }
    #expect(bench.server.calls.map(\.delta) == [nil, nil])
  }

  @Test func `names are exact`() throws {
    var resource = HyperHiveBench.resource
    resource.name = "axb"
    let bench = try HyperHiveBench(resource)
    try bench.loadSchema()
    let database = HyperHiveDatabase(path: bench.database)
    #expect(try database.tableNames(ofResource: "axb") == ["axb_list"])
    for name in ["a_b", "a%", "AXB", "axb_list", ""] {
      #expect(try database.tableNames(ofResource: name) == [])
    }
    #expect(try database.tableNames(ofResource: "axb", table: "lis_") == [])
  }

  @Test func `a cache is dropped with its version`() throws {
    let bench = try HyperHiveBench()
    try bench.load { $0.isCachedByParameters = true }
    let database = HyperHiveDatabase(path: bench.database)
    #expect(
      try database.dropCache(ofResource: "fruits")
        == ["fruits_37a6259cc0c1dae299a7866489dff0bd_list"])
    #expect(try database.tableNames(ofResource: "fruits") == ["fruits_list"])
    try bench.load { $0.isCachedByParameters = true }
    #expect(bench.server.calls.map(\.delta) == [nil, nil])
  }

  @Test func `tables without a key are changed by their first column`() throws {
    var resource = HyperHiveBench.resource
    resource.versions[0][0].columns?[0].isKey = false
    resource.versions[0][0].rows.append(["3", "9", "null"])
    let bench = try HyperHiveBench(resource)
    try bench.load()
    #expect(try bench.rows().count == 4)
    bench.server.change { state in
      state.change("fruits") { $0[0].rows = [["1", "0.5", #""apple""#], ["3", "1", "null"]] }
    }
    try bench.load()
    #expect(try bench.rows() == ["1|0.5|apple", "3|1.0|NULL"])
  }

  @Test func `columns that an app has added keep their values in changes`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let connection = try Connection(path: bench.database, mode: .readWrite)
    try connection.execute(
      "ALTER TABLE fruits_list ADD COLUMN mine TEXT; UPDATE fruits_list SET mine = 'x'")
    try connection.close()
    bench.server.change { $0.change("fruits") { $0[0].rows[0][1] = "8" } }
    try bench.load()
    #expect(try bench.rows().first == "1|8.0|apple|x")
  }

  @Test func `columns that an app has added keep their values in a load of the whole`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let connection = try Connection(path: bench.database, mode: .readWrite)
    try connection.execute(
      """
      ALTER TABLE fruits_list ADD COLUMN mine TEXT; UPDATE fruits_list SET mine = 'x' || id;
      CREATE TABLE written(id); CREATE TRIGGER t AFTER UPDATE ON fruits_list
      BEGIN INSERT INTO written VALUES (new.id); END
      """)
    try connection.close()
    bench.server.change { state in
      state.change("fruits") { tables in
        tables[0].rows = [
          ["4", "4", #""fig""#], ["3", "null", #""ki\"wi""#], ["1", "8", #""apple""#],
          ["5", "1", #""a""#], ["5", "2", #""b""#],
        ]
      }
    }
    let load = try bench.load { $0.extent = .whole }
    #expect(load.outcome == .whole)
    #expect(load.version == 2)
    #expect(
      try bench.rows() == [
        "1|8.0|apple|x1", "3|NULL|ki\"wi|x3", "4|4.0|fig|NULL", "5|2.0|b|NULL",
      ])
    // A row that does not differ is not written.
    #expect(try bench.rows("written") == ["1", "5"])
    #expect(try bench.load().outcome == .unchanged)
  }

  @Test func `a load of the whole that breaks leaves an app's columns as they are`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let connection = try Connection(path: bench.database, mode: .readWrite)
    try connection.execute(
      "ALTER TABLE fruits_list ADD COLUMN mine TEXT; UPDATE fruits_list SET mine = 'x' || id")
    try connection.close()
    let before = try bench.rows()
    bench.server.change {
      $0.fault = { _ in
        .answer(HTTPAnswer(200, text: #"[{"name":"list","data":[[1,2,"a"],[7,1,"b"],[8]]}]"#))
      }
    }
    #expect(try bench.failure { $0.extent = .whole } != nil)
    #expect(try bench.rows() == before)
  }

  @Test func `a row that is deleted and comes back keeps what the app has added`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let connection = try Connection(path: bench.database, mode: .readWrite)
    try connection.execute(
      "ALTER TABLE fruits_list ADD COLUMN mine TEXT; UPDATE fruits_list SET mine = 'x' || id")
    try connection.close()
    let changes = #"[{"name":"list","insert_rows":[[2,9,"q"]],"delete_ids":[1,2]}]"#
    bench.server.change {
      $0.fault = { _ in
        .answer(HTTPAnswer(200, [("Content-Version", "delta v1-v2")], text: changes))
      }
    }
    try bench.load()
    #expect(try bench.rows() == ["2|9.0|q|x2", "3|NULL|ki\"wi|x3"])
  }

  @Test func `of rows with one id in a whole the last stays`() throws {
    var resource = HyperHiveBench.resource
    resource.versions[0][0].rows.append(["1", "9", "null"])
    let bench = try HyperHiveBench(resource)
    try bench.load()
    #expect(try bench.rows().first == "1|9.0|NULL")
    #expect(try bench.rows().count == 3)
  }

  @Test func `keys of several columns are deleted by lists`() throws {
    let bench = try HyperHiveBench()
    bench.server.change { state in
      state.resources[0].versions[0][0].columns?[2].isKey = true
    }
    try bench.load()
    bench.server.change { state in
      state.fault = { number in
        number == 1
          ? .answer(
            HTTPAnswer(
              200, [("Content-Version", "v2")],
              text: #"[{"name":"list","insert_rows":[[2,5,"pêr"]],"delete_ids":[[1,"apple"]]}]"#))
          : nil
      }
    }
    try bench.load()
    #expect(try bench.rows() == ["2|5.0|pêr", "3|NULL|ki\"wi"])
  }
}
