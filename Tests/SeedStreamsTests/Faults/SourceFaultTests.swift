import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Faults of what a server publishes: T4, T8, T10 to T14.
@Suite struct SourceFaultTests {
  private let seed = UInt64.random(in: 0...UInt64.max)
  private let history = PublishedHistory()

  init() {
    history.publishRandomly(6, rowsPerStep: 3, seed: seed)
  }

  private func server(_ head: StreamHead) -> MemoryServer { MemoryServer(history.files(head)) }

  /// Replaces the object of a segment, and the head's entry with it.
  private func head(
    replacing from: Int64, to: Int64, with text: (String) -> String
  ) throws -> StreamHead {
    var head = try history.head(.steps)
    let (old, rows) = history.segmentText(from: from, to: to)
    head.segments = head.segments.map { entry in
      entry.from == from
        ? history.add(segment: text(old), from: from, to: to, rows: rows) : entry
    }
    return head
  }

  // MARK: T4

  @Test func `segments that overlap what is there change nothing twice`() throws {
    let app = try AppDatabase(history)
    var head = try history.head(.steps)
    head.segments = [
      history.segment(from: 1, to: 5), history.segment(from: 3, to: 6),
      history.segment(from: 4, to: 7),
    ]
    try app.sync(server(head))
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
  }

  @Test func `a segment that is applied already writes nothing`() throws {
    let app = try AppDatabase(history)
    try app.sync(server(try history.head(.single)))
    let connection = try app.open()
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    // As if the position had been lost, and all else kept.
    let position = history.position(at: history.firstSeq)
    try connection.run(
      "UPDATE _seed_stream SET seq = ?, id = ?", .integer(position.seq), .text(position.id))
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.close()
    let changes = Self.rowImage(app)
    try app.sync(server(try history.head(.single)))
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(Self.rowImage(app) == changes)
  }

