import Foundation
import SeedFiles
import SeedSQLite
import SeedServer
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Clients that follow a stream of the reference server, over real connections.
@Suite struct ServedStreamTests {
  /// A database of an app.
  private final class App {
    let directory: TemporaryDirectory
    var options = StreamOptions()
    var path: String { directory.path("app.sqlite") }

    init(_ history: ServedHistory) throws {
      directory = try TemporaryDirectory()
      options.cacheDirectory = directory.path("cache")
      try history.writeDatabase(path)
    }

    func stream(_ origin: StreamOrigin) -> TableStream {
      let clock = RetryClock(wait: { _, _ in }, fraction: { 0 })
      return TableStream(
        "catalog", database: path, from: origin, options: options, transport: nil, clock: clock)
    }

    func sync(_ origin: StreamOrigin) throws -> StreamResult {
      try stream(origin).syncBlocking()
    }

    func rows() throws -> [Int64: String] {
      var rows: [Int64: String] = [:]
      for row in try Connection(path: path, mode: .readOnly).rows("SELECT id, name FROM product") {
        if case .integer(let id) = row[0], case .text(let name) = row[1] { rows[id] = name }
      }
      return rows
    }
  }

  private func history(_ steps: Int = 3, rows: Int64 = 4) throws -> ServedHistory {
    let history = try ServedHistory()
    for step in 0..<steps {
      var changes: [Int64: String?] = [:]
      for row in 0..<rows { changes[Int64(step) + row * 2] = "step \(step) row \(row)" }
      if step > 0 { changes[Int64(step) - 1] = .some(nil) }
      try history.publish(changes)
    }
    return history
  }

  private func dynamic(_ server: StreamServer) -> StreamOrigin {
    .dynamic("\(server.url)/v1/streams/catalog")
  }

  @Test(arguments: [false, true])
  func `the files and the endpoint lead to the same state`(isDynamic: Bool) throws {
    let history = try history()
    let server = try StreamServer(directory: history.path)
    let app = try App(history)
    let origin = isDynamic ? dynamic(server) : .static("\(server.url)/catalog/v1")
    #expect(try app.sync(origin).outcome == .applied)
    #expect(try app.rows() == history.states.last)
    #expect(try app.sync(origin).outcome == .current)
    try history.publish([100: "late"])
    #expect(try app.sync(origin).outcome == .applied)
    #expect(try app.rows() == history.states.last)
  }

  @Test(arguments: ["drop", "reset"], 0..<4)
  func `a connection that ends at any byte costs nothing that was verified`(
    ending: String, shard: Int
  ) throws {
    let history = try history(2, rows: 3)
    var options = ServerOptions()
    options.pageByteCount = 150
    let routes = ServerRoutes(directory: history.path, options: options)
    let body = try routes.get(history.position(at: 1).target()).bytes()
    for cut in stride(from: shard, to: body.count, by: ending == "drop" ? 4 : 60) {
      options.faults = try FaultPlan("\(ending)=\(cut),once")
      let log = Lock<[ServedRequest]>([])
      let server = try StreamServer(directory: history.path, options: options) { request in
        log.withLock { $0.append(request) }
      }
      let app = try App(history)
      #expect(try app.sync(dynamic(server)).outcome == .applied)
      #expect(try app.rows() == history.states.last, "\(ending) at \(cut)")
      server.stop()
      let requests = log.withLock { $0 }
      #expect(requests.count == 2, "\(ending) at \(cut)")
      guard ending == "drop" else { continue }
      // What comes the second time is what lies behind the last mark that came the first time, and
      // the line that opens the answer again.
      let lines = body.split(separator: 10, omittingEmptySubsequences: false).dropLast()
      var end = 0
      var verified = 0
      for line in lines {
        end += line.count + 1
        let isMark =
          line.starts(with: Array("{\"page".utf8)) || line.starts(with: Array("{\"check".utf8))
        if isMark, end <= cut { verified = end }
      }
      let again = requests.last?.byteCount ?? 0
      #expect(again <= Int64(body.count - verified + 400), "\(ending) at \(cut)")
    }
  }

