import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Two objects at once, applied one after the other.
@Suite struct ParallelDownloadTests {
  private let seed = UInt64.random(in: 0...UInt64.max)
  private let history = PublishedHistory()

  init() {
    history.publishRandomly(8, rowsPerStep: 3, seed: seed)
  }

  private func app(at seq: Int64? = nil) throws -> AppDatabase {
    let app = try AppDatabase(history, at: seq)
    app.options.parallelDownloads = 2
    return app
  }

  /// Counts how many objects are on their way at once.
  ///
  /// `@unchecked` is safe: the condition guards every variable.
  private final class Gate: HTTPTransport, @unchecked Sendable {
    let base: MemoryServer
    private let condition = NSCondition()
    private var inFlight = 0
    private(set) var most = 0
    private var hasMet = false

    init(_ base: MemoryServer) {
      self.base = base
    }

    func perform(
      _ request: HTTPRequest, cancellation: HTTPCancellation,
      onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      guard !request.url.path.hasSuffix("/head.json") else {
        return try base.perform(
          request, cancellation: cancellation, onHead: onHead, onBody: onBody)
      }
      condition.lock()
      inFlight += 1
      most = max(most, inFlight)
      if inFlight == 2 { hasMet = true }
      condition.broadcast()
      // The first one waits until a second one is there: without it the test would not end well.
      let end = Date(timeIntervalSinceNow: 60)
      while !hasMet, condition.wait(until: end) {}
      condition.unlock()
      defer { condition.withLock { inFlight -= 1 } }
      try base.perform(request, cancellation: cancellation, onHead: onHead, onBody: onBody)
    }

    var isMet: Bool { condition.withLock { hasMet } }
  }

  @Test func `two objects are fetched at once, never more, each of them once`() throws {
    let server = MemoryServer(history.files(try history.head(.steps)))
    let gate = Gate(server)
    let app = try app()
    let result = try app.sync(gate)
    #expect(gate.isMet && gate.most == 2)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(server.objectRequests.count == 8)
    #expect(Set(server.objectRequests.map(\.path)).count == 8)
    // What was fetched ahead is counted like all else.
    #expect(result.requests == server.requests.count)
    #expect(result.bytes == Int64(server.byteCount))
    let left = try FileManager.default.subpathsOfDirectory(
      atPath: app.options.cacheDirectory ?? "")
    #expect(left.filter { !$0.hasSuffix("/catalog") && $0.hasSuffix("/head") }.count == 1)
    #expect(!left.contains { $0.contains(".part") || $0.hasSuffix(".sqlite") })
  }

  @Test func `where there is no room for two, nothing is fetched ahead`() throws {
    let head = try history.head(.steps)
    let server = MemoryServer(history.files(head))
    let app = try app()
    let asked = Lock(0)
    app.files.availableByteCount = { _ in
      // The question of the run itself comes second, and alone for the last object.
      asked.withLock { count in
        count += 1
        return count.isMultiple(of: 2) || count > 14 ? 1 << 40 : 100
      }
    }
    #expect(try app.sync(server).outcome == .applied)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(server.objectRequests.count == 8)
  }

  @Test func `a snapshot and the changes after it are fetched at once, too`() throws {
    var head = try history.head(.steps, snapshotAt: 5)
    head.segments.removeAll { $0.to <= 5 }
    let server = MemoryServer(history.files(head))
    let gate = Gate(server)
    let app = try app(at: 2)
    #expect(try app.sync(gate).outcome == .merged)
    #expect(gate.isMet && gate.most == 2)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(server.objectRequests.count == 1 + 4)
  }

  @Test func `what breaks ahead is gone on with, not begun anew`() throws {
    let head = try history.head(.steps)
    let server = MemoryServer(history.files(head))
    let broken = Lock<Set<String>>([])
    server.onRequest { request, answer in
      guard !request.isHead, broken.withLock({ $0.insert(request.path).inserted }) else {
        return answer
      }
      var answer = answer
      answer.cut = 30
      return answer
    }
    let app = try app()
    let result = try app.sync(server)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(server.objectRequests.count == 16)
    #expect(server.objectRequests.count { $0.rangeStart == 30 } == 8)
    let sizes = head.segments.reduce(0) { $0 + $1.size }
    #expect(result.bytes <= sizes + Int64(PublishedHistory.json(of: head).count))
  }

  @Test(arguments: [404, 403, 500, 416])
  func `an error ahead is only told when its turn comes`(status: Int) throws {
    let head = try history.head(.steps)
    let server = MemoryServer(history.files(head))
    let path = StreamLayout.object(head.segments[3].sha256)
    server.onRequest { request, answer in
      request.path.hasSuffix(path) ? MemoryServer.Answer(status: status) : answer
    }
    let app = try app()
    #expect(app.failure(server) != nil)
    try app.expectPublishedState(at: 4, "seed \(seed)")
    server.onRequest { $1 }
    #expect(try app.sync(server).outcome == .applied)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `other bytes ahead are refused when their turn comes`() throws {
    let head = try history.head(.steps)
    let server = MemoryServer(history.files(head))
    server.files[StreamLayout.object(head.segments[3].sha256)]?[20] ^= 1
    let app = try app()
    #expect(
      app.failure(server)?.reason == .digestMismatch(object: head.segments[3].sha256))
    try app.expectPublishedState(at: 4, "seed \(seed)")
  }

  @Test func `a run that ends takes what is fetched ahead with it`() async throws {
    let head = try history.head(.steps)
    let files = history.files(head)
    // The second object never comes to its end.
    let path = StreamLayout.object(head.segments[1].sha256)
    let refused = StreamLayout.object(head.segments[0].sha256)
    let isAhead = DispatchSemaphore(value: 0)
    let server = try HTTPFaultServer { request, _ in
      let name = String(request.target.dropFirst("/catalog/v1/".count))
      let answer = ServedFile(files[name] ?? []).answer(to: request)
      if name == path {
        isAhead.signal()
        return answer.with(.stall(after: answer.bytes.count - 5))
      }
      guard name == refused else { return answer }
      // Refused only when the other one is on its way.
      isAhead.wait()
      isAhead.signal()
      return HTTPAnswer(403)
    }
    let app = try app()
    app.options.stallTimeout = .seconds(600)
    let clock = ContinuousClock()
    let start = clock.now
    let reason = app.failure(StandardTransport.make(), base: server.url("/catalog/v1"))?.reason
    guard case .unauthorized = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    // It was not waited for: that would have been for ten minutes.
    #expect(clock.now - start < .seconds(300))
    try app.expectPublishedState(at: history.firstSeq)
  }
}
