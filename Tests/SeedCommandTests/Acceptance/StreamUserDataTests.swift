import SeedSQLite
import SeedStore
import SeedStreams
import TestSupport
import Testing

@testable import SeedCommand

/// What is the app's in a database that a stream keeps fresh, while the app writes all the time.
@Suite(.enabled(if: NginxServer.isAvailable, "needs nginx"))
final class StreamUserDataTests {
  private let seed = UInt64.random(in: 0...UInt64.max)
  private let shop: StreamedShop
  private let server: NginxServer
  private let path: String
  private var options = StreamOptions()
  private var last: StreamPosition?

  init() throws {
    shop = try StreamedShop(storyLength: 2000, seed: seed)
    server = try NginxServer(root: shop.served, directives: try PublishingGuide.nginxDirectives)
    path = shop.directory.path("app/shop.sqlite")
    options.cacheDirectory = shop.directory.path("cache")
  }

  /// Ships what was published and brings the app's database there.
  private func sync(
    expecting outcome: StreamResult.Outcome, at position: StreamPosition,
    isMuchLater: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try shop.ship(isMuchLater: isMuchLater)
    let result = try await TableStream(
      "main", database: path, from: .static(server.url("/main/v1")), options: options
    ).sync()
    #expect(result.outcome == outcome, "seed \(seed)", sourceLocation: sourceLocation)
    try #require(result.position == position, "seed \(seed)", sourceLocation: sourceLocation)
    if let last { #expect(!position.isBehind(last), sourceLocation: sourceLocation) }
    last = position
  }

  private func expectCatalogue(
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let differences = try shop.differences(path, shop.database)
    #expect(differences == [], "seed \(seed)", sourceLocation: sourceLocation)
  }

  @Test func `an app's data is untouched by changes, a reset, a fork and a new column`()
    async throws
  {
    try shop.writeDocument()
    try shop.seed(shop.buildArguments("work.sqlite"))
    let first = try shop.publish()
    var install = InstallOptions()
    install.journalMode = .wal
    _ = try await SeedDatabase.install(
      Seed(path: shop.bundle(first)), at: path, options: install)
    let app = try BusyApp(path)
    var number = 1

    // Changes, one segment each.
    for _ in 1...200 {
      number += 1
      try shop.change(number)
      try await sync(expecting: .applied, at: try shop.publish())
    }
    try expectCatalogue()
    let written = app.visitCount
    #expect(written > 200)

    // A reset: the history begins anew.
    number += 1
    try shop.change(number)
    let reset = try shop.publish("--new-epoch")
    #expect(reset.epoch > first.epoch)
    try await sync(expecting: .merged, at: reset)
    try expectCatalogue()

    // A fork: the publisher was restored from a backup, and counts the same numbers again.
    try shop.copyPublisher(from: "", to: "backup-")
    try shop.change(number + 1)
    let lost = try shop.publish()
    try await sync(expecting: .applied, at: lost)
    try shop.copyPublisher(from: "backup-", to: "")
    try shop.change(number + 2)
    let fork = try shop.publish()
    #expect(fork.seq == lost.seq && fork.epoch == lost.epoch && fork.id != lost.id)
    // It takes longer than the second by which web servers tell versions of a file apart.
    try await sync(expecting: .merged, at: fork, isMuchLater: true)
    try expectCatalogue()
    try shop.change(number + 3)
    try await sync(expecting: .applied, at: try shop.publish())

    // A new column: passed over until the app's migration adds it, then filled.
    try shop.addColumn()
    try await sync(expecting: .applied, at: try shop.publish())
    let migration = try Connection(path: path, mode: .readWrite)
    migration.setBusyTimeout(milliseconds: 60_000)
    try migration.execute("ALTER TABLE item ADD COLUMN stock INTEGER")
    try migration.close()
    options.declaring = [
      StreamTableDeclaration(
        table: "item", key: ["id"], columns: shop.columns["item"] ?? [])
    ]
    try await sync(expecting: .merged, at: try shop.head().position)
    try expectCatalogue()
    try shop.change(number + 4)
    try await sync(expecting: .applied, at: try shop.publish())

    #expect(app.visitCount > written)
    let (record, problems) = app.end()
    #expect(problems == [], "seed \(seed)")
    try shop.buildAnew("fresh.sqlite")
    let differences = try shop.differences(path, shop.directory.path("fresh.sqlite"))
    #expect(differences == [], "seed \(seed)")
    let connection = try Connection(path: path, mode: .readOnly)
    let isAsWritten = try BusyApp.found(in: connection) == record
    #expect(isAsWritten, "seed \(seed)")
    #expect(try connection.scalarText("PRAGMA integrity_check") == "ok")
    #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
  }
}
