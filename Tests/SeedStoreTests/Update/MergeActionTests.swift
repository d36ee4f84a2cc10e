import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What a merge does about foreign keys that delete or change rows by themselves.
@Suite struct MergeActionTests {
  private static let pair = """
    CREATE TABLE place(area TEXT, number INTEGER, PRIMARY KEY(area, number), UNIQUE(number));
    """
  private static func room(_ action: String) -> String {
    """
    CREATE TABLE room(id INTEGER PRIMARY KEY, area TEXT, number INTEGER,
      FOREIGN KEY(area, number) REFERENCES place(area, number) ON DELETE \(action));
    """
  }

  @Test(arguments: ["CASCADE", "SET NULL", "SET DEFAULT"])
  func `a row whose parent gets another key keeps what is the app's`(action: String) throws {
    let schema = Self.pair + Self.room(action)
    let owned: [(String, [String])] = [("place", []), ("room", [])]
    let seed = try MergeSeed(
      schema + "INSERT INTO place VALUES ('a', 1); INSERT INTO room VALUES (1, 'a', 1);",
      owned: owned)
    try seed.bench.write(
      """
      ALTER TABLE room ADD COLUMN favourite;
      UPDATE room SET favourite = 'mine';
      CREATE TABLE note(room INTEGER REFERENCES room(id) ON DELETE CASCADE, words TEXT);
      INSERT INTO note VALUES (1, 'dear');
      """)
    try seed.write(
      schema + "INSERT INTO place VALUES ('b', 1); INSERT INTO room VALUES (1, 'b', 1);",
      owned: owned, version: "2")
    let rows = try seed.merge()
    #expect(rows == MergedRows(inserted: 1, updated: 1, deleted: 1, unchanged: 0))
    #expect(try seed.rows("SELECT * FROM place") == ["b 1"])
    #expect(try seed.rows("SELECT * FROM room") == ["1 b 1 mine"])
    #expect(try seed.rows("SELECT * FROM note") == ["1 dear"])
  }

  private static let shelf = """
    CREATE TABLE shelf(id INTEGER PRIMARY KEY);
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT,
      shelf INTEGER REFERENCES shelf(id) ON DELETE CASCADE);
    """
  private static let books = """
    INSERT INTO shelf VALUES (1), (2); INSERT INTO book VALUES (1, 'x', 1), (2, 'y', 2);
    """
  private static let partly: [(String, [String])] = [("shelf", []), ("book", ["title"])]
  private static let triggers = [
    "", "CREATE TRIGGER idle AFTER UPDATE ON shelf BEGIN SELECT 1; END;",
  ]

  @Test(arguments: triggers)
  func `a row of the seed that would go with one that goes refuses the merge`(
    trigger: String
  ) throws {
    let seed = try MergeSeed(Self.shelf + Self.books, owned: Self.partly)
    try seed.bench.write(trigger + "INSERT INTO book VALUES (50, 'mine', 1);")
    try seed.write(
      Self.shelf
        + "INSERT INTO shelf VALUES (2); INSERT INTO book VALUES (1, 'x', 2), (2, 'y', 2);",
      owned: Self.partly, version: "2")
    #expect(
      try seed.refusal() == [
        "table \"book\": a foreign key's ON DELETE or ON UPDATE action would delete or change "
          + "what the seed brings: 1"
      ])
    #expect(try seed.rows("SELECT id, shelf FROM book") == ["1 1", "2 2", "50 1"])
    // The app takes its rows off the shelf; then nothing goes.
    try seed.bench.write("UPDATE book SET shelf = 2")
    #expect(
      try seed.merge() == MergedRows(inserted: 0, updated: 0, deleted: 1, unchanged: 3))
    #expect(try seed.rows("SELECT id, shelf FROM book") == ["1 2", "2 2", "50 2"])
  }

  @Test func `rows of the user's that go with a seed's row are counted`() throws {
    let owned: [(String, [String])] = [("shelf", []), ("book", [])]
    let seed = try MergeSeed(Self.shelf + Self.books, owned: owned)
    try seed.bench.write(
      """
      CREATE TABLE note(book INTEGER REFERENCES book(id) ON DELETE CASCADE);
      INSERT INTO book VALUES (50, 'mine', 1);
      INSERT INTO note VALUES (1), (50), (50), (2);
      """)
    try seed.write(
      Self.shelf + "INSERT INTO shelf VALUES (2); INSERT INTO book VALUES (2, 'y', 2);",
      owned: owned, version: "2")
    // Shelf 1 and book 1 go by themselves; book 50 and three notes go with them.
    #expect(
      try seed.merge()
        == MergedRows(inserted: 0, updated: 0, deleted: 2, cascaded: 4, unchanged: 2))
    #expect(try seed.rows("SELECT id FROM book") == ["2"])
    #expect(try seed.rows("SELECT book FROM note") == ["2"])
  }
}
