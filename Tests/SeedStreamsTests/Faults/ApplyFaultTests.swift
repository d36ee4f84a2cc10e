import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Faults of the database and of what the app has in it: T9, T15, T17 to T19.
@Suite struct ApplyFaultTests {
  private let seed = UInt64.random(in: 0...UInt64.max)
  private let history = PublishedHistory()

  init() {
    history.publishRandomly(5, rowsPerStep: 4, seed: seed)
  }

  private func server(_ layout: PublishedHistory.Layout = .steps) throws -> MemoryServer {
    MemoryServer(history.files(try history.head(layout)))
  }

  /// A history with one more checkpoint, of one change.
  private func history(
    _ first: (inout CatalogState) -> Void, then change: (inout CatalogState) -> Void
  ) -> PublishedHistory {
    var state = CatalogState()
    first(&state)
    let history = PublishedHistory(first: state)
    history.publish(change)
    return history
  }

  private static func category(_ id: Int64) -> [SQLiteValue] {
    [.integer(id), .text("category \(id)")]
  }

  private static func product(_ id: Int64, code: String, category: Int64) -> [SQLiteValue] {
    [.integer(id), .text("p"), .text(code), .null, .null, .integer(category)]
  }

  // MARK: T9

  @Test(arguments: 0..<5) func `a row that a trigger refuses undoes the whole segment`(
    row: Int
  ) throws {
    let history = history({ _ in }) { state in
      for id in 1...5 { state.put(Catalog.tables[0], Self.category(Int64(id))) }
    }
    let app = try AppDatabase(history)
    let connection = try app.open()
    try connection.execute(
      """
      CREATE TRIGGER guard AFTER INSERT ON category WHEN new.id = \(row + 1)
      BEGIN SELECT RAISE(ABORT, 'not this one'); END
      """)
    try connection.close()
    let server = MemoryServer(history.files(try history.head(.steps)))
    #expect(app.failure(server)?.reason == .constraint(table: "category", message: "not this one"))
    try app.expectPublishedState(at: history.firstSeq)
    let again = try app.open()
    try again.execute("DROP TRIGGER guard")
    try again.close()
    try app.sync(server)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a row of the app's that refers to what is gone stops the segment`() throws {
    let history = history({ $0.put(Catalog.tables[0], Self.category(1)) }) {
      $0["category"] = [:]
    }
    let app = try AppDatabase(history)
    let connection = try app.open()
    try connection.execute(
      """
      CREATE TABLE favourite(id INTEGER PRIMARY KEY, category INTEGER REFERENCES category(id));
      INSERT INTO favourite VALUES (7, 1)
      """)
    try connection.close()
    let server = MemoryServer(history.files(try history.head(.steps)))
    #expect(
      app.failure(server)?.reason
        == .foreignKeyViolation([.init(table: "favourite", rowID: 7, parent: "category")]))
    try app.expectPublishedState(at: history.firstSeq)
    let again = try app.open()
    try again.execute("DELETE FROM favourite")
    try again.close()
    try app.sync(server)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `unique values move in rings, children come before parents`() throws {
    let history = history({ state in
      state.put(Catalog.tables[0], Self.category(1))
      for (id, code) in [(1, "a"), (2, "b"), (3, "c")] {
        state.put(Catalog.tables[1], Self.product(Int64(id), code: code, category: 1))
      }
    }) { state in
      state["category"] = [:]
      state.put(Catalog.tables[0], Self.category(2))
      for (id, code) in [(1, "b"), (2, "c"), (3, "a"), (4, "d")] {
        state.put(Catalog.tables[1], Self.product(Int64(id), code: code, category: 2))
      }
    }
    let app = try AppDatabase(history)
    try app.sync(MemoryServer(history.files(try history.head(.steps))))
    try app.expectPublishedState(at: history.seq)
    let favourites = try app.open().rows("SELECT favourite FROM product ORDER BY id")
    #expect(favourites == [[.integer(1)], [.integer(0)], [.integer(1)], [.integer(0)]])
  }