  @Test func `a server that starts again in the middle of an answer is no start anew`() throws {
    let history = try history(4, rows: 50)
    var options = ServerOptions()
    options.pageByteCount = 400
    options.faults = try FaultPlan("drop=1500")
    let log = Lock<[ServedRequest]>([])
    let keep: @Sendable (ServedRequest) -> Void = { request in log.withLock { $0.append(request) } }
    var server = try StreamServer(directory: history.path, options: options, log: keep)
    options.port = server.port
    let app = try App(history)
    app.options.attempts = 1
    var runs = 0
    while try app.rows() != history.states.last {
      let origin = dynamic(server)
      _ = try? app.sync(origin)
      server.stop()
      server = try StreamServer(directory: history.path, options: options, log: keep)
      runs += 1
      try #require(runs < 100)
    }
    let questions = log.withLock { $0 }.map(\.target)
    #expect(Set(questions).count == questions.count, "nothing is asked for twice")
    #expect(runs > 2)
  }

  @Test func `a token that is wrong is an error, the right one is enough`() async throws {
    let history = try history()
    var options = ServerOptions()
    options.token = "right"
    let server = try StreamServer(directory: history.path, options: options)
    let app = try App(history)
    #expect(throws: StreamError.self) { try app.sync(dynamic(server)) }
    app.options.credentials = { request in
      ["Authorization": "Bearer \(request.isRefused ? "right" : "old")"]
    }
    // On a thread of its own: the hook needs one of those that the tests share.
    #expect(try await app.stream(dynamic(server)).sync().outcome == .applied)
    #expect(try app.rows() == history.states.last)
  }

  @Test func `a position that is gone is merged with the snapshot and the files after it`() throws {
    let history = try history(5)
    let app = try App(history)
    let server = try StreamServer(directory: history.path)
    // The database says that it is somewhere in the history where it is not.
    let connection = try Connection(path: app.path, mode: .readWrite)
    try connection.execute("UPDATE _seed_stream SET seq = 3, id = 'fork'")
    try connection.close()
    #expect(try app.sync(dynamic(server)).outcome == .merged)
    #expect(try app.rows() == history.states.last)
    #expect(try app.sync(dynamic(server)).outcome == .current)
  }

  @Test func `a client that is behind is led through the files when the server says so`() throws {
    let history = try history(4)
    var options = ServerOptions()
    options.redirectsToFiles = true
    let log = Lock<[String]>([])
    let server = try StreamServer(directory: history.path, options: options) { request in
      log.withLock { $0.append(request.target) }
    }
    let app = try App(history)
    #expect(try app.sync(dynamic(server)).outcome == .applied)
    #expect(try app.rows() == history.states.last)
    #expect(log.withLock { $0 }.count { $0.contains("/o/") } == 4)
  }

