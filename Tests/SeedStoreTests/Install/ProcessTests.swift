import Foundation
import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What only several processes can show.
@Suite struct ProcessTests {
  @Test(arguments: 1...2)
  func `of many processes one installs, and no row of any is lost`(round: Int) async throws {
    let bench = try InstallBench(rowCount: 2000, pageSize: 4096)
    let (source, destination) = (bench.seedPath, bench.destination)
    let count = 24
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [source = source as String, destination = destination as String, number = number as Int]
            in
            _ = try SeedDatabase.install(Seed(path: source), at: destination)
            let connection = try Connection(path: destination, mode: .readWrite)
            connection.setBusyTimeout(milliseconds: 60_000)
            try connection.execute("INSERT INTO item VALUES (\(10_000 + number), 'mine')")
            try connection.close()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try bench.items().count == 2000 + count)
    #expect(try bench.items().filter { $0 == "mine" }.count == count)
    #expect(try bench.litter == [])
  }

  /// Whether another process can write while this one is in the middle of a transaction.
  private func canAnotherWrite(_ path: String) async throws -> Bool {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = path as String] in
      let other = try Connection(path: path, mode: .readWrite)
      do {
        try other.execute("INSERT INTO item VALUES (777, 'theirs')")
        print("written")
      } catch {
        print("refused")
      }
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    return output.contains("written")
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a launch in the middle of a transaction does not drop its locks`(
    mode: JournalMode
  ) async throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE; INSERT INTO item VALUES (9, 'mine')")
    #expect(try bench.install().outcome == .alreadyCurrent)
    try bench.renewSeed()
    guard case .kept = try bench.install().outcome else {
      Issue.record("not kept")
      return
    }
    #expect(try await !canAnotherWrite(bench.destination))
    try writer.execute("COMMIT")
    #expect(try bench.items() == ["row 1", "row 2", "row 3", "mine"])
  }

  @Test func `a look at the file by a descriptor of one's own drops them`() async throws {
    let bench = try InstallBench()
    try bench.install()
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE; INSERT INTO item VALUES (9, 'mine')")
    _ = try FileSystem.live.bytes(of: bench.destination, limit: 4)
    // What the library must not do: the other process writes in the middle of the transaction.
    #expect(try await canAnotherWrite(bench.destination))
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a process that dies anywhere leaves a database or none`(mode: JournalMode) async throws {
    for number in stride(from: 1, through: 60, by: 7) {
      let bench = try InstallBench()
      let (source, destination) = (bench.seedPath, bench.destination)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          source = source as String, destination = destination as String, number = number as Int,
          mode = mode.rawValue as String
        ] in
        let faulty = FaultyFiles { count, _ in
          if count == number { kill(getpid(), SIGKILL) }
        }
        var options = InstallOptions()
        options.journalMode = JournalMode(rawValue: mode) ?? .asBuilt
        _ = try Installation(
          seed: Seed(path: source), destination: destination, options: options,
          files: faulty.files, databases: .live(on: faulty.files),
          watch: InstallWatch(nil, onProgress: nil)
        ).run()
        kill(getpid(), SIGKILL)
      }
      #expect(try bench.isAbsentOrComplete(["row 1", "row 2", "row 3"]))
      try bench.install()
      #expect(try bench.items().count == 3)
      #expect(try bench.litter == [])
    }
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `a process that dies while it replaces leaves the old content or the new`(
    mode: JournalMode
  ) async throws {
    for number in stride(from: 1, through: 90, by: 8) {
      let bench = try InstallBench()
      var options = InstallOptions()
      options.journalMode = mode
      try bench.install(options)
      try bench.renewSeed()
      let (source, destination) = (bench.seedPath, bench.destination)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [source = source as String, destination = destination as String, number = number as Int]
        in
        let faulty = FaultyFiles { count, _ in
          if count == number { kill(getpid(), SIGKILL) }
        }
        _ = try Installation(
          seed: Seed(path: source), destination: destination,
          options: InstallOptions(policy: .replace), files: faulty.files,
          databases: .live(on: faulty.files), watch: InstallWatch(nil, onProgress: nil)
        ).run()
        kill(getpid(), SIGKILL)
      }
      let count = try bench.items().count
      #expect(count == 3 || count == 5)
      try bench.install(InstallOptions(policy: .replace))
      #expect(try bench.items().count == 5)
      #expect(try bench.litter == [])
    }
  }
}
