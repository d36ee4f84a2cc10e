import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

@Suite struct DestinationTests {
  private let rows = ["row 1", "row 2", "row 3"]

  @Test(arguments: ["", "/", "app/", ".", "..", "a\0b"])
  func `what names no file is an error`(path: String) throws {
    let bench = try InstallBench()
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.install(bench.seed, at: path)
    }
    #expect(error?.step == .resolve)
    #expect(error?.reason == .notAFileName)
  }

  @Test func `a symbolic link is not followed`() throws {
    let bench = try InstallBench()
    for target in ["nowhere", "default.sqlite", bench.seedPath] {
      try bench.directory.link("app/default.sqlite", to: target)
      let error = #expect(throws: SeedError.self) { try bench.install() }
      #expect(error?.step == .probe)
      #expect(error?.reason == .isSymbolicLink)
      try FileSystem.live.unlink(bench.destination)
    }
  }

  @Test func `the seed itself is no destination, by whatever name`() throws {
    let bench = try InstallBench()
    try FileSystem.live.link(bench.seedPath, bench.destination)
    for path in [bench.seedPath, bench.directory.path("app/../bundle/default.sqlite")]
      + [bench.destination]
    {
      for policy in UpdatePolicy.allCases {
        let error = #expect(throws: SeedError.self) {
          try SeedDatabase.install(bench.seed, at: path, options: InstallOptions(policy: policy))
        }
        #expect(error?.reason == .isTheSeed)
      }
    }
    #expect(try FileSystem.live.names(bench.directory.path("bundle")) == ["default.sqlite"])
  }

  @Test func `a folder and a pipe are no databases, and nothing waits for them`() throws {
    let bench = try InstallBench()
    try bench.directory.makeDirectory("app/default.sqlite")
    #expect(throws: SeedError.self) { try bench.install() }
    try FileManager.default.removeItem(atPath: bench.destination)
    mkfifo(bench.destination, 0o600)
    let error = #expect(throws: SeedError.self) { try bench.install() }
    #expect(error?.reason == .notARegularFile)
  }

  @Test func `a folder above may be a link, a file above is an error`() throws {
    let bench = try InstallBench()
    try bench.directory.link("link", to: "app")
    let result = try SeedDatabase.install(
      bench.seed, at: bench.directory.path("link/default.sqlite"))
    #expect(result.path == bench.destination)
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.install(bench.seed, at: bench.seedPath + "/x.sqlite")
    }
    #expect(error?.step == .resolve)
    #expect(error?.errno == ENOTDIR)
  }

  @Test(arguments: [
    "with spaces.sqlite", "a#?%.sqlite", "😀.sqlite", "é.sqlite", "e\u{301}.sqlite", "'\".sqlite",
    ":memory:", "file:x", String(repeating: "n", count: 247), String(repeating: "é", count: 120),
  ])
  func `any name will do`(name: String) throws {
    let bench = try InstallBench()
    let path = bench.directory.path("app/" + name)
    let result = try SeedDatabase.install(bench.seed, at: path)
    #expect(result.path == path)
    #expect(try bench.names.contains(name))
    #expect(try SeedDatabase.install(bench.seed, at: path).outcome == .alreadyCurrent)
    #expect(try bench.names.count == 2)
  }

  @Test(arguments: [248, 255, 300])
  func `a name that leaves no room for SQLite's journal is an error`(byteCount: Int) throws {
    let bench = try InstallBench()
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.install(
        bench.seed, at: bench.directory.path("app/" + String(repeating: "n", count: byteCount)))
    }
    #expect(error?.reason == .nameTooLong(byteCount: byteCount, limit: 247))
    #expect(error?.hint == "give a shorter name")
    #expect(try bench.names == [])
  }

  /// What a user, a crash or another program may have left there.
  private static let unusable: [(String, [UInt8])] = [
    ("empty", []), ("one byte", [0]), ("text", Array("hello".utf8)),
    ("zeros", [UInt8](repeating: 0, count: 4096)), ("magic", Array("SQLite format 3\0".utf8)),
  ]

  @Test(arguments: unusable.indices)
  func `an unusable file is refused, and moved aside when that is asked for`(index: Int) throws {
    let bench = try InstallBench()
    let bytes = Self.unusable[index].1
    try bench.directory.write(bytes, to: "app/default.sqlite")
    try bench.directory.write("log", to: "app/default.sqlite-wal")
    for policy in UpdatePolicy.allCases {
      let error = #expect(throws: SeedError.self) {
        try bench.install(InstallOptions(policy: policy))
      }
      #expect(error?.step == .probe)
      #expect(error?.hint?.contains("repair") == true)
      #expect(try bench.directory.bytes(of: "app/default.sqlite") == bytes)
    }
    var options = InstallOptions()
    options.repair = true
    let result = try bench.install(options)
    guard case .repaired(let path) = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(try FileSystem.live.bytes(of: path, limit: 10_000) == bytes)
    #expect(try FileSystem.live.bytes(of: path + "-wal", limit: 10_000) == Array("log".utf8))
    #expect(try bench.items() == rows)
    #expect(try bench.install(options).outcome == .alreadyCurrent)
  }

  @Test func `a truncated database is found at every page`() throws {
    let bench = try InstallBench()
    try bench.install()
    let whole = try bench.directory.bytes(of: "app/default.sqlite")
    for count in stride(from: 512, to: whole.count, by: 512) {
      for length in [count - 1, count, count + 1] {
        try bench.directory.write(Array(whole[..<length]), to: "app/default.sqlite")
        let error = #expect(throws: SeedError.self, "\(length) bytes") { try bench.install() }
        #expect(error?.step == .probe)
      }
    }
    try bench.directory.write(Array(whole.dropLast()), to: "app/default.sqlite")
    #expect(throws: SeedError.self) { try bench.install() }
  }

  @Test func `a database without tables is unusable, one with others is kept`() throws {
    let bench = try InstallBench()
    let connection = try Connection(path: bench.destination, mode: .create)
    try connection.execute("PRAGMA user_version = 1")
    #expect(throws: SeedError.self) { try bench.install() }
    try connection.execute("CREATE TABLE mine (x)")
    let result = try bench.install()
    guard case .kept(let newer) = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(newer.name == "shop")
    #expect(newer.version == "1")
  }

  @Test func `a stamp of a later version is kept, never repaired`() throws {
    let bench = try InstallBench()
    try bench.install()
    try bench.write("UPDATE _seed SET format = 2")
    var options = InstallOptions()
    options.repair = true
    guard case .kept = try bench.install(options).outcome else {
      Issue.record("not kept")
      return
    }
    #expect(try bench.items() == rows)
  }

  // MARK: Logs of earlier databases

  /// Leaves the `-wal` of a killed writer in the app's folder, with a row of its own.
  private func leaveLog(_ bench: InstallBench) throws {
    let path = bench.directory.path("old.sqlite")
    try InstallBench.writeSeed(to: path, prefix: "old")
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute(
      "PRAGMA journal_mode = WAL; UPDATE item SET name = 'stale'; CREATE TABLE extra (x)")
    for suffix in ["-wal", "-shm"] {
      try bench.directory.write(
        bench.directory.bytes(of: "old.sqlite" + suffix), to: "app/default.sqlite" + suffix)
    }
  }

  @Test func `the log of an earlier database is moved aside and not replayed`() throws {
    let bench = try InstallBench()
    try leaveLog(bench)
    let result = try bench.install()
    #expect(try bench.items() == rows)
    #expect(result.quarantined.count == 2)
    for path in result.quarantined {
      #expect(try FileSystem.live.status(path)?.kind == .regular)
      #expect(path.contains("/.default.sqlite.orphaned-"))
    }
  }

  @Test(arguments: NaiveLoader.allCases)
  func `a naive loader shows the rows of the earlier database`(loader: NaiveLoader) throws {
    let bench = try InstallBench()
    try leaveLog(bench)
    try loader.run(bench.seedPath, bench.destination, .live)
    #expect(try bench.items() != rows)
  }

  @Test func `siblings that are folders or empty are moved, too`() throws {
    let bench = try InstallBench()
    try bench.directory.makeDirectory("app/default.sqlite-journal")
    try bench.directory.write([], to: "app/default.sqlite-wal")
    let result = try bench.install()
    #expect(result.quarantined.count == 2)
    #expect(try bench.items() == rows)
  }

  @Test func `the log of a database that is there is never touched`() throws {
    let bench = try InstallBench()
    try bench.install()
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL; INSERT INTO item VALUES (4, 'mine')")
    #expect(try bench.install().outcome == .alreadyCurrent)
    let log = try requireDigest(bench.destination + "-wal")
    #expect(try bench.install().outcome == .alreadyCurrent)
    #expect(try requireDigest(bench.destination + "-wal") == log)
    try writer.close()
    #expect(try bench.items() == rows + ["mine"])
  }

  /// An installed database in WAL mode whose row `mine` is in the log alone, and a newer seed.
  private func benchInUse() throws -> (bench: InstallBench, writer: Connection) {
    let bench = try InstallBench(isOwned: true)
    var options = InstallOptions()
    options.journalMode = .wal
    try bench.install(options)
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute(
      "PRAGMA wal_autocheckpoint = 0; INSERT INTO item VALUES (100, 'mine'); CREATE TABLE x (y)")
    try bench.renewSeed(rowCount: 90, isOwned: true)
    return (bench, writer)
  }

  @Test(arguments: [UpdatePolicy.keep, .merge])
  func `the log of a database in use survives a newer seed`(policy: UpdatePolicy) throws {
    let (bench, writer) = try benchInUse()
    try bench.install(InstallOptions(policy: policy))
    #expect(try bench.items().last == "mine")
    #expect(try bench.items().count == (policy == .keep ? 4 : 91))
    #expect(try writer.scalarInteger("SELECT count(*) FROM x") == 0)
    #expect(try writer.scalarText("PRAGMA integrity_check") == "ok")
  }

  @Test func `a file that is put over a database in use loses the rows of its log`() throws {
    let (bench, writer) = try benchInUse()
    try NaiveLoader.replace(bench.seedPath, bench.destination, .live)
    let isWhole: Bool
    do {
      let connection = try Connection(path: bench.destination, mode: .readWrite)
      isWhole =
        try connection.scalarText("PRAGMA integrity_check") == "ok"
        && bench.items().contains("mine")
    } catch {
      isWhole = false
    }
    #expect(!isWhole)
    withExtendedLifetime(writer) {}
  }

  @Test func `a hot journal is rolled back as the app's own connection would`() throws {
    let bench = try InstallBench(rowCount: 2000)
    try bench.install()
    let before = try bench.items()
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute("PRAGMA cache_size = 1; BEGIN; UPDATE item SET name = 'half'")
    // What a crash would leave: part of the new pages, and the old ones in the journal.
    let torn = try bench.directory.bytes(of: "app/default.sqlite")
    let journal = try bench.directory.bytes(of: "app/default.sqlite-journal")
    try writer.execute("ROLLBACK")
    try writer.close()
    try bench.directory.write(journal, to: "app/default.sqlite-journal")
    try bench.directory.write(torn, to: "app/default.sqlite")
    #expect(try bench.install().outcome == .alreadyCurrent)
    #expect(try bench.items() == before)
  }
}
