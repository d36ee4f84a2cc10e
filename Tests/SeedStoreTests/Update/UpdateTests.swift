import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Every cell of the table: what is installed, which seed the app brings, and the policy.
@Suite struct UpdateTests {
  private static let old = ["row 1", "row 2", "row 3"]
  private static let new = ["new 1", "new 2", "new 3", "new 4", "new 5"]

  enum Installed: CaseIterable {
    case absent, pristine, modified, newer, older, foreign, unstampedCopy, damaged
  }

  enum Brought: CaseIterable {
    case same, newer, older, sameVersionOtherContent, otherName
  }

  enum Expected: Equatable {
    case installed, current, kept, merged, replaced, error
  }

  /// The table of the guide "Ship the database", cell by cell.
  private func expected(
    _ installed: Installed, _ brought: Brought, _ policy: UpdatePolicy
  ) -> Expected {
    switch (installed, brought, policy) {
    case (.absent, _, _): .installed
    case (.damaged, _, _): .error
    // Not from this seed: only what replaces in any case.
    case (.foreign, _, .replace), (.unstampedCopy, _, .replace), (_, .otherName, .replace):
      .replaced
    case (.foreign, _, _), (.unstampedCopy, _, _), (_, .otherName, _): .kept
    // The same, or the installed one is newer.
    case (.newer, _, _), (.pristine, .same, _), (.modified, .same, _), (.pristine, .older, _),
      (.modified, .older, _):
      .current
    case (_, _, .keep): .kept
    case (.modified, _, .replaceIfPristine): .kept
    case (_, _, .replaceIfPristine), (_, _, .replace): .replaced
    case (_, _, .merge): .merged
    }
  }

  private func bench(_ installed: Installed, _ brought: Brought, wal: Bool) throws -> InstallBench {
    let version = installed == .newer ? "20" : installed == .older ? "1" : "5"
    let bench = try InstallBench(version: version, isOwned: true)
    var options = InstallOptions()
    options.journalMode = wal ? .wal : .delete
    switch installed {
    case .absent: break
    case .pristine, .newer, .older: try bench.install(options)
    case .modified:
      try bench.install(options)
      try bench.write("INSERT INTO item VALUES (100, 'mine')")
    case .foreign:
      let connection = try Connection(path: bench.destination, mode: .create)
      try connection.execute(
        "PRAGMA journal_mode = \(wal ? "WAL" : "DELETE"); CREATE TABLE item (id, name)")
      try connection.close()
    case .unstampedCopy:
      try InstallBench.writeSeed(to: bench.destination, isStamped: false)
    case .damaged:
      try bench.directory.write(Array(repeating: 7, count: 2048), to: "app/default.sqlite")
    }
    switch brought {
    case .same where ["20", "1"].contains(version):
      try bench.renewSeed(rowCount: 3, prefix: "row", version: "5", isOwned: true)
    case .same: break
    case .newer: try bench.renewSeed(version: "10", isOwned: true)
    case .older: try bench.renewSeed(version: "4", isOwned: true)
    case .sameVersionOtherContent: try bench.renewSeed(version: "5", isOwned: true)
    case .otherName: try bench.renewSeed(version: "10", name: "other", isOwned: true)
    }
    return bench
  }

  @Test(arguments: Installed.allCases, Brought.allCases)
  func `each case has one outcome`(installed: Installed, brought: Brought) throws {
    for policy in UpdatePolicy.allCases {
      for wal in [false, true] {
        let bench = try bench(installed, brought, wal: wal)
        let name: Comment = "\(installed) \(brought) \(policy) wal \(wal)"
        let expected = expected(installed, brought, policy)
        if expected == .error {
          try expectRefusal(bench, policy, name)
          continue
        }
        let before = installed == .absent ? [] : try bench.items()
        let outcome = try bench.install(InstallOptions(policy: policy)).outcome
        #expect(kind(outcome) == expected, name)
        let own = installed == .modified ? ["mine"] : []
        let new = brought == .same ? Self.old : Self.new
        switch expected {
        case .installed, .error: #expect(try bench.items() == new, name)
        case .current, .kept: #expect(try bench.items() == before, name)
        case .merged: #expect(try bench.items() == new + own, name)
        case .replaced: #expect(try bench.items() == new, name)
        }
        if expected == .merged || expected == .replaced {
          try expectRollback(bench, policy, before, name)
        }
        #expect(try bench.litter == [], name)
      }
    }
  }

