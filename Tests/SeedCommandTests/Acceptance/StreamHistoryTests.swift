import Foundation
import SeedModel
import SeedSQLite
import SeedStore
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

/// A stream's whole path: built, published, shipped, installed, and resumed from its positions,
/// with the real commands and a real web server.
@Suite(.enabled(if: NginxServer.isAvailable, "needs nginx"))
struct StreamHistoryTests {
  /// How many versions there are, and how large what hardly ever changes is.
  struct History: Sendable {
    var versions: Int
    var storyLength: Int
    /// How much changes from one to the next.
    var changesPerVersion: Int
    /// Whether the head's segments lead from the very first version.
    var isWithinHorizon: Bool
    /// How many checkpoints are merged into one segment, and how many of those into a larger one.
    var fanOut: Int64 = 8
    /// The most segments that a head lists.
    var segmentLimit = 64
  }

  /// Whether everything is tried, and not a sample of it.
  static let isThorough = ProcessInfo.processInfo.environment["SEED_FAULTS"] == "all"

  static let histories = [
    History(versions: 200, storyLength: 2000, changesPerVersion: 1, isWithinHorizon: true),
    // Here the changes outgrow the snapshot, which is written anew, and old ones are dropped.
    History(versions: 40, storyLength: 0, changesPerVersion: 5, isWithinHorizon: false),
  ]

  /// The same history by other rules of merging.
  ///
  /// Every change by itself, in pairs and pairs of those, by threes, and by so many that most are never
  /// merged. Where none is, the snapshot is so large that they are not the longer way.
  static let layouts = [(1, 256), (2, 64), (3, 64), (16, 64)].map { fanOut, limit in
    History(
      versions: isThorough ? 200 : 40, storyLength: fanOut == 1 ? 10_000 : 2000,
      changesPerVersion: 1,
      isWithinHorizon: true, fanOut: Int64(fanOut), segmentLimit: limit)
  }

  /// What a database at a position has to fetch, worked out a second time.
  private struct Plan {
    var snapshot: SnapshotEntry?
    var segments: [SegmentEntry] = []

    init(from seq: Int64, in head: StreamHead) throws {
      let snapshot = try #require(head.snapshot)
      let tail = try #require(Self.way(from: snapshot.seq, in: head))
      guard let way = Self.way(from: seq, in: head) else {
        self.snapshot = snapshot
        segments = tail
        return
      }
      segments = way
      let whole = snapshot.size + tail.map(\.size).reduce(0, +)
      if snapshot.seq > seq, Double(way.map(\.size).reduce(0, +)) > 0.7 * Double(whole) {
        self.snapshot = snapshot
        segments = tail
      }
    }

    /// The fewest segments; nil where they do not lead to the head.
    private static func way(from seq: Int64, in head: StreamHead) -> [SegmentEntry]? {
      var reached = seq
      var way: [SegmentEntry] = []
      while reached < head.position.seq {
        let furthest = head.segments.filter { $0.from <= reached && $0.to > reached }
          .sorted { ($0.to, $1.size) > ($1.to, $0.size) }.first
        guard let furthest else { return nil }
        way.append(furthest)
        reached = furthest.to
      }
      return way
    }

    var outcome: StreamResult.Outcome {
      snapshot != nil ? .merged : segments.isEmpty ? .current : .applied
    }

    /// The objects in the order of the requests, with their sizes.
    var objects: [(sha256: String, size: Int64)] {
      (snapshot.map { [($0.sha256, $0.size)] } ?? []) + segments.map { ($0.sha256, $0.size) }
    }
  }

  /// The positions from which is resumed: all, or a spread with the ends and the powers of two.
  private func positions(_ last: Int64) -> [Int64] {
    if Self.isThorough || last < 64 {
      return Array(1...last)
    }
    return (1...last).filter { seq in
      seq <= 2 || seq >= last - 9 || seq & (seq - 1) == 0 || seq % 17 == 0
    }
  }

  /// Runs the program, which has to succeed, and returns what it prints.
  @discardableResult
  private func program(_ arguments: [String], in shop: StreamedShop) throws -> JSONValue? {
    let run = try CommandRun.run(
      Project.tool.path, arguments,
      environment: ["XDG_CACHE_HOME": shop.directory.path("cache"), "PATH": "/usr/bin:/bin"],
      directory: shop.directory.path)
    try #require(run.status == 0, "\(arguments): \(run.errorText)")
    return run.output.isEmpty ? nil : try JSONValue(parsing: run.output)
  }

