import Foundation
import SeedSQLite
import SeedStore
import SeedStreams
import SeedTransport
import TestSupport
import Testing

@testable import HHFW

/// Databases that are built from a HyperHive server with the real program.
@Suite struct HyperHiveBuildTests {
  private let directory: TemporaryDirectory
  private let server: HyperHiveTestServer

  private static let name = "fruits_37a6259cc0c1dae299a7866489dff0bd_list"

  init() throws {
    directory = try TemporaryDirectory()
    server = try HyperHiveTestServer(
      HyperHiveResource(
        "fruits",
        HyperHiveResource.Table(
          "list",
          columns: [
            HyperHiveResource.Column("id", "BIGINT", isKey: true),
            HyperHiveResource.Column("name", "TEXT"),
          ], rows: [["1", #""apple""#], ["2", #""pear""#], ["3", #""plum""#]])))
  }

  private func writeProject(_ more: String = "", sources: String = "") throws {
    try directory.write(
      #"""
      {
        "name": "fruits",
        "sources": [
          \#(sources)
          {
            "hyperhive": {
              "host": "\#(server.host)", "environment": "env", "project": "project",
              "device": "build", "username": "guest", "password": { "env": "HIVE_PASSWORD" },
              "resources": ["fruits"]
            }\#(more)
          }
        ]
      }
      """#, to: "seed.json")
  }

  private func seed(_ arguments: String..., hasPassword: Bool = true) throws -> CommandRun {
    var environment = ["SEED_CACHE_DIR": directory.path("cache"), "PATH": "/usr/bin:/bin"]
    if hasPassword { environment["HIVE_PASSWORD"] = server.change(\.password) }
    return try CommandRun.run(
      Project.tool.path, arguments, environment: environment, directory: directory.path)
  }

  private func rows(_ path: String, _ table: String = name) throws -> [[SQLiteValue]] {
    try Connection(path: path, mode: .readOnly)
      .rows("SELECT * FROM \(SQLiteName.quoted(table)) ORDER BY 1")
  }

  @Test func `the first load after the installation is one of changes`() throws {
    try writeProject()
    let run = try seed("build")
    #expect(run.status == 0 && run.errorText == "", "\(run.errorText)")
    let built = directory.path("default.sqlite")
    #expect(try rows(built).count == 3)
    #expect(!(try directory.bytes(of: "default.sqlite")).contains(Array("secret-token".utf8)))
    #expect(try seed("verify", "default.sqlite").status == 0)

    let installed = directory.path("app.sqlite")
    _ = try SeedDatabase.install(Seed(path: built), at: installed)
    server.change { state in
      state.change("fruits") { tables in
        tables[0].rows = [["1", #""apple""#], ["3", #""prune""#], ["4", #""fig""#]]
      }
    }
    let client = HyperHiveClient(
      HyperHiveServer(host: server.host, environment: "env", project: "project", device: "app"))
    _ = try client.authenticate(
      user: "guest", password: server.change(\.password), cancellation: HTTPCancellation())
    var options = HyperHiveLoadOptions()
    options.isCachedByParameters = true
    func load() throws -> HyperHiveLoad {
      try client.load(
        "fruits", into: installed, options: options, cancellation: HTTPCancellation())
    }
    let load = try load()
    #expect(load.outcome == .delta)
    #expect(server.calls.map(\.delta) == [nil, "v1-last"])
    #expect(
      try rows(installed) == [
        [.integer(1), .text("apple")], [.integer(3), .text("prune")], [.integer(4), .text("fig")],
      ])
    #expect(try self.load(load).outcome == .unchanged)
  }

  /// Loads once more, in the installed database.
  private func load(_ before: HyperHiveLoad) throws -> HyperHiveLoad {
    let client = HyperHiveClient(
      HyperHiveServer(host: server.host, environment: "env", project: "project", device: "app"))
    _ = try client.authenticate(
      user: "guest", password: server.change(\.password), cancellation: HTTPCancellation())
    var options = HyperHiveLoadOptions()
    options.isCachedByParameters = true
    return try client.load(
      "fruits", into: directory.path("app.sqlite"), options: options,
      cancellation: HTTPCancellation())
  }

  @Test func `an app that keeps its calls gets what has changed since the build`() throws {
    try writeProject()
    let run = try seed("build")
    #expect(run.status == 0, "\(run.errorText)")
    let installed = directory.path("app.sqlite")
    _ = try SeedDatabase.install(Seed(path: directory.path("default.sqlite")), at: installed)
    server.change { state in
      state.change("fruits") { tables in
        tables[0].rows = [["1", #""apple""#], ["3", #""prune""#], ["4", #""fig""#]]
      }
    }
    let hhfw = HHFWController()
    hhfw.initWithCredentials(
      "v1", host: server.host, environment: "env", project: "project", device: "app")
    hhfw.auth("guest", password: server.change(\.password)) { _ in }
    let parameters = RequestCallParams(defaultDb: ())
    parameters?.dataBasePath = installed
    var result: [String: Any]?
    func stream() -> [Any?] {
      hhfw.tableStream(
        "fruits", withCache: true, transactionID: nil, tableCallParams: parameters
      ) { result = $0 as? [String: Any] }
      let database = (result?["result"] as? [String: Any])?["database"] as? [String: Any]
      return [
        result?["status"] as? String, (result?["http"] as? [String: Any])?["status"] as? Int,
        (database?["changes"] as? [String: Any])?["updated"] as? Int, database?["version"] as? Int,
      ]
    }
    let expected: [[SQLiteValue]] = [
      [.integer(1), .text("apple")], [.integer(3), .text("prune")], [.integer(4), .text("fig")],
    ]
    #expect("\(stream())" == "\(["ok", 200, 3, 2] as [Any?])")
    #expect(server.calls.map(\.delta) == [nil, "v1-last"])
    #expect(try rows(installed) == expected)
    let bytes = try directory.bytes(of: "app.sqlite")
    #expect("\(stream())" == "\(["ok", 304, 0, 2] as [Any?])")
    #expect(server.calls.map(\.delta) == [nil, "v1-last", "v2-last"])
    #expect(try directory.bytes(of: "app.sqlite") == bytes)
  }

  @Test func `the same tables give the same bytes, and a change another build`() throws {
    try writeProject()
    #expect(try seed("build", "--if-changed").status == 0)
    let bytes = try directory.bytes(of: "default.sqlite")
    #expect(try seed("build", "--check").status == 0)
    #expect(try seed("build", "--if-changed", "--verbose").errorText.contains("up to date"))
    #expect(try seed("build", "-o", "second.sqlite").status == 0)
    #expect(
      try rows(directory.path("second.sqlite")) == rows(directory.path("default.sqlite")))
    server.change { $0.change("fruits") { $0[0].rows.removeLast() } }
    #expect(try seed("build", "--check").status == 1)
    #expect(try directory.bytes(of: "default.sqlite") == bytes)
    #expect(try seed("build", "--if-changed").status == 0)
    #expect(try rows(directory.path("default.sqlite")).count == 2)
  }

  @Test func `files are built beside the tables of a server`() throws {
    try directory.write("<Events><Event id='7'/></Events>", to: "Events.xml")
    try writeProject(sources: #"{ "file": "Events.xml" },"#)
    let run = try seed("build")
    #expect(run.status == 0, "\(run.errorText)")
    #expect(try rows(directory.path("default.sqlite"), "Event").count == 1)
    #expect(try rows(directory.path("default.sqlite")).count == 3)
  }

  @Test func `what goes wrong says so and leaves the output alone`() throws {
    try writeProject()
    #expect(try seed("build").status == 0)
    let bytes = try directory.bytes(of: "default.sqlite")
    let unset = try seed("build", hasPassword: false)
    #expect(unset.status == 64 && unset.errorText.contains("HIVE_PASSWORD"))
    #expect(try seed("build", "--offline").status == 66)
    #expect(try seed("build", "--locked").status == 65)
    #expect(try seed("schema", "--config", "seed.json").status == 64)
    server.change { state in
      state.fault = { _ in
        .answer(HTTPAnswer(200, text: #"[{"name":"list","data":[["x","y"]]}]"#))
      }
    }
    let broken = try seed("build")
    #expect(broken.status == 65)
    #expect(broken.errorText.contains(#"table "list", row 1, column "id""#), "\(broken.errorText)")
    server.change { $0.user = "somebody" }
    let refused = try seed("build")
    #expect(refused.status == 69 && refused.errorText.contains("Unauthorized"))
    #expect(!refused.errorText.contains(server.change(\.password)))
    #expect(try directory.bytes(of: "default.sqlite") == bytes)
    try writeProject(#", "records": { "fruits/list": "fruit" }"#)
    #expect(try seed("build").status == 65)
  }
}