  private func kind(_ outcome: InstallOutcome) -> Expected {
    switch outcome {
    case .installed: .installed
    case .alreadyCurrent: .current
    case .kept: .kept
    case .merged: .merged
    case .replaced: .replaced
    case .lostRace, .repaired: .error
    }
  }

  private func expectRollback(
    _ bench: InstallBench, _ policy: UpdatePolicy, _ before: [String], _ name: Comment
  ) throws {
    let backup = bench.directory.path("app/.default.sqlite.previous")
    #expect(try bench.items(at: backup) == before, name)
    #expect(try bench.install(InstallOptions(policy: policy)).outcome == .alreadyCurrent, name)
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == before, name)
    // The database is again what it was: the next call does the same.
    #expect(try bench.install(InstallOptions(policy: .keep)).outcome != .alreadyCurrent, name)
  }

  private func expectRefusal(
    _ bench: InstallBench, _ policy: UpdatePolicy, _ name: Comment
  ) throws {
    let bytes = try bench.directory.bytes(of: "app/default.sqlite")
    let error = #expect(throws: SeedError.self) {
      try bench.install(InstallOptions(policy: policy))
    }
    #expect(error?.step == .probe, name)
    #expect(try bench.directory.bytes(of: "app/default.sqlite") == bytes, name)
    var options = InstallOptions(policy: policy)
    options.repair = true
    guard case .repaired = try bench.install(options).outcome else {
      Issue.record(name)
      return
    }
  }

  @Test func `a rollback without a replacement is an error`() throws {
    let bench = try InstallBench()
    try bench.install()
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.rollback(at: bench.destination)
    }
    #expect(error?.reason == .nothingToRollBack)
    #expect(throws: Never.self) { try SeedDatabase.discardPrevious(at: bench.destination) }
  }

  @Test func `the copy of the old content can be deleted`() throws {
    let bench = try InstallBench()
    try bench.install()
    try bench.renewSeed()
    try bench.install(InstallOptions(policy: .replace))
    try SeedDatabase.discardPrevious(at: bench.destination)
    #expect(try bench.names == [".default.sqlite.install-lock", "default.sqlite"])
    #expect(throws: SeedError.self) { try SeedDatabase.rollback(at: bench.destination) }
  }

  @Test(arguments: [false, true])
  func `connections that are open see the new content, or the old one`(wal: Bool) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = wal ? .wal : .delete
    try bench.install(options)
    let other = try Connection(path: bench.destination, mode: .readWrite)
    #expect(try other.scalarInteger("SELECT count(*) FROM item") == 3)
    try bench.renewSeed()
    try bench.install(InstallOptions(policy: .replaceIfPristine))
    #expect(try other.scalarInteger("SELECT count(*) FROM item") == 5)
    try other.execute("INSERT INTO item VALUES (100, 'mine')")
    #expect(try other.scalarText("PRAGMA integrity_check") == "ok")
    #expect(try other.scalarText("PRAGMA journal_mode") == (wal ? "wal" : "delete"))
  }

  @Test(arguments: [512, 1024, 8192], [false, true])
  func `the size of pages may differ`(pageSize: Int, wal: Bool) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = wal ? .wal : .delete
    try bench.install(options)
    let other = try Connection(path: bench.destination, mode: .readWrite)
    #expect(try other.scalarInteger("SELECT count(*) FROM item") == 3)
    try bench.renewSeed(pageSize: pageSize)
    try bench.install(InstallOptions(policy: .replace))
    #expect(try bench.items() == Self.new)
    #expect(try other.scalarText("PRAGMA integrity_check") == "ok")
  }

  @Test(arguments: [false, true])
  func `a writer in the middle of a transaction is waited for, and then an error`(
    wal: Bool
  ) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = wal ? .wal : .delete
    try bench.install(options)
    let writer = try Connection(path: bench.destination, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE; UPDATE item SET name = 'mine'")
    try bench.renewSeed()
    options = InstallOptions(policy: .replace)
    options.lockTimeout = .milliseconds(20)
    let error = #expect(throws: SeedError.self) { try bench.install(options) }
    #expect(error?.step == .replace)
    guard case .database(code: 5, _) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    try writer.execute("COMMIT")
    #expect(try bench.items() == ["mine", "mine", "mine"])
    #expect(try bench.litter == [])
  }

  @Test(arguments: [false, true])
  func `what is written between the look and the lock is never lost`(wal: Bool) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = wal ? .wal : .delete
    try bench.install(options)
    try bench.renewSeed()
    let path = bench.destination
    let written = Lock(false)
    // The copy of the old content is synchronized between the two.
    let faulty = FaultyFiles { _, call in
      guard call.operation == .fsync, call.path.contains(".staging-") else { return }
      let isFirst = written.withLock { done in
        defer { done = true }
        return !done
      }
      guard isFirst else { return }
      let writer = try? Connection(path: path, mode: .readWrite)
      try? writer?.execute("INSERT INTO item VALUES (100, 'mine')")
    }
    let outcome = try bench.install(
      InstallOptions(policy: .replaceIfPristine), files: faulty.files
    ).outcome
    guard case .kept = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try bench.items() == Self.old + ["mine"])
  }

  @Test(arguments: [false, true])
  func `others that write all the time do not keep a replacement from its end`(wal: Bool) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = wal ? .wal : .delete
    try bench.install(options)
    try bench.renewSeed()
    let path = bench.destination
    let written = Lock<[Int]>([])
    // Whenever the copy of the old content is complete somebody has written once more.
    let faulty = FaultyFiles { number, call in
      guard call.operation == .fsync, call.path.contains(".staging-") else { return }
      do {
        let writer = try Connection(path: path, mode: .readWrite)
        try writer.execute("INSERT INTO item VALUES (\(1000 + number), 'mine')")
        written.withLock { $0.append(number) }
      } catch {
        // Nobody can write any more: what is copied now is what is replaced.
      }
    }
    let outcome = try bench.install(InstallOptions(policy: .replace), files: faulty.files).outcome
    guard case .replaced(let backup) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try bench.items() == Self.new)
    let count = written.withLock { $0.count }
    #expect(count > 0)
    #expect(try bench.items(at: backup) == Self.old + Array(repeating: "mine", count: count))
    #expect(
      try Connection(path: backup, mode: .readOnly).scalarText("PRAGMA integrity_check") == "ok")
    try SeedDatabase.rollback(at: bench.destination)
    #expect(try bench.items() == Self.old + Array(repeating: "mine", count: count))
  }

  @Test func `a database in use in the other encoding is left alone`() throws {
    let bench = try InstallBench()
    let connection = try Connection(path: bench.destination, mode: .create)
    try connection.execute("PRAGMA encoding = 'UTF-16'; CREATE TABLE item (id, name)")
    let error = #expect(throws: SeedError.self) {
      try bench.install(InstallOptions(policy: .replace))
    }
    #expect(error?.reason == .encodingDiffers)
    #expect(try bench.items() == [])
  }

  @Test func `every operation of a replacement that fails leaves the old content or the new`()
    throws
  {
    var number = 1
    while true {
      let bench = try InstallBench()
      try bench.install()
      try bench.renewSeed()
      let faulty = FaultyFiles(failing: number, code: 28)
      _ = try? bench.install(InstallOptions(policy: .replace), files: faulty.files)
      guard faulty.isReached else { break }
      let items = try bench.items()
      #expect(items == Self.old || items == Self.new, "operation \(number)")
      try bench.install(InstallOptions(policy: .replace))
      #expect(try bench.items() == Self.new)
      #expect(try bench.litter == [], "operation \(number): \(faulty.calls[number - 1])")
      number += 1
    }
    #expect(number > 30)
  }

  @Test func `the preparation of the new content runs, and the identifier is a new one`() throws {
    let bench = try InstallBench()
    try bench.install()
    try bench.renewSeed()
    var options = InstallOptions(policy: .replace)
    options.prepare = { path in
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("CREATE TABLE mine (x)")
      try connection.close()
    }
    try bench.install(options)
    let connection = try Connection(path: bench.destination, mode: .readOnly)
    #expect(try connection.scalarInteger("SELECT count(*) FROM mine") == 0)
    #expect(try InstallRecord.read(from: connection) != nil)
  }
}
