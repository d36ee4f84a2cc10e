import Foundation
import SeedFiles
import TestSupport
import Testing

@testable import HHFW

@Suite struct ControllerTests {
  private let server: HyperHiveTestServer
  private let directory: TemporaryDirectory
  private let hhfw = HHFWController()

  init() throws {
    server = try HyperHiveTestServer(
      HyperHiveResource(
        "fruits",
        HyperHiveResource.Table(
          "list",
          columns: [
            HyperHiveResource.Column("id", "BIGINT", isKey: true),
            HyperHiveResource.Column("name", "TEXT"),
          ], rows: [["1", #""apple""#], ["2", #""pear""#]])))
    directory = try TemporaryDirectory()
  }

  private var database: String { directory.path("app.sqlite") }

  private func start() -> NSDictionary? {
    hhfw.initWithCredentials(
      "v1", host: server.host, environment: "env", project: "project", device: "device")
    hhfw.setDownloadPath(directory.path("downloads"))
    return result { hhfw.auth("guest", password: server.change(\.password), $0) }
  }

  private func result(_ call: (@escaping (Any?) -> Void) -> Void) -> NSDictionary? {
    var result: NSDictionary?
    call { result = $0 as? NSDictionary }
    return result
  }

  private func parameters() -> RequestCallParams? {
    let parameters = RequestCallParams(defaultDb: ())
    parameters?.dataBasePath = database
    return parameters
  }

  private func json(_ text: String?) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [String: Any] ?? [:]
  }

  private func error(_ result: [String: Any]) -> [String: Any] {
    (result["errors"] as? [[String: Any]])?.first ?? [:]
  }

  private func changes(_ result: NSDictionary?) -> Int? {
    let database = (result?["result"] as? [String: Any])?["database"] as? [String: Any]
    return (database?["changes"] as? [String: Any])?["updated"] as? Int
  }

  @Test func `a login says ok and shows neither password nor token`() throws {
    let result = try #require(start())
    #expect(result["status"] as? String == "ok")
    #expect((result["http"] as? [String: Any])?["status"] as? Int == 200)
    let text = "\(result)"
    #expect(!text.contains(server.change(\.password)) && !text.contains("secret-token"))
  }

  @Test func `a refused login is an error of the server's`() throws {
    _ = start()
    let result = try #require(
      result { hhfw.auth("guest", password: "wrong-password", $0) } as? [String: Any])
    #expect(result["status"] as? String == "error")
    #expect(error(result)["code"] as? Int == 401)
    #expect(error(result)["source"] as? String == "Server")
    #expect((error(result)["descriptions"] as? [String])?.isEmpty == false)
    #expect(!"\(result)".contains("wrong-password"))
  }

  @Test func `a call before the server is named is an error`() throws {
    let result = try #require(
      result { hhfw.resources(database, handler: $0) } as? [String: Any])
    #expect(error(result)["source"] as? String == "Core")
  }

  @Test func `a table stream fills the database, then finds nothing new`() throws {
    _ = start()
    #expect(result { hhfw.resources(database, handler: $0) }?["status"] as? String == "ok")
    let stream = { (handler: @escaping (Any?) -> Void) in
      hhfw.tableStream(
        "fruits", withCache: true, transactionID: nil, tableCallParams: parameters(),
        handler: handler)
    }
    let first = result(stream)
    #expect(first?["status"] as? String == "ok")
    #expect(changes(first) == 2)
    let http = try #require(first?["http"] as? [String: Any])
    #expect(http["status"] as? Int == 200)
    #expect(http["bytesDownloaded"] as? Int ?? 0 > 0)
    #expect((http["headers"] as? [String: Any])?["Content-Version"] as? String == "v1")
    #expect(first?["retryCount"] as? Int == 0)
    let second = result(stream)
    #expect(second?["status"] as? String == "ok")
    #expect((second?["http"] as? [String: Any])?["status"] as? Int == 304)
    #expect(changes(second) == 0)
    #expect(!"\(first ?? [:])".contains("secret-token"))
  }

  @Test func `changes, whole tables and repeated ones are loaded by their methods`() throws {
    _ = start()
    let parameters = parameters()
    parameters?.retryCount = 1
    #expect(
      changes(result { hhfw.deltaStream("fruits", deltaStreamCallParams: parameters, handler: $0) })
        == 2)
    #expect(
      changes(
        result {
          hhfw.table("fruits", transactionID: nil, tableCallParams: parameters, handler: $0)
        }) == 2)
    server.change { $0.fault = { $0 == 2 ? .drop(after: 5) : nil } }
    let repeated = result {
      hhfw.retryTable("fruits", transactionID: "id", tableCallParams: parameters, handler: $0)
    }
    #expect(changes(repeated) == 2)
    #expect(repeated?["retryCount"] as? Int == 1)
    #expect(server.calls.map(\.delta) == ["v0-last", nil, nil])
  }

  @Test(arguments: [(-1, 0.0), (0, -0.5), (0, Double.nan), (0, Double.infinity)])
  func `a negative number of repetitions or seconds is an error`(
    count: Int, seconds: Double
  ) throws {
    _ = start()
    let parameters = parameters()
    parameters?.retryCount = count
    parameters?.retryIntervalSec = seconds
    let result = result {
      hhfw.tableStream(
        "fruits", withCache: true, transactionID: nil, tableCallParams: parameters, handler: $0)
    }
    #expect(result?["status"] as? String == "error")
    #expect(result.map(JSONSerialization.isValidJSONObject) == true)
    #expect(server.calls.isEmpty)
  }

