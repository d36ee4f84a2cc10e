import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What a merge does to tables that streams keep, and to the positions in the streams.
@Suite struct MergeStreamTests {
  private static let item = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);"
  private static let tables = """
    CREATE TABLE _seed_stream(
      stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
      cursor TEXT, schema TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE _seed_stream_table(
      stream TEXT NOT NULL, "table" TEXT NOT NULL, key TEXT NOT NULL, columns TEXT NOT NULL,
      PRIMARY KEY(stream, "table")) WITHOUT ROWID;
    INSERT INTO _seed_stream_table VALUES ('main', 'item', '["id"]', '["id","name"]');
    """
  private static func position(_ seq: Int) -> String {
    "INSERT INTO _seed_stream VALUES ('main', 1, \(seq), 'x\(seq)', NULL, 's', 0);"
  }
  private static let owned: [(String, [String])] = [("item", ["name"])]
  private static let old = item + "INSERT INTO item VALUES (1,'a',1),(2,'b',1);"
  private static let new = item + "INSERT INTO item VALUES (1,'a2',1),(3,'c',1);"

  @Test(arguments: ["", tables])
  func `without a position the rows come, and the seed's position with them`(
    declared: String
  ) throws {
    let seed = try MergeSeed(Self.old + declared, owned: Self.owned)
    try seed.bench.write("INSERT INTO item VALUES (100, 'mine', 7)")
    try seed.write(Self.new + Self.tables + Self.position(4), owned: Self.owned, version: "2")
    try seed.merge()
    let merged = ["1 a2 1", "3 c 1", "100 mine 7"]
    #expect(try seed.rows("SELECT * FROM item") == merged)
    #expect(try seed.rows("SELECT stream, seq, id FROM _seed_stream") == ["main 4 x4"])
    #expect(
      try seed.rows("SELECT * FROM _seed_stream_table") == [
        "main item [\"id\"] [\"id\",\"name\"]"
      ])
    // From there on it is the stream that changes them.
    try seed.write(Self.old + Self.tables + Self.position(6), owned: Self.owned, version: "3")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM item") == merged)
    #expect(try seed.rows("SELECT stream, seq, id FROM _seed_stream") == ["main 4 x4"])
  }

  @Test(arguments: [[("item", ["price"])], [("other", [])]] as [[(String, [String])]])
  func `a position for rows that are not merged is refused`(owned: [(String, [String])]) throws {
    let other = "CREATE TABLE other(id INTEGER PRIMARY KEY);"
    let seed = try MergeSeed(Self.old + other, owned: owned)
    let before = try seed.bench.digest()
    try seed.write(Self.new + other + Self.tables + Self.position(4), owned: owned, version: "2")
    #expect(
      try seed.refusal() == [
        "table \"item\" is not owned with all columns of stream \"main\", whose position the seed brings"
      ])
    #expect(try seed.bench.digest() == before)
  }

  @Test func `a stream that nobody has published brings rows and no position`() throws {
    let seed = try MergeSeed(Self.old, owned: Self.owned)
    try seed.write(Self.new + Self.tables, owned: Self.owned, version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT name FROM item") == ["a2", "c"])
    #expect(try seed.rows("SELECT stream FROM _seed_stream") == [])
    #expect(try seed.rows("SELECT stream, \"table\" FROM _seed_stream_table") == ["main item"])
  }
}
