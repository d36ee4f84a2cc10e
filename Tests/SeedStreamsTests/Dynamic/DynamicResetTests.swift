import Foundation
import SeedModel
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// What a dynamic server says when it cannot lead on, or leaves the work to published files.
@Suite struct DynamicResetTests {
  private let seed = UInt64.random(in: 0...UInt64.max)

  private func history(_ count: Int = 6, epoch: Int64 = 1_700_000_000) -> PublishedHistory {
    let history = PublishedHistory(epoch: epoch)
    history.publishRandomly(count, seed: seed)
    return history
  }

  /// The document of a 410 and the files that it names.
  private func reset(
    _ history: PublishedHistory, snapshotAt seq: Int64, hasTail: Bool = false,
    host: String = "https://cdn.test"
  ) throws -> (document: [UInt8], files: [String: [UInt8]]) {
    let head = try history.head(.steps, snapshotAt: seq)
    let snapshot = try #require(head.snapshot)
    let path = StreamLayout.object(snapshot.sha256)
    var text =
      "{\"type\":\"urn:seed:problem:reset\",\"title\":\"gone\",\"reason\":\"retention\","
      + "\"epoch\":\(history.epoch),\"snapshot\":{\"url\":\"\(host)/catalog/v1/\(path)\","
      + "\"sha256\":\"\(snapshot.sha256)\",\"size\":\(snapshot.size),"
      + "\"plain_size\":\(snapshot.plainSize),\"seq\":\(seq),\"id\":\"\(snapshot.id)\","
      + "\"encoding\":\"gzip\"}"
    if hasTail {
      let json = try JSONValue(parsing: PublishedHistory.json(of: head))
      var segments: [UInt8] = []
      JSONBytes.append(json["segments"] ?? .null, to: &segments)
      text +=
        ",\"seq\":\(history.seq),\"id\":\"\(history.position.id)\",\"base\":\"\(host)/catalog/v1\","
        + "\"segments\":\(String(decoding: segments, as: UTF8.self))"
    }
    return (Array((text + "}").utf8), history.files(head))
  }

  private func server(
    _ history: PublishedHistory, _ files: [String: [UInt8]],
    endpoint: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer
  ) -> ScriptedServer {
    ScriptedServer { request in
      guard request.url.path.hasPrefix("/catalog/v1/") else { return endpoint(request) }
      return files[String(request.url.path.dropFirst("/catalog/v1/".count))]
        .map { .init(200, body: $0) } ?? .init(404)
    }
  }

  @Test(arguments: [false, true])
  func `a position that is gone is merged with the snapshot, and goes on from there`(
    hasTail: Bool
  ) throws {
    let history = history()
    let feed = ReferenceFeed(history)
    let (document, files) = try reset(history, snapshotAt: 4, hasTail: hasTail)
    let server = server(history, files) { request in
      request.position.seq < 4 ? .init(410, body: document) : feed.answer(to: request)
    }
    let app = try AppDatabase(history, at: 2)
    #expect(try app.dynamic(server).syncBlocking().outcome == .merged)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
  }

  @Test func `a new epoch is merged`() throws {
    let old = history(2)
    let new = history(5, epoch: 1_800_000_000)
    let feed = ReferenceFeed(new)
    let (document, files) = try reset(new, snapshotAt: 3)
    let epoch = new.epoch
    let server = server(new, files) { request in
      request.position.epoch < epoch ? .init(410, body: document) : feed.answer(to: request)
    }
    let app = try AppDatabase(old)
    #expect(try app.dynamic(server).syncBlocking().outcome == .merged)
    try app.expectPublishedState(at: new.seq, of: new, "seed \(seed)")
  }

  @Test(arguments: [3, 4])
  func `a snapshot that is not newer than the database is refused`(seq: Int64) throws {
    let history = history()
    let (document, files) = try reset(history, snapshotAt: 3)
    let server = server(history, files) { _ in .init(410, body: document) }
    let app = try AppDatabase(history, at: seq)
    #expect(app.dynamicFailure(server)?.reason == .noProgress)
    try app.expectPublishedState(at: seq)
    #expect(server.requests.count == 1, "the snapshot is not fetched")
  }

  @Test func `a server that is behind leaves the database as it is`() throws {
    let history = history()
    let (document, files) = try reset(history, snapshotAt: 3, hasTail: true)
    let server = server(history, files) { _ in .init(410, body: document) }
    let later = PublishedHistory()
    later.publishRandomly(9, seed: seed &+ 1)
    let app = try AppDatabase(later, at: 10)
    let result = try app.dynamic(server).syncBlocking()
    #expect(result.outcome == .stale)
    #expect(result.stalePosition == history.position)
    try app.expectPublishedState(at: 10)
  }

  @Test func `the same snapshot again and again is a loop`() throws {
    let history = history()
    let (document, files) = try reset(history, snapshotAt: 4)
    // The server does not know the position that its own snapshot leads to.
    let server = server(history, files) { _ in .init(410, body: document) }
    let app = try AppDatabase(history, at: 2)
    let reason = try #require(app.dynamicFailure(server)?.reason)
    #expect([.noProgress, .resetLoop].contains(reason))
    #expect(server.requests.count <= 3)
    try app.expectPublishedState(at: 4)
  }

  @Test func `a line with segments leads through the published files`() throws {
    let history = history()
    let feed = ReferenceFeed(history)
    let head = try history.head(.levels)
    let json = try JSONValue(parsing: PublishedHistory.json(of: head))
    var bytes: [UInt8] = []
    JSONBytes.append(
      [
        "segments": json["segments"] ?? .null, "base": "/catalog/v1/",
        "schema": json["schema"] ?? .null,
      ], to: &bytes)
    let line = bytes + [0x0A]
    let first = history.firstSeq
    let server = server(history, history.files(head)) { request in
      request.position.seq == first ? .init(200, body: line) : feed.answer(to: request)
    }
    let app = try AppDatabase(history)
    #expect(try app.dynamic(server).syncBlocking().outcome == .applied)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
  }

  @Test func `a column of the app's own migration is filled by one merge`() throws {
    let history = history()
    let feed = ReferenceFeed(history)
    let (document, files) = try reset(history, snapshotAt: history.seq)
    let server = server(history, files) { request in
      request.position.epoch == 0 ? .init(410, body: document) : feed.answer(to: request)
    }
    let app = try AppDatabase(history, at: history.seq)
    let connection = try app.open()
    // As if the column had been added after the last changes were applied.
    try connection.execute(
      "UPDATE _seed_stream SET schema = 'other'; UPDATE category SET title = NULL")
    try connection.close()
    #expect(try app.dynamic(server).syncBlocking().outcome == .merged)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(try app.dynamic(server).syncBlocking().outcome == .current)
  }

  @Test func `credentials stay with the server of the stream`() async throws {
    let history = history()
    let (document, files) = try reset(history, snapshotAt: 4)
    let feed = ReferenceFeed(history)
    let server = server(history, files) { request in
      request.position.seq < 4 ? .init(410, body: document) : feed.answer(to: request)
    }
    let app = try AppDatabase(history, at: 2)
    app.options.credentials = { _ in ["Authorization": "Bearer secret"] }
    #expect(try await app.dynamic(server).sync().outcome == .merged)
    #expect(server.requests.contains { $0.url.host == "cdn.test" })
    for request in server.requests {
      let isOwn = request.url.host == "server.test"
      #expect((request.headers["Authorization"] != nil) == isOwn)
    }
  }
}
