import SeedFiles
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What every fault must leave: an absent or complete destination, and a next call that succeeds.
@Suite struct FaultSweepTests {
  private let rows = ["row 1", "row 2", "row 3"]

  /// Fails operation 1, 2, 3, … of an installation until one is not reached any more.
  private func sweep(
    _ extent: FaultyFiles.Extent, code: Int32, unsupported: [FileError.Operation: Int32] = [:],
    loader: (InstallBench, FileSystem) throws -> Void
  ) throws -> (count: Int, failures: [String]) {
    var failures: [String] = []
    var number = 1
    while true {
      let bench = try InstallBench()
      let faulty = FaultyFiles(failing: number, extent, code: code, unsupported: unsupported)
      do {
        try loader(bench, faulty.files)
      } catch let error as SeedError {
        if error.errno != code { failures.append("\(number): \(error)") }
      } catch {
        // What the naive loaders throw.
      }
      guard faulty.isReached else { return (number - 1, failures) }
      let name = "\(number) \(faulty.calls[number - 1])"
      let isWhole = try? bench.isAbsentOrComplete(rows)
      if isWhole != true { failures.append("\(name): torn") }
      do {
        try loader(bench, .live)
        if try bench.items() != rows { failures.append("\(name): rows") }
      } catch {
        failures.append("\(name): the next call failed, \(error)")
      }
      if try bench.litter != [] { failures.append("\(name): litter") }
      number += 1
    }
  }

  @Test(arguments: FaultyFiles.Extent.allCases, [5, 28, 122] as [Int32])
  func `an operation that fails leaves the destination absent or complete`(
    extent: FaultyFiles.Extent, code: Int32
  ) throws {
    let (count, failures) = try sweep(extent, code: code) { bench, files in
      try bench.install(files: files)
    }
    #expect(count > 25)
    #expect(failures == [])
  }

  @Test func `so it is on the lower rungs`() throws {
    let (count, failures) = try sweep(
      .one, code: 5, unsupported: [.renameExclusively: 22, .copyRange: 38, .clone: 95]
    ) { bench, files in try bench.install(files: files) }
    #expect(count > 25)
    #expect(failures == [])
  }

  @Test(arguments: NaiveLoader.allCases)
  func `a naive loader fails the same test`(loader: NaiveLoader) throws {
    let (_, failures) = try sweep(.allAfter, code: 28) { bench, files in
      try loader.run(bench.seedPath, bench.destination, files)
    }
    #expect(failures != [])
  }

  @Test func `the copy is on the disk before its name, and the name after it`() throws {
    let bench = try InstallBench()
    let recorder = FaultyFiles()
    try bench.install(files: recorder.files)
    let calls = recorder.calls
    let publish = try #require(calls.firstIndex { $0.operation == .renameExclusively })
    let before = calls[..<publish].last { $0.operation == .fsync }
    let after = calls[publish...].first { $0.operation == .fsync }
    #expect(before?.path.contains(".staging-") == true)
    #expect(after?.path == bench.directory.path("app"))
    // Written to by nobody in between.
    let sync = try #require(calls.lastIndex { $0 == before })
    #expect(!calls[sync..<publish].contains { $0.operation == .write })
  }

  @Test func `new folders are on the disk before what is in them`() throws {
    let bench = try InstallBench()
    let recorder = FaultyFiles()
    let path = bench.directory.path("app/a/b/c.sqlite")
    _ = try Installation(
      seed: bench.seed, destination: path, options: InstallOptions(), files: recorder.files,
      databases: .live(on: recorder.files), watch: InstallWatch(nil, onProgress: nil)
    ).run()
    let publish = try #require(
      recorder.calls.firstIndex { $0.operation == .renameExclusively })
    let made = try #require(recorder.calls.lastIndex { $0.operation == .mkdir })
    let synchronized = recorder.calls[made..<publish].filter { $0.operation == .fsync }
    for folder in ["app", "app/a"] {
      #expect(synchronized.contains { $0.path == bench.directory.path(folder) })
    }
  }

  @Test func `without durability nothing is synchronized`() throws {
    let bench = try InstallBench()
    let recorder = FaultyFiles()
    var options = InstallOptions()
    options.durability = .process
    try bench.install(options, files: recorder.files)
    #expect(!recorder.calls.contains { $0.operation == .fsync })
  }

  @Test func `no descriptor is left open, however it ends`() throws {
    var number = 1
    while true {
      let bench = try InstallBench()
      let balance = DescriptorBalance()
      let faulty = FaultyFiles(failing: number, base: balance.files)
      _ = try? bench.install(files: faulty.files)
      #expect(balance.open == 0, "operation \(number)")
      guard faulty.isReached else { break }
      number += 1
    }
    #expect(number > 25)
  }

  @Test func `a naive loader leaves some open`() throws {
    let bench = try InstallBench()
    let balance = DescriptorBalance()
    // The first write fails.
    let faulty = FaultyFiles(failing: 4, base: balance.files)
    #expect(throws: FileError.self) {
      try NaiveLoader.copyInARow(bench.seedPath, bench.destination, faulty.files)
    }
    #expect(faulty.calls.last?.operation == .write)
    #expect(balance.open == 2)
  }

  @Test func `the live database is never opened but by SQLite`() throws {
    let bench = try InstallBench()
    let recorder = FaultyFiles()
    try bench.install(files: recorder.files)
    try bench.install(files: recorder.files)
    try bench.renewSeed()
    try bench.install(InstallOptions(policy: .replace), files: recorder.files)
    #expect(!recorder.calls.contains { $0.operation == .open && $0.path == bench.destination })
  }

  @Test func `a descriptor of the copy is closed before the copy has its name`() throws {
    let bench = try InstallBench()
    let balance = DescriptorBalance()
    let recorder = FaultyFiles(base: balance.files) { _, call in
      if call.operation == .renameExclusively { balance.note() }
    }
    try bench.install(files: recorder.files)
    #expect(balance.notedPaths.filter { $0.contains(".staging-") } == [])
  }
}

/// Counts descriptors that are open.
///
/// `@unchecked` is safe: the state has a lock.
final class DescriptorBalance: @unchecked Sendable {
  private let paths = Lock<[Int32: String]>([:])
  private let noted = Lock<[String]>([])

  var open: Int { paths.withLock { $0.count } }
  var notedPaths: [String] { noted.withLock { $0 } }

  func note() {
    let now = paths.withLock { Array($0.values) }
    noted.withLock { $0 = now }
  }

  var files: FileSystem {
    let live = FileSystem.live
    var files = live
    files.open = { (path, mode) throws(FileError) in
      let descriptor = try live.open(path, mode)
      self.paths.withLock { $0[descriptor] = path }
      return descriptor
    }
    files.close = { descriptor in
      self.paths.withLock { $0[descriptor] = nil }
      live.close(descriptor)
    }
    return files
  }
}
