import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// A clock that waits for nothing and remembers how long it should have waited.
///
/// `@unchecked` is safe: the lock guards the waits.
final class ImpatientClock: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [Duration] = []
  private var onWait: @Sendable () -> Void = {}

  private let isReleased = DispatchSemaphore(value: 0)

  var waits: [Duration] { lock.withLock { kept } }

  /// Ends a wait of ``clockThatWaits()``.
  func release() { isReleased.signal() }

  /// A clock whose waits, but for the first, last until they are released or cancelled.
  func clockThatWaits() -> RetryClock {
    RetryClock(
      wait: { duration, cancellation in
        let count = self.lock.withLock {
          self.kept.append(duration)
          return self.kept.count
        }
        guard count > 1 else { return }
        cancellation.withHandler({ self.release() }) {
          if !cancellation.isCancelled { self.isReleased.wait() }
        }
      },
      fraction: { 0.5 })
  }

  func clock(fraction: Double = 0.5) -> RetryClock {
    RetryClock(
      wait: { duration, _ in
        let look = self.lock.withLock {
          self.kept.append(duration)
          return self.onWait
        }
        look()
      },
      fraction: { fraction })
  }

  /// Has a closure look around at each wait, which is when a run has failed and is about to go on.
  func atEachWait(_ body: @escaping @Sendable () -> Void) { lock.withLock { onWait = body } }
}

/// The database of an app, shipped at some checkpoint, with tables and columns of its own.
final class AppDatabase {
  let directory: TemporaryDirectory
  let history: PublishedHistory
  let clock = ImpatientClock()
  var options = StreamOptions()
  var files = FileSystem.live

  /// The app's own data, as it was written.
  private static let ownTables = """
    CREATE TABLE user_note(id INTEGER PRIMARY KEY, product INTEGER, text TEXT);
    INSERT INTO user_note VALUES (1, 3, 'mine'), (2, 999, 'gone');
    ALTER TABLE product ADD COLUMN favourite INTEGER DEFAULT 0;
    """

  init(_ history: PublishedHistory, at seq: Int64? = nil, hasOwnData: Bool = true) throws {
    directory = try TemporaryDirectory()
    self.history = history
    options.cacheDirectory = directory.path("cache")
    // One request after the other, so that a test can tell which is which.
    options.parallelDownloads = 1
    try history.writeDatabase(path, at: seq ?? history.firstSeq)
    if hasOwnData {
      let connection = try open()
      try connection.execute(Self.ownTables)
      try connection.execute("UPDATE product SET favourite = id % 2")
      try connection.close()
    }
  }

  /// The same database once more, as it was at the beginning.
  init(copying other: AppDatabase) throws {
    directory = try TemporaryDirectory()
    history = other.history
    options = other.options
    options.cacheDirectory = directory.path("cache")
    try FileManager.default.copyItem(atPath: other.path, toPath: path)
  }

  var path: String { directory.path("app.sqlite") }

  func open() throws -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    // As an app has it: whoever closes the file last locks it for a moment.
    connection.setBusyTimeout(milliseconds: 10_000)
    return connection
  }

  func stream(_ transport: any HTTPTransport, base: String = MemoryServer.base) -> TableStream {
    TableStream(
      history.stream, database: path, from: .static(base), options: options,
      transport: transport, clock: clock.clock(), files: files)
  }

  @discardableResult
  func sync(_ transport: any HTTPTransport, base: String = MemoryServer.base) throws(StreamError)
    -> StreamResult
  {
    try stream(transport, base: base).syncBlocking()
  }

  /// The error of a run; nil if it ends well.
  func failure(_ transport: any HTTPTransport, base: String = MemoryServer.base) -> StreamError? {
    do throws(StreamError) {
      try sync(transport, base: base)
      return nil
    } catch {
      return error
    }
  }

  func position() throws -> StreamPosition? {
    try CursorTables.cursor(of: history.stream, in: open())?.position
  }

  func state() throws -> CatalogState {
    let connection = try open()
    var state = CatalogState()
    for table in history.tables {
      state.tables[table.name] = [:]
      for row in try connection.rows(
        "SELECT \(table.columns.map(\.name).joined(separator: ",")) FROM \(table.name)")
      {
        state.put(table, row)
      }
    }
    return state
  }

  /// The one assertion of the fault tests: the stream's tables are the published state of the
  /// position, which is of the history; the file is whole; what is the app's is as it was.
  func expectPublishedState(
    at seq: Int64? = nil, of other: PublishedHistory? = nil, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let history = other ?? history
    let position = try #require(try position(), comment, sourceLocation: sourceLocation)
    if let seq { #expect(position.seq == seq, comment, sourceLocation: sourceLocation) }
    let isKnown = (history.firstSeq...history.seq).contains(position.seq)
    try #require(isKnown, comment, sourceLocation: sourceLocation)
    #expect(
      position == history.position(at: position.seq), comment, sourceLocation: sourceLocation)
    let expected = history.state(at: position.seq)
    let found = try state()
    for table in history.tables {
      #expect(
        found[table.name] == expected[table.name], comment, sourceLocation: sourceLocation)
    }
    let connection = try open()
    #expect(
      try connection.scalarText("PRAGMA integrity_check") == "ok", comment,
      sourceLocation: sourceLocation)
    if try connection.scalarInteger("SELECT 1 FROM sqlite_schema WHERE name = 'user_note'") != nil {
      #expect(
        try connection.rows("SELECT * FROM user_note ORDER BY id") == [
          [.integer(1), .integer(3), .text("mine")], [.integer(2), .integer(999), .text("gone")],
        ], comment, sourceLocation: sourceLocation)
      // The app has marked odd products of the state that was shipped; those born later have the
      // default.
      #expect(
        try connection.scalarInteger(
          "SELECT count(*) FROM product WHERE favourite NOT IN (0, id % 2)") == 0, comment,
        sourceLocation: sourceLocation)
    }
  }
}
