import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Tables and columns that the app has made, and that a newer seed has one of the same name of.
@Suite struct MergeAppObjectsTests {
  private static let item = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT);"
  private static let items = "INSERT INTO item VALUES (1,'a'),(2,'b');"
  private static let note = "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT);"
  private static let both: [(String, [String])] = [("item", []), ("note", [])]

  private func merge(_ seed: MergeSeed, _ policy: TakenKeyPolicy) throws -> InstallOutcome {
    var options = InstallOptions(policy: .merge)
    options.takenKeys = policy
    return try seed.bench.install(options).outcome
  }

  /// A database whose app has a table `note`, beside one from the seed without it.
  private func withNotes() throws -> MergeSeed {
    let seed = try MergeSeed(Self.item + Self.items, owned: [("item", [])])
    try seed.bench.write(Self.note + "INSERT INTO note VALUES (1,'mine'),(2,'mine too')")
    return seed
  }

  private func keysTaken(_ seed: MergeSeed) throws -> [TakenRowKeys]? {
    let before = try seed.bench.digest()
    let error = #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    #expect(try seed.bench.digest() == before)
    if case .keysTaken(let keys)? = error?.reason { return keys }
    return nil
  }

  @Test func `all rows of a table that the app has made are its own when the seed owns one`() throws
  {
    let seed = try withNotes()
    let new = Self.item + Self.items + Self.note + "INSERT INTO note VALUES (1,'seed'),(3,'new');"
    try seed.write(new, owned: Self.both, version: "2")
    #expect(try keysTaken(seed) == [TakenRowKeys(table: "note", keys: ["1"], count: 1)])
    _ = try merge(seed, .app)
    #expect(try seed.rows("SELECT * FROM note") == ["1 mine", "2 mine too", "3 new"])
    try seed.write(Self.item + Self.items + Self.note, owned: Self.both, version: "3")
    #expect(try seed.merge().deleted == 1)
    #expect(try seed.rows("SELECT * FROM note") == ["1 mine", "2 mine too"])
  }

  @Test func `it is still the app's after a seed that had one and did not own it`() throws {
    let seed = try withNotes()
    let new = Self.item + Self.items + Self.note + "INSERT INTO note VALUES (1,'seed');"
    try seed.write(new, owned: [("item", [])], version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM note") == ["1 mine", "2 mine too"])
    try seed.write(new, owned: Self.both, version: "3")
    #expect(try keysTaken(seed) == [TakenRowKeys(table: "note", keys: ["1"], count: 1)])
  }

  private static let favourite =
    "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, favourite INTEGER DEFAULT 0);"
  private static let favourites = "INSERT INTO item VALUES (1,'a',0),(2,'b2',0);"
  private static let line = """
    column "favourite" of table "item" is the app's own, and has values that the seed's would take \
    the place of
    """

  @Test func `a column that the app has made and filled is not written over`() throws {
    let seed = try MergeSeed(Self.item + Self.items, owned: [("item", [])])
    try seed.bench.write(
      """
      ALTER TABLE item ADD COLUMN favourite INTEGER DEFAULT 0;
      UPDATE item SET favourite = 1 WHERE id = 2
      """)
    try seed.write(Self.favourite + Self.favourites, owned: [("item", [])], version: "2")
    let before = try seed.bench.digest()
    #expect(try seed.refusal() == [Self.line])
    #expect(try seed.bench.digest() == before)
    // Where it is not the seed's own the app keeps it, after a seed that has it, too.
    for version in ["3", "4"] {
      try seed.write(
        Self.favourite + Self.favourites, owned: [("item", ["name"])], version: version)
      try seed.merge()
      #expect(try seed.rows("SELECT * FROM item") == ["1 a 0", "2 b2 1"])
    }
    try seed.write(Self.favourite + Self.favourites, owned: [("item", [])], version: "5")
    #expect(try seed.refusal() == [Self.line])
  }

  @Test(arguments: ["INTEGER DEFAULT 0", "INTEGER", "INTEGER NOT NULL DEFAULT -8"])
  func `a column that a migration has added and nobody has filled becomes the seed's`(
    definition: String
  ) throws {
    let seed = try MergeSeed(Self.item + Self.items, owned: [("item", [])])
    try seed.bench.write("ALTER TABLE item ADD COLUMN favourite \(definition)")
    try seed.write(
      Self.favourite + "INSERT INTO item VALUES (1,'a',7),(2,'b',0);", owned: [("item", [])],
      version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM item") == ["1 a 7", "2 b 0"])
    try seed.write(
      Self.favourite + "INSERT INTO item VALUES (1,'a',8),(2,'b',9);", owned: [("item", [])],
      version: "3")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM item") == ["1 a 8", "2 b 9"])
  }

  @Test func `a default without quotes is a text`() throws {
    let seed = try MergeSeed(Self.item + Self.items, owned: [("item", [])])
    try seed.bench.write("ALTER TABLE item ADD COLUMN color TEXT DEFAULT none")
    let color = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, color TEXT);"
    try seed.write(
      color + "INSERT INTO item VALUES (1,'a','red');", owned: [("item", [])], version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM item") == ["1 a red"])
  }

  // MARK: Dropped or renamed

  private static let gone = "was the seed's and is gone from the database, dropped or renamed"

  @Test(arguments: [
    ("ALTER TABLE item RENAME COLUMN name TO title", "column \"name\" of table \"item\" \(gone)"),
    ("ALTER TABLE item DROP COLUMN name", "column \"name\" of table \"item\" \(gone)"),
    ("ALTER TABLE item RENAME TO goods", "table \"item\" \(gone)"),
    ("DROP TABLE item", "table \"item\" \(gone)"),
  ])
  func `what the app has dropped or renamed of the seed's does not come a second time`(
    migration: String, line: String
  ) throws {
    let seed = try MergeSeed(Self.item + Self.items, owned: [("item", [])])
    try seed.bench.write(migration)
    let before = try seed.bench.digest()
    try seed.write(
      Self.item + "INSERT INTO item VALUES (1,'a'),(3,'c');", owned: [("item", [])], version: "2")
    #expect(try seed.refusal() == [line])
    #expect(try seed.bench.digest() == before)
  }

  @Test func `what the app has dropped of its own does not come back`() throws {
    let schema = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, mine TEXT);" + Self.note
    let owned: [(String, [String])] = [("item", ["name"])]
    let seed = try MergeSeed(schema + "INSERT INTO item VALUES (1,'a','x');", owned: owned)
    try seed.bench.write("ALTER TABLE item DROP COLUMN mine; DROP TABLE note")
    for (version, name) in [("2", "b"), ("3", "c")] {
      try seed.write(
        schema + "INSERT INTO item VALUES (1,'\(name)','x'),(2,'n','y');", owned: owned,
        version: version)
      try seed.merge()
      #expect(try seed.rows("SELECT * FROM item") == ["1 \(name)", "2 n"])
      #expect(try seed.rows("SELECT 1 FROM sqlite_schema WHERE name = 'note'") == [])
    }
  }
}
