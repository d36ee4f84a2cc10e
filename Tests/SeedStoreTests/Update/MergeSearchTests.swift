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
}
