import Foundation
import SeedSQLite
import Testing

@Suite struct ScriptTests {
  @Test(arguments: [
    "CREATE TABLE t (a); INSERT INTO t VALUES (1)",
    "CREATE TABLE t (a);\n-- a comment; with a semicolon\nINSERT INTO t VALUES (1);\n",
    ";;CREATE TABLE t (a);;INSERT INTO t VALUES (1);; /* end */",
    "CREATE TABLE t (a); INSERT INTO t VALUES (1); SELECT a FROM t",
    """
    CREATE TABLE t (a);
    CREATE TRIGGER r AFTER INSERT ON t WHEN new.a = 0 BEGIN DELETE FROM t; SELECT 1; END;
    INSERT INTO t VALUES (1)
    """,
  ])
  func `every statement of a script runs`(script: String) throws {
    let connection = try Connection.inMemory()
    try connection.execute(script)
    #expect(try connection.scalarInteger("SELECT a FROM t") == 1)
  }

  @Test(arguments: ["", "  \n", "-- nothing", ";", "/* never closed"])
  func `a script without a statement does nothing`(script: String) throws {
    try Connection.inMemory().execute(script)
  }

  @Test func `an error in a script names its place and keeps what ran before`() throws {
    let connection = try Connection.inMemory()
    let script = "CREATE TABLE ä (a);\n\n  INSERT INTO ä VALUES (nope);"
    let error = #expect(throws: SQLiteError.self) { try connection.execute(script) }
    let place = try #require(script.range(of: "nope")?.lowerBound)
    #expect(error?.offset == script.utf8.distance(from: script.startIndex, to: place))
    #expect(error?.message == "no such column: nope")
    #expect(error?.operation.hasPrefix("INSERT INTO ä") == true)
    #expect(try connection.scalarInteger("SELECT count(*) FROM ä") == 0)
  }

  @Test func `a statement that fails as it runs is named by its start`() throws {
    let connection = try Connection.inMemory()
    let script = "CREATE TABLE t (a NOT NULL);\n  INSERT INTO t VALUES (NULL);"
    let error = #expect(throws: SQLiteError.self) { try connection.execute(script) }
    #expect(error?.offset == 31)
    #expect(error?.constraint == .notNull)
    #expect(error?.operation == "INSERT INTO t VALUES (NULL);")
  }

  @Test func `a NUL does not cut a script short`() throws {
    let connection = try Connection.inMemory()
    let error = #expect(throws: SQLiteError.self) {
      try connection.execute("CREATE TABLE t (a);\0 CREATE TABLE u (a)")
    }
    #expect(error?.offset == 19)
    #expect(try connection.scalarInteger("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test(arguments: [("", "no statement in the text"), ("SELECT 1; SELECT 2", "more than one")])
  func `exactly one statement is prepared`(sql: String, message: String) throws {
    let connection = try Connection.inMemory()
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.message.hasPrefix(message) == true)
    #expect(error?.operation == sql)
  }

  @Test func `a comment may follow a prepared statement`() throws {
    let statement = try Connection.inMemory().prepare("SELECT 1; -- one")
    #expect(try statement.step())
  }
}
