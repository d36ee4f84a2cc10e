import Foundation
import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import HHFW

/// What apps and servers do that nobody has asked for: a result says so, and the rows stay.
@Suite struct HostileServerTests {
  private static var fruits: HyperHiveResource {
    HyperHiveResource(
      "fruits",
      HyperHiveResource.Table(
        "list",
        columns: [
          HyperHiveResource.Column("id", "BIGINT", isKey: true),
          HyperHiveResource.Column("name", "TEXT"),
        ], rows: (1...500).map { ["\($0)", #""fruit \#($0)""#] }))
  }

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var database: String { directory.path("app.sqlite") }

  private func controller(_ server: HyperHiveTestServer) -> HHFWController {
    let hhfw = HHFWController()
    hhfw.initWithCredentials(
      "v1", host: server.host, environment: "env", project: "project", device: "device")
    hhfw.setDownloadPath(directory.path("downloads"))
    hhfw.useDownload(true)
    hhfw.auth("guest", password: server.change(\.password)) { _ in }
    return hhfw
  }

  private func result(_ call: (@escaping (Any?) -> Void) -> Void) -> [String: Any] {
    var result: NSDictionary?
    call { result = $0 as? NSDictionary }
    return result as? [String: Any] ?? [:]
  }

  private func stream(
    _ hhfw: HHFWController, _ resource: String = "fruits", into path: String? = nil,
    retryCount: Int = 0
  ) -> [String: Any] {
    let parameters = RequestCallParams(defaultDb: ())
    parameters?.dataBasePath = path ?? database
    parameters?.retryCount = retryCount
    return result {
      hhfw.tableStream(
        resource, withCache: false, transactionID: nil, tableCallParams: parameters, handler: $0)
    }
  }

  /// Status, source and code of a result, on one line.
  private func outcome(_ result: [String: Any]) -> String {
    let error = (result["errors"] as? [[String: Any]])?.first
    let parts = [
      result["status"] as? String, error?["source"] as? String,
      (error?["code"] as? Int).map { "\($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  private func rows(_ sql: String = "SELECT count(*) FROM fruits_list") throws -> [[SQLiteValue]] {
    try Connection(path: database, mode: .readOnly).rows(sql)
  }

  private func json(_ text: String?) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [String: Any] ?? [:]
  }

  // MARK: Servers

  @Test(arguments: [
    "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Ver",
    "HTTP/1.1 200 OK\r\nContent-Version: v2\r\nETag: \"x\"\r\n",
  ])
  func `a server that closes inside of its head is an error of the network`(head: String) throws {
    let server = try HyperHiveTestServer(Self.fruits)
    let hhfw = controller(server)
    #expect(outcome(stream(hhfw)) == "ok")
    server.change { state in
      state.change("fruits") { $0[0].rows.removeLast() }
      state.fault = { _ in .answer(.raw(head)) }
    }
    let broken = stream(hhfw, retryCount: 1)
    #expect(outcome(broken).hasPrefix("error cURL "), "\(broken)")
    #expect(broken["retryCount"] as? Int == 1)
    #expect(try rows() == [[.integer(500)]])
    server.change { $0.fault = { _ in nil } }
    #expect(outcome(stream(hhfw)) == "ok")
    #expect(try rows() == [[.integer(499)]])
  }

  @Test func `a server that refuses every token is asked twice, whatever the repetitions`() throws {
    let server = try HyperHiveTestServer(Self.fruits)
    let hhfw = controller(server)
    let refusal = HTTPAnswer(401, text: #"{"code":401,"description":"Unauthorized"}"#)
    server.change { $0.fault = { _ in .answer(refusal) } }
    #expect(outcome(stream(hhfw, retryCount: 1000)) == "error Server 401")
    #expect(server.calls.count == 2)
    #expect(server.change(\.loginCount) == 2)
  }

  @Test func `password and token go to no other host`() throws {
    let other = try HTTPFaultServer(HTTPAnswer(text: "[]"))
    let url = other.url("/x", host: "localhost")
    let server = try HTTPFaultServer(.redirect(url, status: 307))
    let hhfw = HHFWController()
    hhfw.initWithCredentials(
      "v1", host: server.url(), environment: "env", project: "project", device: "device")
    #expect(outcome(result { hhfw.auth("guest", password: "geheim", $0) }) == "error Server 307")
    let hive = try HyperHiveTestServer(Self.fruits)
    let second = controller(hive)
    hive.change { $0.fault = { _ in .answer(.redirect(url, status: 302)) } }
    #expect(outcome(stream(second)) == "error Server 302")
    #expect(other.connectionCount == 0)
  }

  @Test(arguments: [
    "[]", "7", "", "{", "<html>no</html>", #"{"fruits":1}"#,
    #"{"fruits":{"output":{"list":{"columns":[7]}}}}"#,
    #"{"fruits":{"output":[{"name":"a","columns":[{"name":"x"}]},{"name":"a"}]}}"#,
    #"{"fruits":{"output":{"list":{"columns":[{"name":"a\u0000b","type":"TEXT"}]}}}}"#,
    #"{"fr\u0000uits":{"output":{"list":{"columns":[{"name":"a","type":"TEXT"}]}}}}"#,
    #"{"fruits":{"output":{"li\u0000st":{"columns":[{"name":"a","type":"TEXT"}]}}}}"#,
    #"{"code":500,"description":"Broken"}"#,
  ])
  func `a schema that is none makes no table`(text: String) throws {
    let server = try HTTPFaultServer { _, number in
      HTTPAnswer(text: number == 0 ? #"{"token":"t"}"# : text)
    }
    let hhfw = HHFWController()
    hhfw.initWithCredentials(
      "v1", host: server.url(), environment: "env", project: "project", device: "device")
    hhfw.auth("guest", password: "p") { _ in }
    let answer = result { hhfw.resources(database, handler: $0) }
    #expect(outcome(answer).hasPrefix("error "), "\(answer)")
    #expect(!outcome(answer).contains("SQLite"), "\(answer)")
    let tables = try json(hhfw.query(database, query: "SELECT count(*) AS n FROM sqlite_schema"))
    let found = (tables["result"] as? [String: Any])?["database"] as? [String: Any]
    #expect((found?["records"] as? [[String: Int]])?.first?["n"] ?? 0 == 0)
  }

  // MARK: Names and values

  @Test(arguments: ["цены", "a/b", "a b%20", "it's `x`", "..", "%_", "é\u{0301}", "😀"])
  func `any name of a resource leads to its rows`(name: String) throws {
    let server = try HyperHiveTestServer(
      HyperHiveResource(
        name,
        HyperHiveResource.Table(
          "таблица", columns: [HyperHiveResource.Column("имя \\\"x\\\"", "TEXT")],
          rows: [[#""значение""#]])))
    let hhfw = controller(server)
    #expect(outcome(result { hhfw.resources(database, handler: $0) }) == "ok")
    let streamed = stream(hhfw, name)
    guard name != ".." else {
      // An address cannot name it.
      #expect(outcome(streamed) == "error Core 0")
      #expect(server.calls.isEmpty)
      return
    }
    #expect(outcome(streamed) == "ok", "\(streamed)")
    let names = try json(
      hhfw.getTablesName(database, resourceName: name, requestParams: "", tableName: "таблица"))
    let found = (names["result"] as? [String: Any])?["database"] as? [String: Any]
    let table = (found?["records"] as? [[String: String]])?.first?["name"]
    #expect(table == name + "_таблица")
    let quoted = SQLiteName.quoted(table ?? "")
    #expect(try rows("SELECT * FROM \(quoted)") == [[.text("значение")]])
  }

  @Test func `huge values come back as they were`() throws {
    let text = String(repeating: "é\\n", count: 1_000_000)
    var fruits = Self.fruits
    fruits.versions[0][0].rows = [
      ["9223372036854775807", "\"\(text)\""], ["-9223372036854775808", #""""#],
    ]
    let server = try HyperHiveTestServer(fruits)
    let hhfw = controller(server)
    #expect(outcome(stream(hhfw)) == "ok")
    let answer = try json(hhfw.query(database, query: "SELECT * FROM fruits_list ORDER BY id"))
    let found = (answer["result"] as? [String: Any])?["database"] as? [String: Any]
    let records = try #require(found?["records"] as? [[String: Any]])
    #expect(records.map { $0["id"] as? Int } == [.min, .max])
    #expect((records[1]["name"] as? String)?.utf8.count == 3_000_000)
    let numbers = try json(
      hhfw.query(database, query: "SELECT 9e999 AS a, -9e999 AS b, 1e308 AS c, 'x' || char(0) AS d")
    )
    let values = (numbers["result"] as? [String: Any])?["database"] as? [String: Any]
    let record = try #require((values?["records"] as? [[String: Any]])?.first)
    #expect(record["a"] is NSNull && record["b"] is NSNull)
    #expect(record["c"] as? Double == 1e308)
    #expect(record["d"] as? String == "x\0")
  }

  @Test func `a path that is no database is an error, and nothing is asked`() throws {
    let server = try HyperHiveTestServer(Self.fruits)
    let hhfw = controller(server)
    try directory.write("this is no database, whatever its name says", to: "text.sqlite")
    for (path, expected) in [
      ("../app.sqlite", "error Core 0"), ("", "error Core 0"), ("a/../../b", "error Core 0"),
      ("/Documents/../x", "error Core 0"), (directory.path + "/", "error Core 0"),
      ("/a\0b", "error Core 0"), (directory.path, "error SQLite"),
      (directory.path("none/app.sqlite"), "error SQLite 14"),
      (directory.path("text.sqlite"), "error SQLite 26"),
    ] {
      #expect(outcome(stream(hhfw, into: path)).hasPrefix(expected), "\(path)")
    }
    #expect(server.calls.isEmpty)
    #expect(try directory.text(of: "text.sqlite").hasPrefix("this is no"))
  }

  // MARK: At the same time

  @Test func `controllers that load the same tables at once all succeed`() throws {
    let server = try HyperHiveTestServer(Self.fruits)
    let first = controller(server)
    #expect(outcome(result { first.resources(database, handler: $0) }) == "ok")
    server.change { $0.fault = { $0.isMultiple(of: 3) ? .drop(after: 2000) : nil } }
    server.change { $0.keepsTokens = true }
    let controllers = [first, controller(server)]
    let outcomes = Lock<[String]>([])
    let path = database
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let parameters = RequestCallParams(defaultDb: ())
      parameters?.dataBasePath = path
      parameters?.retryCount = 10
      controllers[number % 2 == 0 ? 1 : number % 4 / 2].tableStream(
        "fruits", withCache: false, transactionID: nil, tableCallParams: parameters
      ) { answer in
        let result = answer as? [String: Any] ?? [:]
        let errors = result["errors"] as? [Any] ?? []
        outcomes.withLock { $0.append(errors.isEmpty ? "ok" : "\(errors)") }
      }
    }
    #expect(Set(outcomes.withLock(\.self)).isSubset(of: ["ok"]))
    #expect(try rows() == [[.integer(500)]])
    #expect(try rows("PRAGMA integrity_check") == [[.text("ok")]])
  }
}
