import SeedSQLite
import Testing

@Suite struct StatementTests {
  /// A connection with a table of one untyped column.
  private func connection() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a)")
    return connection
  }

  @Test(arguments: [
    SQLiteValue.null, .integer(.min), .integer(.max), .integer(0), .integer(-1), .real(0.1),
    .real(.infinity), .real(-.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .text(""),
    .text("a\0b"), .text("größe ☃ 🇨🇭"), .text(String(repeating: "x", count: 100_000)), .blob([]),
    .blob([0, 255, 0]),
  ])
  func `a value comes back as it went in`(value: SQLiteValue) throws {
    let connection = try connection()
    try connection.run("INSERT INTO t VALUES (?)", value)
    #expect(try connection.rows("SELECT a FROM t") == [[value]])
  }

  @Test func `NaN is stored as NULL`() throws {
    let connection = try connection()
    try connection.run("INSERT INTO t VALUES (?)", .real(.nan))
    #expect(try connection.rows("SELECT a FROM t") == [[.null]])
  }

  @Test func `text bound by pointer is stored with its bytes and an embedded NUL`() throws {
    let connection = try connection()
    let statement = try connection.prepare("INSERT INTO t VALUES (?)")
    let bytes = Array("ab\0cdef".utf8)
    try bytes.withUnsafeBufferPointer { buffer in
      let start = try #require(buffer.baseAddress)
      try statement.bindText(1, start + 1, count: 4)
      try statement.run()
      // An empty text is not NULL, though it has no bytes.
      try statement.bindText(1, start, count: 0)
      try statement.run()
    }
    #expect(
      try connection.rows("SELECT a, typeof(a) FROM t") == [
        [.text("b\0cd"), .text("text")], [.text(""), .text("text")],
      ])
  }

  @Test func `bindings stay over a run until they are cleared`() throws {
    let connection = try connection()
    let statement = try connection.prepare("INSERT INTO t VALUES (?)")
    #expect(statement.parameterCount == 1)
    statement.bindInteger(1, 5)
    try statement.run()
    try statement.run()
    statement.clearBindings()
    try statement.run()
    #expect(try connection.rows("SELECT a FROM t") == [[.integer(5)], [.integer(5)], [.null]])
  }

  @Test(arguments: ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY", "PRIMARY KEY"])
  func `a key conflict is reported without an error and leaves the statement usable`(
    key: String
  ) throws {
    for option in ["", "WITHOUT ROWID", "STRICT"] where !(option == "STRICT" && key.count < 15) {
      let connection = try Connection.inMemory()
      try connection.execute("CREATE TABLE t (a \(key), b) \(option == "STRICT" ? "" : option)")
      let statement = try connection.prepare("INSERT INTO t VALUES (?, ?)")
      var isInserted: [Bool] = []
      for (row, value) in [1, 2, 1, 3].enumerated() {
        statement.bindInteger(1, Int64(value))
        statement.bindInteger(2, Int64(row))
        isInserted.append(try statement.runReportingKeyConflict())
      }
      #expect(isInserted == [true, true, false, true])
      #expect(try connection.scalarText("SELECT group_concat(b) FROM t") == "0,1,3")
    }
  }

  @Test func `a conflict of the rowid itself is one of the key`() throws {
    let connection = try connection()
    let statement = try connection.prepare("INSERT INTO t (rowid) VALUES (1)")
    #expect(try statement.runReportingKeyConflict())
    #expect(try !statement.runReportingKeyConflict())
  }

  @Test func `another broken constraint is an error even when keys are watched`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE)")
    let statement = try connection.prepare("INSERT INTO t VALUES (?, 1)")
    statement.bindInteger(1, 1)
    #expect(try statement.runReportingKeyConflict())
    statement.bindInteger(1, 2)
    let error = #expect(throws: SQLiteError.self) { try statement.runReportingKeyConflict() }
    #expect(error?.constraint == .unique)
    #expect(error?.message == "UNIQUE constraint failed: t.b")
    #expect(error?.operation == "INSERT INTO t VALUES (?, 1)")
    // The statement was reset, so it can be bound again.
    statement.bindInteger(1, 1)
    #expect(try !statement.runReportingKeyConflict())
  }

  @Test func `columns have names and types`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare("SELECT 1 AS i, 2.5 AS r, 't' AS t, x'00' AS b, NULL")
    #expect(try statement.step())
    #expect((0..<statement.columnCount).map(statement.columnName) == ["i", "r", "t", "b", "NULL"])
    #expect(
      (0..<statement.columnCount).map(statement.columnType)
        == [.integer, .real, .text, .blob, .null])
    #expect(statement.real(1) == 2.5)
    #expect(statement.withTextBytes(2) { Array($0) } == [0x74])
    #expect(statement.withTextBytes(4) { $0.count } == 0)
    #expect(statement.blob(3) == [0])
    #expect(try !statement.step())
    #expect(statement.isReadOnly)
  }

  @Test func `a closure's own error passes through`() throws {
    struct Stop: Error, Equatable {}
    let connection = try Connection.inMemory()
    var seen: [Int64] = []
    #expect(throws: Stop()) {
      try connection.forEachRow("SELECT value FROM json_each(?)", .text("[1,2,3]")) { row in
        seen.append(row.integer(0))
        if seen.count == 2 { throw Stop() }
      }
    }
    #expect(seen == [1, 2])
  }

  @Test func `a scalar query tells no row and NULL from a value`() throws {
    let connection = try connection()
    #expect(try connection.scalarInteger("SELECT a FROM t") == nil)
    #expect(try connection.scalarText("SELECT NULL") == nil)
    #expect(try connection.scalarInteger("SELECT 0") == 0)
    #expect(try connection.scalarText("SELECT ''") == "")
  }
}