  @Test(arguments: histories + layouts)
  func `a database of any version comes to what a fresh build is, by what it lacks alone`(
    history: History
  ) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let shop = try StreamedShop(storyLength: history.storyLength, seed: seed)
    shop.layout = (history.fanOut, history.segmentLimit)
    // The first version, by the program, as it ships.
    try shop.writeDocument()
    try program(
      shop.buildArguments("work.sqlite") + ["--compress", "--manifest"], in: shop)
    try program(["publish", shop.database, "--to", shop.target], in: shop)
    let first = try shop.head().position
    #expect(first.seq == 1)
    try FileManager.default.copyItem(atPath: shop.database, toPath: shop.bundle(first))
    try shop.ship()
    let app = shop.directory.path("app/shop.sqlite")
    try program(["install", shop.database + ".gz", app], in: shop)
    for name in [".gz", ".manifest.json"] {
      try FileManager.default.removeItem(atPath: shop.database + name)
    }

    let server = try NginxServer(
      root: shop.served, directives: try PublishingGuide.nginxDirectives)
    let folder = server.url("/main/v1")
    let stream = ["stream", app, "--once", "--source", folder, "--json"]
    #expect(try program(stream, in: shop)?["status"] == "current")
    var positions = [first]
    for number in 2...history.versions {
      for _ in 1...history.changesPerVersion { try shop.change(number) }
      positions.append(try shop.publish())
      #expect(positions.last?.seq == Int64(number))
      if number & (number - 1) == 0 {
        // The app keeps up now and then.
        try shop.ship()
        let result = try program(stream, in: shop)
        #expect(result?["status"] == "applied" || result?["status"] == "merged")
        #expect(try shop.differences(app, shop.database) == [])
      }
    }
    try shop.ship()
    try shop.buildAnew("fresh.sqlite")
    #expect(try shop.differences(shop.database, shop.directory.path("fresh.sqlite")) == [])
    try await resume(positions, of: shop, at: server, history, "seed \(seed)")
    #expect(try program(stream, in: shop)?["seq"] == .integer(Int64(history.versions)))
    #expect(try shop.differences(app, shop.directory.path("fresh.sqlite")) == [])
    try program(["verify", shop.bundle(first), "--published", folder, "--json"], in: shop)
  }

  /// Installs the database of each position and brings it to the head.
  private func resume(
    _ all: [StreamPosition], of shop: StreamedShop, at server: NginxServer, _ history: History,
    _ comment: Comment
  ) async throws {
    let head = try shop.head()
    let headSize = Int64(try shop.directory.bytes(of: "public/main/v1/head.json").count)
    let fresh = shop.directory.path("fresh.sqlite")
    let logged = try server.accessLog.split(separator: "\n").count
    var expected: [String] = []
    var merges = 0
    var (fetched, needed): (Int64, Int64) = (0, 0)
    for seq in positions(Int64(history.versions)) {
      let start = all[Int(seq) - 1]
      let app = shop.directory.path("apps/\(seq).sqlite")
      _ = try await SeedDatabase.install(Seed(path: shop.bundle(start)), at: app)
      var options = StreamOptions()
      options.cacheDirectory = shop.directory.path("caches/\(seq)")
      let result = try await TableStream(
        "main", database: app, from: .static(server.url("/main/v1")), options: options
      ).sync()
      let plan = try Plan(from: seq, in: head)
      if plan.snapshot != nil { merges += 1 }
      fetched += result.bytes - headSize
      needed += plan.objects.reduce(0) { $0 + $1.size }
      #expect(result.position == head.position, comment)
      #expect(result.outcome == plan.outcome, comment)
      #expect(result.bytes == plan.objects.reduce(headSize) { $0 + $1.size }, comment)
      #expect(result.requests == 1 + plan.objects.count, comment)
      let differences = try shop.differences(app, fresh)
      #expect(differences == [], "from \(seq), \(comment)")
      let connection = try Connection(path: app, mode: .readOnly)
      #expect(try connection.scalarText("PRAGMA integrity_check") == "ok", comment)
      #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty, comment)
      try connection.close()
      expected.append("/main/v1/head.json 200 \(headSize)")
      expected += plan.objects.map { "/main/v1/\(StreamLayout.object($0.sha256)) 200 \($0.size)" }
    }
    #expect(history.isWithinHorizon ? merges == 0 : merges > 0, comment)
    if Self.isThorough {
      print(
        "fan-out \(history.fanOut): \(history.versions) versions, \(merges) merges,",
        "\(head.segments.count) segments listed, \(fetched) bytes of objects fetched,",
        "\(needed) needed")
    }
    // The server has seen the same: a further request makes sure that all before it is logged.
    _ = try CommandRun.run("/usr/bin/env", ["curl", "-s", server.url("/end")])
    let requests = try server.accessLog.split(separator: "\n").dropFirst(logged).compactMap {
      $0.firstMatch(of: /"GET (\S+) HTTP\/1\.1" (\d+) (\d+)/).map { match in
        "\(match.output.1) \(match.output.2) \(match.output.3)"
      }
    }
    // Two objects are on their way at once: which of them is first is nobody's to say.
    #expect(requests.filter { !$0.hasPrefix("/end ") }.sorted() == expected.sorted(), comment)
  }
}