  @Test func `no row of writers that commit at the same time is missing in the end`() async throws {
    let history = try ServedHistory()
    let server = try StreamServer(directory: history.path)
    let app = try App(history)
    let origin = dynamic(server)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for step in 0..<10 {
            // Rows of all writers carry the same time, and a row of another writer is changed, too.
            let own = Int64(writer * 100 + step)
            try history.publish([
              own: "2026-01-01T00:00:00Z \(writer)",
              Int64((writer + 1) % 4 * 100 + step): "2026-01-01T00:00:00Z by \(writer)",
            ])
          }
        }
      }
      try await group.waitForAll()
      _ = try app.sync(origin)
    }
    while try app.sync(origin).outcome != .current {}
    #expect(try app.rows() == history.states.last)
    #expect(try app.rows().count == 40)
  }

  /// Follows a stream until it is cancelled; the position of each result, which is told with its
  /// number.
  private func positions(
    of stream: TableStream, until cancellation: HTTPCancellation,
    onResult: @escaping @Sendable (StreamPosition, Int) throws -> Void
  ) async throws -> [StreamPosition] {
    let seen = Lock<[StreamPosition]>([])
    try await TransportThread.run {
      stream.follow(cancellation: cancellation) { status in
        guard let result = status.result else { return }
        let count = seen.withLock { positions in
          positions.append(result.position)
          return positions.count
        }
        do {
          try onResult(result.position, count)
        } catch {
          Issue.record(error)
          cancellation.cancel()
        }
      }
    }
    return seen.withLock { $0 }
  }

  @Test func `a client that follows gets what is published while it waits`() async throws {
    let history = try history(1)
    let server = try StreamServer(directory: history.path)
    let app = try App(history)
    _ = try app.sync(dynamic(server))
    let clock = RetryClock(wait: { _, _ in }, fraction: { 0 })
    let stream = TableStream(
      "catalog", database: app.path, from: dynamic(server), options: app.options, transport: nil,
      clock: clock)
    let cancellation = HTTPCancellation()
    let seen = try await positions(of: stream, until: cancellation) { position, count in
      if count == 1 { try history.publish([77: "new"]) }
      if position.seq == 3 { cancellation.cancel() }
    }
    #expect(seen.last == history.position(at: 3))
    #expect(try app.rows() == history.states.last)
  }

  @Test func `a client that follows waits at the server as soon as it is up to date`() async throws
  {
    let history = try history(1)
    let asked = Lock<[String]>([])
    let cancellation = HTTPCancellation()
    let server = try StreamServer(directory: history.path) { request in
      asked.withLock { $0.append(request.target) }
    }
    let app = try App(history)
    let waits = Lock<[Duration]>([])
    let clock = RetryClock(
      wait: { duration, _ in
        waits.withLock { $0.append(duration) }
        // With a pause, there would be no end.
        if duration > .zero { cancellation.cancel() }
      }, fraction: { 0 })
    let stream = TableStream(
      "catalog", database: app.path, from: dynamic(server), options: app.options, transport: nil,
      clock: clock)
    let seen = try await positions(of: stream, until: cancellation) { _, count in
      if count < 4 { try history.publish([Int64(70 + count): "new"]) }
      if count == 4 { cancellation.cancel() }
    }
    #expect(waits.withLock { $0 } == [.zero])
    #expect(seen.map(\.seq) == [2, 3, 4, 5])
    // All but the first ask the server to wait.
    #expect(
      asked.withLock { $0.map { $0.contains("wait=25") } }.prefix(4) == [false, true, true, true])
    #expect(try app.rows() == history.states.last)
  }

  @Test func `a server that does not wait is asked once more, and then in its own time`()
    async throws
  {
    let history = try history(1)
    let app = try App(history)
    let position = history.position(at: 2)
    let server = try HTTPFaultServer { _, _ in
      HTTPAnswer(
        text: """
          {"segment":1,"stream":"catalog","epoch":\(position.epoch),"from":2,\
          "from_id":"\(position.id)"}
          {"end":{"up_to_date":true,"poll_after":600}}

          """)
    }
    _ = try app.sync(.static(history.folder))
    let cancellation = HTTPCancellation()
    let waits = Lock<[Duration]>([])
    let clock = RetryClock(
      wait: { duration, _ in
        waits.withLock { $0.append(duration) }
        if duration > .zero { cancellation.cancel() }
      }, fraction: { 0.5 })
    var options = app.options
    options.firstPollDelay = .zero
    let stream = TableStream(
      "catalog", database: app.path, from: .dynamic(server.url("/s")), options: options,
      transport: nil, clock: clock)
    try await TransportThread.run {
      stream.follow(cancellation: cancellation) { _ in }
    }
    #expect(waits.withLock { $0 } == [.zero, .seconds(600)])
    #expect(server.requests.map { $0.target.contains("wait=") } == [false, true])
  }
}
