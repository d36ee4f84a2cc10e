import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Several callers at once: one installs, and all open the same file.
@Suite struct RaceTests {
  private let rows = ["row 1", "row 2", "row 3"]

  @Test func `of many threads one installs`() async throws {
    let bench = try InstallBench()
    let outcomes = try await withThrowingTaskGroup(of: InstallOutcome.self) { group in
      for _ in 0..<16 {
        group.addTask { try bench.install().outcome }
      }
      return try await group.reduce(into: [InstallOutcome]()) { $0.append($1) }
    }
    let others = outcomes.filter { $0 == .alreadyCurrent }
    #expect(others.count == 15)
    #expect(try bench.items() == rows)
    #expect(try bench.litter == [])
  }

  @Test(
    arguments: [
      [.flock: ENOLCK], [.flock: ENOLCK, .renameExclusively: EINVAL],
    ] as [[FileError.Operation: Int32]])
  func `without locks it is still one`(unsupported: [FileError.Operation: Int32]) async throws {
    let bench = try InstallBench()
    let faulty = FaultyFiles(unsupported: unsupported)
    let files = faulty.files
    let results = try await withThrowingTaskGroup(of: InstallResult.self) { group in
      for _ in 0..<16 {
        group.addTask { try bench.install(files: files) }
      }
      return try await group.reduce(into: [InstallResult]()) { $0.append($1) }
    }
    #expect(results.count { $0.publishMethod != nil } == 1)
    #expect(results.allSatisfy { $0.outcome == .alreadyCurrent || !$0.isLocked })
    #expect(try bench.items() == rows)
    #expect(try bench.litter == [])
  }

  /// Does something right before the copy gets its name.
  private func files(
    beforePublishing body: @escaping @Sendable () -> Void
  ) -> FileSystem {
    FaultyFiles { _, call in
      if call.operation == .renameExclusively { body() }
    }.files
  }

