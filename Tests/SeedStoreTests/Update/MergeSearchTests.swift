import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What a merge does about full-text tables over rows that it changes.
@Suite struct MergeSearchTests {
  private static let item = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT);"
  private static let old = "INSERT INTO item VALUES (1,'apple'),(2,'banana'),(3,'cherry');"
  private static let new = "INSERT INTO item VALUES (1,'apple'),(2,'pear'),(4,'date');"
  private static let fill = "INSERT INTO search(search) VALUES ('rebuild');"
  private static let owned: [(String, [String])] = [("item", [])]

  private func found(_ seed: MergeSeed, _ word: String) throws -> [String] {
    try seed.rows("SELECT rowid, name FROM search WHERE search MATCH '\(word)'")
  }

  private func expectNew(_ seed: MergeSeed) throws {
    #expect(try found(seed, "pear") == ["2 pear"])
    #expect(try found(seed, "date") == ["4 date"])
    #expect(try found(seed, "mine") == ["9 mine"])
    #expect(try found(seed, "banana") == [])
    #expect(try found(seed, "cherry") == [])
    try seed.bench.write("INSERT INTO search(search, rank) VALUES ('integrity-check', 1)")
  }

  private static let definitions = [
    "fts5(name, content='item', content_rowid='id')", "fts5(name, Content = \"ITEM\")",
    "fts5(name, content=listed, content_rowid=id)",
  ]
  private static let view = "CREATE VIEW listed AS SELECT id, name FROM item;"

  @Test(arguments: definitions)
  func `the index over merged rows has the words of the new ones`(definition: String) throws {
    let schema = Self.item + Self.view + "CREATE VIRTUAL TABLE search USING \(definition);"
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write("INSERT INTO item VALUES (9, 'mine')")
    try seed.write(schema + Self.new + Self.fill, owned: Self.owned, version: "2")
    try seed.merge()
    try expectNew(seed)
  }

  @Test func `triggers that keep the index are left to do so`() throws {
    let schema = Self.item + "CREATE VIRTUAL TABLE search USING \(Self.definitions[0]);"
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    // A search of the app's own making, which finds words that no row has.
    try seed.bench.write(
      """
      CREATE TRIGGER added AFTER INSERT ON item
      BEGIN INSERT INTO search(rowid, name) VALUES (new.id, new.name || ' extra'); END
      """)
    try seed.write(
      schema + Self.old + "INSERT INTO item VALUES (4,'date');", owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try found(seed, "extra") == ["4 date"])
  }

  @Test func `a full-text table that is new in the seed comes with the words of all rows`() throws {
    let seed = try MergeSeed(Self.item + Self.old, owned: Self.owned)
    try seed.bench.write("INSERT INTO item VALUES (9, 'mine')")
    try seed.write(
      Self.item + "CREATE VIRTUAL TABLE search USING \(Self.definitions[0]);" + Self.new
        + Self.fill, owned: Self.owned, version: "2")
    try seed.merge()
    try expectNew(seed)
  }

  @Test(arguments: ["fts5(name)", "fts5(name, content='')", "rtree(id, low, high)"])
  func `another virtual table that is new in the seed is refused`(definition: String) throws {
    let seed = try MergeSeed(Self.item + Self.old, owned: Self.owned)
    try seed.write(
      Self.item + "CREATE VIRTUAL TABLE search USING \(definition);" + Self.new,
      owned: Self.owned, version: "2")
    let line = "virtual table \"search\" is new in the seed and cannot be filled by a merge"
    #expect(try seed.refusal() == [line])
    // The app makes it by a migration.
    try seed.bench.write("CREATE VIRTUAL TABLE search USING \(definition)")
    #expect(try seed.merge().inserted == 1)
  }

  // MARK: Other definitions and rows

  private static func index(_ definition: String) -> String {
    "CREATE VIRTUAL TABLE search USING fts5(\(definition));"
  }
  private static let indexed = "content='item', content_rowid='id'"

  private func definition(_ seed: MergeSeed) throws -> String? {
    try seed.rows("SELECT sql FROM sqlite_schema WHERE name = 'search'").first
  }

  @Test(arguments: [
    ("name, \(indexed)", "name, id, \(indexed)"),
    ("name, \(indexed)", "name, \(indexed), tokenize=porter"),
  ])
  func `an index that the seed defines in another way is made anew`(
    before: String, after: String
  ) throws {
    let seed = try MergeSeed(
      Self.item + Self.index(before) + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write("INSERT INTO item VALUES (9, 'mine')")
    try seed.write(
      Self.item + Self.index(after) + Self.new + Self.fill, owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try definition(seed)?.hasSuffix("fts5(\(after))") == true)
    try expectNew(seed)
  }

  @Test func `an index that the app has defined in another way stays its own, with the new words`()
    throws
  {
    let own = "name, \(Self.indexed), tokenize=porter"
    let schema = Self.item + Self.index("name, \(Self.indexed)")
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write(
      "DROP TABLE search; \(Self.index(own)) INSERT INTO item VALUES (9, 'mine'); \(Self.fill)")
    try seed.write(schema + Self.new + Self.fill, owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try definition(seed)?.hasSuffix("fts5(\(own))") == true)
    try expectNew(seed)
    // Where the seed has changed it, too, neither can be taken.
    try seed.write(
      Self.item + Self.index("name, id, \(Self.indexed)") + Self.new + Self.fill,
      owned: Self.owned, version: "3")
    #expect(try seed.refusal() == ["virtual table \"search\" is another one in the database"])
  }

  @Test func `an index that triggers keep is not made anew under them`() throws {
    let seed = try MergeSeed(
      Self.item + Self.index("name, \(Self.indexed)") + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write(
      """
      CREATE TRIGGER added AFTER INSERT ON item
      BEGIN INSERT INTO search(rowid, name) VALUES (new.id, new.name); END
      """)
    try seed.write(
      Self.item + Self.index("name, id, \(Self.indexed)") + Self.new + Self.fill,
      owned: Self.owned, version: "2")
    #expect(
      try seed.refusal() == [
        "virtual table \"search\" is another one in the seed, and triggers of the database write to it"
      ])
  }

  private static let copy = "INSERT INTO search(rowid, name) SELECT id, name FROM item;"

  @Test(arguments: ["name", "name, tokenize=porter"])
  func `rows of a full-text table of its own become the seed's if nobody wrote to them`(
    after: String
  ) throws {
    let seed = try MergeSeed(
      Self.item + Self.index("name") + Self.old + Self.copy, owned: Self.owned)
    try seed.write(
      Self.item + Self.index(after) + Self.new + Self.copy, owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try found(seed, "pear") == ["2 pear"])
    #expect(try found(seed, "banana") == [])
    #expect(try seed.rows("SELECT count(*) FROM search") == ["3"])
    // And once more, by the note of the second seed.
    try seed.write(
      Self.item + Self.index(after) + Self.old + Self.copy, owned: Self.owned, version: "3")
    try seed.merge()
    #expect(try found(seed, "banana") == ["2 banana"])
  }

  @Test func `rows of a full-text table of its own that the user has written to refuse new ones`()
    throws
  {
    let schema = Self.item + Self.index("name")
    let seed = try MergeSeed(schema + Self.old + Self.copy, owned: Self.owned)
    try seed.bench.write("INSERT INTO search(rowid, name) VALUES (9, 'mine')")
    // As long as the seed's are the same, nothing is in the way.
    try seed.write(
      schema + Self.old + Self.copy + "INSERT INTO item VALUES (5, 'fig');", owned: Self.owned,
      version: "2")
    try seed.merge()
    try seed.write(schema + Self.new + Self.copy, owned: Self.owned, version: "3")
    #expect(
      try seed.refusal() == [
        "virtual table \"search\" has rows of its own, which are others in the seed and were written "
          + "to in the database"
      ])
    #expect(try found(seed, "mine") == ["9 mine"])
  }

  @Test func `new words of a full-text table without content refuse the merge`() throws {
    let schema = Self.item + Self.index("name, content=''")
    let seed = try MergeSeed(schema + Self.old + Self.copy, owned: Self.owned)
    try seed.write(
      schema + Self.old + Self.copy + "INSERT INTO item VALUES (5, 'fig');", owned: Self.owned,
      version: "2")
    try seed.merge()
    try seed.write(schema + Self.new + Self.copy, owned: Self.owned, version: "3")
    #expect(
      try seed.refusal() == [
        "virtual table \"search\" has other words in the seed, and no rows from which they could be "
          + "taken"
      ])
  }

  // MARK: Triggers that do not keep an index

  @Test(arguments: [
    "CREATE TABLE log(w); CREATE TRIGGER t AFTER INSERT ON log BEGIN SELECT 'search'; END;",
    "CREATE TABLE log(search); CREATE TRIGGER t AFTER INSERT ON log "
      + "BEGIN UPDATE log SET search = 1 WHERE EXISTS (SELECT 1 FROM item AS search); END;",
    "CREATE TRIGGER t AFTER UPDATE ON item WHEN new.id > 100 "
      + "BEGIN INSERT INTO search(rowid, name) VALUES (new.id, new.name); END;",
    "CREATE TRIGGER t AFTER INSERT ON item "
      + "BEGIN INSERT INTO search(rowid, name) VALUES (new.id, new.name); END;",
  ])
  func `an index that triggers name, or keep in part, has the words of all rows`(
    triggers: String
  ) throws {
    let schema = Self.item + "CREATE VIRTUAL TABLE search USING \(Self.definitions[0]);"
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write("INSERT INTO item VALUES (9, 'mine'); \(Self.fill)" + triggers)
    try seed.write(schema + Self.new + Self.fill, owned: Self.owned, version: "2")
    try seed.merge()
    try expectNew(seed)
  }

  @Test func `an index that the app fills by a rule of its own is left to its triggers`() throws {
    let schema = Self.item + "CREATE VIRTUAL TABLE search USING \(Self.definitions[0]);"
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write(
      """
      INSERT INTO search(search, rowid, name) VALUES ('delete', 1, 'apple');
      CREATE TRIGGER t AFTER INSERT ON item WHEN new.name LIKE 'd%'
      BEGIN INSERT INTO search(rowid, name) VALUES (new.id, new.name || ' extra'); END;
      """)
    try seed.write(
      schema + Self.old + "INSERT INTO item VALUES (4,'date'), (5,'egg');" + Self.fill,
      owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try found(seed, "extra") == ["4 date"])
    #expect(try found(seed, "apple OR egg") == [])
  }

  // MARK: What the app has dropped, and options

  @Test func `an index that the app has dropped does not come back`() throws {
    let schema =
      Self.item + "CREATE INDEX by_name ON item(name);"
      + "CREATE VIRTUAL TABLE search USING \(Self.definitions[0]);"
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    try seed.bench.write("DROP TABLE search; DROP INDEX by_name")
    let names = "SELECT name FROM sqlite_schema WHERE name LIKE 'search%' OR name LIKE 'by_%'"
    for version in ["2", "3"] {
      try seed.write(
        schema + "CREATE INDEX by_both ON item(name, id);" + Self.new + Self.fill,
        owned: Self.owned, version: version)
      try seed.merge()
      #expect(try seed.rows(names) == ["by_both"])
    }
  }

  private static func option(_ name: String, _ value: String) -> String {
    "INSERT INTO search(search, rank) VALUES ('\(name)', \(value));"
  }

  private func options(_ seed: MergeSeed) throws -> [String] {
    try seed.rows("SELECT k, v FROM search_config WHERE k <> 'version' ORDER BY k")
  }

  @Test func `options of a full-text table come with the seed unless the app has set others`()
    throws
  {
    let schema = Self.item + "CREATE VIRTUAL TABLE search USING \(Self.definitions[0]);"
    let (rank, automerge) = (Self.option("rank", "'bm25(9.0)'"), Self.option("automerge", "8"))
    let seed = try MergeSeed(schema + Self.old + Self.fill, owned: Self.owned)
    try seed.write(
      schema + Self.old + Self.fill + rank + automerge, owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try options(seed) == ["automerge 8", "rank bm25(9.0)"])
    try seed.bench.write(Self.option("automerge", "2"))
    try seed.write(
      schema + Self.new + Self.fill + rank + Self.option("automerge", "5"), owned: Self.owned,
      version: "3")
    try seed.merge()
    #expect(try options(seed) == ["automerge 2", "rank bm25(9.0)"])
    // A table that is made anew keeps them, too.
    try seed.write(
      Self.item + Self.index("name, id, \(Self.indexed)") + Self.new + Self.fill + rank,
      owned: Self.owned, version: "4")
    try seed.merge()
    #expect(try options(seed) == ["automerge 2", "rank bm25(9.0)"])
  }

  @Test func `options come with an index that is new in the seed`() throws {
    let seed = try MergeSeed(Self.item + Self.old, owned: Self.owned)
    try seed.write(
      Self.item + Self.index("name, \(Self.indexed)") + Self.new + Self.fill
        + Self.option("rank", "'bm25(9.0)'"), owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try options(seed) == ["rank bm25(9.0)"])
  }
}
