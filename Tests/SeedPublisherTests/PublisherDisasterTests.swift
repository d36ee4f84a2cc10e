import Foundation
import SeedFiles
import SeedPublisher
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Publishers that lose their files, work beside each other or clean up too early, and what becomes of
/// the apps that follow them.
@Suite struct PublisherDisasterTests {
  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
    INSERT INTO t VALUES(1, 'one'), (2, 'two'), (3, 'three');
    """

  /// A bench with a snapshot and some changes, of which none outweighs it.
  private func bench(_ steps: Int) throws -> PublishBench {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database(
        Self.schema + "CREATE TABLE w(id INTEGER PRIMARY KEY, b);"
          + "INSERT INTO w VALUES(1, randomblob(30000))"))
    for step in 1..<steps {
      bench.time += 3600
      try bench.publish(after: "UPDATE t SET v = 'step \(step)' WHERE id = \(step % 3 + 1)")
    }
    return bench
  }

  /// The files of a stream, to which something happens between two requests of a client.
  ///
  /// `@unchecked` is safe: requests are made one after the other.
  private final class Interrupted: HTTPTransport, @unchecked Sendable {
    let files: DirectoryTransport
    var before: (String) throws -> Void = { _ in }
    private(set) var paths: [String] = []

    init(_ folder: String) { files = DirectoryTransport(directory: folder) }

    func perform(
      _ request: HTTPRequest, cancellation: HTTPCancellation,
      onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      paths.append(request.url.path)
      try before(request.url.path)
      try files.perform(request, cancellation: cancellation, onHead: onHead, onBody: onBody)
    }
  }

  private func sync(
    _ path: String, _ bench: PublishBench, _ transport: Interrupted? = nil
  ) throws -> StreamResult {
    var options = StreamOptions()
    options.cacheDirectory = bench.directory.path("cache")
    let clock = RetryClock(wait: { _, _ in }, fraction: { 0 })
    return try TableStream(
      "main", database: path, from: .static(bench.folder), options: options, transport: transport,
      clock: clock
    ).syncBlocking()
  }

  private func rows(_ path: String) throws -> [[SQLiteValue]] {
    try Connection(path: path, mode: .readOnly).rows("SELECT * FROM t ORDER BY id")
  }

  private func copy(_ path: String, _ bench: PublishBench, as name: String) throws -> String {
    try FileManager.default.copyItem(atPath: path, toPath: bench.directory.path(name))
    return bench.directory.path(name)
  }

  private func restore(_ backup: String, _ bench: PublishBench) throws {
    try FileManager.default.removeItem(atPath: bench.target)
    try FileManager.default.copyItem(atPath: backup, toPath: bench.target)
  }

  // MARK: Cleaning up

  @Test(arguments: 1...4)
  func `an app whose objects are swept away while it fetches them finishes by another way`(
    request: Int
  ) throws {
    let bench = try bench(1)
    let app = try copy(bench.directory.path("new.sqlite"), bench, as: "app.sqlite")
    for step in 1...6 {
      bench.time += 3600
      try bench.publish(after: "UPDATE t SET v = 'early \(step)' WHERE id = 2")
    }
    let slow = Interrupted(bench.folder)
    slow.before = { [slow] _ in
      guard slow.paths.count == request + 1 else { return }
      // Everything is rewritten, and what is not listed any more is deleted at once.
      bench.options.keepDays = 0
      for step in 1...10 {
        bench.time += 86400
        try bench.publish(
          after: "UPDATE t SET v = 'late \(step)' WHERE id = 1;"
            + "UPDATE w SET b = randomblob(40000)")
      }
    }
    let result = try sync(app, bench, slow)
    #expect(slow.paths.count > request)
    #expect(result.position == (try bench.head().position))
    #expect(try rows(app) == rows(bench.directory.path("new.sqlite")))
    // The snapshot at most once, and no object again and again.
    let snapshots = slow.paths.filter { $0.hasSuffix((try? bench.head().snapshot?.sha256) ?? "?") }
    #expect(snapshots.count <= 1)
    #expect(slow.paths.count < 24, "\(slow.paths)")
  }

  @Test func `what an app in the middle of it still needs stays for the days that it is kept`()
    throws
  {
    let bench = try bench(1)
    let app = try copy(bench.directory.path("new.sqlite"), bench, as: "app.sqlite")
    for step in 1...3 {
      bench.time += 3600
      try bench.publish(after: "UPDATE t SET v = 'early \(step)' WHERE id = 2")
    }
    let old = try bench.head()
    let slow = Interrupted(bench.folder)
    slow.before = { [slow] _ in
      guard slow.paths.count == 2 else { return }
      for _ in 1...6 {
        bench.time += 3600
        try bench.publish(after: "UPDATE w SET b = randomblob(40000)")
      }
      #expect(try bench.head().segments.allSatisfy { !old.segments.contains($0) })
    }
    // By the head that it has read, without a second look.
    #expect(try sync(app, bench, slow).position == old.position)
    #expect(slow.paths.filter { $0.hasSuffix("head.json") }.count == 1)
  }

  // MARK: Histories that part

  @Test func `after a restore from a backup the same number with other content is told apart`()
    throws
  {
    let bench = try bench(3)
    let backup = bench.directory.path("backup")
    try FileManager.default.copyItem(atPath: bench.target, toPath: backup)
    bench.time += 3600
    try bench.publish(after: "UPDATE t SET v = 'lost' WHERE id = 3")
    let app = try copy(bench.directory.path("copy.sqlite"), bench, as: "app.sqlite")
    let lost = try bench.head().position
    try restore(backup, bench)
    // Meanwhile the server is behind: the app keeps what it has.
    let stale = try sync(app, bench)
    #expect(stale.outcome == .stale)
    #expect(try rows(app).last?.last == .text("lost"))
    // The database of the lost publication is refused, whatever is in it.
    let error = #expect(throws: StreamPublishError.self) { try bench.publish(app) }
    #expect(error?.reason == .otherPosition(database: lost, head: try bench.head().position))
    bench.time += 3600
    try bench.publish(after: "UPDATE t SET v = 'other' WHERE id = 3")
    let other = try bench.head().position
    #expect(other.seq == lost.seq && other.epoch == lost.epoch && other.id != lost.id)
    let merged = try sync(app, bench)
    #expect(merged.outcome == .merged)
    #expect(merged.position == other)
    #expect(try rows(app) == rows(bench.directory.path("new.sqlite")))
    #expect(try sync(app, bench).outcome == .current)
  }

  @Test func `an app ahead of a restored history that has grown longer is merged with it`() throws {
    let bench = try bench(3)
    let backup = bench.directory.path("backup")
    try FileManager.default.copyItem(atPath: bench.target, toPath: backup)
    bench.time += 3600
    try bench.publish(after: "UPDATE t SET v = 'lost' WHERE id = 3")
    let app = try copy(bench.directory.path("copy.sqlite"), bench, as: "app.sqlite")
    try restore(backup, bench)
    for step in 1...3 {
      bench.time += 3600
      try bench.publish(after: "UPDATE t SET v = 'again \(step)' WHERE id = 1")
    }
    try bench.database("UPDATE t SET v = 'right' WHERE id = 3")
    bench.time += 3600
    try bench.publish(try bench.unpositioned("new.sqlite"))
    let result = try sync(app, bench)
    #expect(result.outcome == .merged)
    #expect(result.position == (try bench.head().position))
    #expect(try rows(app) == rows(bench.directory.path("new.sqlite")))
  }

  @Test func `a database that ships from a history that was never published is found out`() throws {
    let bench = try bench(3)
    // Somebody published on a machine of their own, from the same beginning.
    let elsewhere = bench.directory.path("elsewhere")
    try FileManager.default.copyItem(atPath: bench.target, toPath: elsewhere)
    let shipped = try copy(bench.directory.path("copy.sqlite"), bench, as: "shipped.sqlite")
    var connection = try Connection(path: shipped, mode: .readWrite)
    try connection.execute("UPDATE t SET v = 'mine' WHERE id = 1")
    try connection.close()
    var options = bench.options
    options.time = bench.time + 60
    _ = try StreamPublisher(options).publish(shipped, to: elsewhere)
    bench.time += 3600
    try bench.publish(after: "UPDATE t SET v = 'ours' WHERE id = 1")
    connection = try Connection(path: shipped, mode: .readOnly)
    let findings = try PublishedHistory(DirectorySource(bench.folder, stream: nil))
      .findings(in: connection)
    try connection.close()
    #expect(findings.map(\.kind) == [.history])
    let result = try sync(shipped, bench)
    #expect(result.outcome == .merged)
    #expect(try rows(shipped) == rows(bench.directory.path("new.sqlite")))
  }
}
