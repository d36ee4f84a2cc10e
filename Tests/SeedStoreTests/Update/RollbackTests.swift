import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Bringing back the earlier content: once, whole, and only what can be brought back.
@Suite struct RollbackTests {
  private static let precious = ["row 1", "row 2", "row 3", "precious"]
  private static let second = ["new 1", "new 2", "new 3", "new 4", "new 5"]

  /// A database whose content was replaced once, while the user's row is in the copy.
  private func replaced(
    _ mode: JournalMode, rowCount: Int = 3, isStamped: Bool = true
  ) throws -> InstallBench {
    let bench = try InstallBench(rowCount: rowCount, isStamped: isStamped)
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    try bench.write("INSERT INTO item VALUES (100, 'precious')")
    try FileSystem.live.unlink(bench.seedPath)
    try InstallBench.writeSeed(
      to: bench.seedPath, rowCount: 5, prefix: "new", version: "2", isStamped: isStamped)
    try bench.install(InstallOptions(policy: .replace))
    #expect(try bench.items() == Self.second)
    return bench
  }

  private func previous(_ bench: InstallBench) -> String {
    bench.directory.path("app/.default.sqlite.previous")
  }

  private func copies(_ bench: InstallBench) throws -> [String] {
    try bench.names.filter {
      $0.contains(".previous") || $0.contains(".returning-") || $0.contains(".replacing-")
    }
  }

  // MARK: Death

