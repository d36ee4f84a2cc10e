import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What cannot be merged: an error with a line for each object, and nothing has changed.
@Suite struct MergeRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the app does to the installed database.
    var own = ""
    var seed: String
    var owned: [String] = ["category", "product"]
    var lines: [String]
  }

  private static let category = "CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE);"
  private static let product = """
    CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
      category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0);
    """

  static let cases = [
    Case(
      testDescription: "tables gone", seed: "CREATE TABLE thing(id INTEGER PRIMARY KEY);",
      owned: ["thing"],
      lines: [
        "table \"category\" is gone from the seed", "table \"product\" is gone from the seed",
      ]),
    Case(
      testDescription: "columns gone, retyped, renamed",
      seed: """
        CREATE TABLE category(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE product(code TEXT PRIMARY KEY, name BLOB NOT NULL, category TEXT,
          favourite INTEGER DEFAULT 0);
        """,
      lines: [
        "column \"title\" of table \"category\" is gone from the seed",
        "column \"name\" of table \"product\" is TEXT, in the seed BLOB",
        "column \"category\" of table \"product\" is INTEGER, in the seed TEXT",
      ]),
    Case(
      testDescription: "another key",
      seed: category + """
        CREATE TABLE product(code TEXT, name TEXT PRIMARY KEY NOT NULL,
          category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0);
        """,
      lines: ["table \"product\": its key was (code), in the seed it is (name)"]),
    Case(
      testDescription: "another kind of table",
      seed: category + """
        CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
          category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0) STRICT;
        """,
      lines: ["table \"product\" is STRICT or WITHOUT ROWID only in one of the two"]),
    Case(
      testDescription: "columns that cannot be added",
      seed: """
        CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE, code TEXT UNIQUE);
        CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
          category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0,
          price REAL NOT NULL);
        """,
      lines: [
        "column \"code\" of table \"category\" cannot be added: Cannot add a UNIQUE column",
        "column \"price\" of table \"product\" cannot be added: "
          + "Cannot add a NOT NULL column with default value NULL",
      ]),
    Case(
      testDescription: "values that the database needs and the seed's rows lack",
      seed: category + """
        CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT,
          category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0);
        INSERT INTO product VALUES ('z', NULL, NULL, 0), ('it''s', NULL, NULL, 0);
        """,
      lines: [
        "table \"product\": row 'it''s' of the seed and 1 more have no value in \"name\", "
          + "which is NOT NULL in the database"
      ]),
    Case(
      testDescription: "constraints that cannot be added",
      seed: category + """
        CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
          category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0,
          UNIQUE(name, category), FOREIGN KEY(name) REFERENCES category(title));
        """,
      lines: [
        "table \"product\": UNIQUE (category, name) cannot be added",
        "table \"product\": the foreign key (name) to category cannot be added",
      ]),
    Case(
      testDescription: "indexes and views of the app's in the way",
      own: "CREATE INDEX by_name ON product(name, code); CREATE VIEW maker AS SELECT 1 AS id",
      seed: category + product + """
        CREATE INDEX by_name ON product(name); CREATE TABLE maker(id INTEGER PRIMARY KEY);
        """, owned: ["category", "product", "maker"],
      lines: [
        "table \"maker\" is a view in the database",
        "index \"by_name\" is another one in the database",
      ]),
    Case(
      testDescription: "a unique index that the app's rows break",
      own: "INSERT INTO product VALUES ('x', 'Same', NULL, 0), ('y', 'Same', NULL, 0)",
      seed: category + product + "CREATE UNIQUE INDEX by_name ON product(name);",
      lines: [
        "index \"by_name\" cannot be added: UNIQUE constraint failed: product.name"
      ]),
    Case(
      testDescription: "a row of the app's that has the unique value",
      own: "INSERT INTO category VALUES (100, 'books')",
      seed: category + product + "INSERT INTO category VALUES (4, 'books');",
      lines: [
        "table \"category\": row 100 has \"title\" 'books' already, which row 4 of the seed brings"
      ]),
    Case(
      testDescription: "all rows of the app's that have unique values, of all tables",
      own: """
        CREATE UNIQUE INDEX mine ON product(name, category);
        INSERT INTO category VALUES (100, 'books'), (101, 'maps'), (102, 'my own');
        INSERT INTO product VALUES ('x', 'Anchor', 1, 0), ('y', 'Anchor', 2, 0);
        """,
      seed: category + product + """
        INSERT INTO category VALUES (1, 'tools'), (4, 'books'), (5, 'maps'), (6, 'my owl');
        INSERT INTO product VALUES ('d', 'Anchor', 1, 0);
        """,
      lines: [
        "table \"category\": row 100 has \"title\" 'books' already, which row 4 of the seed brings",
        "table \"category\": row 101 has \"title\" 'maps' already, which row 5 of the seed brings",
        "table \"product\": row 'x' has \"name\", \"category\" 'Anchor', 1 already, "
          + "which row 'd' of the seed brings",
      ]),
    Case(
      testDescription: "a unique value of an index over an expression",
      own: """
        CREATE UNIQUE INDEX mine ON category(lower(title));
        INSERT INTO category VALUES (100, 'BOOKS'), (101, 'MAPS');
        """,
      seed: category + product + "INSERT INTO category VALUES (4, 'books'), (5, 'maps');",
      lines: ["table \"category\": UNIQUE constraint failed: index 'mine'"]),
    Case(
      testDescription: "rows of the app's that refer to rows that are gone",
      own: "INSERT INTO product VALUES ('x', 'X', 1, 0), ('y', 'Y', 3, 0)",
      seed: category + product + "INSERT INTO category VALUES (2, 'toys');",
      lines: [
        "row 4 of \"product\" refers by \"category\" to no row of \"category\"",
        "row 5 of \"product\" refers by \"category\" to no row of \"category\"",
      ]),
    Case(
      testDescription: "no key", seed: category + product + "CREATE TABLE line(text TEXT UNIQUE);",
      owned: ["category", "product", "line", "nothing"],
      lines: [
        "table \"line\": it has no PRIMARY KEY and no UNIQUE index over NOT NULL columns",
        "table \"nothing\": there is no such table",
      ]),
    Case(
      testDescription: "nothing declared", seed: category + product, owned: [],
      lines: ["the seed declares no table as its own; name them under \"owned\" in seed.json"]),
    Case(
      testDescription: "a Core Data store",
      seed: category + product + "CREATE TABLE Z_METADATA(a);",
      lines: [
        "the database is a Core Data store, whose rows have no keys of their own (Z_PK is numbered anew "
          + "by each build) and whose schema has no place to declare any"
      ]),
    Case(
      testDescription: "a trigger that refuses",
      own: """
        CREATE TRIGGER guard BEFORE DELETE ON category BEGIN SELECT RAISE(ABORT, 'not this one'); END
        """, seed: category + product, lines: ["table \"category\": not this one"]),
  ]

  @Test(arguments: cases, [JournalMode.delete, .wal])
  func `what does not fit is told line by line`(refused: Case, mode: JournalMode) throws {
    let seed = try MergeSeed(
      MergeSeed.shop + MergeSeed.shopRows, owned: [("category", []), ("product", [])], mode: mode)
    try seed.bench.write(refused.own)
    try seed.bench.directory.write("an older copy", to: "app/.default.sqlite.previous")
    let before = try seed.bench.digest()
    try seed.write(
      refused.seed, owned: refused.owned.isEmpty ? nil : refused.owned.map { ($0, []) },
      version: "2")
    #expect(try seed.refusal() == refused.lines)
    #expect(try seed.bench.digest() == before)
    #expect(try seed.rows("SELECT version FROM _seed") == ["1"])
    #expect(
      try seed.bench.directory.bytes(of: "app/.default.sqlite.previous")
        == Array("an older copy".utf8))
    #expect(try seed.bench.litter == [])
  }

  @Test func `the error reads as lines, and says what to do`() throws {
    let seed = try MergeSeed()
    try seed.write(
      "CREATE TABLE thing(id INTEGER PRIMARY KEY)", owned: [("thing", [])], version: "2")
    let error = #expect(throws: SeedError.self) {
      try seed.bench.install(InstallOptions(policy: .merge))
    }
    #expect(
      error?.message == """
        the seed cannot be merged into it:
          table "category" is gone from the seed
          table "product" is gone from the seed
        """)
    #expect(error?.hint != nil)
  }

  @Test func `a database in the other encoding is left alone`() throws {
    let seed = try MergeSeed()
    let connection = try Connection(
      path: seed.bench.directory.path("app/wide.sqlite"), mode: .create)
    try connection.execute("PRAGMA encoding = 'UTF-16'; BEGIN")
    try connection.execute(MergeSeed.shop)
    try SeedStamp(name: "shop", version: "0", contentSHA256: "0", tool: "t").write(to: connection)
    try connection.execute("COMMIT")
    try connection.close()
    let error = #expect(throws: SeedError.self) {
      try SeedDatabase.install(
        seed.bench.seed, at: seed.bench.directory.path("app/wide.sqlite"),
        options: InstallOptions(policy: .merge))
    }
    #expect(error?.reason == .encodingDiffers)
  }
}
