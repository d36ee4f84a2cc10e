import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

@Suite struct RESTSourceTests {
  /// An app with one table that an API fills.
  private final class App {
    let directory: TemporaryDirectory
    let clock = ImpatientClock()
    var options = StreamOptions()
    var path: String { directory.path("app.sqlite") }

    init() throws {
      directory = try TemporaryDirectory()
      options.cacheDirectory = directory.path("cache")
      let connection = try Connection(path: path, mode: .create)
      try connection.execute(
        "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, mine TEXT DEFAULT 'kept')")
      try connection.close()
      try begin()
    }

    func begin() throws {
      try TableStream.begin(
        "items", database: path,
        tables: [.init(table: "item", key: ["id"], columns: ["id", "name"])])
    }

    func stream(_ adapter: RESTAdapter, _ server: ScriptedServer) -> TableStream {
      TableStream(
        "items", database: path, from: .rest(adapter), options: options, transport: server,
        clock: clock.clock())
    }

    func rows() throws -> [[SQLiteValue]] {
      try Connection(path: path, mode: .readWrite).rows("SELECT id, name FROM item ORDER BY id")
    }

    func cursor() throws -> StreamCursor? {
      try CursorTables.cursor(of: "items", in: Connection(path: path, mode: .readWrite))
    }
  }

  /// Reads lines such as `1 Anvil` and `-2`; `cursor=…` is what comes next time.
  private static func read(_ page: RESTPage) throws -> RESTPageContent {
    var content = RESTPageContent(next: page.nextLink)
    var upserts: [[StreamValue]] = []
    var deletes: [[StreamValue]] = []
    for line in String(decoding: page.body, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("cursor=") {
        content.cursor = String(line.dropFirst(7))
      } else if line.hasPrefix("next=") {
        content.next = String(line.dropFirst(5))
      } else if line.hasPrefix("-"), let id = Int64(line.dropFirst()) {
        deletes.append([.integer(id)])
      } else {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let id = Int64(words[0]) else { throw CocoaError(.coderInvalidValue) }
        upserts.append([.integer(id), .text(String(words[1]))])
      }
    }
    content.changes = [
      RESTChange(.delete, table: "item", columns: ["id"], rows: deletes),
      RESTChange(.upsert, table: "item", columns: ["id", "name"], rows: upserts),
    ]
    return content
  }

  private let adapter = RESTAdapter(
    firstPage: { "https://api.test/items" + ($0.map { "?since=\($0)" } ?? "") }, read: Self.read)

  /// Three pages by links, then what changed since.
  private static func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Answer {
    switch request.url.query {
    case nil:
      .init(200, [("Link", "</items?page=2>; rel=\"next\"")], text: "1 Anvil\n2 Rope\n")
    case "page=2": .init(200, text: "3 Saw\nnext=?page=3\n")
    case "page=3": .init(200, text: "4 Vise\ncursor=7\n")
    case "since=7": .init(200, text: "-2\n3 Big saw\ncursor=8\n")
    case "since=8": .init(200, text: "")
    default: .init(404)
    }
  }

  @Test func `all pages are applied together, then only what has changed since`() throws {
    let app = try App()
    let server = ScriptedServer(Self.answer)
    var result = try app.stream(adapter, server).syncBlocking()
    #expect(result.outcome == .applied)
    #expect(result.rows == 4)
    #expect(try app.rows().count == 4)
    #expect(try app.cursor()?.cursor == "7")
    #expect(try app.cursor()?.position.seq == 1)
    result = try app.stream(adapter, server).syncBlocking()
    #expect(result.outcome == .applied)
    #expect(
      try app.rows() == [
        [.integer(1), .text("Anvil")], [.integer(3), .text("Big saw")],
        [.integer(4), .text("Vise")],
      ])
    #expect(try app.stream(adapter, server).syncBlocking().outcome == .current)
    #expect(try app.stream(adapter, server).syncBlocking().outcome == .current)
    #expect(try app.cursor()?.position.seq == 2)
    // At each launch again, without losing the place.
    try app.begin()
    #expect(try app.cursor()?.cursor == "8")
  }

  @Test func `pages that came are not asked for again, also by another process`() throws {
    let app = try App()
    app.options.attempts = 1
    let isDown = Lock(true)
    let server = ScriptedServer { request in
      if request.url.query == "page=3", isDown.withLock({ $0 }) { return .init(503) }
      return Self.answer(request)
    }
    #expect(throws: StreamError.self) { try app.stream(adapter, server).syncBlocking() }
    #expect(try app.rows().isEmpty, "half of a walk is not shown")
    isDown.withLock { $0 = false }
    #expect(try app.stream(adapter, server).syncBlocking().outcome == .applied)
    #expect(
      server.requests.map { $0.url.query ?? "" } == ["", "page=2", "page=3", "page=3"])
    #expect(try app.rows().count == 4)
  }

  @Test func `pages that lead in a circle end the walk`() throws {
    let app = try App()
    let server = ScriptedServer { request in
      .init(200, text: "1 Anvil\nnext=/items?page=\(request.number % 3)\n")
    }
    let error = #expect(throws: StreamError.self) {
      try app.stream(adapter, server).syncBlocking()
    }
    guard case .unsupportedFormat(let words)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(words.contains("circle"))
    #expect(try app.rows().isEmpty)
  }

  @Test(arguments: ["Anvil", "1 Anvil\nnext=http://api.test/items?page=2\n"])
  func `what the adapter cannot read, and a next page that is less safe, are errors`(
    text: String
  ) throws {
    let app = try App()
    let server = ScriptedServer { _ in .init(200, text: text) }
    #expect(throws: StreamError.self) { try app.stream(adapter, server).syncBlocking() }
    #expect(server.requests.count == 1)
    #expect(try app.rows().isEmpty)
  }

  @Test func `a table that was not declared is not written`() throws {
    let app = try App()
    let server = ScriptedServer { _ in .init(200, text: "") }
    let adapter = RESTAdapter(firstPage: { _ in "https://api.test/items" }) { _ in
      RESTPageContent(changes: [
        RESTChange(
          .upsert, table: "item", columns: ["id", "mine"], rows: [[.integer(1), .text("theirs")]])
      ])
    }
    let error = #expect(throws: StreamError.self) {
      try app.stream(adapter, server).syncBlocking()
    }
    #expect(error?.reason == .schemaIncompatible(table: "item", column: "mine"))
    #expect(try app.rows().isEmpty)
  }
}
