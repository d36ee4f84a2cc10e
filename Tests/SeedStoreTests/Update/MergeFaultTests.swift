import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// A merge that fails or dies anywhere: the old rows or the new ones, and the user's own in any case.
@Suite struct MergeFaultTests {
  private static let old = ["tools", "toys", "food", "mine"]
  private static let new = ["toys", "tools", "books", "mine"]

  private func seed(_ mode: JournalMode) throws -> MergeSeed {
    let seed = try MergeSeed(mode: mode)
    try seed.bench.write(
      "INSERT INTO category VALUES (100, 'mine'); UPDATE product SET favourite = 1")
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    return seed
  }

  private func expectOldOrNew(_ seed: MergeSeed, _ name: Comment) throws {
    #expect(try seed.rows("PRAGMA integrity_check") == ["ok"], name)
    let titles = try seed.rows("SELECT title FROM category ORDER BY id")
    let version = try seed.rows("SELECT version FROM _seed")
    let favourites = try seed.rows("SELECT count(*) FROM product WHERE favourite = 1")
    if version == ["1"] {
      #expect(titles == Self.old && favourites == ["3"], name)
    } else {
      #expect(titles == Self.new && favourites == ["2"] && version == ["2"], name)
    }
  }

  private func expectFinished(_ seed: MergeSeed, _ name: Comment) throws {
    try seed.bench.install(InstallOptions(policy: .merge))
    #expect(try seed.rows("SELECT title FROM category ORDER BY id") == Self.new, name)
    #expect(try seed.bench.litter == [], name)
  }

  @Test(arguments: [JournalMode.delete, .wal], [28, 5])
  func `every operation on files that fails leaves the old rows or the new ones`(
    mode: JournalMode, code: Int32
  ) throws {
    var number = 1
    while true {
      let seed = try seed(mode)
      let faulty = FaultyFiles(failing: number, code: code)
      _ = try? seed.bench.install(InstallOptions(policy: .merge), files: faulty.files)
      guard faulty.isReached else { break }
      try expectOldOrNew(seed, "operation \(number)")
      try expectFinished(seed, "operation \(number)")
      number += 1
    }
    #expect(number > 30)
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a process that dies while it merges leaves the old rows or the new ones`(
    mode: JournalMode
  ) async throws {
    for number in stride(from: 1, through: 90, by: 6) {
      let seed = try seed(mode)
      let (source, destination) = (seed.bench.seedPath, seed.bench.destination)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [source = source as String, destination = destination as String, number = number as Int]
        in
        let faulty = FaultyFiles { count, _ in
          if count == number { kill(getpid(), SIGKILL) }
        }
        _ = try Installation(
          seed: Seed(path: source), destination: destination,
          options: InstallOptions(policy: .merge), files: faulty.files,
          databases: .live(on: faulty.files), watch: InstallWatch(nil, onProgress: nil)
        ).run()
        kill(getpid(), SIGKILL)
      }
      try expectOldOrNew(seed, "operation \(number)")
      try expectFinished(seed, "operation \(number)")
    }
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a process that dies before a table or before the commit leaves the old rows`(
    mode: JournalMode
  ) async throws {
    for moment in 0...3 {
      let seed = try seed(mode)
      let (source, live) = (seed.bench.seedPath, seed.bench.destination)
      let previous = seed.bench.directory.path("app/copy")
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          source = source as String, live = live as String, previous = previous as String,
          moment = moment as Int
        ] in
        let calls = Lock(0)
        let request = ContentMerge.Request(
          source: source, live: live, previous: previous, busyMilliseconds: 1000,
          onProgress: { _ in
            let count = calls.withLock { count in
              defer { count += 1 }
              return count
            }
            if count == moment { kill(getpid(), SIGKILL) }
          }, onPrevious: { _, _ in if moment == 3 { kill(getpid(), SIGKILL) } })
        try DatabaseAccess.live(on: .live).noteBase(source)
        _ = try ContentMerge(request).run()
      }
      #expect(try seed.rows("SELECT version FROM _seed") == ["1"])
      try expectOldOrNew(seed, "moment \(moment)")
      try expectFinished(seed, "moment \(moment)")
    }
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a writer in the way, or a cancellation, leaves the old rows`(mode: JournalMode) throws {
    let seed = try MergeSeed(mode: mode)
    let before = try seed.bench.digest()
    try seed.write(
      MergeSeed.shop + """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO category SELECT i, 'a title that takes some room ' || i FROM n;
        """, version: "2")
    let writer = try Connection(path: seed.bench.destination, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE")
    var options = InstallOptions(policy: .merge)
    options.lockTimeout = .milliseconds(20)
    let error = #expect(throws: SeedError.self) { try seed.bench.install(options) }
    #expect(error?.step == .merge)
    guard case .database(code: 5, _)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    try writer.execute("ROLLBACK")
    #expect(try seed.bench.digest() == before)
    #expect(try seed.bench.litter == [])
    // Cancelled before the second table.
    let cancellation = InstallCancellation()
    cancellation.cancel()
    #expect(throws: SeedError.self) {
      try seed.bench.install(InstallOptions(policy: .merge), cancellation: cancellation)
    }
    #expect(try seed.bench.digest() == before)
    #expect(try seed.merge().inserted == 1991)
  }
}
