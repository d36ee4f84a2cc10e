import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What becomes of the app's rows that refer to unique values which move between rows of the seed.
@Suite struct MergeMovingValuesTests {
  private static let owned: [(String, [String])] = [("p", [])]

  private func merged(
    _ schema: String, _ old: String, app: String, _ new: String
  ) throws -> MergeSeed {
    let seed = try MergeSeed(schema + old, owned: Self.owned)
    try seed.bench.write("PRAGMA foreign_keys = ON;" + app)
    try seed.write(schema + new, owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try seed.rows("PRAGMA foreign_key_check") == [])
    #expect(try seed.rows("PRAGMA integrity_check") == ["ok"])
    return seed
  }

  @Test(arguments: ["SET NULL", "SET DEFAULT", "CASCADE"])
  func `rows that refer to a value which does not change keep it`(action: String) throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE, e TEXT);"
        + "CREATE UNIQUE INDEX both ON p(code || e);",
      "INSERT INTO p VALUES (1, 'a', '1'), (2, 'b', '2');",
      app: """
        CREATE TABLE c(id INTEGER PRIMARY KEY,
          code TEXT DEFAULT 'a' REFERENCES p(code) ON UPDATE \(action));
        INSERT INTO c VALUES (1, 'a'), (2, 'b');
        """, "INSERT INTO p VALUES (1, 'a', '3'), (2, 'b', '4');")
    #expect(try seed.rows("SELECT * FROM p") == ["1 a 3", "2 b 4"])
    #expect(try seed.rows("SELECT * FROM c") == ["1 a", "2 b"])
  }

  @Test(arguments: [
    ("CASCADE", ["1 b", "2 a"]), ("SET NULL", ["1 -", "2 -"]), ("SET DEFAULT", ["1 z", "2 z"]),
  ])
  func `rows that refer to values which are swapped end as if both had changed at once`(
    action: String, rows: [String]
  ) throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE);",
      "INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'z');",
      app: """
        CREATE TABLE c(id INTEGER PRIMARY KEY,
          code TEXT DEFAULT 'z' REFERENCES p(code) ON UPDATE \(action));
        INSERT INTO c VALUES (1, 'a'), (2, 'b');
        """, "INSERT INTO p VALUES (1, 'b'), (2, 'a'), (3, 'z');")
    #expect(try seed.rows("SELECT * FROM c") == rows)
  }

  @Test(arguments: ["INT", "INTEGER PRIMARY KEY", "INT UNIQUE NOT NULL", "TEXT PRIMARY KEY"])
  func `rows follow swapped numbers by ON UPDATE CASCADE whatever stores them`(
    type: String
  ) throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, n INT UNIQUE);",
      "INSERT INTO p VALUES (1, 10), (2, 20);",
      app: """
        CREATE TABLE c(n \(type) REFERENCES p(n) ON UPDATE CASCADE, words TEXT);
        INSERT INTO c VALUES (10, 'x'), (20, 'y');
        """, "INSERT INTO p VALUES (1, 20), (2, 10);")
    #expect(try seed.rows("SELECT n, words FROM c ORDER BY words") == ["20 x", "10 y"])
  }

  private static let updates = ["NO ACTION", "CASCADE", "SET NULL", "SET DEFAULT"]
  private static let deletions = ["CASCADE", "SET NULL", "RESTRICT"]

  @Test(arguments: updates, deletions)
  func `rows that refer to a value which another row of the seed brings again stay`(
    update: String, deletion: String
  ) throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE);",
      "INSERT INTO p VALUES (1, 'a'), (2, 'b');",
      app: """
        CREATE TABLE c(id INTEGER PRIMARY KEY,
          code TEXT DEFAULT 'b' REFERENCES p(code) ON DELETE \(deletion) ON UPDATE \(update));
        INSERT INTO c VALUES (1, 'a'), (2, 'b');
        """, "INSERT INTO p VALUES (11, 'a'), (2, 'b');")
    #expect(try seed.rows("SELECT * FROM c") == ["1 a", "2 b"])
  }

  @Test(arguments: updates, [("CASCADE", ["2 b"]), ("SET NULL", ["1 -", "2 b"])])
  func `rows whose value is gone go by ON DELETE though another value of its row is wanted`(
    update: String, deletion: (action: String, rows: [String])
  ) throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE, n INT UNIQUE);",
      "INSERT INTO p VALUES (1, 'a', 1), (2, 'b', 2);",
      app: """
        CREATE TABLE c(id INTEGER PRIMARY KEY, code TEXT DEFAULT 'b' REFERENCES p(code)
          ON DELETE \(deletion.action) ON UPDATE \(update));
        INSERT INTO c VALUES (1, 'a'), (2, 'b');
        """, "INSERT INTO p VALUES (11, 'z', 1), (2, 'b', 2);")
    #expect(try seed.rows("SELECT * FROM c") == deletion.rows)
  }

  @Test func `rows of the seed that refer to others are written behind these`() throws {
    let schema = """
      CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT UNIQUE);
      CREATE TABLE line(id INTEGER PRIMARY KEY,
        word TEXT REFERENCES word(text) ON UPDATE CASCADE ON DELETE CASCADE);
      """
    let owned: [(String, [String])] = [("line", []), ("word", [])]
    let line = "INSERT INTO line VALUES (1, 'a');"
    let seed = try MergeSeed(
      schema + "INSERT INTO word VALUES (1, 'a'), (2, 'b');" + line, owned: owned)
    try seed.write(
      schema + "INSERT INTO word VALUES (1, 'b'), (3, 'a');" + line, owned: owned, version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM line") == ["1 a"])
    #expect(try seed.rows("SELECT * FROM word") == ["1 b", "3 a"])
  }

  @Test func `a value that an expression makes of a row's key is no parking place`() throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, e INT);CREATE UNIQUE INDEX one ON p(ifnull(e, id));",
      "INSERT INTO p VALUES (5, 7), (6, 8);", app: "",
      "INSERT INTO p VALUES (1, 5), (2, 6), (5, 8), (6, 7);")
    #expect(try seed.rows("SELECT * FROM p") == ["1 5", "2 6", "5 8", "6 7"])
  }

  // MARK: Triggers

  private static let swap = "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
  private static let (ab, ba) = (
    "INSERT INTO p VALUES (1, 'a'), (2, 'b');", "INSERT INTO p VALUES (1, 'b'), (2, 'a');"
  )

  @Test func `a trigger that keeps a row from its new value refuses the merge`() throws {
    let seed = try MergeSeed(Self.swap + Self.ab, owned: Self.owned)
    try seed.bench.write(
      "CREATE TRIGGER t BEFORE UPDATE ON p WHEN new.code = 'b' BEGIN SELECT RAISE(IGNORE); END")
    try seed.write(Self.swap + Self.ba, owned: Self.owned, version: "2")
    #expect(
      try seed.refusal() == [
        "table \"p\": a trigger keeps rows from the unique values that the seed brings: 1"
      ])
    #expect(try seed.rows("SELECT * FROM p") == ["1 a", "2 b"])
  }

  @Test func `a trigger that gives the app's row back no reference refuses the merge`() throws {
    let schema = Self.swap + "CREATE UNIQUE INDEX i ON p(code || id);"
    let seed = try MergeSeed(schema + Self.ab, owned: Self.owned)
    try seed.bench.write(
      """
      CREATE TABLE c(id INTEGER PRIMARY KEY, code TEXT REFERENCES p(code) ON UPDATE SET NULL);
      INSERT INTO c VALUES (1, 'a');
      CREATE TRIGGER t BEFORE UPDATE ON c WHEN new.code = 'a' BEGIN SELECT RAISE(IGNORE); END;
      """)
    try seed.write(
      schema + "INSERT INTO p VALUES (2, 'b'), (3, 'a');", owned: Self.owned, version: "2")
    #expect(
      try seed.refusal() == [
        "table \"c\": rows refer by \"code\" to \"p\", where unique values move, and cannot be kept "
          + "from ON UPDATE SET NULL"
      ])
    #expect(try seed.rows("SELECT * FROM c") == ["1 a"])
  }

  private static let log = """
    CREATE TABLE log(id INT PRIMARY KEY, code TEXT); INSERT INTO log VALUES (1, 'old'), (3, 'old');
    CREATE TRIGGER u AFTER UPDATE ON p BEGIN INSERT OR REPLACE INTO log VALUES (new.id, new.code); END;
    CREATE TRIGGER i AFTER INSERT ON p BEGIN INSERT OR IGNORE INTO log VALUES (new.id, new.code); END;
    """
  private static let clauses = [
    "", "ON CONFLICT REPLACE", "ON CONFLICT IGNORE", "ON CONFLICT ROLLBACK",
  ]

  @Test(arguments: clauses)
  func `the conflict clauses inside of triggers hold`(clause: String) throws {
    let seed = try merged(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE \(clause));", Self.ab,
      app: Self.log, "INSERT INTO p VALUES (1, 'x'), (2, 'b'), (3, 'c');")
    #expect(try seed.rows("SELECT * FROM p") == ["1 x", "2 b", "3 c"])
    #expect(try seed.rows("SELECT * FROM log ORDER BY id") == ["1 x", "3 old"])
  }

  @Test(arguments: clauses, ["1, 'mine'", "3, 'mine'"])
  func `a conflict clause takes no row of the app's away where there are triggers`(
    clause: String, row: String
  ) throws {
    let schema = "CREATE TABLE p(id INTEGER PRIMARY KEY, code TEXT UNIQUE \(clause));"
    let seed = try MergeSeed(schema + Self.ab, owned: Self.owned)
    try seed.bench.write(Self.log + "INSERT INTO p VALUES (100, 'mine')")
    try seed.write(
      schema + "INSERT INTO p VALUES (2, 'b'), (\(row));", owned: Self.owned, version: "2")
    #expect(
      try seed.refusal() == [
        "table \"p\": row 100 has \"code\" 'mine' already, which row \(row.prefix(1)) of the seed brings"
      ])
    #expect(try seed.rows("SELECT * FROM p") == ["1 a", "2 b", "100 mine"])
  }

  // MARK: Rows that go with others

  private static let shelves = """
    CREATE TABLE shelf(id INTEGER PRIMARY KEY);
    CREATE TABLE book(id INTEGER PRIMARY KEY, code TEXT UNIQUE,
      shelf INT REFERENCES shelf ON DELETE CASCADE);
    """
  private static let both: [(String, [String])] = [("book", []), ("shelf", [])]

  @Test func `a user's row that goes with its parent makes room for a new one of the seed`() throws
  {
    let seed = try MergeSeed(
      Self.shelves + "INSERT INTO shelf VALUES (1), (2); INSERT INTO book VALUES (1, 'a', 2);",
      owned: Self.both)
    try seed.bench.write("INSERT INTO book VALUES (100, 'x', 1)")
    let new = "INSERT INTO book VALUES (1, 'a', 2), (3, 'x', 2);"
    try seed.write(
      Self.shelves + "INSERT INTO shelf VALUES (1), (2);" + new, owned: Self.both, version: "2")
    #expect(
      try seed.refusal() == [
        "table \"book\": row 100 has \"code\" 'x' already, which row 3 of the seed brings"
      ])
    try seed.write(
      Self.shelves + "INSERT INTO shelf VALUES (2);" + new, owned: Self.both, version: "3")
    #expect(
      try seed.merge()
        == MergedRows(inserted: 1, updated: 0, deleted: 1, cascaded: 1, unchanged: 2))
    #expect(try seed.rows("SELECT * FROM book") == ["1 a 2", "3 x 2"])
  }

  @Test(arguments: ["", "CREATE TRIGGER t AFTER UPDATE ON book BEGIN SELECT 1; END;"])
  func `a user's row that goes makes room for a row of the seed that is there`(
    trigger: String
  ) throws {
    let seed = try MergeSeed(
      Self.shelves + "INSERT INTO shelf VALUES (1), (2);"
        + "INSERT INTO book VALUES (1, 'a', 1), (2, 'b', 2);", owned: Self.both)
    try seed.bench.write(
      """
      ALTER TABLE book ADD COLUMN favourite; UPDATE book SET favourite = id;
      INSERT INTO book VALUES (100, 'x', 1, 'mine'); \(trigger)
      """)
    try seed.write(
      Self.shelves + "INSERT INTO shelf VALUES (2);"
        + "INSERT INTO book VALUES (1, 'x', 2), (2, 'a', 2), (3, 'b', 2);",
      owned: Self.both, version: "2")
    #expect(
      try seed.merge()
        == MergedRows(inserted: 1, updated: 2, deleted: 1, cascaded: 1, unchanged: 1))
    // The first moves to another shelf before its own is gone, so it stays.
    #expect(try seed.rows("SELECT * FROM book") == ["1 x 2 1", "2 a 2 2", "3 b 2 -"])
  }
}
