import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

@Suite struct FirstInstallTests {
  private let rows = ["row 1", "row 2", "row 3"]

  @Test func `the first call installs, the second finds it current`() throws {
    let bench = try InstallBench()
    let first = try bench.install()
    #expect(first.outcome == .installed(by: .copied) || first.outcome == .installed(by: .reflink))
    #expect(first.publishMethod == .exclusiveRename)
    #expect(first.path == bench.destination)
    #expect(try bench.items() == rows)
    let second = try bench.install()
    #expect(second.outcome == .alreadyCurrent)
    #expect(second.publishMethod == nil)
    #expect(try bench.names == [".default.sqlite.install-lock", "default.sqlite"])
  }

  @Test func `missing folders are made`() throws {
    let bench = try InstallBench()
    let path = bench.directory.path("app/a/b/c.sqlite")
    let result = try SeedDatabase.install(bench.seed, at: path)
    #expect(result.path == path)
    #expect(try bench.items(at: path) == rows)
  }

  @Test func `a copy is writable though the seed is not`() throws {
    let bench = try InstallBench()
    let descriptor = try FileSystem.live.open(bench.seedPath, .read)
    try FileSystem.live.setPermissions(descriptor, bench.seedPath, 0o444)
    FileSystem.live.close(descriptor)
    try bench.install()
    #expect(try FileSystem.live.status(bench.destination)?.permissions == 0o600)
    try bench.write("INSERT INTO item VALUES (9, 'mine')")
  }

  @Test func `the seed is left as it was`() throws {
    let bench = try InstallBench()
    let before = try requireDigest(bench.seedPath)
    let status = try FileSystem.live.status(bench.seedPath)
    try bench.install()
    #expect(try requireDigest(bench.seedPath) == before)
    #expect(try FileSystem.live.status(bench.seedPath) == status)
    #expect(try FileSystem.live.names(bench.directory.path("bundle")) == ["default.sqlite"])
  }

  @Test func `two installations of one seed have identifiers of their own`() throws {
    let bench = try InstallBench()
    var identifiers: Set<String> = []
    for name in ["app/a.sqlite", "app/b.sqlite"] {
      let path = bench.directory.path(name)
      _ = try SeedDatabase.install(bench.seed, at: path)
      let record = try InstallRecord.read(from: Connection(path: path, mode: .readOnly))
      identifiers.insert(try #require(record).identifier)
    }
    #expect(identifiers.count == 2)
  }

  @Test func `the record of the installation does not change the content's digest`() throws {
    let bench = try InstallBench()
    try bench.install()
    let connection = try Connection(path: bench.destination, mode: .readOnly)
    guard case .present(let stamp) = try SeedStamp.read(from: connection) else {
      Issue.record("no stamp")
      return
    }
    #expect(try ContentDigest.compute(connection) == stamp.contentSHA256)
  }

  @Test func `a database without a stamp is copied byte for byte`() throws {
    let bench = try InstallBench(isStamped: false)
    try bench.install()
    #expect(try requireDigest(bench.destination) == requireDigest(bench.seedPath))
    #expect(try bench.install().outcome == .alreadyCurrent)
  }

  @Test(arguments: [JournalMode.wal, .delete, .asBuilt])
  func `the journal mode is set before the database has its name`(mode: JournalMode) throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
    let header = DatabaseHeader(
      try FileSystem.live.bytes(of: bench.destination, limit: 100))
    #expect(header?.isWriteAheadLogging == (mode == .wal))
    #expect(try bench.names == [".default.sqlite.install-lock", "default.sqlite"])
  }

  @Test func `the preparation changes the copy, which is current afterwards`() throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.prepare = { path in
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)")
      try connection.close()
    }
    try bench.install(options)
    let connection = try Connection(path: bench.destination, mode: .readOnly)
    #expect(try connection.scalarInteger("SELECT x FROM mine") == 1)
    #expect(try bench.install(options).outcome == .alreadyCurrent)
  }

  private struct Refusal: Error {}

  @Test func `a preparation that throws leaves nothing behind`() throws {
    let bench = try InstallBench()
    var options = InstallOptions()
    options.prepare = { _ in throw Refusal() }
    let error = #expect(throws: SeedError.self) { try bench.install(options) }
    #expect(error?.step == .prepare)
    #expect(error?.underlying is Refusal)
    #expect(try bench.names == [".default.sqlite.install-lock"])
  }

  @Test func `a preparation that leaves the copy open is an error`() throws {
    let bench = try InstallBench()
    let open = Kept()
    var options = InstallOptions()
    options.prepare = { path in
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE mine (x)")
      open.connection = connection
    }
    let error = #expect(throws: SeedError.self) { try bench.install(options) }
    guard case .stillOpen = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    open.connection = nil
    #expect(try bench.litter == [])
  }

  /// `@unchecked` is safe: used by one thread.
  private final class Kept: @unchecked Sendable {
    var connection: Connection?
  }

  @Test func `progress never goes back and ends with 1, once`() throws {
    let bench = try InstallBench(rowCount: 60_000, pageSize: 4096)
    let log = ProgressLog()
    var options = InstallOptions()
    options.progress = { log.append($0) }
    try bench.install(options)
    let values = log.values
    #expect(values == values.sorted())
    #expect(values.filter { $0 == 1 }.count == 1)
    #expect(values.last == 1)
    // Whoever waits for the end waits at every launch.
    let again = ProgressLog()
    options.progress = { again.append($0) }
    try bench.install(options)
    #expect(again.values == [1])
  }

  @Test func `the progress of a naive loader has no end at the second launch`() throws {
    let bench = try InstallBench()
    let (first, second) = (ProgressLog(), ProgressLog())
    for log in [first, second] {
      try NaiveLoader.copyTelling(bench.seedPath, bench.destination, .live) { log.append($0) }
    }
    #expect(first.values.last == 1)
    #expect(second.values == [])
  }

  @Test func `the asynchronous form installs, too`() async throws {
    let bench = try InstallBench()
    let result = try await SeedDatabase.install(bench.seed, at: bench.destination)
    #expect(result.path == bench.destination)
    #expect(try bench.items() == rows)
  }
}

/// `@unchecked` is safe: the list has a lock.
final class ProgressLog: @unchecked Sendable {
  private let list = Lock<[Double]>([])
  func append(_ value: Double) { list.withLock { $0.append(value) } }
  var values: [Double] { list.withLock { $0 } }
}
