import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Faults of the network: T2 and T7.
@Suite struct DownloadFaultTests {
  /// A short history whose files are small enough to break them at every byte.
  private static func history() -> PublishedHistory {
    let history = PublishedHistory()
    history.publishRandomly(2, rowsPerStep: 2, seed: 42)
    return history
  }

  private let history = Self.history()
  private let template: AppDatabase
  private let files: [String: [UInt8]]

  init() throws {
    template = try AppDatabase(history)
    files = history.files(try history.head(.steps))
  }

  /// An app with a fresh copy of the database.
  private func app() throws -> AppDatabase { try AppDatabase(copying: template) }

  /// Breaks the n-th answer at a byte of its body.
  private func server(
    breaking number: Int, at byte: Int, hasLength: Bool
  ) -> MemoryServer {
    let server = MemoryServer(files)
    server.onRequest { request, answer in
      var answer = answer
      answer.hasLength = hasLength
      guard request.number == number else { return answer }
      answer.cut = min(byte, answer.body.count)
      // Without a length the end of the connection is all there is.
      answer.isCutSilent = !hasLength
      return answer
    }
    return server
  }

  @Test(arguments: [true, false])
  func `a connection that ends at any byte of head or object is gone on with`(
    hasLength: Bool
  ) throws {
    // The whole bodies of the head and of the objects, in the order in which they are asked for.
    let probe = MemoryServer(files)
    try app().sync(probe)
    let sizes = try probe.requests.map { request in
      try #require(files[String(request.path.dropFirst("/catalog/v1/".count))]).count
    }
    #expect(sizes.count == 3)
    let whole = sizes.reduce(0, +)
    for (number, size) in sizes.enumerated() {
      // Head and objects alike: every byte of the objects, and of the head as many as the time of
      // an ordinary test run allows.
      let step = number == 0 && !Self.isThorough ? 13 : Self.isThorough ? 1 : 3
      for byte in stride(from: 0, to: size, by: step) {
        let server = server(breaking: number, at: byte, hasLength: hasLength)
        let app = try app()
        let comment = "answer \(number) of \(sizes) at byte \(byte), length \(hasLength)"
        #expect(try app.sync(server).outcome == .applied, "\(comment)")
        try app.expectPublishedState(at: history.seq, "\(comment)")
        #expect(server.byteCount <= whole + sizes[0], "\(comment)")
        if number > 0, byte > 0 {
          #expect(server.objectRequests.contains { $0.rangeStart == byte }, "\(comment)")
        }
      }
    }
  }

  /// Whether all bytes are tried, as `Scripts/faults stream` has it.
  private static var isThorough: Bool {
    ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all"
  }

  @Test func `a part of an earlier run is gone on with by the next one`() throws {
    let app = try app()
    app.options.attempts = 1
    let server = MemoryServer(files)
    server.onRequest { request, answer in
      var answer = answer
      if !request.isHead { answer.cut = 40 }
      return answer
    }
    guard case .offline = app.failure(server)?.reason else {
      Issue.record("it went on")
      return
    }
    try app.expectPublishedState(at: history.firstSeq)
    server.onRequest { $1 }
    server.forgetRequests()
    try app.sync(server)
    #expect(server.objectRequests.first?.rangeStart == 40)
    try app.expectPublishedState(at: history.seq)
  }

  private typealias Change =
    @Sendable (MemoryServer.Request, MemoryServer.Answer) -> MemoryServer.Answer

  /// A run in which the first answer about an object is cut, so that the next is asked for the rest.
  private func run(_ change: @escaping Change) throws -> (AppDatabase, MemoryServer, StreamError?) {
    let server = MemoryServer(files)
    server.onRequest { request, answer in
      var answer = answer
      if request.number == 1 { answer.cut = 50 }
      return request.isHead ? answer : change(request, answer)
    }
    let app = try app()
    return (app, server, app.failure(server))
  }

  @Test func `a rest with another offset or another total is not used`() throws {
    let ranges: [@Sendable (Int, Int) -> String] = [
      { "bytes \($0 + 1)-\($1 - 1)/\($1)" }, { "bytes \($0)-\($1 - 1)/\($1 + 1)" },
      { "bytes \($0)-\($1 - 1)/*" }, { _, _ in "bytes */9" }, { _, _ in "nonsense" },
    ]
    for range in ranges {
      let (app, server, error) = try run { request, answer in
        guard let start = request.rangeStart else { return answer }
        var answer = answer
        answer.headers = [("Content-Range", range(start, start + answer.body.count))]
        return answer
      }
      #expect(error == nil)
      try app.expectPublishedState(at: history.seq)
      // The whole was asked for in its place.
      #expect(server.objectRequests.count == 4)
      #expect(server.objectRequests[2].rangeStart == nil)
    }
  }

