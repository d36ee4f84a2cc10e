import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

@Suite struct TableStreamTests {
  private let seed = UInt64.random(in: 0...UInt64.max)

  /// Whether long histories are tried, as a checker has it.
  private var isThorough: Bool { ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all" }

  private func history(_ count: Int = 20) -> PublishedHistory {
    let history = PublishedHistory()
    history.publishRandomly(count, seed: seed)
    return history
  }

  @Test(arguments: PublishedHistory.Layout.allCases)
  func `a database at any checkpoint comes to the head without a snapshot`(
    layout: PublishedHistory.Layout
  ) throws {
    let history = history(isThorough ? 200 : 20)
    let head = try history.head(layout)
    let server = MemoryServer(history.files(head))
    for seq in history.firstSeq...history.seq {
      server.forgetRequests()
      let app = try AppDatabase(history, at: seq)
      let result = try app.sync(server)
      #expect(result.outcome == (seq == history.seq ? .current : .applied), "seed \(seed)")
      try app.expectPublishedState(at: history.seq, "seed \(seed), from \(seq)")
      let paths = Set(server.objectRequests.map(\.path))
      let snapshot = try #require(head.snapshot)
      #expect(!paths.contains { $0.hasSuffix(snapshot.sha256) })
      #expect(result.position == history.position)
      #expect(Int64(server.byteCount) == result.bytes)
    }
  }

  @Test func `a database that is current asks for the head alone, and then for a newer one`() throws
  {
    let history = history(3)
    let server = MemoryServer(history.files(try history.head()))
    let app = try AppDatabase(history)
    #expect(try app.sync(server).outcome == .applied)
    server.forgetRequests()
    #expect(try app.sync(server).outcome == .current)
    #expect(server.requests.count == 1)
    #expect(server.requests[0].headers["If-None-Match"] != nil)
    #expect(server.byteCount == 0)
  }

  @Test func `a database behind the horizon is merged with the snapshot and the tail`() throws {
    let history = history()
    var head = try history.head(.steps, snapshotAt: 15)
    head.segments.removeAll { $0.to <= 12 }
    let server = MemoryServer(history.files(head))
    let app = try AppDatabase(history, at: 4)
    #expect(try app.sync(server).outcome == .merged)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(server.objectRequests.count == 1 + 6)
  }

  @Test func `a newer database of the app's bundle is merged without the network`() throws {
    let history = history()
    let app = try AppDatabase(history, at: 2)
    let bundle = try AppDatabase(history, at: 12, hasOwnData: false)
    app.options.bundledDatabase = bundle.path
    let server = MemoryServer()
    #expect(app.failure(server)?.reason == .notFound(url: MemoryServer.base + "/head.json"))
    try app.expectPublishedState(at: 12, "seed \(seed)")
    #expect(server.requests.count == 1)
    // The next one is older than the database, and the server goes on from there.
    server.files = history.files(try history.head())
    #expect(try app.sync(server).outcome == .applied)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    #expect(try app.sync(server).outcome == .current)
  }

  @Test func `a database that gets nothing stays as it is, byte for byte`() throws {
    let history = history(3)
    let server = MemoryServer(history.files(try history.head()))
    let app = try AppDatabase(history, at: history.seq)
    let before = try app.directory.bytes(of: "app.sqlite")
    #expect(try app.sync(server).outcome == .current)
    #expect(try app.directory.bytes(of: "app.sqlite") == before)
    #expect(try app.open().scalarText("PRAGMA journal_mode") == "delete")
    // Not even a server that knows nothing changes that.
    server.files = [:]
    #expect(app.failure(server) != nil)
    #expect(try app.directory.bytes(of: "app.sqlite") == before)
  }

  @Test func `a database gets its log when something is applied`() throws {
    let history = history(3)
    let server = MemoryServer(history.files(try history.head()))
    let app = try AppDatabase(history)
    #expect(try app.sync(server).outcome == .applied)
    #expect(try app.open().scalarText("PRAGMA journal_mode") == "wal")
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
  }
}