  @Test func `whoever creates the database meanwhile keeps it`() throws {
    let bench = try InstallBench()
    let path = bench.destination
    let result = try bench.install(
      files: files(beforePublishing: {
        let other = try? Connection(path: path, mode: .create)
        try? other?.execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
      }))
    #expect(result.outcome == .lostRace)
    #expect(result.publishMethod == nil)
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.scalarInteger("SELECT x FROM mine") == 1)
    #expect(try bench.litter == [])
  }

  @Test func `a plain rename would have lost it`() throws {
    let bench = try InstallBench()
    let path = bench.destination
    let files = FaultyFiles { _, call in
      guard call.operation == .rename else { return }
      let other = try? Connection(path: path, mode: .create)
      try? other?.execute("CREATE TABLE mine (x)")
    }.files
    try NaiveLoader.temporaryAndRename.run(bench.seedPath, path, files)
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(
      try connection.scalarInteger("SELECT count(*) FROM sqlite_schema WHERE name = 'mine'") == 0)
  }

  @Test(
    arguments: [
      ([:], PublishMethod.exclusiveRename),
      ([.renameExclusively: EINVAL], .link),
      ([.renameExclusively: ENOSYS, .link: EPERM], .lockedRename),
    ] as [([FileError.Operation: Int32], PublishMethod)])
  func `a file system that cannot do it takes the next way`(
    unsupported: [FileError.Operation: Int32], method: PublishMethod
  ) throws {
    let bench = try InstallBench()
    let result = try bench.install(files: FaultyFiles(unsupported: unsupported).files)
    #expect(result.publishMethod == method)
    #expect(try bench.items() == rows)
    #expect(try bench.litter == [])
    // None of the ways takes a name from another file.
    let other = try InstallBench()
    let path = other.destination
    let lost = try other.install(
      files: FaultyFiles(unsupported: unsupported) { _, call in
        guard call.operation == .renameExclusively else { return }
        let other = try? Connection(path: path, mode: .create)
        try? other?.execute("CREATE TABLE mine (x)")
      }.files)
    #expect(lost.outcome == .lostRace)
  }

  @Test(arguments: [EOPNOTSUPP, EXDEV, EINVAL, ENOSYS, EPERM])
  func `a copy is made by whatever way there is`(code: Int32) throws {
    for unsupported: [FileError.Operation: Int32] in [
      [.clone: code], [.clone: code, .copyRange: code], [.copyRange: code],
    ] {
      let bench = try InstallBench()
      let result = try bench.install(files: FaultyFiles(unsupported: unsupported).files)
      guard case .installed = result.outcome else {
        Issue.record("\(result.outcome)")
        return
      }
      #expect(try bench.items() == rows)
    }
  }

  @Test func `short reads, writes and copies make no difference`() throws {
    for manifest in [true, false] {
      let bench = try InstallBench(rowCount: 500)
      var files = FaultyFiles(unsupported: [.clone: EOPNOTSUPP]).files
      let live = FileSystem.live
      files.write = { (descriptor, path, bytes) throws(FileError) in
        try live.write(descriptor, path, UnsafeRawBufferPointer(rebasing: bytes.prefix(7)))
      }
      files.readAt = { (descriptor, path, buffer, offset) throws(FileError) in
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(513))
        return try live.readAt(descriptor, path, part, offset)
      }
      files.copyRange = { (from, to, path, byteCount) throws(FileError) in
        try live.copyRange(from, to, path, min(byteCount, 100))
      }
      try bench.install(
        files: files, manifest: manifest ? .given(try bench.manifest()) : .none)
      #expect(try bench.items() == bench.items(at: bench.seedPath))
    }
  }

  // MARK: Waiting

  @Test func `a lock that is held too long is an error that says so`() throws {
    let bench = try InstallBench()
    let place = try #require(
      try InstallPlace.find(
        bench.destination, makesFolder: false, durability: .process, on: .live))
    let lock = try #require(
      try InstallLock.acquire(
        place, milliseconds: 0, on: .live, checkCancellation: { () throws(SeedError) in }))
    defer { lock.release() }
    var options = InstallOptions()
    options.lockTimeout = .milliseconds(30)
    let error = #expect(throws: SeedError.self) { try bench.install(options) }
    #expect(error?.step == .lock)
    #expect(error?.reason == .lockTimedOut(seconds: 0.03))
    #expect(try FileSystem.live.linkStatus(bench.destination) == nil)
  }

  @Test func `a deleted lock file locks nobody out, and nobody in`() throws {
    let bench = try InstallBench()
    let place = try #require(
      try InstallPlace.find(
        bench.destination, makesFolder: false, durability: .process, on: .live))
    let lock = try #require(
      try InstallLock.acquire(
        place, milliseconds: 0, on: .live, checkCancellation: { () throws(SeedError) in }))
    try FileSystem.live.unlink(place.lockPath)
    #expect(throws: Never.self) { try bench.install() }
    lock.release()
    #expect(try bench.install().outcome == .alreadyCurrent)
  }

  @Test func `whoever has lost lock and copy to another caller makes another one`() throws {
    var number = 1
    while true {
      let bench = try InstallBench()
      let app = bench.directory.path("app")
      let hasHappened = Lock(false)
      let faulty = FaultyFiles { [number] count, _ in
        guard count == number else { return }
        hasHappened.withLock { $0 = true }
        // As a caller does that has locked a new file: the copies of others look dead to it.
        for name in (try? FileSystem.live.names(app)) ?? []
        where name.contains(".install-lock") || name.contains(".staging-") {
          try? FileSystem.live.unlink(app + "/" + name)
        }
      }
      let result = try bench.install(files: faulty.files)
      guard hasHappened.withLock({ $0 }) else { break }
      #expect(result.outcome != .lostRace, "call \(number)")
      #expect(try bench.items() == rows)
      #expect(try bench.litter == [])
      number += 1
    }
    #expect(number > 25)
  }

  @Test func `a child that keeps the descriptor does not keep the lock`() throws {
    let bench = try InstallBench()
    let copies = Lock<[Int32]>([])
    var files = FileSystem.live
    files.open = { (path, mode) throws(FileError) in
      let descriptor = try FileSystem.live.open(path, mode)
      // What a fork leaves to the child.
      if path.hasSuffix(".install-lock") { copies.withLock { $0.append(dup(descriptor)) } }
      return descriptor
    }
    try bench.install(files: files)
    #expect(copies.withLock { $0.count } == 1)
    let place = try #require(
      try InstallPlace.find(
        bench.destination, makesFolder: false, durability: .process, on: .live))
    let lock = try InstallLock.acquire(
      place, milliseconds: 0, on: .live, checkCancellation: { () throws(SeedError) in })
    #expect(lock != nil)
    lock?.release()
    for copy in copies.withLock({ $0 }) { close(copy) }
  }

  @Test func `waiting for the lock can be cancelled`() throws {
    let bench = try InstallBench()
    let cancellation = InstallCancellation()
    cancellation.cancel()
    let error = #expect(throws: SeedError.self) {
      try bench.install(cancellation: cancellation)
    }
    #expect(error?.reason == .cancelled)
    #expect(error?.step == .lock)
  }

  @Test(arguments: [1, 5, 20, 60, 10_000])
  func `cancelling anywhere leaves no copy, and the lock free`(number: Int) throws {
    let bench = try InstallBench(rowCount: 60_000, pageSize: 4096)
    let cancellation = InstallCancellation()
    let faulty = FaultyFiles { count, _ in if count == number { cancellation.cancel() } }
    do {
      let result = try bench.install(files: faulty.files, cancellation: cancellation)
      #expect(result.publishMethod != nil)
    } catch {
      #expect((error as? SeedError)?.reason == .cancelled)
      #expect(try FileSystem.live.linkStatus(bench.destination) == nil)
    }
    #expect(try bench.litter == [])
    #expect(throws: Never.self) { try bench.install() }
  }

  @Test func `a cancelled task ends with the error of a cancelled task`() async throws {
    let bench = try InstallBench()
    let (seed, destination) = (bench.seed, bench.destination)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await SeedDatabase.install(seed, at: destination)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try bench.litter == [])
  }

  @Test
  func `a call that died with a copy unfinished is swept by the next, though there is a database`()
    throws
  {
    let bench = try InstallBench()
    try bench.install()
    try bench.directory.write("half", to: "app/.default.sqlite.staging-0123456789abcdef")
    try bench.directory.write("x", to: "app/.default.sqlite.install-lock")
    #expect(try bench.install().outcome == .alreadyCurrent)
    #expect(try bench.litter == [])
    #expect(
      try FileSystem.live.status(
        bench.directory.path("app/.default.sqlite.install-lock"))?.byteCount == 0)
  }

  /// The pauses of a call, in milliseconds.
  private final class Pauses: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Int] = []

    func append(_ milliseconds: Int) { lock.withLock { values.append(milliseconds) } }
    var all: [Int] { lock.withLock { values } }
  }

  @Test func `a call whose lock is deleted each time waits longer each time, and ends in time`()
    throws
  {
    let memory = MemoryFiles()
    memory.put(ModelDatabase.seed, at: "/bundle/default.sqlite")
    memory.putDirectory("/app")
    let lockPath = "/app/.default.sqlite.install-lock"
    // Another caller has deleted the lock file, and then this one's copy.
    let faulty = FaultyFiles(
      unsupported: [.renameExclusively: FileError.missing], base: memory.files
    ) { _, call in
      if call.operation == .renameExclusively {
        #expect(throws: Never.self) { try memory.files.unlink(lockPath) }
      }
    }
    let pauses = Pauses()
    var files = faulty.files
    files.pause = { milliseconds in
      pauses.append(milliseconds)
      memory.files.pause(milliseconds)
    }
    var options = InstallOptions()
    options.lockTimeout = .seconds(30)
    let installation = Installation(
      seed: Seed(path: "/bundle/default.sqlite"), destination: "/app/default.sqlite",
      options: options, files: files, databases: ModelDatabase.access(memory),
      watch: InstallWatch(nil, onProgress: nil), chance: { $0.upperBound })
    let error = #expect(throws: SeedError.self) { try installation.run() }
    #expect(error?.step == .publish)
    #expect(pauses.all.prefix(8) == [16, 32, 64, 128, 256, 512, 1024, 2048])
    #expect(pauses.all.reduce(0, +) == 30_000)
    #expect(faulty.calls.count { $0.operation == .renameExclusively } == pauses.all.count + 1)
    #expect(memory.names(in: "/app").allSatisfy { !$0.contains(".staging-") })
  }

  @Test func `a lock file that may not be opened is an error that says how to mend it`() throws {
    let bench = try InstallBench()
    var files = FileSystem.live
    files.open = { (path, mode) throws(FileError) in
      if path.hasSuffix(".install-lock") { throw FileError(.open, path, code: EACCES) }
      return try FileSystem.live.open(path, mode)
    }
    let error = #expect(throws: SeedError.self) { try bench.install(files: files) }
    #expect(error?.path == bench.directory.path("app/.default.sqlite.install-lock"))
    #expect(error?.hint?.contains("chmod u+rw") == true)
  }
}
