import Foundation
import SeedFiles
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

/// Whatever operation on a file fails, or is the last one before the process dies: the head is the
/// old one or the new one, all that it names is there, and the next run goes on from there.
@Suite struct PublishFaultTests {
  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, u INTEGER UNIQUE);
    INSERT INTO t VALUES(1, 'a', 1), (2, 'b', 2), (3, 'c', 3);
    """

  /// A bench with a history of which the next publication merges segments, writes a snapshot and
  /// deletes garbage.
  private func bench() throws -> PublishBench {
    let bench = try PublishBench(fanOut: 2)
    bench.options.keepDays = 0
    try bench.publish(try bench.database(Self.schema))
    for step in 2...3 {
      bench.time += 86400
      try bench.publish(after: "UPDATE t SET v = 'step \(step)' WHERE id = \(step - 1)")
    }
    bench.time += 86400
    return bench
  }

  /// A copy of a bench, to be changed.
  private func copy(of bench: PublishBench) throws -> PublishBench {
    let copy = try PublishBench(fanOut: bench.options.fanOut)
    for name in try bench.directory.names {
      try FileManager.default.copyItem(
        atPath: bench.directory.path(name), toPath: copy.directory.path(name))
    }
    copy.options = bench.options
    copy.time = bench.time
    return copy
  }

  /// Fails unless the head and all that it names are whole.
  private func checkWhole(_ bench: PublishBench) throws {
    let head = try bench.head()
    for segment in head.segments { _ = try bench.text(of: segment) }
    let snapshot = try #require(head.snapshot)
    _ = try Archive.unpacked(bench.object(snapshot.sha256), size: Int(snapshot.plainSize))
  }

  @Test(arguments: FaultyFiles.Extent.allCases)
  func `every operation may fail`(extent: FaultyFiles.Extent) throws {
    let prepared = try bench()
    try prepared.database("UPDATE t SET v = hex(zeroblob(200)), u = -u")
    _ = try prepared.unpositioned("new.sqlite")
    let old = try prepared.head()
    var isReached = true
    var number = 0
    var failures = 0
    while isReached {
      number += 1
      let bench = try copy(of: prepared)
      let path = bench.directory.path("copy.sqlite")
      let faulty = FaultyFiles(failing: number, extent)
      var result: PublishResult?
      do {
        result = try bench.publish(path, files: faulty.files)
      } catch {
        failures += 1
      }
      isReached = faulty.isReached
      let head = try bench.head()
      try checkWhole(bench)
      #expect(head.position == old.position || head.position.seq == old.position.seq + 1)
      if let result { #expect(head.position == result.position) }
      if head.position == old.position { #expect(head == old) }
      // The next run ends what this one began.
      let again = try bench.publish(path)
      #expect(again.position.seq == old.position.seq + 1)
      #expect(try bench.position(of: path) == again.position)
      try checkWhole(bench)
      let names = try bench.directory.names.filter { $0.contains(".seed-") }
      #expect(names.isEmpty, "\(names) after operation \(number)")
      #expect(try bench.objects().filter { $0.contains(".seed-") }.isEmpty)
    }
    #expect(number > 60)
    #expect(failures > 50)
  }

  @Test(arguments: FaultyFiles.Extent.allCases)
  func `every operation of a first publication may fail`(extent: FaultyFiles.Extent) throws {
    var isReached = true
    var number = 0
    while isReached {
      number += 1
      let bench = try PublishBench()
      let path = try bench.database(Self.schema)
      let faulty = FaultyFiles(failing: number, extent)
      do {
        try bench.publish(path, files: faulty.files)
      } catch {
        #expect(error is StreamPublishError)
      }
      isReached = faulty.isReached
      let isThere = FileManager.default.fileExists(atPath: bench.folder + "/head.json")
      if isThere { try checkWhole(bench) }
      let position = try bench.publish(path).position
      #expect(position.seq == 1)
      #expect(try bench.position(of: path) == position)
      try checkWhole(bench)
    }
    #expect(number > 30)
  }

  @Test func `a crash between the head and the position is mended by the next run`() throws {
    let bench = try bench()
    try bench.database("UPDATE t SET v = 'last'")
    let path = try bench.unpositioned("new.sqlite")
    // A copy of what the run is given: the head is new then, the database without a position.
    let copy = bench.directory.path("crashed.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let position = try bench.publish(path).position
    let result = try bench.publish(copy)
    #expect(!result.isNew)
    #expect(try bench.position(of: copy) == position)
  }

  @Test func `a database that stood at the head before and has the new one's content is mended`()
    throws
  {
    let bench = try bench()
    let path = try bench.unpositioned("new.sqlite")
    _ = try bench.publish(path)
    // The copy stands at the head of before and has the changes of the next: as a run leaves it that
    // is killed when the head is new and the database's position is not.
    let copy = bench.directory.path("crashed.sqlite")
    for (database, value) in [(path, "last"), (path, "more")] {
      let connection = try Connection(path: database, mode: .readWrite)
      try connection.execute("UPDATE t SET v = '\(value)'")
      try connection.close()
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: database, toPath: copy)
      let position = try bench.publish(path).position
      let result = try bench.publish(copy)
      #expect(!result.isNew)
      #expect(try bench.position(of: copy) == position)
    }
    // With another content it is still refused.
    let old = bench.directory.path("old.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: old)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("UPDATE t SET v = 'new head'")
    try connection.close()
    _ = try bench.publish(path)
    #expect(throws: StreamPublishError.self) { try bench.publish(old) }
  }

  @Test func `of two publishers one waits, and each change is a checkpoint`() async throws {
    let bench = try bench()
    var options = bench.options
    options.lockTimeoutMilliseconds = 30_000
    options.time = bench.time
    let seq = try bench.head().position.seq
    var paths: [String] = []
    for number in 0..<4 {
      try bench.database("UPDATE t SET v = 'from \(number)'")
      paths.append(try bench.unpositioned("new.sqlite", as: "race-\(number).sqlite"))
    }
    let (target, sealed) = (bench.target, options)
    let results = try await withThrowingTaskGroup(of: PublishResult.self) { group in
      for path in paths {
        group.addTask { try StreamPublisher(sealed).publish(path, to: target) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results.map(\.position.seq)) == Set(seq + 1...seq + 4))
    #expect(try bench.head().position.seq == seq + 4)
    for path in paths { #expect(try bench.position(of: path) != nil) }
    try checkWhole(bench)
  }

  @Test func `who does not get the stream in time says so and changes nothing`() throws {
    let bench = try bench()
    let files = FileSystem.live
    let descriptor = try files.open(bench.folder, .directory)
    defer { files.close(descriptor) }
    #expect(try files.tryLock(descriptor, bench.folder))
    let head = try bench.head()
    let error = #expect(throws: StreamPublishError.self) {
      try bench.publish(after: "UPDATE t SET v = 'no'")
    }
    #expect(error?.reason == .locked)
    #expect(try bench.head() == head)
  }

  @Test func `a database that others write to is not published`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema)
    let writer = try Connection(path: path, mode: .readWrite)
    try writer.execute("BEGIN IMMEDIATE; UPDATE t SET v = 'half'")
    let error = #expect(throws: StreamPublishError.self) { try bench.publish(path) }
    guard case .database(let cause)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.isBusy)
    try writer.execute("ROLLBACK")
    #expect(try bench.publish(path).isNew)
  }
}