  private static func rowImage(_ app: AppDatabase) -> [String] {
    do {
      return try app.open().rows("SELECT rowid, * FROM product ORDER BY rowid").map { "\($0)" }
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: T8

  /// Whether all bits are tried, as `Scripts/faults stream` has it.
  private static var isThorough: Bool {
    ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all"
  }

  @Test func `an object with any bit changed is never applied`() throws {
    let head = try history.head(.steps)
    let template = try AppDatabase(history)
    let path = StreamLayout.object(head.segments[0].sha256)
    let count = try #require(history.files(head)[path]).count
    // Every bit, or one of each fifth byte.
    for bit in 0..<count * 8 where Self.isThorough || bit % 43 == 0 {
      let byte = bit / 8
      let server = server(head)
      server.files[path]?[byte] ^= 1 << UInt8(bit % 8)
      let app = try AppDatabase(copying: template)
      #expect(
        app.failure(server)?.reason == .digestMismatch(object: head.segments[0].sha256),
        "bit \(bit)")
      #expect(server.objectRequests.count == 2)
      try app.expectPublishedState(at: history.firstSeq)
    }
  }

  @Test func `two objects that changed places are never applied`() throws {
    let head = try history.head(.steps)
    let server = server(head)
    let paths = head.segments.prefix(2).map { StreamLayout.object($0.sha256) }
    (server.files[paths[0]], server.files[paths[1]]) = (
      server.files[paths[1]], server.files[paths[0]]
    )
    let app = try AppDatabase(history)
    #expect(app.failure(server)?.reason == .digestMismatch(object: head.segments[0].sha256))
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `what a head says otherwise than its objects is never applied`() throws {
    let right = try history.head(.single)
    let changes: [(String, (inout StreamHead) -> Void)] = [
      ("from", { $0.segments[0].from -= 1 }), ("id", { $0.position.id = "ffffffffffffffff" }),
      ("plain size", { $0.segments[0].plainSize += 1 }),
      ("epoch of the segment", { $0.segments[0].to -= 1 }),
    ]
    for (name, change) in changes {
      var head = right
      change(&head)
      head.snapshot = nil
      let app = try AppDatabase(history)
      let error = app.failure(server(head))
      switch error?.reason {
      case .unsupportedFormat, .noProgress: break
      default: Issue.record("\(name): \(String(describing: error))")
      }
      try app.expectPublishedState(at: history.firstSeq)
    }
  }

  @Test func `a section about what is not the stream's is refused, nothing is written`()
    throws
  {
    let foreign: [(String, String, String?)] = [
      (
        #"{"table":"user_note","upsert":["id","product","text"]}"# + "\n[9,9,\"x\"]", "user_note",
        nil
      ),
      (#"{"table":"user_note","delete":["id"]}"# + "\n[1]", "user_note", nil),
      (#"{"table":"sqlite_schema","delete":["name"]}"# + "\n[\"product\"]", "sqlite_schema", nil),
      (#"{"table":"_seed_stream","delete":["stream"]}"# + "\n[\"catalog\"]", "_seed_stream", nil),
      (
        #"{"table":"category","upsert":["id","title","favourite"]}"# + "\n[9,\"x\",1]", "category",
        "favourite"
      ),
      (#"{"table":"category","upsert":["id"]}"# + "\n[9]", "category", "title"),
      (#"{"table":"category","upsert":["title"]}"# + "\n[\"x\"]", "category", "id"),
      (#"{"table":"product","delete":["id","favourite"]}"# + "\n[1,1]", "product", "favourite"),
    ]
    for (section, table, column) in foreign {
      let rows = history.segmentText(from: 1, to: 2).rows
      let head = try head(replacing: 1, to: 2) { text in
        text.replacing(
          "{\"end\":{\"rows\":\(rows)}}\n", with: "\(section)\n{\"end\":{\"rows\":\(rows + 1)}}\n")
      }
      let app = try AppDatabase(history)
      let error = app.failure(server(head))
      #expect(
        error?.reason == .schemaIncompatible(table: table, column: column),
        "\(section): \(String(describing: error))")
      try app.expectPublishedState(at: history.firstSeq)
    }
  }

  @Test func `a bomb and a line of another kind are refused`() throws {
    for text in ["x", "{\"what\":1}", String(repeating: " ", count: 1 << 20)] {
      let head = try head(replacing: 1, to: 2) { old in old + text + "\n" }
      let app = try AppDatabase(history)
      guard case .unsupportedFormat = app.failure(server(head))?.reason else {
        Issue.record("it was applied")
        continue
      }
      try app.expectPublishedState(at: history.firstSeq)
    }
  }

  @Test func `a head without the signature that the app asks for is refused`() throws {
    let app = try AppDatabase(history)
    app.options.trustedKeys = [Array(repeating: 7, count: 32)]
    let server = server(try history.head(.steps))
    #expect(app.failure(server)?.reason == .signatureInvalid)
    server.files[StreamLayout.head] = Array(
      #"{"payload":"e30","protected":"eyJhbGciOiJFZERTQSJ9","signature":"AAAA"}"#.utf8)
    #expect(app.failure(server)?.reason == .signatureInvalid)
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `heads of another format or another stream are refused`() throws {
    let server = server(try history.head(.steps))
    let right = String(decoding: try #require(server.files[StreamLayout.head]), as: UTF8.self)
    for (old, new) in [
      ("\"format\":1", "\"format\":2"), ("\"stream\":\"catalog\"", "\"stream\":\"other\""),
    ] {
      server.files[StreamLayout.head] = Array(right.replacing(old, with: new).utf8)
      let app = try AppDatabase(history)
      guard case .unsupportedFormat = app.failure(server)?.reason else {
        Issue.record("it was applied")
        continue
      }
    }
  }

  // MARK: T11

  @Test func `a head that is older leaves the database, and one more request is made`() throws {
    let older = PublishedHistory(epoch: history.epoch - 1)
    older.publishRandomly(9, seed: 3)
    let current = history.files(try history.head(.steps))
    let app = try AppDatabase(history)
    try app.sync(MemoryServer(current))
    let early = PublishedHistory()
    early.publishRandomly(3, rowsPerStep: 3, seed: seed)
    for stale in [early, older] {
      let server = MemoryServer(stale.files(try stale.head(.steps)))
      let result = try app.sync(server)
      #expect(result.outcome == .stale)
      #expect(result.stalePosition == stale.position)
      #expect(server.requests.count == 2)
      #expect(server.requests[1].isPassingCaches)
      #expect(server.requests[1].headers["If-None-Match"] == nil)
      try app.expectPublishedState(at: history.seq)
    }
    // One edge is stale, the other is not: asking past it is enough.
    let head = current[StreamLayout.head]
    let server = MemoryServer(early.files(try early.head(.steps)))
    server.onRequest { request, answer in
      request.isPassingCaches ? MemoryServer.Answer(body: head ?? []) : answer
    }
    #expect(try app.sync(server).outcome == .current)
    #expect(server.requests.count == 2)
  }

  /// How a cache on the way alternates.
  struct Alternation: Sendable {
    /// Whether the old head is of an older epoch, or of the same one.
    var isOlderEpoch: Bool
    /// Whether the old one comes first.
    var startsOld: Bool
    /// Whether a request to pass caches by reaches the server.
    var obeys: Bool

    static let all = [true, false].flatMap { isOlderEpoch in
      [true, false].flatMap { startsOld in
        [true, false].map {
          Alternation(isOlderEpoch: isOlderEpoch, startsOld: startsOld, obeys: $0)
        }
      }
    }
  }

  @Test(arguments: Alternation.all)
  func `alternating heads never move the position back`(alternation: Alternation) throws {
    let early = PublishedHistory(
      epoch: alternation.isOlderEpoch ? history.epoch - 1 : history.epoch)
    early.publishRandomly(alternation.isOlderEpoch ? 9 : 3, rowsPerStep: 3, seed: seed)
    let server = server(try history.head(.steps))
    for (path, bytes) in early.files(try early.head(.steps)) where path != StreamLayout.head {
      server.files[path] = bytes
    }
    let old = PublishedHistory.json(of: try early.head(.steps))
    let headCount = Lock(0)
    server.onRequest { request, answer in
      guard request.isHead, !(alternation.obeys && request.isPassingCaches) else { return answer }
      let number = headCount.withLock { count in
        defer { count += 1 }
        return count
      }
      return number.isMultiple(of: 2) == alternation.startsOld
        ? MemoryServer.Answer(body: old) : answer
    }
    let app = try AppDatabase(history)
    var last = try #require(try app.position())
    var fetched: [String] = []
    for _ in 0..<8 {
      server.forgetRequests()
      let result = try app.sync(server)
      #expect(!result.position.isBehind(last), "seed \(seed)")
      last = result.position
      try app.expectPublishedState("seed \(seed)")
      #expect(server.requests.count(where: \.isHead) <= 3)
      // Nothing but what leads on is fetched, and nothing of it twice.
      fetched += server.objectRequests.map(\.path)
    }
    #expect(last == history.position)
    #expect(fetched.count == 6 && Set(fetched).count == 6)
    #expect(app.clock.waits.isEmpty)
  }

  @Test func `not modified about another version is asked again without a condition`() throws {
    let server = server(try history.head(.steps))
    let app = try AppDatabase(history)
    try app.sync(server)
    server.onRequest { request, answer in
      request.headers["If-None-Match"] != nil
        ? MemoryServer.Answer(status: 304, headers: [("ETag", "\"other\"")]) : answer
    }
    server.forgetRequests()
    #expect(try app.sync(server).outcome == .current)
    #expect(server.requests.count == 2)
  }

  // MARK: T12

  @Test func `an object that is not there is asked for again, then given up`()
    throws
  {
    let head = try history.head(.steps)
    let server = server(head)
    server.files[StreamLayout.object(head.segments[2].sha256)] = nil
    let app = try AppDatabase(history)
    let error = app.failure(server)
    #expect(error?.reason == .missingObject(sha256: head.segments[2].sha256))
    // What came before it is applied, and is a published state.
    try app.expectPublishedState(at: 3)
    #expect(server.requests.count(where: \.isHead) == 4)
    #expect(server.requests.count <= 10)
    // Now it is uploaded.
    let whole = history.files(head)
    server.files = whole
    #expect(try app.sync(server).outcome == .applied)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a head whose object is gone is replaced by a newer one`()
    throws
  {
    let old = try history.head(.steps)
    let files = history.files(try history.head(.single))
    let server = MemoryServer(files)
    let stale = PublishedHistory.json(of: old)
    for entry in old.segments { server.files[StreamLayout.object(entry.sha256)] = nil }
    server.onRequest { request, answer in
      request.isHead && !request.isPassingCaches ? MemoryServer.Answer(body: stale) : answer
    }
    let app = try AppDatabase(history)
    try app.sync(server)
    try app.expectPublishedState(at: history.seq)
    #expect(server.requests.count == 4)
  }

  @Test func `no stream at the address is an error`() throws {
    let app = try AppDatabase(history)
    #expect(
      app.failure(MemoryServer())?.reason == .notFound(url: MemoryServer.base + "/head.json"))
  }

  @Test func `a gap without a snapshot makes no progress and no loop`() throws {
    var head = try history.head(.steps)
    head.segments.removeAll { $0.from == 3 }
    head.snapshot = nil
    let server = server(head)
    let app = try AppDatabase(history)
    #expect(app.failure(server)?.reason == .noProgress)
    #expect(server.requests.count == 1)
  }

  // MARK: T14

  @Test(arguments: [0, 2])
  func `a fork is found by the ids, and merged once`(more: Int) throws {
    let fork = PublishedHistory()
    fork.publishRandomly(6, rowsPerStep: 3, seed: seed &+ 1)
    fork.publishRandomly(more, rowsPerStep: 3, seed: seed)
    let app = try AppDatabase(history)
    try app.sync(server(try history.head(.steps)))
    // The same numbers with other contents, with a head at the same number or further on.
    let server = MemoryServer(fork.files(try fork.head(.single)))
    #expect(try app.sync(server).outcome == .merged)
    try app.expectPublishedState(at: fork.seq, of: fork, "seed \(seed)")
    let path = StreamLayout.object(try fork.head(.single).snapshot?.sha256 ?? "")
    #expect(server.objectRequests.count { $0.path.hasSuffix(path) } == 1)
  }

  @Test func `two histories in turn end in a loop that is left`() throws {
    let fork = PublishedHistory()
    fork.publishRandomly(6, rowsPerStep: 3, seed: seed &+ 1)
    let app = try AppDatabase(history)
    try app.sync(server(try history.head(.steps)))
    let (one, other) = (
      MemoryServer(fork.files(try fork.head(.steps))), server(try history.head(.steps))
    )
    #expect(try app.sync(one).outcome == .merged)
    try app.expectPublishedState(at: fork.seq, of: fork)
    // Both have the same first checkpoint as their snapshot.
    #expect(app.failure(other)?.reason == .resetLoop)
    try app.expectPublishedState(at: fork.seq, of: fork)
  }

  @Test func `a new epoch is merged, whatever its numbers`() throws {
    let next = PublishedHistory(epoch: history.epoch + 1, firstSeq: 2, firstID: "eeeeeeeeeeeeeeee")
    next.publishRandomly(1, rowsPerStep: 9, seed: seed)
    let app = try AppDatabase(history)
    try app.sync(server(try history.head(.steps)))
    #expect(try app.sync(MemoryServer(next.files(try next.head(.steps)))).outcome == .merged)
    try app.expectPublishedState(at: next.seq, of: next)
  }

  // MARK: T10

  @Test(arguments: [-315_360_000, 0, 315_360_000] as [Int64])
  func `the servers date does not matter`(offset: Int64) throws {
    let server = server(try history.head(.steps))
    let year = 2026 + offset / 31_536_000
    server.onRequest { _, answer in
      var answer = answer
      answer.headers.append(("Date", "Tue, 01 Dec \(year) 00:00:00 GMT"))
      return answer
    }
    let app = try AppDatabase(history)
    try app.sync(server)
    #expect(server.requests.count == 7)
    #expect(app.clock.waits.isEmpty)
    try app.expectPublishedState(at: history.seq)
  }

  // MARK: verify

  @Test func `verify finds what differs, and writes nothing`() throws {
    let server = server(try history.head(.steps))
    let app = try AppDatabase(history)
    try app.sync(server)
    #expect(try app.stream(server).verifyBlocking().isEqual)
    let connection = try app.open()
    try connection.execute(
      """
      UPDATE category SET title = CAST(title AS BLOB) WHERE id = (SELECT min(id) FROM category);
      DELETE FROM tag WHERE word = (SELECT word FROM tag LIMIT 1);
      INSERT INTO tag VALUES (-1, 'app');
      UPDATE product SET favourite = 0
      """)
    let missing = try #require(try connection.scalarInteger("SELECT count(*) FROM tag"))
    try connection.close()
    let verification = try app.stream(server).verifyBlocking()
    #expect(verification.position == history.position)
    #expect(
      verification.differences == [
        .init(table: "category", missing: 0, unexpected: 0, different: 1),
        .init(
          table: "tag", missing: Int64(history.state(at: history.seq)["tag"].count) - missing + 1,
          unexpected: 1, different: 0),
      ])
  }
}