  @Test func `a text for a rowid names the table, the column and the value`() throws {
    let next = history.segmentText(from: history.seq - 1, to: history.seq)
    let long = String(repeating: "long", count: 20)
    for (value, shown) in [
      ("\"x9\"", "\"x9\""), ("1.5", "1.5"), ("{\"b\":\"AAEC\"}", "a blob of 3 bytes"),
      ("\"\(long)\"", "\"\(long.prefix(40))…\""),
    ] {
      var head = try history.head(.steps)
      let lines = next.text.split(separator: "\n").dropLast()
      let text =
        lines.joined(separator: "\n") + "\n{\"table\":\"category\",\"upsert\":[\"title\",\"id\"]}\n"
        + "[\"t\",\(value)]\n{\"end\":{\"rows\":\(next.rows + 1)}}\n"
      head.segments[head.segments.count - 1] = history.add(
        segment: text, from: history.seq - 1, to: history.seq, rows: next.rows + 1)
      let app = try AppDatabase(history, at: history.seq - 1)
      let error = app.failure(MemoryServer(history.files(head)))
      #expect(
        error?.reason
          == .unsupportedFormat(
            "table \"category\": \(shown) in column \"id\" is not an integer"))
      try app.expectPublishedState(at: history.seq - 1)
    }
  }

  @Test func `a snapshot with a text for a rowid names it as well`() throws {
    let app = try AppDatabase(history, at: 2)
    var head = try history.head(.steps)
    head.segments.removeAll { $0.to < history.seq }
    let directory = try TemporaryDirectory()
    try history.writeDatabase(directory.path("snapshot"), at: history.seq)
    let connection = try Connection(path: directory.path("snapshot"), mode: .readWrite)
    try connection.execute(
      """
      ALTER TABLE category RENAME TO old; CREATE TABLE category(id TEXT PRIMARY KEY, title TEXT);
      INSERT INTO category SELECT * FROM old; DROP TABLE old;
      INSERT INTO category VALUES ('12.0', 'fine'), ('seven', 'not so')
      """)
    try connection.close()
    let plain = try directory.bytes(of: "snapshot")
    let packed = ReferenceEncoding.gzip(plain)
    head.snapshot = SnapshotEntry(
      seq: history.seq, id: history.position.id, sha256: history.add(object: packed),
      size: Int64(packed.count), plainSize: Int64(plain.count))
    #expect(
      app.failure(MemoryServer(history.files(head)))?.reason
        == .unsupportedFormat(
          "table \"category\": \"seven\" in column \"id\" is not an integer"))
    try app.expectPublishedState(at: 2)
  }

  // MARK: T15

  @Test func `a full database stops the segment, and is gone on with when there is room`() throws {
    let app = try AppDatabase(history)
    let server = try server(.single)
    // The file system is full for the cache: what a download needs is asked for first.
    app.files.availableByteCount = { _ in 100 }
    guard case .diskFull(let needed?, 100) = app.failure(server)?.reason else {
      Issue.record("it went on")
      return
    }
    #expect(needed > 100)
    #expect(server.objectRequests.isEmpty)
    app.files = .live
    try app.sync(server)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a cache that cannot be written stops the run, whatever the call`() throws {
    let template = try AppDatabase(history)
    let server = try server()
    var failed = 0
    for number in 0..<200 {
      let app = try AppDatabase(copying: template)
      let counter = Lock(0)
      app.files.write = { descriptor, path, bytes throws(FileError) in
        let isDue = counter.withLock { count in
          count += 1
          return count == number + 1
        }
        if isDue { throw FileError(.write, path, code: ENOSPC) }
        return try FileSystem.live.write(descriptor, path, bytes)
      }
      let error = app.failure(server)
      if counter.withLock({ $0 }) <= number { break }
      failed += 1
      if let error { #expect(error.reason == .diskFull(needed: nil, available: nil)) }
      try app.expectPublishedState("write \(number)")
      app.files = .live
      try app.sync(server)
      try app.expectPublishedState(at: history.seq, "write \(number)")
    }
    #expect(failed > 5)
  }

  // MARK: T17

  @Test func `a new column is passed over until the app's migration adds it, then it is filled`()
    throws
  {
    let app = try AppDatabase(history)
    var tables = Catalog.tables
    tables[0].columns.append(("icon", "TEXT"))
    let next = PublishedHistory(
      epoch: history.epoch, firstSeq: history.seq, tables: tables,
      schemaSQL: Catalog.schema.replacing("title TEXT)", with: "title TEXT, icon TEXT)"),
      first: Self.withIcons(history.state(at: history.seq)), firstID: history.position.id)
    try app.sync(try server())
    next.publish { state in
      state.put(Catalog.tables[0], [.integer(9), .text("new"), .text("icon 9")])
    }
    let newer = MemoryServer(next.files(try next.head(.steps, snapshotAt: next.firstSeq)))
    #expect(try app.sync(newer).outcome == .applied)
    #expect(try app.position() == next.position)
    let connection = try app.open()
    #expect(
      try connection.rows("SELECT * FROM category WHERE id = 9") == [[.integer(9), .text("new")]])
    // The app's migration, and its new version.
    try connection.execute("ALTER TABLE category ADD COLUMN icon TEXT")
    try connection.close()
    #expect(try app.sync(newer).outcome == .current)
    app.options.declaring = [
      StreamTableDeclaration(table: "category", key: ["id"], columns: ["id", "icon"])
    ]
    #expect(try app.sync(newer).outcome == .merged)
    let icons = try app.open().rows("SELECT icon FROM category WHERE icon IS NOT NULL")
    #expect(icons.count == next.state(at: next.seq)["category"].count)
    #expect(try app.sync(newer).outcome == .current)
  }

  private static func withIcons(_ state: CatalogState) -> CatalogState {
    var state = state
    for (key, row) in state["category"] {
      state["category"][key] = row + [.text("icon of an old row")]
    }
    return state
  }

  @Test func `columns that are gone, retyped or of another key are refused`() throws {
    let right = try history.head(.steps)
    let changes: [(String?, (inout StreamTable) -> Void)] = [
      ("title", { $0.columns.removeAll { $0.name == "title" } }),
      ("title", { $0.columns[1].affinity = "BLOB" }), (nil, { $0.key = ["id", "title"] }),
    ]
    for (column, change) in changes {
      var head = right
      change(&head.tables[0])
      let app = try AppDatabase(history)
      let error = app.failure(MemoryServer(history.files(head)))
      #expect(error?.reason == .schemaIncompatible(table: "category", column: column))
      try app.expectPublishedState(at: history.firstSeq)
    }
    var head = right
    head.tables.removeAll { $0.name == "tag" }
    let app = try AppDatabase(history)
    #expect(
      app.failure(MemoryServer(history.files(head)))?.reason
        == .schemaIncompatible(table: "tag", column: nil))
  }

  @Test func `databases that no publisher has made are told apart`() throws {
    let app = try AppDatabase(history)
    let connection = try app.open()
    try connection.execute("DELETE FROM _seed_stream")
    try connection.close()
    let server = try server()
    #expect(app.failure(server)?.reason == .notSeeded)
    let before = try Data(contentsOf: URL(fileURLWithPath: app.path))
    #expect(app.failure(server)?.reason == .notSeeded)
    // Not even the journal mode is changed.
    #expect(try Data(contentsOf: URL(fileURLWithPath: app.path)) == before)
    try FileManager.default.removeItem(atPath: app.path)
    #expect(app.failure(server)?.reason == .noDatabase(path: app.path))
    #expect(server.requests.isEmpty)
  }

  // MARK: T18, T19

  @Test func `several runs at once leave one state, and none fails`() async throws {
    let app = try AppDatabase(history)
    app.options.cacheDirectory = app.directory.path("cache")
    let server = try server()
    let stream = app.stream(server)
    let outcomes = try await withThrowingTaskGroup(of: StreamResult.self) { group in
      for _ in 0..<4 { group.addTask { try await stream.sync() } }
      return try await group.reduce(into: []) { $0.append($1.position) }
    }
    #expect(outcomes == Array(repeating: history.position, count: 4))
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a reader keeps its state for as long as it reads`() throws {
    let app = try AppDatabase(history)
    let reader = try app.open()
    _ = try reader.scalarText("PRAGMA journal_mode = WAL")
    try reader.execute("BEGIN")
    let before = try reader.rows("SELECT * FROM product ORDER BY id")
    try app.sync(try server())
    #expect(try reader.rows("SELECT * FROM product ORDER BY id") == before)
    try reader.execute("COMMIT")
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `rows keep their rowids and the app's columns through a merge`() throws {
    let app = try AppDatabase(history, at: 2)
    let connection = try app.open()
    try connection.execute("UPDATE product SET favourite = id % 2")
    let marked = try connection.rows("SELECT id FROM product WHERE favourite = 1")
    try connection.close()
    var head = try history.head(.steps, snapshotAt: 4)
    head.segments.removeAll { $0.from < 4 }
    #expect(try app.sync(MemoryServer(history.files(head))).outcome == .merged)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    let after = try app.open()
    for row in marked {
      guard case .integer(let id) = row[0] else { continue }
      let isThere = history.state(at: 6)["product"][[.integer(id)]] != nil
      guard isThere else { continue }
      #expect(
        try after.scalarInteger("SELECT favourite FROM product WHERE id = ?", .integer(id)) == 1)
    }
  }

  /// Writes as an app does, without a pause, until it is told to end; the numbers of the rows.
  private static func writeVisits(_ path: String, isOver: () -> Bool) throws -> [Int64] {
    let connection = try Connection(path: path, mode: .readWrite)
    connection.setBusyTimeout(milliseconds: 60_000, isInsistent: true)
    try connection.execute(
      "CREATE TABLE visit(id INTEGER PRIMARY KEY, product INTEGER, rowid_then INTEGER)")
    var written: [Int64] = []
    while !isOver() || written.count < 20 {
      let number = Int64(written.count + 1)
      try connection.run(
        "INSERT INTO visit SELECT ?, id, rowid FROM product WHERE id = ? UNION ALL "
          + "SELECT ?, NULL, NULL LIMIT 1", .integer(number), .integer(number % 30 + 1),
        .integer(number))
      try connection.run(
        "UPDATE product SET favourite = id % 2 WHERE id = ?", .integer(number % 30 + 1))
      written.append(number)
    }
    return written
  }

  @Test func `the app writes all the while, and keeps what it has written`() async throws {
    let history = PublishedHistory()
    history.publishRandomly(40, rowsPerStep: 12, seed: seed)
    let app = try AppDatabase(history)
    let server = MemoryServer(history.files(try history.head(.steps)))
    let (path, isOver) = (app.path, Lock(false))
    // Whatever becomes of the stream: a writer without an end would keep a processor for ever.
    defer { isOver.withLock { $0 = true } }
    let (ends, end) = AsyncThrowingStream<[Int64], any Error>.makeStream()
    // On a thread of its own: it blocks, and the threads of tasks are few.
    Thread.detachNewThread {
      do {
        end.yield(try Self.writeVisits(path) { isOver.withLock { $0 } })
        end.finish()
      } catch {
        end.finish(throwing: error)
      }
    }
    let stream = app.stream(server)
    #expect(try await stream.sync().outcome == .applied)
    isOver.withLock { $0 = true }
    let written = try #require(try await ends.first { _ in true })
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    let connection = try app.open()
    #expect(
      try connection.rows("SELECT id FROM visit ORDER BY id") == written.map { [.integer($0)] })
    // The app's marks are on the rows that it made them on, or the row is another one since.
    #expect(
      try connection.scalarInteger(
        "SELECT count(*) FROM product WHERE favourite NOT IN (0, id % 2)") == 0)
    #expect(
      try connection.scalarInteger("SELECT count(*) FROM visit WHERE product <> rowid_then") == 0)
  }

  @Test func `a new table is passed over until the app has it, then it is filled`() throws {
    let shop = Catalog.Table(
      name: "shop", key: ["id"], columns: [("id", "INTEGER"), ("city", "TEXT")])
    let schema = "CREATE TABLE shop(id INTEGER PRIMARY KEY, city TEXT);"
    var first = history.state(at: history.seq)
    first.put(shop, [.integer(1), .text("Ulm")])
    let next = PublishedHistory(
      epoch: history.epoch, firstSeq: history.seq, tables: Catalog.tables + [shop],
      schemaSQL: Catalog.schema + schema, first: first, firstID: history.position.id)
    next.publish { $0.put(shop, [.integer(2), .text("Bonn")]) }
    let app = try AppDatabase(history)
    try app.sync(try server())
    let newer = MemoryServer(next.files(try next.head(.steps, snapshotAt: next.firstSeq)))
    #expect(try app.sync(newer).outcome == .applied)
    let connection = try app.open()
    try connection.execute(schema)
    try connection.close()
    #expect(try app.sync(newer).outcome == .current)
    app.options.declaring = [
      StreamTableDeclaration(table: "shop", key: ["id"], columns: ["id", "city"])
    ]
    #expect(try app.sync(newer).outcome == .merged)
    #expect(
      try app.open().rows("SELECT city FROM shop ORDER BY id") == [[.text("Ulm")], [.text("Bonn")]])
  }

  // MARK: Cancellation and following

  @Test func `a cancelled run leaves a published state`() async throws {
    let app = try AppDatabase(history)
    let server = try server()
    let stream = app.stream(server)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stream.sync()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try app.expectPublishedState()
  }

  @Test func `following tells each result and ends with its iteration`() async throws {
    let app = try AppDatabase(history)
    let stream = TableStream(
      history.stream, database: app.path, from: .static(MemoryServer.base), options: app.options,
      transport: try server(), clock: app.clock.clockThatWaits())
    var results: [StreamResult.Outcome] = []
    var story: [String] = []
    for await status in stream.run() {
      story.append("\(status.phase) at \(status.position?.seq ?? 0)")
      if let result = status.result {
        results.append(result.outcome)
        if results.count == 2 { break }
        app.clock.release()
      }
    }
    #expect(results == [.applied, .current], "seed \(seed): \(story)")
    // The first wait is a part of half a minute, later ones follow what the head says.
    #expect(app.clock.waits.first == .seconds(15))
    #expect(app.clock.waits.dropFirst().first == .seconds(300))
    try app.expectPublishedState(at: history.seq)
  }
}
