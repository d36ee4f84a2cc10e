import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// The copy of the old content: it is of the last replacement that was, whatever fails or dies.
@Suite struct PreviousContentTests {
  private static let precious = ["row 1", "row 2", "row 3", "precious"]
  private static let second = ["new 1", "new 2", "new 3", "new 4", "new 5"]
  private static let third = ["last 1", "last 2"]

  /// A database whose content was replaced once, while the user's row is in the copy.
  private func replaced(_ mode: JournalMode) throws -> InstallBench {
    let bench = try InstallBench(isOwned: true)
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    try bench.write("INSERT INTO item VALUES (100, 'precious')")
    try bench.renewSeed(isOwned: true)
    try bench.install(InstallOptions(policy: .replace))
    try bench.renewSeed(rowCount: 2, prefix: "last", version: "3", isOwned: true)
    return bench
  }

  private func previous(_ bench: InstallBench) -> String {
    bench.directory.path("app/.default.sqlite.previous")
  }

  private func updateAgainstWriter(_ bench: InstallBench, _ policy: UpdatePolicy) throws {
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE")
    var options = InstallOptions(policy: policy)
    options.lockTimeout = .milliseconds(20)
    #expect(throws: SeedError.self) { try bench.install(options) }
    try writer.execute("ROLLBACK")
  }

