import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Builds that fill a schema which is given.
@Suite struct SchemaBuildTests {
  private let events = (
    "events.xml",
    """
    <Events>
      <Event timeStamp="16.01.2010" note="a"/>
      <Event timeStamp="01.02.2010"/>
    </Events>
    """
  )

  @Test func `names match without regard to case and underscores`() throws {
    let built = try BuiltProject(
      [events], schema: "CREATE TABLE event(Time_Stamp DATE, NOTE TEXT);")
    #expect(
      try built.rows("SELECT * FROM event") == [
        [.text("2010-01-16"), .text("a")], [.text("2010-02-01"), .null],
      ])
  }

  @Test func `an absent value gets the schema's default`() throws {
    let built = try BuiltProject(
      [events], schema: "CREATE TABLE event(timestamp DATE, note TEXT NOT NULL DEFAULT 'none');")
    #expect(try built.rows("SELECT note FROM event") == [[.text("a")], [.text("none")]])
  }

  @Test func `everything that lacks a column comes in one report`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r>\n<e a='1' b='2'/>\n<e c='3' d='4'/></r>")],
      schema: "CREATE TABLE e(a INTEGER);")
    #expect(
      said == [
        "a.xml:2:13: table \"e\" has no column for attribute b of e"
          + " [add the column, or leave it out with --ignore-extra]",
        "a.xml:3:7: table \"e\" has no column for attribute c of e"
          + " [add the column, or leave it out with --ignore-extra]",
        "a.xml:3:13: table \"e\" has no column for attribute d of e"
          + " [add the column, or leave it out with --ignore-extra]",
      ])
  }

  @Test func `what is extra is left out when that is wanted`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e a='1' b='2'><x y='1'/><x y='2'/></e><e a='2'/></r>")],
      schema: "CREATE TABLE e(a INTEGER);", rules: { $0.mapping.ignoresExtra = true })
    #expect(try built.rows("SELECT * FROM e") == [[.integer(1)], [.integer(2)]])
  }

  @Test func `records without a table are named with the nearest one`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r>\n <evnt a='1'/><evnt a='2'/></r>")],
      schema: "CREATE TABLE event(a INTEGER);")
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix("a.xml:2:2: the schema has no table for the records \"evnt\"") == true)
    #expect(said.first?.contains("did you mean table \"event\"?") == true)
  }

  @Test func `a NOT NULL column without any source is an error`() throws {
    let said = try BuiltProject.failure(
      [events], schema: "CREATE TABLE event(timestamp DATE, note TEXT, kind TEXT NOT NULL);")
    #expect(said.count == 1)
    #expect(said.first?.contains("column \"kind\" of \"event\" is NOT NULL") == true)
  }

  @Test func `a NOT NULL column says which record has no value`() throws {
    let said = try BuiltProject.failure(
      [events], schema: "CREATE TABLE event(timestamp DATE, note TEXT NOT NULL);")
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("events.xml:3") == true)
  }

  // MARK: Types

  @Test(arguments: [
    ("INTEGER", "12", SQLiteValue.integer(12)), ("INT", "-5", .integer(-5)),
    ("BIGINT", "9223372036854775807", .integer(.max)), ("REAL", "1.50", .real(1.5)),
    ("DOUBLE", "7", .real(7)), ("DECIMAL(10,2)", "12.50", .real(12.5)),
    ("DECIMAL", "3", .integer(3)), ("BOOLEAN", "yes", .integer(1)), ("BOOL", "0", .integer(0)),
    ("DATE", "16.01.2010", .text("2010-01-16")),
    ("DATETIME", "16.01.2010 10:00", .text("2010-01-16T10:00")), ("TEXT", "007", .text("007")),
    ("VARCHAR(10)", "1.50", .text("1.50")), ("STRING", "007", .text("007")),
    ("BLOB", "SGVsbG8=", .blob(Array("Hello".utf8))), ("BLOB", "0a0B", .blob([10, 11])),
    ("UUID", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", .text("6ba7b810-9dad-11d1-80b4-00c04fd430c8")),
    ("", "007", .text("007")), ("ANY", "5", .integer(5)),
  ])
  func `a value is stored as its column declares`(
    type: String, text: String, expected: SQLiteValue
  ) throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e a='\(text)'/><e/></r>")], schema: "CREATE TABLE e(a \(type));")
    #expect(try built.rows("SELECT a FROM e") == [[expected], [.null]])
  }

  @Test(arguments: [
    ("INTEGER", "007"), ("INTEGER", "+5"), ("INTEGER", "1.0"), ("INTEGER", "9223372036854775808"),
    ("INTEGER", "x"), ("REAL", "1,5"), ("REAL", "1e999"), ("REAL", "nan"),
    ("DECIMAL", "0.1234567890123456789"), ("BOOLEAN", "maybe"), ("DATE", "31.02.2010"),
    ("DATE", "2010-01-16T10:00:00Z"), ("DATETIME", "soon"), ("BLOB", "a?b"), ("UUID", "007"),
    ("UUID", "1e5000"),
  ])
  func `a value that its column would change is an error with its place`(
    type: String, text: String
  ) throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r>\n<e a='\(text)'/></r>")], schema: "CREATE TABLE e(a \(type));")
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("a.xml:2:7: \"\(text)\"") == true)
  }

  @Test func `dates that can be read in two ways are an error`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><e a='05/03/2010'/><e a='06/03/2010'/></r>")],
      schema: "CREATE TABLE e(a DATE);")
    #expect(said.count == 1)
    #expect(said.first?.contains("--date-format dd/MM/yyyy") == true)
  }

  @Test func `one date settles how the others of its column are read`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e a='05/03/2010'/><e a='16/03/2010'/></r>")],
      schema: "CREATE TABLE e(a DATE);")
    #expect(try built.rows("SELECT a FROM e") == [[.text("2010-03-05")], [.text("2010-03-16")]])
  }

  @Test func `a column called STRING is made as TEXT and said so`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e code='007' n='1'/></r>")],
      schema: "CREATE TABLE e(\"code\" STRING NOT NULL, n INTEGER /* STRING */);")
    #expect(try built.rows("SELECT n FROM e WHERE code = '007'") == [[.integer(1)]])
    #expect(
      built.remarks.map(\.message) == [
        "column \"code\" of \"e\" is declared STRING and created as TEXT"
      ])
  }

  // MARK: Tables

  @Test func `strict tables and tables without rowid are filled`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e code='x' n='1' v='1.5'/><e code='y' n='2' v='7'/></r>")],
      schema: """
        CREATE TABLE e(code TEXT PRIMARY KEY, n INT NOT NULL, v REAL) STRICT, WITHOUT ROWID;
        """)
    #expect(
      try built.rows("SELECT * FROM e") == [
        [.text("x"), .integer(1), .real(1.5)], [.text("y"), .integer(2), .real(7)],
      ])
  }

  @Test func `generated columns are computed`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e n='1'/><e n='2'/></r>")],
      schema: "CREATE TABLE e(n INTEGER, twice INTEGER AS (n * 2) STORED, thrice AS (n * 3));")
    #expect(
      try built.rows("SELECT twice, thrice FROM e") == [
        [.integer(2), .integer(3)], [.integer(4), .integer(6)],
      ])
  }

  @Test func `child records refer to those around them by whatever key the schema has`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><o code='A'><i n='1'/><i n='2'/></o><o code='B'><i n='3'/></o></r>")],
      schema: """
        CREATE TABLE o(code TEXT PRIMARY KEY);
        CREATE TABLE i(id INTEGER PRIMARY KEY, n INTEGER, owner TEXT NOT NULL REFERENCES o(code));
        """)
    #expect(
      try built.rows("SELECT n, owner FROM i") == [
        [.integer(1), .text("A")], [.integer(2), .text("A")], [.integer(3), .text("B")],
      ])
  }

  @Test func `child records refer to numbered records`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><o t='x'><i n='1'/></o><o t='y'><i n='2'/><i n='3'/></o></r>")],
      schema: """
        CREATE TABLE o(id INTEGER PRIMARY KEY, t TEXT);
        INSERT INTO o VALUES (7, 'kept');
        CREATE TABLE i(n INTEGER, o_id INTEGER NOT NULL REFERENCES o);
        """)
    #expect(
      try built.rows("SELECT n, t FROM i JOIN o ON o.id = o_id ORDER BY n") == [
        [.integer(1), .text("x")], [.integer(2), .text("y")], [.integer(3), .text("y")],
      ])
    #expect(try built.rows("SELECT t FROM o WHERE id = 7") == [[.text("kept")]])
  }

  @Test func `records inside their own kind refer to the one around`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><n id='10'><n id='20'><n id='30'/></n></n></r>")],
      schema: "CREATE TABLE n(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES n(id));")
    #expect(
      try built.rows("SELECT * FROM n") == [
        [.integer(10), .null], [.integer(20), .integer(10)], [.integer(30), .integer(20)],
      ])
  }

  @Test func `a relation that the schema cannot hold is an error`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><o t='x'><i n='1'/><i n='2'/></o></r>")],
      schema: "CREATE TABLE o(t TEXT); CREATE TABLE i(n INTEGER);")
    #expect(said.count == 1)
    #expect(said.first?.contains("no foreign key to \"o\"") == true)
  }

  @Test func `a reference to nothing is an error with the place of its value`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><c id='1'/>\n<i c='1'/>\n<i c='9'/></r>")],
      schema: "CREATE TABLE c(id INTEGER PRIMARY KEY); CREATE TABLE i(c INTEGER REFERENCES c);")
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("a.xml:3:7: column \"c\" of \"i\" refers to \"9\"") == true)
  }

  @Test(arguments: ["code TEXT UNIQUE", "code TEXT PRIMARY KEY"])
  func `a doubled value of a unique column is an error with its place`(column: String) throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r>\n<e code='x'/>\n<e code='x'/></r>")], schema: "CREATE TABLE e(\(column));")
    #expect(
      said == [
        "a.xml:3:1: the record does not fit into \"e\": UNIQUE constraint failed: e.code "
          + "(another record, at a.xml:2:1, has code \"x\") "
          + "[leave one of the two records out, correct it, or drop the constraint if both belong]"
      ])
  }

  @Test func `a check that fails is an error with its place`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r>\n<e n='1'/>\n<e n='-1'/></r>")],
      schema: "CREATE TABLE e(n INTEGER CHECK (n > 0));")
    #expect(
      said == [
        "a.xml:3:1: the record does not fit into \"e\": CHECK constraint failed: n > 0 "
          + "[correct the value, or the CHECK in the schema]"
      ])
  }

  @Test func `a name that differs in case only goes before one without underscores`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><t UA='1' u_a='2'/></r>")], schema: "CREATE TABLE t(u_a TEXT, ua TEXT);")
    #expect(try built.rows("SELECT u_a, ua FROM t") == [[.text("2"), .text("1")]])
  }

  @Test(arguments: ["2020-01-01 10:00", "2020-01-01T10:00:00.5+02:00", "2020-01-01"])
  func `what is ISO 8601 already stays as it is`(text: String) throws {
    let built = try BuiltProject(
      [("a.xml", "<r><t at='\(text)'/></r>")], schema: "CREATE TABLE t(at DATETIME);")
    #expect(try built.rows("SELECT at FROM t") == [[.text(text)]])
  }

  @Test(arguments: [
    "CURRENT_TIMESTAMP", "(datetime('now'))", "(random())", "(date())", "(strftime('%s', 'now'))",
  ])
  func `a default that differs in every build is an error where it is needed`(
    text: String
  ) throws {
    let absent = try BuiltProject.failure(
      [("a.xml", "<r><t n='1'/></r>")],
      schema: "CREATE TABLE t(n INTEGER, at TEXT DEFAULT \(text));")
    #expect(absent.count == 1)
    #expect(absent.first?.contains("differs in every build") == true)
    let partly = try BuiltProject.failure(
      [("a.xml", "<r><t n='1' at='x'/>\n<t n='2'/></r>")],
      schema: "CREATE TABLE t(n INTEGER, at TEXT DEFAULT \(text));")
    #expect(partly.count == 1)
    #expect(partly.first?.hasPrefix("a.xml:2:1: there is no value for attribute at of t") == true)
    let given = try BuiltProject(
      [("a.xml", "<r><t n='1' at='x'/></r>")],
      schema: "CREATE TABLE t(n INTEGER, at TEXT DEFAULT \(text));")
    #expect(try given.rows("SELECT at FROM t") == [[.text("x")]])
  }

  // MARK: Scripts

  @Test(arguments: ["ATTACH 'other.db' AS o; CREATE TABLE o.t(a);", "VACUUM INTO 'other.db';"])
  func `a script reaches no other file`(script: String) throws {
    let said = try BuiltProject.failure([events], schema: "CREATE TABLE event(a);" + script)
    #expect(said.count == 1)
    #expect(said.first?.contains("SQLite refuses the schema") == true)
  }

  @Test func `foreign keys that SQLite cannot check are an error of the schema`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><t id='1'/></r>")],
      schema:
        "CREATE TABLE t(id INTEGER, FOREIGN KEY(id) REFERENCES u(k)); CREATE TABLE u(k INTEGER);")
    #expect(said.count == 1)
    #expect(said.first?.contains("foreign key mismatch") == true)
  }

  @Test func `an error of the script has its place`() throws {
    let said = try BuiltProject.failure(
      [events], schema: "CREATE TABLE event(a);\n\nCREATE TABEL x(b);")
    #expect(said == ["schema.sql:3:8: SQLite refuses the schema: near \"TABEL\": syntax error"])
  }

  @Test func `a command of the shell is named as what it is`() throws {
    let said = try BuiltProject.failure([events], schema: ".mode csv\nCREATE TABLE event(a);")
    #expect(said.first?.contains("commands of the sqlite3 shell") == true)
  }

  @Test func `the script's own rows, version and identifier stay`() throws {
    let built = try BuiltProject(
      [events],
      schema: """
        PRAGMA user_version = 7;
        PRAGMA application_id = 1234;
        CREATE TABLE event(timestamp DATE, note TEXT);
        CREATE TABLE kind(id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO kind VALUES (1, 'one'), (2, 'two');
        """)
    #expect(try built.rows("SELECT name FROM kind") == [[.text("one")], [.text("two")]])
    #expect(try built.rows("PRAGMA user_version") == [[.integer(7)]])
    #expect(try built.rows("PRAGMA application_id") == [[.integer(1234)]])
  }

  @Test func `views, indexes and triggers are made and triggers do not disturb the load`() throws {
    let built = try BuiltProject(
      [events],
      schema: """
        CREATE TABLE event(timestamp DATE, note TEXT);
        CREATE TABLE log(what TEXT);
        CREATE TRIGGER event_log AFTER INSERT ON event BEGIN INSERT INTO log VALUES ('new'); END;
        CREATE VIEW noted AS SELECT * FROM event WHERE note IS NOT NULL;
        CREATE INDEX event_note ON event(note);
        """)
    #expect(try built.objects == ["event", "log", "event_log", "noted", "event_note"])
    #expect(try built.rows("SELECT count(*) FROM log") == [[.integer(0)]])
    #expect(try built.rows("SELECT note FROM noted") == [[.text("a")]])
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE f USING fts5(note, content='event', content_rowid='id');",
    """
    CREATE VIRTUAL TABLE f USING fts5(note);
    CREATE TRIGGER t AFTER INSERT ON event BEGIN
      INSERT INTO f(rowid, note) VALUES (new.id, new.note);
    END;
    """,
  ])
  func `full-text tables find the rows`(fullText: String) throws {
    let built = try BuiltProject(
      [("a.xml", "<r><event note='a quick fox'/><event note='a lazy dog'/></r>")],
      schema: "CREATE TABLE event(id INTEGER PRIMARY KEY, note TEXT);\n" + fullText)
    #expect(try built.rows("SELECT rowid FROM f WHERE f MATCH 'lazy'") == [[.integer(2)]])
  }

  @Test func `no page of the database is free`() throws {
    let rows = (0..<500).map { "<e id='\($0)' t='\($0 * 7)'/>" }.joined()
    let built = try BuiltProject(
      [("a.xml", "<r>\(rows)</r>")],
      schema: "CREATE TABLE e(id INTEGER PRIMARY KEY, t TEXT UNIQUE); CREATE INDEX i ON e(t, id);")
    #expect(try built.rows("PRAGMA freelist_count") == [[.integer(0)]])
    #expect(try built.rows("PRAGMA integrity_check") == [[.text("ok")]])
  }
}
