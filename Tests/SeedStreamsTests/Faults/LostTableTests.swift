import SeedSQLite
import SeedStreams
import Testing

/// Tables and columns of a stream that the app's database had and has no more.
@Suite struct LostTableTests {
  private let history = PublishedHistory()

  init() {
    history.publishRandomly(2, rowsPerStep: 4, seed: 7)
  }

  private static let losses: [(sql: String, table: String, column: String?)] = [
    ("ALTER TABLE product RENAME COLUMN price TO cost", "product", "price"),
    ("ALTER TABLE product DROP COLUMN thumb", "product", "thumb"),
    (
      "ALTER TABLE product DROP COLUMN thumb; ALTER TABLE product DROP COLUMN name", "product",
      "name"
    ),
    ("DROP TABLE tag", "tag", nil),
    ("ALTER TABLE tag RENAME TO word", "tag", nil),
    ("DROP TABLE tag; ALTER TABLE category RENAME COLUMN title TO name", "category", "title"),
  ]

  @Test(arguments: 0..<6) func `what the app has lost is refused, and nothing moves on`(
    number: Int
  ) throws {
    let loss = Self.losses[number]
    let app = try AppDatabase(history)
    let server = MemoryServer(history.files(try history.head(.steps)))
    let position = try app.position()
    let connection = try app.open()
    try connection.execute(loss.sql)
    try connection.close()
    let reason = StreamError.Reason.schemaIncompatible(table: loss.table, column: loss.column)
    #expect(app.failure(server)?.reason == reason)
    #expect(try app.position() == position)
  }

  @Test(arguments: 0..<6) func `a loss is refused where the source does not say what it carries`(
    number: Int
  ) throws {
    let loss = Self.losses[number]
    let app = try AppDatabase(history)
    let feed = ReferenceFeed(history)
    let server = ScriptedServer { feed.answer(to: $0) }
    let position = try app.position()
    let connection = try app.open()
    try connection.execute(loss.sql)
    try connection.close()
    let error = #expect(throws: StreamError.self) { try app.dynamic(server).syncBlocking() }
    #expect(error?.reason == .schemaIncompatible(table: loss.table, column: loss.column))
    // No answer was needed to tell.
    #expect(server.requests.isEmpty)
    #expect(try app.position() == position)
  }

  @Test func `a loss is refused at the head, and beside a column that the app has yet to make`()
    throws
  {
    let app = try AppDatabase(history)
    let server = MemoryServer(history.files(try history.head(.steps)))
    try app.sync(server)
    app.options.declaring = [
      StreamTableDeclaration(table: "category", key: ["id"], columns: ["id", "icon"])
    ]
    #expect(try app.sync(server).outcome == .current)
    let connection = try app.open()
    try connection.execute("ALTER TABLE product RENAME COLUMN price TO cost")
    try connection.close()
    #expect(
      app.failure(server)?.reason == .schemaIncompatible(table: "product", column: "price"))
  }
}
