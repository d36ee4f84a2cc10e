import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct DatabaseDiffTests {
  private static let table = "CREATE TABLE a(id INTEGER PRIMARY KEY, b)"

  @Test func `a database does not differ from itself`() throws {
    let database = try SampleDatabase()
    let difference = try DatabaseDiff.difference(from: database.path, to: database.path)
    #expect(difference.isEmpty)
    #expect(difference.notes.isEmpty)
    #expect(try database.directory.names == ["sample.sqlite"])
  }

  @Test func `rows are told by their key with the columns that changed`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE a(id INTEGER PRIMARY KEY, b, c)",
      old: "INSERT INTO a VALUES (1, 'x', 1), (2, 'y', 2), (3, 'z', 3)",
      new: "INSERT INTO a VALUES (-1, 'n', NULL), (1, 'x', 1), (2, 'Y', 2)")
    let rows = try #require(try pair.rows(of: "a"))
    #expect(rows.key == ["id"])
    #expect(rows.counts == [1, 1, 1])
    #expect(
      rows.added == [
        .init(
          key: [.init(column: "id", value: .integer(-1))],
          values: [.init(column: "b", value: .text("n")), .init(column: "c", value: .null)])
      ])
    #expect(rows.removed.map(\.key) == [[.init(column: "id", value: .integer(3))]])
    #expect(
      rows.changed == [
        .init(
          key: [.init(column: "id", value: .integer(2))],
          changes: [.init(column: "b", old: .text("y"), new: .text("Y"))])
      ])
  }

  @Test(arguments: [
    ("1", "1.0"), ("1", "'1'"), ("1.0", "'1.0'"), ("''", "NULL"), ("'a'", "x'61'"), ("x''", "''"),
    ("'a'", "'A'"), ("'a'", "'a '"), ("9007199254740993", "9007199254740992.0"), ("0.0", "-0.0"),
    ("'a' || char(0) || 'b'", "'a' || char(0) || 'c'"),
  ])
  func `values of another type or with other bytes differ`(first: String, second: String) throws {
    for table in [Self.table, "CREATE TABLE a(id INTEGER, b)"] {
      let pair = try DatabasePair(
        table, old: "INSERT INTO a VALUES (1, \(first))", new: "INSERT INTO a VALUES (1, \(second))"
      )
      let rows = try #require(try pair.rows(of: "a"))
      #expect(rows.counts == (table == Self.table ? [0, 0, 1] : [1, 1, 0]))
    }
  }

  @Test(arguments: ["1", "1.5", "''", "NULL", "'é'", "x'00ff'", "9e999", "'a' || char(0)"])
  func `a value does not differ from itself`(value: String) throws {
    let pair = try DatabasePair("\(Self.table); INSERT INTO a VALUES (1, \(value))")
    #expect(try pair.difference().isEmpty)
  }

  @Test(arguments: [
    "PRAGMA page_size = 512", "PRAGMA page_size = 65536", "PRAGMA encoding = 'UTF-16le'",
    "PRAGMA encoding = 'UTF-16be'", "PRAGMA auto_vacuum = 1",
  ])
  func `layout and encoding are no difference`(setting: String) throws {
    let content = """
      CREATE TABLE a(k TEXT PRIMARY KEY, b); CREATE TABLE w(k, v);
      CREATE TABLE n(k TEXT COLLATE NOCASE PRIMARY KEY DESC) WITHOUT ROWID;
      INSERT INTO a VALUES ('é', 1), ('z', 2), ('\u{FFFC}', 3), ('\u{1F600}', 4), ('Ā', 5);
      INSERT INTO w SELECT * FROM a; INSERT INTO n SELECT k FROM a;
      """
    let pair = try DatabasePair(old: content, new: "\(setting); \(content)")
    #expect(try pair.difference().isEmpty)
    let changed = try DatabasePair(
      old: content,
      new: "\(setting); \(content); DELETE FROM a WHERE b = 3; DELETE FROM w WHERE v = 4;"
        + "DELETE FROM n WHERE k = 'Ā'")
    let difference = try changed.difference()
    #expect(difference.tables.map(\.name) == ["a", "n", "w"])
    #expect(difference.tables.map(\.counts) == [[0, 1, 0], [0, 1, 0], [0, 1, 0]])
  }

  @Test func `rows that lie in another order are no difference`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE a(k TEXT PRIMARY KEY); CREATE TABLE w(x, y)",
      old: "INSERT INTO a VALUES ('a'), ('b'); INSERT INTO w VALUES (1, 2), (2, 1), (1, 2)",
      new: "INSERT INTO a VALUES ('b'), ('a'); INSERT INTO w VALUES (2, 1), (1, 2), (1, 2)")
    #expect(try pair.difference().isEmpty)
  }

  @Test func `without a key it counts how often a row occurs`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE w(x, y)",
      old: "INSERT INTO w VALUES (1, 2), (1, 2), (1.0, 2), (NULL, 1), (3, 3)",
      new: "INSERT INTO w VALUES (1, 2), (1.0, 2), (1.0, 2), (1, NULL), (3, 3), (3, 3)")
    let rows = try #require(try pair.rows(of: "w"))
    #expect(rows.key.isEmpty)
    #expect(rows.counts == [3, 2, 0])
    let values = { (row: TableDifference.Row) in row.values.map(\.value) }
    #expect(
      Set(rows.added.map(values)) == [
        [.real(1), .integer(2)], [.integer(1), .null], [.integer(3), .integer(3)],
      ])
    #expect(Set(rows.removed.map(values)) == [[.integer(1), .integer(2)], [.null, .integer(1)]])
    #expect(rows.added.allSatisfy { $0.key.isEmpty })
  }

  @Test func `a key's collation decides which row is meant`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE a(k TEXT COLLATE NOCASE PRIMARY KEY, b) WITHOUT ROWID;"
        + "CREATE TABLE c(k TEXT COLLATE RTRIM PRIMARY KEY, b)",
      old: "INSERT INTO a VALUES ('a', 1), ('B', 2), ('c', 3); INSERT INTO c VALUES ('x', 1)",
      new: "INSERT INTO a VALUES ('A', 1), ('b', 2), ('C', 3); INSERT INTO c VALUES ('x  ', 1)")
    let tables = try pair.difference().tables
    #expect(tables.map(\.counts) == [[0, 0, 3], [0, 0, 1]])
    #expect(
      tables[0].changed[0].changes == [.init(column: "k", old: .text("a"), new: .text("A"))])
  }

  @Test func `keys of several columns in both directions and of mixed types are merged`() throws {
    let keys = "(1, 'a'), (1.5, 'a'), (2, 'b'), (2, 'a'), ('2', 'a'), (x'32', 'a'), (-1, '')"
    let pair = try DatabasePair(
      "CREATE TABLE a(x, y TEXT, z, PRIMARY KEY(y DESC, x)) WITHOUT ROWID;"
        + "INSERT INTO a(x, y) VALUES \(keys)",
      new: "DELETE FROM a WHERE x = 1.5; UPDATE a SET z = 1 WHERE x = '2';"
        + "INSERT INTO a VALUES (9223372036854775807, 'a', 0)")
    let rows = try #require(try pair.rows(of: "a"))
    #expect(rows.key == ["y", "x"])
    #expect(rows.counts == [1, 1, 1])
  }

  @Test func `rows with a NULL in their primary key are compared as wholes`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE a(k TEXT PRIMARY KEY, b); INSERT INTO a VALUES (NULL, 1), (NULL, 2), ('x', 3)",
      new: "DELETE FROM a WHERE b = 1; INSERT INTO a VALUES (NULL, 4)")
    let rows = try #require(try pair.rows(of: "a"))
    #expect(rows.key.isEmpty)
    #expect(rows.counts == [1, 1, 0])
  }

  @Test func `generated columns and tables of SQLite and of this tool do not count`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, g AS (id * 2), s AS (id * 3) STORED);"
        + "CREATE INDEX i ON a(g); INSERT INTO a(id) VALUES (1)",
      new: "INSERT INTO a(id) VALUES (2); DELETE FROM a WHERE id = 2; ANALYZE;"
        + "CREATE TABLE _seed_streams(y); INSERT INTO _seed_streams VALUES (1)")
    #expect(try pair.difference().isEmpty)
  }

  @Test func `the rows of a search table are compared and its shadow tables are not`() throws {
    let pair = try DatabasePair(
      "CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('one'), ('two')",
      new: "UPDATE f SET body = 'three' WHERE rowid = 2; INSERT INTO f(f) VALUES ('optimize')")
    let difference = try pair.difference()
    #expect(difference.schema.isEmpty)
    #expect(difference.tables.map(\.name) == ["f"])
    #expect(difference.tables[0].counts == [0, 0, 1])
    #expect(difference.notes.isEmpty)
  }

  @Test func `a virtual table that cannot be read is named in a note`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE c(body); CREATE VIRTUAL TABLE f USING fts5(body, content='c'); DROP TABLE c",
      new: "CREATE TABLE d(x)")
    let difference = try pair.difference()
    #expect(difference.tables.isEmpty)
    #expect(difference.notes.count == 1)
    #expect(difference.notes.first?.contains("virtual table \"f\"") == true)
  }

  @Test func `of a table that is new or gone all rows are`() throws {
    let pair = try DatabasePair(
      old: "CREATE TABLE a(x); INSERT INTO a VALUES (1), (2)",
      new: "CREATE TABLE b(x PRIMARY KEY); INSERT INTO b VALUES (3)")
    let tables = try pair.difference().tables
    #expect(tables.map(\.name) == ["a", "b"])
    #expect(tables.map(\.counts) == [[0, 2, 0], [1, 0, 0]])
  }

  @Test func `of a changed table the common columns are compared, whatever their order`() throws {
    let pair = try DatabasePair(
      old: "CREATE TABLE a(id INTEGER PRIMARY KEY, x, y); INSERT INTO a VALUES (1, 2, 3)",
      new: "CREATE TABLE A(Y, z, ID INTEGER PRIMARY KEY); INSERT INTO A VALUES (4, 5, 1)")
    let rows = try #require(try pair.rows(of: "A"))
    #expect(rows.counts == [0, 0, 1])
    #expect(rows.changed[0].changes == [.init(column: "y", old: .integer(3), new: .integer(4))])
  }

  @Test func `a table that has nothing but its name in common is replaced`() throws {
    let pair = try DatabasePair(
      old: "CREATE TABLE a(x); INSERT INTO a VALUES (1), (2)",
      new: "CREATE TABLE a(y); INSERT INTO a VALUES (1)")
    #expect(try pair.rows(of: "a")?.counts == [1, 2, 0])
  }

  @Test func `a table whose key is another one is compared by whole rows`() throws {
    let pair = try DatabasePair(
      old: "CREATE TABLE a(x INTEGER PRIMARY KEY, y); INSERT INTO a VALUES (1, 1), (2, 2)",
      new: "CREATE TABLE a(x, y INTEGER PRIMARY KEY); INSERT INTO a VALUES (1, 1), (2, 3)")
    let rows = try #require(try pair.rows(of: "a"))
    #expect(rows.key.isEmpty)
    #expect(rows.counts == [1, 1, 0])
  }

  @Test func `only so many rows are kept and all are counted`() throws {
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
    let pair = try DatabasePair(
      Self.table, old: "\(numbers) INSERT INTO a SELECT i, 'x' FROM n",
      new: "\(numbers) INSERT INTO a SELECT i + 30, 'y' FROM n")
    let rows = try #require(try pair.difference(sampleLimit: 3).tables.first)
    #expect(rows.counts == [30, 30, 70])
    #expect([rows.added.count, rows.removed.count, rows.changed.count] == [3, 3, 3])
    #expect(rows.changed[0].key == [.init(column: "id", value: .integer(31))])
  }

  @Test func `of long values the part that differs is kept`() throws {
    let pair = try DatabasePair(
      Self.table, old: "INSERT INTO a VALUES (1, printf('%.*c', 500, 'é') || 'old' || 'tail')",
      new: "INSERT INTO a VALUES (1, printf('%.*c', 500, 'é') || 'new' || 'tail')")
    let change = try #require(try pair.rows(of: "a")?.changed.first?.changes.first)
    guard case .text(let old) = change.old, case .text(let new) = change.new else {
      Issue.record("\(change)")
      return
    }
    #expect(old.content.hasSuffix("éoldtail"))
    #expect(new.content.hasSuffix("éénewtail"))
    #expect(!old.content.unicodeScalars.contains("\u{FFFD}"))
    #expect(old.content.utf8.count <= 90)
    #expect(old.offset + old.content.utf8.count == old.byteCount)
    #expect(old.byteCount == 1007)
  }

  @Test func `the numbers that applications set are compared`() throws {
    let pair = try DatabasePair(
      Self.table, old: "PRAGMA user_version = 1", new: "PRAGMA application_id = -7")
    let settings = try pair.difference().settings
    #expect(
      settings == [
        .init(name: "user_version", old: 1, new: 0),
        .init(name: "application_id", old: 0, new: -7),
      ])
  }

  @Test func `changes that are only in a log are seen`() throws {
    let pair = try DatabasePair("\(Self.table); INSERT INTO a VALUES (1, 1)")
    let writer = try Connection(path: pair.new, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL; INSERT INTO a VALUES (2, 2)")
    let difference = try pair.difference()
    #expect(difference.tables.map(\.counts) == [[1, 0, 0]])
    #expect(difference.notes.first?.contains("new.sqlite-wal") == true)
    try writer.close()
  }

  @Test func `names that SQL has to quote are read`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE \"select\"\"x\n\"(\"a b\" PRIMARY KEY, \"rowid\", \"c'\")",
      new: "INSERT INTO \"select\"\"x\n\" VALUES (1, 2, 3)")
    #expect(try pair.rows(of: "select\"x\n")?.counts == [1, 0, 0])
  }

  @Test func `a collation that only an application knows is no obstacle`() throws {
    let pair = try DatabasePair(
      "CREATE TABLE a(k TEXT PRIMARY KEY, b); INSERT INTO a VALUES ('x', 1), ('y', 2)",
      new: "UPDATE a SET b = 3 WHERE k = 'y'")
    for path in [pair.old, pair.new] {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.setDefensive(false)
      try connection.execute(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'k TEXT', 'k TEXT COLLATE fancy')
        """)
      try connection.close()
    }
    #expect(try pair.rows(of: "a")?.counts == [0, 0, 1])
  }

  @Test func `a missing file, another file and a damaged database are refused by name`() throws {
    let pair = try DatabasePair(Self.table + "; INSERT INTO a VALUES (1, 1)")
    let other = try pair.directory.write("<a/>", to: "a.xml")
    for path in [pair.directory.path("none"), other, pair.directory.path] {
      let error = #expect(throws: InspectionError.self) {
        try DatabaseDiff.difference(from: pair.old, to: path)
      }
      #expect(error?.path == path)
    }
    var bytes = try pair.directory.bytes(of: "new.sqlite")
    for index in 4096..<bytes.count { bytes[index] = 0xFF }
    try pair.directory.write(bytes, to: "new.sqlite")
    let error = #expect(throws: InspectionError.self) { try pair.difference() }
    #expect(error?.path == pair.new)
  }

  @Test func `a database without its end is not compared`() throws {
    let pair = try DatabasePair("CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)")
    let bytes = try pair.directory.bytes(of: "new.sqlite")
    try pair.directory.write(Array(bytes.dropLast(1)), to: "new.sqlite")
    let error = #expect(throws: InspectionError.self) { try pair.difference() }
    #expect(error?.path == pair.new)
    guard case .cutOff? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
