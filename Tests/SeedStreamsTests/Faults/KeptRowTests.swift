import SeedSQLite
import SeedStreams
import Testing

/// Rows that stay although the stream deletes them.
@Suite struct KeptRowTests {
  private static func category(_ id: Int64) -> [SQLiteValue] {
    [.integer(id), .text("category \(id)")]
  }

  private static func product(_ id: Int64, _ code: String) -> [SQLiteValue] {
    [.integer(id), .text("p\(id)"), .text(code), .real(1.5), .null, .integer(1)]
  }

  /// Products 1 to 4 with the codes a to d; what becomes of them is the test's.
  private func history(_ changes: ((inout CatalogState) -> Void)...) -> PublishedHistory {
    var state = CatalogState()
    state.put(Catalog.tables[0], Self.category(1))
    for (id, code) in [(1, "a"), (2, "b"), (3, "c"), (4, "d")] {
      state.put(Catalog.tables[1], Self.product(Int64(id), code))
    }
    for id in 1...4 { state.put(Catalog.tables[2], [.integer(Int64(id)), .text("new")]) }
    let history = PublishedHistory(first: state)
    for change in changes { history.publish(change) }
    return history
  }

  private func app(_ history: PublishedHistory) throws -> AppDatabase {
    let app = try AppDatabase(history)
    // Odd products are marked.
    app.options.keepRows = ["Product": "favourite = 1", "tag": "product = 3"]
    return app
  }

  private func products(_ app: AppDatabase) throws -> [String] {
    try app.open().rows("SELECT id || ':' || code || ':' || favourite FROM product ORDER BY id")
      .map { if case .text(let text) = $0[0] { text } else { "?" } }
  }

  private static func remove(_ ids: Int64...) -> (inout CatalogState) -> Void {
    { state in
      for id in ids {
        state["product"][[.integer(id)]] = nil
        state["tag"][[.integer(id), .text("new")]] = nil
      }
    }
  }

  @Test(arguments: [PublishedHistory.Layout.steps, .single])
  func `a deletion leaves the rows that the app keeps, with all their values`(
    layout: PublishedHistory.Layout
  ) throws {
    let history = history(Self.remove(1, 2), Self.remove(3, 4))
    let app = try app(history)
    let result = try app.sync(MemoryServer(history.files(try history.head(layout))))
    #expect(result.kept == 3)
    #expect(result.position == history.position)
    #expect(try products(app) == ["1:a:1", "3:c:1"])
    #expect(try app.open().rows("SELECT * FROM tag") == [[.integer(3), .text("new")]])
  }

  @Test func `the merge of a snapshot leaves them as well, and so do the changes after it`() throws
  {
    let history = history(Self.remove(1, 2), Self.remove(3))
    let app = try app(history)
    var head = try history.head(.steps, snapshotAt: history.firstSeq + 1)
    head.segments.removeAll { $0.from == history.firstSeq }
    let server = MemoryServer(history.files(head))
    let result = try app.sync(server)
    #expect(result.outcome == .merged)
    #expect(result.kept == 3)
    #expect(try products(app) == ["1:a:1", "3:c:1", "4:d:0"])
    // They are no difference; what the app has deleted itself is one.
    #expect(try app.stream(server).verifyBlocking().isEqual)
    try app.open().execute("DELETE FROM product WHERE id = 4")
    #expect(
      try app.stream(server).verifyBlocking().differences
        == [.init(table: "product", missing: 1, unexpected: 0, different: 0)])
  }

  @Test func `a row whose unique value moves is not deleted, so nothing is kept`() throws {
    let history = history { state in
      for (id, code) in [(1, "b"), (2, "c"), (3, "a")] {
        state.put(Catalog.tables[1], Self.product(Int64(id), code))
      }
    }
    let app = try app(history)
    let result = try app.sync(MemoryServer(history.files(try history.head(.steps))))
    #expect(result.kept == 0)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a row that stays and then comes back is the stream's again`() throws {
    let history = history(Self.remove(1)) { state in
      state.put(Catalog.tables[1], Self.product(1, "z"))
    }
    for layout in [PublishedHistory.Layout.steps, .single] {
      let app = try app(history)
      let result = try app.sync(MemoryServer(history.files(try history.head(layout))))
      #expect(result.kept == (layout == .steps ? 1 : 0))
      #expect(try products(app) == ["1:z:1", "2:b:0", "3:c:1", "4:d:0"])
    }
  }

  @Test func `a unique value that another row takes refuses the changes as a whole`() throws {
    let history = history { state in
      Self.remove(1)(&state)
      state.put(Catalog.tables[1], Self.product(4, "a"))
    }
    let app = try app(history)
    let before = try products(app)
    let error = app.failure(MemoryServer(history.files(try history.head(.steps))))
    #expect(
      error?.reason
        == .constraint(table: "product", message: "UNIQUE constraint failed: product.code"))
    #expect(try products(app) == before)
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `a row that stays needs what it refers to`() throws {
    let history = history { state in
      Self.remove(1, 2, 3, 4)(&state)
      state["category"] = [:]
    }
    let app = try app(history)
    let error = app.failure(MemoryServer(history.files(try history.head(.steps))))
    guard case .foreignKeyViolation(let violations) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(violations.map(\.rowID) == [1, 3])
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `a table that is not the stream's is refused, so that a slip costs no row`() throws {
    let history = history(Self.remove(1))
    let app = try app(history)
    app.options.keepRows = ["produkt": "favourite = 1"]
    let server = MemoryServer(history.files(try history.head(.steps)))
    #expect(
      app.failure(server)?.reason == .schemaIncompatible(table: "produkt", column: nil))
    #expect(server.requests.isEmpty)
    try app.expectPublishedState(at: history.firstSeq)
  }
}