  @Test func `servers that answer the whole, or that no rest is there, are no trouble`() throws {
    for status in [200, 416] {
      let files = files
      let (app, _, error) = try run { request, answer in
        guard request.rangeStart != nil else { return answer }
        let name = String(request.path.dropFirst("/catalog/v1/".count))
        return status == 200
          ? MemoryServer.Answer(body: files[name] ?? []) : MemoryServer.Answer(status: 416)
      }
      #expect(error == nil)
      try app.expectPublishedState(at: history.seq)
    }
  }

  @Test func `entity tags of objects do not matter`() throws {
    for tag in ["W/\"weak\"", "\"changing\"", ""] {
      let (app, server, error) = try run { request, answer in
        var answer = answer
        answer.headers.append(("ETag", tag == "\"changing\"" ? "\"\(request.number)\"" : tag))
        return answer
      }
      #expect(error == nil)
      #expect(server.objectRequests[1].rangeStart == 50)
      #expect(server.objectRequests.allSatisfy { $0.headers["If-Range"] == nil })
      try app.expectPublishedState(at: history.seq)
    }
  }

  @Test func `an object that a proxy has encoded is an error at once`() throws {
    let (app, server, error) = try run { _, answer in
      var answer = answer
      answer.cut = nil
      answer.headers.append(("Content-Encoding", "gzip"))
      return answer
    }
    #expect(error?.reason == .contentTransformed(header: "Content-Encoding: gzip"))
    #expect(error?.phase == .downloading)
    #expect(error?.position == history.position(at: history.firstSeq))
    #expect(server.objectRequests.count == 1)
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `an object that is shorter or longer than it should be ends in an error`() throws {
    for (count, hasLength) in [(-1, true), (1, true), (1, false), (1_000_000, false)] {
      let (app, server, error) = try run { _, answer in
        var answer = answer
        answer.cut = nil
        answer.hasLength = hasLength
        answer.body =
          count < 0
          ? Array(answer.body.dropLast(-count)) : answer.body + Array(repeating: 0, count: count)
        return answer
      }
      guard case .digestMismatch = error?.reason else {
        Issue.record("\(count): \(String(describing: error))")
        continue
      }
      #expect(server.objectRequests.count == 2)
      #expect(server.objectRequests[1].isPassingCaches)
      try app.expectPublishedState(at: history.firstSeq)
    }
  }

  @Test func `an object that always ends early is given up, however it is answered`() throws {
    let server = MemoryServer(files)
    server.onRequest { request, answer in
      guard !request.isHead else { return answer }
      if request.rangeStart != nil { return MemoryServer.Answer(status: 416) }
      var answer = answer
      answer.hasLength = false
      answer.cut = 20
      answer.isCutSilent = true
      return answer
    }
    let app = try app()
    guard case .offline = app.failure(server)?.reason else {
      Issue.record("it went on")
      return
    }
    // Eight attempts without progress and the first, in each of which the whole is asked for again.
    #expect(server.objectRequests.count <= 2 * 9)
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `a head that is cut is retried where its end cannot be told`()
    throws
  {
    for hasLength in [true, false] {
      let server = MemoryServer(files)
      server.onRequest { request, answer in
        var answer = answer
        answer.hasLength = hasLength
        if request.isHead, request.number == 0 { answer.body = Array(answer.body.dropLast(10)) }
        return answer
      }
      let app = try app()
      let error = app.failure(server)
      if hasLength {
        guard case .unsupportedFormat = error?.reason else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(server.requests.count == 1)
      } else {
        #expect(error == nil)
        try app.expectPublishedState(at: history.seq)
      }
    }
  }

  @Test func `a head that a server has packed is unpacked`() throws {
    let server = MemoryServer(files)
    server.onRequest { request, answer in
      guard request.isHead else { return answer }
      var answer = answer
      answer.body = ReferenceEncoding.gzip(answer.body)
      answer.headers.append(("Content-Encoding", "gzip"))
      return answer
    }
    let app = try app()
    try app.sync(server)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a server that is overloaded is waited for as it asks`() throws {
    for (header, date, least) in [
      ("7", nil, 7.0), ("3600", nil, 3600.0),
      ("Tue, 15 Nov 1994 08:12:41 GMT", "Tue, 15 Nov 1994 08:12:31 GMT", 10.0),
    ] as [(String, String?, Double)] {
      let server = MemoryServer(files)
      server.onRequest { request, answer in
        guard request.number == 0 else { return answer }
        return MemoryServer.Answer(
          status: 503, headers: [("Retry-After", header)] + (date.map { [("Date", $0)] } ?? []))
      }
      let app = try app()
      try app.sync(server)
      let wait = try #require(app.clock.waits.first)
      #expect(wait >= .seconds(least) && wait <= .seconds(least * 1.1), "\(header): \(wait)")
      try app.expectPublishedState(at: history.seq)
    }
  }

  @Test(arguments: ["31536000", "99999999999999999999", "Fri, 31 Dec 2100 23:59:59 GMT"])
  func `a longer wait than an hour ends a run that has an end, and bounds one that has none`(
    header: String
  ) throws {
    let server = MemoryServer(files)
    server.onRequest { request, answer in
      guard request.number < 2 else { return answer }
      return MemoryServer.Answer(
        status: 503,
        headers: [("Retry-After", header), ("Date", "Tue, 15 Nov 1994 08:12:31 GMT")])
    }
    let app = try app()
    let error = try #require(app.failure(server))
    guard case .offline(let words) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(words.contains("503 (service unavailable) and asks to wait for "), "\(words)")
    #expect(app.clock.waits.isEmpty)
    #expect(server.requests.count == 1)
    let told = Lock<[Duration?]>([])
    let result = try app.stream(server).syncBlocking(isFollowing: true) { status in
      if status.phase == .waiting { told.withLock { $0.append(status.nextAttemptAfter) } }
    }
    // The random number is one half, and a tenth is the most that is added.
    #expect(app.clock.waits == [.seconds(3780)])
    #expect(told.withLock { $0 } == [.seconds(3780)])
    #expect(result.outcome == .applied)
    try app.expectPublishedState(at: history.seq)
  }

  @Test(arguments: [
    (302, "does not say where to"), (300, "answers 300"), (400, "answers 400 (bad request)"),
    (418, "answers 418"), (501, "answers 501 (not implemented)"),
  ])
  func `an answer that waiting does not change is no fault that passes`(
    status: Int, part: String
  ) throws {
    let server = MemoryServer(files)
    server.onRequest { _, _ in MemoryServer.Answer(status: status) }
    let app = try app()
    guard case .refused(let words)? = app.failure(server)?.reason else {
      Issue.record("it went on")
      return
    }
    #expect(words.contains(part), "\(words)")
    #expect(server.requests.count == 1)
    #expect(app.clock.waits.isEmpty)
  }

  @Test func `waits double from half a second and end after eight attempts`() throws {
    let server = MemoryServer(files)
    server.onRequest { _, _ in MemoryServer.Answer(status: 500) }
    let app = try app()
    guard case .offline = app.failure(server)?.reason else {
      Issue.record("it went on")
      return
    }
    #expect(server.requests.count == 8)
    // The random number is one half.
    #expect(app.clock.waits == [0.25, 0.5, 1, 2, 4, 8, 16].map { .seconds($0) })
  }

  @Test(arguments: [403, 401]) func `refused credentials are asked for once more`(
    status: Int
  ) async throws {
    let server = MemoryServer(files)
    let asked = Lock<[StreamCredentialsRequest]>([])
    server.onRequest { request, answer in
      request.headers["Authorization"] == "new" ? answer : MemoryServer.Answer(status: status)
    }
    let app = try app()
    app.options.credentials = { request in
      asked.withLock { $0.append(request) }
      return ["Authorization": request.isRefused ? "new" : "old"]
    }
    // Not on a thread of the pool, which the hook needs.
    _ = try await app.stream(server).sync()
    #expect(asked.withLock { $0.map(\.isRefused) } == [false, true])
    try app.expectPublishedState(at: history.seq)
    #expect(server.requests.count == 4)

    app.options.credentials = { _ in ["Authorization": "secret-token"] }
    let error = try await #require(throws: StreamError.self) {
      try await app.stream(server).sync()
    }
    guard case .unauthorized(let url) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(url == MemoryServer.base + "/head.json")
    #expect(!error.description.contains("secret-token"))
  }
}
