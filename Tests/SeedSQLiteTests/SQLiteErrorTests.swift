import Foundation
import SeedSQLite
import TestSupport
import Testing

@Suite struct SQLiteErrorTests {
  /// The error of a statement that must fail.
  private func failure(of sql: String, on connection: Connection) throws -> SQLiteError {
    let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    return try #require(error)
  }

  @Test func `a full database is told from other failures`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("full.sqlite")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("CREATE TABLE t (a); PRAGMA max_page_count=2")
    let error = try failure(of: "INSERT INTO t VALUES (zeroblob(100000))", on: connection)
    #expect(error.isDiskFull)
    #expect(!error.isInputOutput && error.constraint == nil)
    #expect(error.path == path)
    #expect(error.hint == "free some space on the disk, or write to another one")
    #expect(
      error.description
        == "\(path): database or disk is full (in \"INSERT INTO t VALUES (zeroblob(100000))\", "
        + "code 13)")
  }

  @Test func `a file size limit is a failure to write`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("limit.sqlite")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let connection = try Connection(path: path, mode: .create)
      try connection.execute("CREATE TABLE t (a)")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 65536, rlim_max: 65536)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let error = #expect(throws: SQLiteError.self) {
        try connection.execute("INSERT INTO t VALUES (zeroblob(1000000))")
      }
      #expect(error?.isInputOutput == true || error?.isDiskFull == true)
    }
  }

  @Test func `a file that is no database is refused by its first statement`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(String(repeating: "no database ", count: 100), to: "a.txt")
    let connection = try Connection(path: path, mode: .readOnly)
    let error = try failure(of: "SELECT * FROM sqlite_schema", on: connection)
    #expect(error.isNotADatabase)
    #expect(error.hint == "check that the file is an SQLite database")
  }

  @Test func `a damaged page is reported as such`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.sqlite")
    let writer = try Connection(path: path, mode: .create)
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(50))")
    try writer.close()
    var bytes = try directory.bytes(of: "a.sqlite")
    for index in 4096..<bytes.count { bytes[index] = 0xFF }
    try directory.write(bytes, to: "a.sqlite")
    let connection = try Connection(path: path, mode: .readOnly)
    let error = try failure(of: "SELECT * FROM t", on: connection)
    #expect(error.isCorrupt)
    #expect(error.hint == "restore the file from a copy; it is damaged")
  }

  @Test func `a lock of another connection is reported as busy`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.sqlite")
    let first = try Connection(path: path, mode: .create)
    try first.execute("BEGIN EXCLUSIVE")
    let second = try Connection(path: path, mode: .readWrite)
    #expect(try failure(of: "CREATE TABLE t (a)", on: second).isBusy)
  }

  @Test(arguments: [
    ("INSERT INTO t (id) VALUES (1)", SQLiteError.Constraint.primaryKey),
    ("INSERT INTO t (u) VALUES (1)", .unique), ("INSERT INTO t (n) VALUES (NULL)", .notNull),
    ("INSERT INTO t (c) VALUES (-1)", .check), ("INSERT INTO t (f) VALUES (9)", .foreignKey),
    ("INSERT INTO t (c) VALUES ('x')", .dataType), ("DELETE FROM t", .trigger),
    ("UPDATE t SET id = 2", .primaryKey), ("INSERT INTO r (rowid) VALUES (1)", .primaryKey),
  ])
  func `constraints are told apart`(sql: String, kind: SQLiteError.Constraint) throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      PRAGMA foreign_keys=ON;
      CREATE TABLE t (
        id INTEGER PRIMARY KEY, u INTEGER UNIQUE, n INTEGER NOT NULL DEFAULT 0,
        c INTEGER CHECK (c >= 0), f INTEGER REFERENCES t(id)) STRICT;
      CREATE TRIGGER d BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'kept'); END;
      INSERT INTO t (id, u) VALUES (1, 1), (2, 2);
      CREATE TABLE r (a); INSERT INTO r VALUES (1);
      """)
    let error = try failure(of: sql, on: connection)
    #expect(error.constraint == kind)
    #expect(error.path == "")
  }

  @Test func `a text beyond the limit is refused`() throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare("SELECT ?")
    let byte: [UInt8] = [0x61]
    try byte.withUnsafeBufferPointer { buffer in
      let start = try #require(buffer.baseAddress)
      // SQLite checks the length before it looks at the bytes.
      let error = #expect(throws: SQLiteError.self) {
        try statement.bindText(1, start, count: 1_000_000_001)
      }
      #expect(error?.isTooBig == true)
    }
  }

  @Test func `a long statement is cut short in the message`() throws {
    let connection = try Connection.inMemory()
    let sql = "SELECT \(String(repeating: "x", count: 1000))"
    let error = try failure(of: sql, on: connection)
    #expect(error.operation == sql)
    #expect(error.description.hasSuffix("…\", code 1)"))
    #expect(error.description.contains(String(repeating: "x", count: 193) + "…"))
  }
}
