import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// A server into which several writers write at once: T5, and several processes that follow it.
@Suite struct ConcurrentWritersTests {
  /// A database server in small: transactions take their numbers when they begin, and commit in
  /// another order.
  ///
  /// Its checkpoints are numbered in the order of the commits.
  ///
  /// `@unchecked` is safe: the lock guards every variable.
  final class LiveServer: @unchecked Sendable {
    private let lock = NSLock()
    let history = PublishedHistory()
    private var nextRow: Int64 = 0
    private var committed: [Int64] = []
    private var feed: ReferenceFeed?

    init() {
      // A first checkpoint, so that there is a feed from the beginning.
      commit(begin())
    }

    /// Begins a transaction: its row has its key from here on, whenever it is committed.
    func begin() -> Int64 {
      lock.withLock {
        nextRow += 1
        return nextRow
      }
    }

    /// Commits a row, which carries the same time as all others.
    func commit(_ row: Int64) {
      lock.withLock {
        committed.append(row)
        history.publish { state in
          state.put(Catalog.tables[0], [.integer(row), .text("2026-01-01T00:00:00Z")])
        }
        feed = nil
      }
    }

    /// The keys in the order in which they were committed.
    var order: [Int64] { lock.withLock { committed } }

    func answer(to request: ScriptedServer.Request) -> ScriptedServer.Answer {
      // Position and rows are of one state.
      let current = lock.withLock { () -> ReferenceFeed in
        if let feed { return feed }
        var fresh = ReferenceFeed(history)
        fresh.checkpointsPerAnswer = 3
        feed = fresh
        return fresh
      }
      return current.answer(to: request)
    }
  }

  @Test func `no row is missing once writers rest that committed out of order`() async throws {
    let live = LiveServer()
    let app = try AppDatabase(live.history, at: live.history.firstSeq)
    let server = ScriptedServer { live.answer(to: $0) }
    let stream = app.dynamic(server)
    let writers = 4
    let transactions = 25
    let isOver = Lock(0)
    for number in 0..<writers {
      Thread {
        var open: [Int64] = []
        var numbers = SeededNumbers(seed: UInt64(number))
        for _ in 0..<transactions {
          open.append(live.begin())
          // Some stay open while others, of other writers too, are committed.
          if open.count > 3 || Bool.random(using: &numbers) {
            live.commit(open.remove(at: Int.random(in: 0..<open.count, using: &numbers)))
          }
        }
        for row in open { live.commit(row) }
        isOver.withLock { $0 += 1 }
      }.start()
    }
    // The client reads all the while.
    while isOver.withLock({ $0 }) < writers {
      _ = try await stream.sync()
    }
    _ = try await stream.sync()
    #expect(try await stream.sync().outcome == .current)
    try app.expectPublishedState(at: live.history.seq)
    let rows = try app.open().rows("SELECT id FROM category ORDER BY id")
    #expect(rows == (1...Int64(writers * transactions + 1)).map { [.integer($0)] })
    // It was as hard as it was meant to be.
    #expect(live.order != live.order.sorted())
  }

  /// The built program, which lies beside the bundle of these tests.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("seed").path

  @Test func `processes that follow one database at once share nothing but its lock`() async throws
  {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.program), "build the product seed first")
    let history = PublishedHistory()
    history.publishRandomly(12, rowsPerStep: 6, seed: 5)
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = 2
    feed.checkpointsPerAnswer = 4
    let numbers = Lock(0)
    // Answers that break off behind some page, so that each process has pages of its own to keep.
    let server = try HTTPFaultServer { [feed] request, number in
      let parsed = ScriptedServer.Request(target: request.target, number: number)
      let (body, places) = feed.answer(
        after: parsed.position.seq, cursor: parsed.query["cursor"])
      let answer = HTTPAnswer(200, body: body)
      let turn = numbers.withLock { count in
        count += 1
        return count
      }
      guard !turn.isMultiple(of: 3), let place = places.dropFirst(turn % 4).first else {
        return answer
      }
      return answer.with(.close(after: answer.byteCount(ofBody: place.offset + 2)))
    }
    let app = try AppDatabase(history)
    let arguments = [
      "stream", app.path, "--once", "--dynamic", "--source", server.url("/v1/streams/catalog"),
      "--retry-delay", "0.01", "--json",
    ]
    let environment = [
      "XDG_CACHE_HOME": app.directory.path("cache"), "PATH": "/usr/bin:/bin",
    ]
    let runs = try await withThrowingTaskGroup(of: CommandRun.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            // Waiting for a process blocks.
            Thread {
              continuation.resume(
                with: Result {
                  try CommandRun.run(Self.program, arguments, environment: environment)
                })
            }.start()
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for run in runs {
      #expect(run.status == 0, "\(run.errorText)")
      #expect(run.text.contains("\"seq\":\(history.seq),"), "\(run.text)")
    }
    try app.expectPublishedState(at: history.seq)
    // What was collected for positions that are behind is gone with the next run of each slot.
    let last = try CommandRun.run(Self.program, arguments, environment: environment)
    #expect(last.text.contains("\"status\":\"current\""), "\(last.text)")
  }
}

extension ScriptedServer.Request {
  /// A request as it came through a socket.
  init(target: String, number: Int) {
    do {
      let url = try HTTPURL("http://127.0.0.1" + target)
      self.init(HTTPRequest(url), number: number)
    } catch {
      preconditionFailure("a request has an address: \(error)")
    }
  }
}
