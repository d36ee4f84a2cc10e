import Foundation
import SeedSQLite
import TestSupport
import Testing

@Suite struct ConnectionTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test func `a statement that takes too many steps is stopped, and others run`() throws {
    let connection = try Connection.inMemory()
    connection.limitSteps(to: 1_000_000)
    let error = #expect(throws: SQLiteError.self) { try connection.execute(Self.endless) }
    #expect(error?.isInterrupted == true)
    connection.restartSteps()
    #expect(try connection.scalarInteger("SELECT 7") == 7)
    connection.liftStepLimit()
    #expect(
      try connection.scalarInteger(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) "
          + "SELECT count(*) FROM n") == 300_000)
  }

  @Test func `the version is that of a library with extended open flags`() {
    let parts = SQLite.version.split(separator: ".").compactMap { Int($0) }
    #expect(parts.count == 3)
    #expect(parts[0] == 3 && parts[1] >= 37)
  }

  @Test func `memory statistics are turned off before the first connection only`() async {
    await #expect(processExitsWith: .success) {
      #expect(SQLite.configureForBulkLoad())
      let connection = try Connection.inMemory()
      try connection.execute("CREATE TABLE t (a)")
      #expect(SQLite.configureForBulkLoad(), "asking again reports the first answer")
    }
    await #expect(processExitsWith: .success) {
      _ = try Connection.inMemory()
      #expect(!SQLite.configureForBulkLoad())
    }
  }

  @Test func `a created file is read back by a second connection`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.sqlite")
    let writer = try Connection(path: path, mode: .create)
    try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    #expect(writer.changes == 2)
    #expect(writer.lastInsertRowID == 2)
    try writer.close()
    let reader = try Connection(path: path, mode: .readOnly)
    #expect(try reader.scalarInteger("SELECT sum(a) FROM t") == 3)
  }

  @Test(arguments: [Connection.Mode.readOnly, .readWrite, .immutable])
  func `only the create mode makes a file`(mode: Connection.Mode) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("missing.sqlite")
    let error = #expect(throws: SQLiteError.self) { try Connection(path: path, mode: mode) }
    #expect(error?.cannotOpen == true)
    #expect(error?.path == path)
    #expect(error?.operation == "open")
    #expect(try directory.names.isEmpty)
  }

  @Test(arguments: ["", "a\0b"])
  func `a path that is no file name is refused`(path: String) {
    let error = #expect(throws: SQLiteError.self) { try Connection(path: path, mode: .create) }
    #expect(error?.cannotOpen == true)
  }

  @Test(arguments: [
    ":memory:", "file:a?mode=memory", "100% #1?.sqlite", "a b&c=d.sqlite", "größe ☃.sqlite", "a:b",
    "file:x",
  ])
  func `a file name is never read as a URI`(name: String) async throws {
    // Names with a meaning of their own are relative, so the child changes its directory.
    let directory = try TemporaryDirectory()
    let path = directory.path
    await #expect(processExitsWith: .success) { [path = path as String, name] in
      try #require(FileManager.default.changeCurrentDirectoryPath(path))
      try Connection(path: name, mode: .create).execute("CREATE TABLE t AS SELECT 7 AS a")
      for file in [name, path + "/" + name] {
        for mode in [Connection.Mode.readOnly, .immutable] {
          let reader = try Connection(path: file, mode: mode)
          #expect(try reader.scalarInteger("SELECT a FROM t") == 7)
        }
      }
    }
    #expect(try directory.names == [name])
  }

  @Test func `an immutable database is read without leaving files beside it`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.sqlite")
    let writer = try Connection(path: path, mode: .create)
    #expect(try writer.scalarText("PRAGMA journal_mode=WAL") == "wal")
    try writer.execute("CREATE TABLE t AS SELECT 1 AS a")
    try writer.close()
    let reader = try Connection(path: path, mode: .immutable)
    #expect(try reader.scalarInteger("SELECT a FROM t") == 1)
    #expect(try directory.names == ["a.sqlite"])
    let error = #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM t") }
    #expect(error?.isReadOnly == true)
  }

  @Test func `closing reports a statement that is still alive and can be repeated`() throws {
    let connection = try Connection.inMemory()
    var statement: Statement? = try connection.prepare("SELECT 1")
    #expect(try statement?.step() == true)
    let error = #expect(throws: SQLiteError.self) { try connection.close() }
    #expect(error?.isBusy == true)
    #expect(error?.operation == "close")
    statement = nil
    try connection.close()
    try connection.close()
  }

  @Test func `a statement outlives a connection that was let go of`() throws {
    func statement() throws -> Statement {
      try Connection.inMemory().prepare("SELECT 42")
    }
    let statement = try statement()
    #expect(try statement.step())
    #expect(statement.integer(0) == 42)
  }

  @Test func `defensive mode forbids writes to the schema table`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a); PRAGMA writable_schema=ON")
    try connection.setDefensive(true)
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM sqlite_schema") }
    try connection.setDefensive(false)
    try connection.execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema")
  }

  @Test func `autocommit ends with a transaction's begin and comes back with its end`() throws {
    let connection = try Connection.inMemory()
    #expect(connection.isInAutocommit)
    try connection.execute("BEGIN")
    #expect(!connection.isInAutocommit)
    try connection.execute("ROLLBACK")
    #expect(connection.isInAutocommit)
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `the collation of bytes orders texts as UTF-8 in any encoding`(encoding: String) throws {
    let connection = try Connection.inMemory()
    try connection.execute("PRAGMA encoding = '\(encoding)'; CREATE TABLE t(a)")
    try connection.addByteOrderCollation()
    let texts = ["", "a", "ab", "b", "é", "Ā", "\u{FFFC}", "\u{1F600}"]
    for text in texts.reversed() { try connection.run("INSERT INTO t VALUES (?)", .text(text)) }
    let rows = try connection.rows("SELECT a FROM t ORDER BY a COLLATE seed_utf8")
    #expect(rows == texts.map { [.text($0)] })
  }

  @Test func `a NULL beside a key in another order than its columns is no damage`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      CREATE TABLE t (k TEXT, v, n INTEGER, PRIMARY KEY (n, k)) WITHOUT ROWID;
      INSERT INTO t VALUES ('x', NULL, 3)
      """)
    #expect(try connection.structuralFinding() == nil)
  }

  @Test func `a NULL in a column that has none is damage`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      CREATE TABLE t (k TEXT, v NOT NULL, n INTEGER, PRIMARY KEY (n, k)) WITHOUT ROWID;
      INSERT INTO t VALUES ('x', 1, 3); CREATE TABLE u (a);
      INSERT INTO u VALUES (NULL); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE u (a NOT NULL)' WHERE name = 'u';
      PRAGMA writable_schema = RESET
      """)
    #expect(try connection.structuralFinding() == "NULL value in u.a")
  }
}