  @Test(arguments: [JournalMode.delete, .wal], [true, false])
  func `one whose process dies at any operation is done once, or not at all`(
    mode: JournalMode, isStamped: Bool
  ) async throws {
    var outcomes: Set<Bool> = []
    for number in 1..<45 {
      let bench = try replaced(mode, isStamped: isStamped)
      let destination = bench.destination
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [destination = destination as String, number = number as Int] in
        let faulty = FaultyFiles { count, _ in
          if count == number { kill(getpid(), SIGKILL) }
        }
        let place = try InstallPlace.find(
          destination, makesFolder: false, durability: .full, on: faulty.files)
        try place.map {
          try ContentUpdate(
            place: $0, files: faulty.files, databases: .live(on: faulty.files),
            options: InstallOptions(), watch: InstallWatch(nil, onProgress: nil)
          ).rollBack()
        }
        kill(getpid(), SIGKILL)
      }
      let isDone = try bench.items() == Self.precious
      outcomes.insert(isDone)
      #expect(try isDone || bench.items() == Self.second)
      try bench.write("INSERT INTO item VALUES (9000, 'after')")
      if isDone, try copies(bench) == [] { continue }
      try SeedDatabase.rollback(at: bench.destination)
      #expect(try bench.items() == Self.precious + (isDone ? ["after"] : []), "\(number)")
      #expect(try copies(bench) == [], "\(number)")
    }
    #expect(outcomes == [true, false])
  }

  @Test func `a copy that was about to be brought back goes on waiting for a database`() throws {
    let bench = try replaced(.delete)
    let waiting = bench.directory.path("app/.default.sqlite.returning-4-0123456789ab")
    try FileSystem.live.rename(previous(bench), waiting)
    try FileSystem.live.unlink(bench.destination)
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.reason == .destinationMissing(backup: waiting))
    #expect(try bench.items(at: waiting) == Self.precious)
  }

  @Test(arguments: [[], Array("no database at all".utf8)])
  func `a database that is emptied or overwritten is an error that names the copy`(
    bytes: [UInt8]
  ) throws {
    let bench = try replaced(.delete)
    try bench.directory.write(bytes, to: "app/default.sqlite")
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    guard case .destinationUnusable(_, previous(bench)) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.message.contains(previous(bench)) == true)
    #expect(try copies(bench) == [".default.sqlite.previous"])
    #expect(try bench.items(at: previous(bench)) == Self.precious)
  }

  @Test func `one whose process died is finished by the next call, with the policy keep too`()
    async throws
  {
    let bench = try replaced(.delete)
    let destination = bench.destination
    await #expect(processExitsWith: .signal(SIGKILL)) { [destination = destination as String] in
      let faulty = FaultyFiles { _, call in
        // It is back, and its copy is about to go.
        if call.operation == .unlink, call.path.contains(".returning-") { kill(getpid(), SIGKILL) }
      }
      let place = try InstallPlace.find(
        destination, makesFolder: false, durability: .full, on: faulty.files)
      guard let place else { return }
      let lock = try InstallLock.acquire(
        place, milliseconds: 0, on: faulty.files, checkCancellation: { () throws(SeedError) in })
      try ContentUpdate(
        place: place, files: faulty.files, databases: .live(on: faulty.files),
        options: InstallOptions(), watch: InstallWatch(nil, onProgress: nil)
      ).rollBack(lock)
    }
    #expect(try copies(bench).contains { $0.contains(".returning-") })
    #expect(try bench.items() == Self.precious)
    try bench.install()
    #expect(try copies(bench) == [])
    #expect(
      try InstallPlace.find(
        destination, makesFolder: false, durability: .full, on: .live
      ).map { InstallLock.isMarked($0, on: .live) } == false)
  }

  // MARK: What is found

  @Test(arguments: [0, 50, 700, 2 * 512])
  func `a copy that is cut off is an error that names it, and nothing is changed`(
    byteCount: Int
  ) throws {
    let bench = try replaced(.delete)
    let bytes = try bench.directory.bytes(of: "app/.default.sqlite.previous")
    try bench.directory.write(
      Array(bytes.prefix(byteCount)), to: "app/.default.sqlite.previous")
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.path == previous(bench))
    switch error?.reason {
    case .notADatabase(let looksLike):
      #expect(byteCount < 100)
      #expect(byteCount > 0 || looksLike == "an empty file")
    case .wrongSize(Int64(bytes.count), Int64(byteCount)): #expect(byteCount >= 100)
    default: Issue.record("\(String(describing: error))")
    }
    #expect(error?.hint?.contains("--discard-previous") == true)
    #expect(try bench.items() == Self.second)
    #expect(try copies(bench) == [".default.sqlite.previous"])
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a copy with a damaged page is an error that names it, and nothing is changed`(
    mode: JournalMode
  ) throws {
    let bench = try replaced(mode, rowCount: 99)
    var bytes = try bench.directory.bytes(of: "app/.default.sqlite.previous")
    for index in (3 * 512)..<(4 * 512) { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
    try bench.directory.write(bytes, to: "app/.default.sqlite.previous")
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.path == previous(bench))
    guard case .failedCheck = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try bench.items() == Self.second)
    #expect(try copies(bench) == [".default.sqlite.previous"])
    try SeedDatabase.discardPrevious(at: bench.destination)
    #expect(try copies(bench) == [])
  }

  @Test func `without a database and a copy nothing is made`() throws {
    let bench = try InstallBench()
    for path in [bench.destination, bench.directory.path("nowhere/default.sqlite")] {
      let error = #expect(throws: SeedError.self) { try SeedDatabase.rollback(at: path) }
      #expect(error?.reason == .databaseMissing)
      try SeedDatabase.discardPrevious(at: path)
    }
    #expect(try bench.names == [])
  }

  // MARK: Page sizes

  @Test(arguments: [JournalMode.delete, .wal], [512, 4096])
  func `a seed in WAL mode takes the page size of what it replaces, and gives way to it`(
    mode: JournalMode, pageSize: Int
  ) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    try bench.write("INSERT INTO item VALUES (100, 'precious')")
    try bench.renewSeed(pageSize: pageSize)
    let seed = try Connection(path: bench.seedPath, mode: .readWrite)
    try seed.execute("PRAGMA journal_mode = WAL")
    try seed.close()
    try bench.install(InstallOptions(policy: .replace))
    #expect(try bench.items() == Self.second)
    let connection = try Connection(path: bench.destination, mode: .readWrite)
    #expect(try connection.scalarInteger("PRAGMA page_size") == 512)
    try connection.close()
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == Self.precious)
  }

  @Test(arguments: [JournalMode.delete, .wal], [JournalMode.delete, .wal])
  func `content comes back into a database that has other pages since`(
    before: JournalMode, after: JournalMode
  ) throws {
    let bench = try replaced(before)
    try bench.write(
      """
      PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM;
      PRAGMA journal_mode = \(after.rawValue)
      """)
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == Self.precious)
    let connection = try Connection(path: bench.destination, mode: .readWrite)
    #expect(try connection.scalarText("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `content with a collation that only the app has comes back`(mode: JournalMode) throws {
    let seed = try MergeSeed(mode: mode)
    let app = try Connection(path: seed.bench.destination, mode: .readWrite)
    try app.addByteOrderCollation()
    try app.execute(
      """
      CREATE TABLE own(word TEXT COLLATE \(Connection.byteOrderCollation));
      CREATE INDEX own_word ON own(word); INSERT INTO own VALUES ('b'), ('a');
      """)
    try app.close()
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    try seed.merge()
    try SeedDatabase.rollback(at: seed.bench.destination)
    #expect(try seed.rows("SELECT code FROM product") == ["a", "b", "c"])
    #expect(try seed.rows("SELECT count(*) FROM own") == ["2"])
    #expect(try copies(seed.bench) == [])
  }

  @Test(arguments: ["fifo", "link", "folder"])
  func `what is no file in the copy's place is an error, and not waited for`(kind: String) throws {
    let bench = try replaced(.delete)
    let path = previous(bench)
    try FileSystem.live.rename(path, bench.directory.path("app/copy"))
    switch kind {
    case "fifo": #expect(mkfifo(path, 0o600) == 0)
    case "link": #expect(symlink(bench.directory.path("app/copy"), path) == 0)
    default: try bench.directory.makeDirectory("app/.default.sqlite.previous")
    }
    for isRollback in [true, false] {
      let error = #expect(throws: SeedError.self) {
        if isRollback {
          try SeedDatabase.rollback(at: bench.destination)
        } else {
          try SeedDatabase.discardPrevious(at: bench.destination)
        }
      }
      #expect(error?.path == path)
      #expect(error?.hint?.hasPrefix("move it aside") == true)
      switch (kind, error?.reason) {
      case ("fifo", .notARegularFile?), ("link", .isSymbolicLink?), ("folder", .isDirectory?): break
      default: Issue.record("\(String(describing: error))")
      }
    }
    #expect(try bench.items() == Self.second)
    #expect(try bench.names.contains(".default.sqlite.previous"))
  }
}