  @Test func `names are found, and caches dropped`() throws {
    _ = start()
    _ = result { hhfw.resources(database, handler: $0) }
    _ = result {
      hhfw.tableStream(
        "fruits", withCache: true, transactionID: nil, tableCallParams: parameters(), handler: $0)
    }
    func names() throws -> [String] {
      let result = try json(
        hhfw.getTablesName(
          database, resourceName: "fruits", requestParams: "", tableName: "list"))
      let database = (result["result"] as? [String: Any])?["database"] as? [String: Any]
      return (database?["records"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    #expect(try names() == ["fruits_37a6259cc0c1dae299a7866489dff0bd_list", "fruits_list"])
    let dropped = try json(hhfw.dropCache(database, resourceName: "fruits", requestParams: ""))
    #expect(dropped["status"] as? String == "ok")
    #expect(try names() == ["fruits_list"])
  }

  @Test func `a query gives rows by column, blobs as Base64`() throws {
    #expect(hhfw.openBase(database, key: ""))
    let result = try json(
      hhfw.query(database, query: "SELECT 1 AS i, 2.5 AS r, 'x' AS t, x'00FF' AS b, NULL AS n"))
    let answer = (result["result"] as? [String: Any])?["database"] as? [String: Any]
    let record = try #require((answer?["records"] as? [[String: Any]])?.first)
    #expect(record["i"] as? Int == 1)
    #expect(record["r"] as? Double == 2.5)
    #expect(record["t"] as? String == "x")
    #expect(record["b"] as? String == "AP8=")
    #expect(record["n"] is NSNull)
  }

  @Test(arguments: [
    ("SELECT * FROM none", 1), ("ATTACH 'other.sqlite' AS o", 1), ("SELECT 1; SELECT 2", 21),
    ("", 21), ("VACUUM INTO 'copy.sqlite'", 1), ("VACUUM/**/INTO/**/'copy.sqlite'", 1),
    ("SELEC", 1),
  ])
  func `what SQLite refuses is its error with its code`(query: String, code: Int) throws {
    #expect(hhfw.openBase(database, key: ""))
    let result = try json(hhfw.query(database, query: query))
    #expect(result["status"] as? String == "error")
    #expect(error(result)["source"] as? String == "SQLite")
    #expect(error(result)["code"] as? Int == code)
    #expect(try directory.names == ["app.sqlite"])
  }

  @Test(arguments: ["BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT one"])
  func `a transaction that nobody could end is an error`(query: String) throws {
    #expect(hhfw.openBase(database, key: ""))
    let result = try json(hhfw.query(database, query: query))
    #expect(error(result)["source"] as? String == "SQLite")
    #expect(error(result)["code"] as? Int == 1)
  }

  @Test(arguments: ["VACUUM", " vacuum main ; "])
  func `a database may be rewritten in place`(query: String) throws {
    #expect(hhfw.openBase(database, key: ""))
    let result = try json(hhfw.query(database, query: query))
    #expect(result["status"] as? String == "ok", "\(result)")
  }

  @Test func `a database with a key, or none at all, is not opened`() throws {
    #expect(!hhfw.openBase(database, key: "secret"))
    #expect(try directory.names == [])
    let result = try json(hhfw.query(database, query: "SELECT 1"))
    #expect(error(result)["source"] as? String == "SQLite")
    #expect(try directory.names == [])
    try directory.write("this is no database, whatever its name says", to: "text.sqlite")
    #expect(!hhfw.openBase(directory.path("text.sqlite"), key: ""))
  }

  @Test func `a load that is under way ends as the user who began it`() throws {
    _ = start()
    let (controller, host) = (hhfw, server.host)
    server.change {
      $0.resources[0].writer = { send in
        // As an app does when its user logs out.
        controller.initWithCredentials(
          "v1", host: host, environment: "env", project: "project", device: "device")
        _ = send(Array(#"[{"name":"list","data":[[1,"plum"]]}]"#.utf8))
      }
    }
    let first = result {
      hhfw.table("fruits", transactionID: nil, tableCallParams: parameters(), handler: $0)
    }
    #expect(first?["status"] as? String == "ok")
    #expect(changes(first) == 1)
    let second = result {
      hhfw.table("fruits", transactionID: nil, tableCallParams: parameters(), handler: $0)
    }
    let errors = second?["errors"] as? [[String: Any]]
    #expect(errors?.first?["description"] as? String == "\(server.host): nobody has logged in")
    #expect(server.calls.count == 1)
  }

  @Test func `many threads may call at once`() throws {
    _ = start()
    _ = result { hhfw.resources(database, handler: $0) }
    let outcomes = Lock<[String]>([])
    let (controller, path) = (hhfw, database)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let parameters = RequestCallParams(defaultDb: ())
      parameters?.dataBasePath = path
      parameters?.requestParams = #"{"n":\#(number % 4)}"#
      controller.useDownload(number.isMultiple(of: 2))
      controller.tableStream(
        "fruits", withCache: true, transactionID: nil, tableCallParams: parameters
      ) { answer in
        let result = answer as? NSDictionary
        let status = result?["status"] as? String ?? "none"
        outcomes.withLock { $0.append(status == "ok" ? status : "\(result ?? [:])") }
      }
    }
    #expect(outcomes.withLock(\.self) == Array(repeating: "ok", count: 8))
  }
}
