import SeedSQLite
import SeedStreams
import TestSupport
import Testing

/// Unique values that move, where the publisher knows nothing of their being unique.
@Suite struct AppIndexTests {
  private static func category(_ id: Int64, _ title: String) -> [SQLiteValue] {
    [.integer(id), .text(title)]
  }

  private static func product(_ id: Int64, name: String) -> [SQLiteValue] {
    [.integer(id), .text(name), .text("c\(id)"), .null, .null, .null]
  }

  /// Categories whose titles move in a ring, and products that refer to titles by their names.
  private func history(
    to titles: [String], schema: String = Catalog.schema
  ) -> PublishedHistory {
    var state = CatalogState()
    for (id, title) in ["a", "b", "c"].enumerated() {
      state.put(Catalog.tables[0], Self.category(Int64(id + 1), title))
      state.put(Catalog.tables[1], Self.product(Int64(id + 1), name: title))
    }
    let history = PublishedHistory(schemaSQL: schema, first: state)
    history.publish { state in
      for (id, title) in titles.enumerated() {
        state.put(Catalog.tables[0], Self.category(Int64(id + 1), title))
      }
    }
    return history
  }

  private func app(_ history: PublishedHistory) throws -> AppDatabase {
    let app = try AppDatabase(history)
    let connection = try app.open()
    try connection.execute("CREATE UNIQUE INDEX own ON category(title)")
    try connection.close()
    return app
  }

  private func server(_ history: PublishedHistory) throws -> MemoryServer {
    MemoryServer(history.files(try history.head(.steps)))
  }

  @Test func `unique values move in a ring under an index of the app's own`() throws {
    let history = history(to: ["b", "c", "a"])
    let app = try app(history)
    let result = try app.sync(try server(history))
    #expect(result.rows == 3)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a value that two rows get is refused, and nothing is applied`() throws {
    let history = history(to: ["a", "c", "c"])
    let app = try app(history)
    #expect(
      app.failure(try server(history))?.reason
        == .constraint(table: "category", message: "UNIQUE constraint failed: category.title"))
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test(arguments: ["CASCADE", "SET NULL", "SET DEFAULT"])
  func `rows that refer to a unique value which moves are as they were published`(
    action: String
  ) throws {
    let schema = """
      CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
      CREATE TABLE product(id INTEGER PRIMARY KEY,
        name TEXT DEFAULT NULL REFERENCES category(title) ON UPDATE \(action),
        code TEXT UNIQUE, price REAL, thumb BLOB, category INTEGER REFERENCES category(id));
      CREATE TABLE tag(product INTEGER, word TEXT, PRIMARY KEY(product, word)) WITHOUT ROWID;
      """
    let history = history(to: ["b", "c", "a"], schema: schema)
    let app = try AppDatabase(history)
    try app.sync(try server(history))
    try app.expectPublishedState(at: history.seq)
  }
}
