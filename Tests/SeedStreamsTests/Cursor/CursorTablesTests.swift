import SeedFormat
import SeedMerge
import SeedSQLite
import SeedStreams
import Testing

@Suite struct CursorTablesTests {
  private let connection: Connection
  private let first = StreamPosition(epoch: 5, seq: 7, id: "aa")
  private let second = StreamPosition(epoch: 5, seq: 9, id: "bb")

  init() throws {
    connection = try Connection.inMemory()
    try CursorTables.create(on: connection)
  }

  @Test func `a database without the tables stands nowhere`() throws {
    let empty = try Connection.inMemory()
    #expect(try CursorTables.cursor(of: "main", in: empty) == nil)
    #expect(try CursorTables.cursors(in: empty).isEmpty)
    #expect(try CursorTables.tables(of: "main", in: empty).isEmpty)
  }

  @Test func `a position is read as it was written`() throws {
    let cursor = StreamCursor(
      stream: "main", position: first, cursor: "eyJ9", schema: "9c11", appliedAt: 12)
    try CursorTables.write(cursor, to: connection)
    try CursorTables.write(
      StreamCursor(stream: "a", position: second, schema: "00"), to: connection)
    #expect(try CursorTables.cursor(of: "main", in: connection) == cursor)
    #expect(try CursorTables.cursors(in: connection).map(\.stream) == ["a", "main"])
  }

  @Test func `a position moves on only from where it is`() throws {
    try CursorTables.write(
      StreamCursor(stream: "main", position: first, schema: "9c11"), to: connection)
    let next = StreamCursor(stream: "main", position: second, schema: "9c11", appliedAt: 1)
    #expect(try CursorTables.advance(from: first, to: next, in: connection))
    #expect(try !CursorTables.advance(from: first, to: next, in: connection))
    var other = second
    other.id = "cc"
    #expect(try !CursorTables.advance(from: other, to: next, in: connection))
    #expect(try CursorTables.cursor(of: "main", in: connection) == next)
  }

  @Test func `what a stream may write is replaced as a whole`() throws {
    let old = [
      DeclaredTable(name: "a", key: ["id"], columns: ["id"]),
      DeclaredTable(name: "b \"c\"", key: ["x", "y"], columns: ["x", "y", "z,"]),
    ]
    try CursorTables.declare(old, for: "main", in: connection)
    #expect(try CursorTables.tables(of: "main", in: connection) == old)
    try CursorTables.declare(Array(old[1...]), for: "main", in: connection)
    #expect(try CursorTables.tables(of: "main", in: connection) == Array(old[1...]))
    #expect(try CursorTables.tables(of: "other", in: connection).isEmpty)
  }

  @Test(arguments: ["no JSON", "[]", "[1]", "{}", "\"id\""])
  func `a list that is none is an error with its place`(key: String) throws {
    try connection.run(
      "INSERT INTO _seed_stream_table VALUES('main', 'a', ?, '[\"id\"]')", .text(key))
    let error = #expect(throws: CursorError.self) {
      try CursorTables.tables(of: "main", in: connection)
    }
    #expect(error?.message.contains("\"key\" of table \"a\"") == true)
  }

  @Test func `positions do not change the digest of a database's content`() throws {
    let database = try Connection.inMemory()
    try database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)")
    let digest = try ContentDigest.compute(database)
    try CursorTables.create(on: database)
    try CursorTables.write(
      StreamCursor(stream: "main", position: first, schema: "9c11"), to: database)
    #expect(try ContentDigest.compute(database) == digest)
    try database.execute("INSERT INTO t VALUES(2)")
    #expect(try ContentDigest.compute(database) != digest)
  }
}
