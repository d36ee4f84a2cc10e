import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// Changes that are not what the rows need: they are not applied, and the whole comes instead.
@Suite struct HyperHiveRecoveryTests {
  private static let rows = ["1|0.5|apple", "2|2.0|pêr", "3|NULL|ki\"wi"]

  /// A database with rows, and a server that answers the next request with something else.
  private func bench(_ body: String, version: String? = nil) throws -> HyperHiveBench {
    let bench = try HyperHiveBench()
    try bench.load()
    let answer = HTTPAnswer(
      200, version.map { [("Content-Version", $0)] } ?? [], text: body)
    bench.server.change { $0.fault = { $0 == 1 ? .answer(answer) : nil } }
    return bench
  }

  // MARK: Changes that do not fit

  @Test(arguments: [
    #"[{"name":"list","insert_rows":[["x",1,"a"]]}]"#, #"[{"name":"list","insert_rows":[[9]]}]"#,
    #"[{"name":"list","insert_rows":[[9,1,"a"]],"delete_ids":["x"]}]"#,
    #"[{"name":"list","rows":[]}]"#, #"[{"name":"list","delete_ids":null}]"#, "[7]",
    #"[{"name":"list","insert_rows":[[9,1,"a"]]}] x"#,
  ])
  func `changes that do not fit are an error once, and then the whole comes`(body: String) throws {
    let bench = try bench(body, version: "delta v1-v2")
    let error = try bench.failure()
    guard case .malformedAnswer? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try bench.rows() == Self.rows)
    #expect(try bench.load().outcome == .whole)
    #expect(try bench.rows() == Self.rows)
    #expect(try bench.load().outcome == .unchanged)
  }

  @Test(arguments: [#"{"oops":1}"#, "<html></html>", "7", ""])
  func `an answer that is no list says nothing of the changes`(body: String) throws {
    let bench = try bench(body)
    #expect(try bench.failure() != nil)
    #expect(try bench.load().outcome == .unchanged)
  }

  @Test(arguments: ["delta v1-v1", "v1", "1", "v0", "delta v1-v0"])
  func `changes that lead to no later version are not applied`(version: String) throws {
    let bench = try bench(#"[{"name":"list","insert_rows":[[9,1,"x"]]}]"#, version: version)
    let load = try bench.load()
    #expect(load.outcome == .whole)
    #expect(load.warnings.count == 1)
    #expect(load.version == 1)
    #expect(try bench.rows() == Self.rows)
  }

  @Test func `changes without rows may lead to where the rows are`() throws {
    let bench = try bench(
      #"[{"name":"list","insert_rows":[],"delete_ids":[]}]"#, version: "delta v1-v1")
    let load = try bench.load()
    #expect(load.outcome == .delta)
    #expect(load.warnings == [])
  }

  // MARK: Changes since nothing

  @Test func `changes since nothing are not asked for where there are rows`() throws {
    let bench = try bench(#"[{"name":"list","delete_ids":[77]}]"#, version: "delta v1-v2")
    #expect(try bench.failure() != nil)
    // The server has deleted a row, which no changes since nothing would say.
    bench.server.change { $0.change("fruits") { $0[0].rows.removeFirst() } }
    #expect(try bench.load { $0.extent = .changes }.outcome == .whole)
    #expect(bench.server.calls.last?.delta == nil)
    #expect(try bench.rows() == Array(Self.rows.dropFirst()))
  }

  @Test func `changes by other parameters leave no rows of the former ones`() throws {
    let bench = try HyperHiveBench()
    try bench.load {
      $0.extent = .changes
      $0.parameters = #"{"p":1}"#
    }
    #expect(bench.server.calls.map(\.delta) == ["v0-last"])
    bench.server.change { $0.change("fruits") { $0[0].rows.removeFirst() } }
    try bench.load {
      $0.extent = .changes
      $0.parameters = #"{"p":2}"#
    }
    #expect(try bench.rows() == Array(Self.rows.dropFirst()))
  }

  // MARK: Tables

  @Test func `a table that only answers describe is empty when none has it any more`() throws {
    let tables = ["a", "b"].map { HyperHiveResource.Table($0, columns: nil, rows: [["1"]]) }
    var resource = HyperHiveResource("fruits")
    resource.versions = [tables]
    let bench = try HyperHiveBench(resource)
    try bench.load()
    bench.server.change { $0.change("fruits") { $0.removeFirst() } }
    let load = try bench.load { $0.extent = .whole }
    #expect(load.changedRowCount == 2)
    #expect(load.warnings.contains { $0.contains("table \"a\" is not in the answer any more") })
    #expect(try bench.rows("fruits_a") == [])
    #expect(try bench.rows("fruits_b") == ["1"])
  }

  // MARK: Documents that SQLite refuses

  @Test func `a document whose rows SQLite refuses is not fetched again`() throws {
    let bench = try HyperHiveBench()
    try bench.load { $0.resumes = true }
    let database = HyperHiveDatabase(path: bench.database)
    _ = try database.run(
      """
      CREATE TRIGGER no BEFORE UPDATE ON fruits_list BEGIN SELECT RAISE(ABORT, 'not now'); END
      """)
    bench.server.change { $0.change("fruits") { $0[0].rows[0][2] = #""banana""# } }
    let error = try bench.failure {
      $0.resumes = true
      $0.extent = .whole
    }
    #expect(error?.source == .database)
    #expect(try bench.rows() == Self.rows)
    _ = try database.run("DROP TRIGGER no")
    try bench.load {
      $0.resumes = true
      $0.extent = .whole
    }
    #expect(bench.server.calls.last?.sentByteCount == 0)
    #expect(try bench.rows().first == "1|0.5|banana")
    #expect(try bench.leftovers == [])
  }
}