  @Test(arguments: [JournalMode.delete, .wal], [UpdatePolicy.replace, .merge])
  func `an update that fails leaves the copy of the one before`(
    mode: JournalMode, policy: UpdatePolicy
  ) throws {
    let bench = try replaced(mode)
    try updateAgainstWriter(bench, policy)
    #expect(try bench.items() == Self.second)
    #expect(try bench.items(at: previous(bench)) == Self.precious)
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == Self.precious)
  }

  @Test(arguments: [JournalMode.delete, .wal], [UpdatePolicy.replace, .merge])
  func `after an update that failed there is nothing to bring back`(
    mode: JournalMode, policy: UpdatePolicy
  ) throws {
    let bench = try InstallBench(isOwned: true)
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    try bench.renewSeed(isOwned: true)
    try updateAgainstWriter(bench, policy)
    try bench.write("INSERT INTO item VALUES (100, 'precious')")
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.reason == .nothingToRollBack)
    #expect(try bench.items() == Self.precious)
    #expect(
      try bench.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == [
        ".default.sqlite.install-lock", "default.sqlite",
      ])
  }

  @Test func `a reader that keeps the lock from a merge leaves the copy of the one before`() throws
  {
    let bench = try replaced(.delete)
    let reader = try Connection(path: bench.destination, mode: .readWrite)
    try reader.execute("BEGIN; SELECT count(*) FROM item")
    var options = InstallOptions(policy: .merge)
    options.lockTimeout = .milliseconds(20)
    #expect(throws: SeedError.self) { try bench.install(options) }
    try reader.execute("COMMIT")
    #expect(try bench.items(at: previous(bench)) == Self.precious)
    #expect(try bench.items() == Self.second)
    #expect(try bench.names.filter { $0.contains(".replacing-") } == [])
  }

  /// What a failure or a death may leave: the content of before with its copy, or the new content
  /// with the copy of the one that it replaced; also when the app has gone on with it.
  private func expectTruth(_ bench: InstallBench, _ name: Comment, after change: String) throws {
    try bench.write(change)
    let third = try bench.items()
    // The next call, of whatever policy, settles what is open.
    try bench.install(InstallOptions(policy: .keep))
    let copy = try bench.items(at: previous(bench))
    #expect(
      third == Self.second && copy == Self.precious || third == Self.third && copy == Self.second,
      name)
    #expect(try bench.names.filter { $0.contains(".replacing-") } == [], name)
    #expect(try bench.litter == [], name)
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == copy, name)
  }

  /// What an app may do that changes the schema or its version.
  private static let schemaChanges = ["", "CREATE TABLE migrated (x)", "VACUUM"]

  @Test(arguments: [JournalMode.delete, .wal], [UpdatePolicy.replace, .merge])
  func `each operation that fails leaves the content with its own copy`(
    mode: JournalMode, policy: UpdatePolicy
  ) throws {
    for extent in FaultyFiles.Extent.allCases {
      var number = 1
      while true {
        let bench = try replaced(mode)
        let faulty = FaultyFiles(failing: number, extent, code: 28)
        _ = try? bench.install(InstallOptions(policy: policy), files: faulty.files)
        try expectTruth(
          bench, "\(extent) \(number) \(faulty.calls.last.map { "\($0)" } ?? "")",
          after: Self.schemaChanges[number % 3])
        guard faulty.isReached else { break }
        number += 1
      }
      #expect(number > 30)
    }
  }

  @Test(arguments: [UpdatePolicy.replace, .merge], schemaChanges)
  func `a process that dies at any operation leaves the content with its own copy`(
    policy: UpdatePolicy, change: String
  ) async throws {
    for number in 20..<70 {
      let bench = try replaced(.delete)
      let (source, destination) = (bench.seedPath, bench.destination)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          source = source as String, destination = destination as String, number = number as Int,
          policy = policy.rawValue as String
        ] in
        let faulty = FaultyFiles { count, _ in
          if count == number { kill(getpid(), SIGKILL) }
        }
        _ = try Installation(
          seed: Seed(path: source), destination: destination,
          options: InstallOptions(policy: UpdatePolicy(rawValue: policy) ?? .keep),
          files: faulty.files, databases: .live(on: faulty.files),
          watch: InstallWatch(nil, onProgress: nil)
        ).run()
        kill(getpid(), SIGKILL)
      }
      try expectTruth(bench, "\(policy) \(number)", after: change)
    }
  }

  @Test func `a rollback in WAL mode leaves no log beside a copy that is to come`() throws {
    let bench = try replaced(.wal)
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == Self.precious)
    #expect(try bench.names.filter { $0.contains(".previous") } == [])
    let connection = try Connection(path: bench.destination, mode: .readWrite)
    #expect(try connection.scalarText("PRAGMA journal_mode") == "wal")
  }

  @Test func `the log of an old copy goes with it`() throws {
    let bench = try replaced(.wal)
    try bench.directory.write("old", to: "app/.default.sqlite.previous-wal")
    try bench.install(InstallOptions(policy: .replace))
    #expect(
      try bench.names.filter { $0.contains(".previous") } == [".default.sqlite.previous"])
    #expect(try bench.items(at: previous(bench)) == Self.second)
  }

  @Test(arguments: [UpdatePolicy.replace, .merge], ["", "-wal"])
  func `a folder in the copy's place is an error before anything is changed`(
    policy: UpdatePolicy, sibling: String
  ) throws {
    let bench = try InstallBench(isOwned: true)
    try bench.install()
    try bench.directory.makeDirectory("app/.default.sqlite.previous" + sibling)
    try bench.renewSeed(isOwned: true)
    let before = try bench.digest()
    let error = #expect(throws: SeedError.self) {
      try bench.install(InstallOptions(policy: policy))
    }
    #expect(error?.step == .keepPrevious)
    #expect(error?.reason == .isDirectory)
    #expect(error?.path == previous(bench) + sibling)
    #expect(try bench.digest() == before)
    #expect(try bench.names.filter { $0.contains(".replacing-") } == [])
  }

  @Test func `a rollback of a database that is gone says where its earlier content is`() throws {
    let bench = try replaced(.delete)
    try FileSystem.live.unlink(bench.destination)
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.reason == .destinationMissing(backup: previous(bench)))
    #expect(try bench.items(at: previous(bench)) == Self.precious)
  }

  @Test(arguments: [false, true])
  func `a database installed anew has no earlier content, which is moved aside`(
    isDamaged: Bool
  ) throws {
    let bench = try replaced(.delete)
    if isDamaged {
      try bench.directory.write("junk", to: "app/default.sqlite")
    } else {
      try FileSystem.live.unlink(bench.destination)
    }
    try bench.directory.write("neighbour", to: "app/.default.sqlite.previously")
    var options = InstallOptions()
    options.repair = true
    let result = try bench.install(options)
    let aside = try #require(result.quarantined.first)
    #expect(result.quarantined.count == 1)
    #expect(aside.hasSuffix("/.default.sqlite.previous"))
    #expect(try bench.items(at: aside) == Self.precious)
    #expect(try bench.names.contains(".default.sqlite.previously"))
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.reason == .nothingToRollBack)
  }
}
