import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Rows of the app's own under keys that a newer seed brings.
@Suite struct TakenKeysTests {
  private static let schema = """
    CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT, favourite INTEGER DEFAULT 0);
    CREATE TABLE pair(a TEXT, b INTEGER, v TEXT UNIQUE, PRIMARY KEY(a, b)) WITHOUT ROWID;
    """
  private static let owned: [(String, [String])] = [("event", ["name"]), ("pair", [])]
  private static let old = """
    INSERT INTO event(id, name) VALUES (1,'one'),(2,'two'),(3,'three');
    INSERT INTO pair VALUES ('a', 1, 'x');
    """
  private static let new = """
    INSERT INTO event(id, name) VALUES (1,'one'),(2,'two'),(3,'three'),(4,'four'),(5,'five');
    INSERT INTO pair VALUES ('a', 1, 'x'), ('b', 1, 'y');
    """

  private func seed() throws -> MergeSeed {
    let seed = try MergeSeed(Self.schema + Self.old, owned: Self.owned)
    try seed.bench.write(
      """
      INSERT INTO event VALUES (4, 'mine', 1), (5, 'five', 0);
      INSERT INTO pair VALUES ('b', 1, 'mine'); UPDATE event SET name = 'changed' WHERE id = 3
      """)
    try seed.write(Self.schema + Self.new, owned: Self.owned, version: "2")
    return seed
  }

  private func merge(_ seed: MergeSeed, _ policy: TakenKeyPolicy) throws -> InstallOutcome {
    var options = InstallOptions(policy: .merge)
    options.takenKeys = policy
    return try seed.bench.install(options).outcome
  }

  @Test func `they are an error that names the keys, and nothing has changed`() throws {
    let seed = try seed()
    let before = try seed.bench.digest()
    let error = #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    #expect(error?.step == .merge)
    #expect(
      error?.reason
        == .keysTaken([
          TakenRowKeys(table: "event", keys: ["4"], count: 1),
          TakenRowKeys(table: "pair", keys: ["'b', 1"], count: 1),
        ]))
    #expect(error?.hint?.contains("takenKeys") == true)
    #expect(try seed.bench.digest() == before)
    #expect(try seed.bench.litter == [])
  }

  @Test func `many of them are told by the first ten and their number`() throws {
    let seed = try MergeSeed(Self.schema + Self.old, owned: Self.owned)
    let rows = """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO event(id, name) SELECT i,
      """
    try seed.bench.write(rows + " 'mine' FROM n")
    try seed.write(
      Self.schema + Self.old + rows + " 'seed' FROM n;", owned: Self.owned, version: "2")
    let error = #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    #expect(
      error?.reason
        == .keysTaken([TakenRowKeys(table: "event", keys: (10..<20).map { "\($0)" }, count: 31)]))
    #expect(error?.message.contains("18, 19 and 21 more") == true)
  }

  @Test func `the seed's rows can be chosen`() throws {
    let seed = try seed()
    #expect(
      try merge(seed, .seed)
        == .merged(
          MergedRows(inserted: 0, updated: 3, deleted: 0, unchanged: 4),
          backup: seed.bench.directory.path("app/.default.sqlite.previous")))
    #expect(
      try seed.rows("SELECT * FROM event") == [
        "1 one 0", "2 two 0", "3 three 0", "4 four 1", "5 five 0",
      ])
    #expect(try seed.rows("SELECT * FROM pair") == ["a 1 x", "b 1 y"])
    try seed.write(Self.schema + Self.old, owned: Self.owned, version: "3")
    #expect(try seed.merge().deleted == 3)
  }

  @Test func `the app's rows can be chosen, and stay its own`() throws {
    let seed = try seed()
    #expect(
      try merge(seed, .app)
        == .merged(
          MergedRows(inserted: 0, updated: 1, deleted: 0, unchanged: 4),
          backup: seed.bench.directory.path("app/.default.sqlite.previous")))
    let kept = ["1 one 0", "2 two 0", "3 three 0", "4 mine 1", "5 five 0"]
    #expect(try seed.rows("SELECT * FROM event") == kept)
    #expect(try seed.rows("SELECT * FROM pair") == ["a 1 x", "b 1 mine"])
    #expect(
      try seed.rows("SELECT first, last FROM _seed_rows WHERE name = 'event'") == ["1 3", "5 5"])
    try seed.write(Self.schema + Self.new, owned: Self.owned, version: "3")
    #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    _ = try merge(seed, .app)
    // Without it in the seed, a row of the app's stays.
    try seed.write(Self.schema + Self.old, owned: Self.owned, version: "4")
    #expect(try seed.merge().deleted == 1)
    #expect(try seed.rows("SELECT * FROM event") == Array(kept.dropLast()))
    #expect(try seed.rows("SELECT * FROM pair") == ["a 1 x", "b 1 mine"])
  }

  @Test func `a row that is the seed's in the owned columns alone is the app's`() throws {
    let seed = try MergeSeed(Self.schema + Self.old, owned: Self.owned)
    try seed.bench.write("INSERT INTO event VALUES (4, 'four', 1)")
    try seed.write(Self.schema + Self.new, owned: Self.owned, version: "2")
    let error = #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    #expect(error?.reason == .keysTaken([TakenRowKeys(table: "event", keys: ["4"], count: 1)]))
    _ = try merge(seed, .app)
    try seed.write(Self.schema + Self.old, owned: Self.owned, version: "3")
    try seed.merge()
    #expect(
      try seed.rows("SELECT * FROM event") == ["1 one 0", "2 two 0", "3 three 0", "4 four 1"])
  }

  @Test func `without a note of what the old seed had there are none`() throws {
    let seed = try MergeSeed(Self.schema + Self.old, owned: nil)
    try seed.bench.write("INSERT INTO event VALUES (4, 'mine', 1)")
    try seed.write(Self.schema + Self.new, owned: Self.owned, version: "2")
    #expect(try seed.merge().updated == 1)
    #expect(try seed.rows("SELECT name FROM event WHERE id = 4") == ["four"])
  }

  @Test(arguments: [
    "CREATE TABLE t(code NUMERIC PRIMARY KEY NOT NULL, name);",
    "CREATE TABLE t(code INT PRIMARY KEY NOT NULL, name);",
    "CREATE TABLE t(code PRIMARY KEY NOT NULL, name) WITHOUT ROWID;",
  ])
  func `a row of the app's between two keys of the seed's is not the seed's`(schema: String) throws
  {
    let seed = try MergeSeed(
      schema + "INSERT INTO t VALUES (1,'a'),(2,'b'),(2.25,'c'),(3,'d'),(9,'e');",
      owned: [("t", [])])
    try seed.bench.write("INSERT INTO t VALUES (2.5, 'mine'), (2.75, 'mine'), ('x', 'mine')")
    try seed.write(
      schema + "INSERT INTO t VALUES (1,'a'),(2.75,'seed');", owned: [("t", [])], version: "2")
    let error = #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    #expect(error?.reason == .keysTaken([TakenRowKeys(table: "t", keys: ["2.75"], count: 1)]))
    try seed.write(schema + "INSERT INTO t VALUES (1,'a');", owned: [("t", [])], version: "2")
    #expect(try seed.merge() == MergedRows(inserted: 0, updated: 0, deleted: 4, unchanged: 1))
    #expect(
      try seed.rows("SELECT * FROM t ORDER BY code") == ["1 a", "2.5 mine", "2.75 mine", "x mine"])
  }

  @Test(arguments: [
    ("PRIMARY KEY(a, b)", ", 1"), ("PRIMARY KEY(b, a)", ", 1"), ("UNIQUE(a)", ""),
  ])
  func `a text with a NUL is another key than one that begins alike`(
    key: String, rest: String
  ) throws {
    let schema = "CREATE TABLE t(a TEXT NOT NULL, b INTEGER NOT NULL, name, \(key));"
    let seed = try MergeSeed(
      schema + "INSERT INTO t VALUES ('a' || char(0) || 'x', 1, 'seed'), ('z', 1, 'seed');",
      owned: [("t", [])])
    try seed.bench.write(
      "INSERT INTO t VALUES ('a' || char(0) || 'y', 1, 'mine'), ('a', 1, 'mine too')")
    try seed.write(
      schema + "INSERT INTO t VALUES ('a' || char(0) || 'y', 1, 'seed');", owned: [("t", [])],
      version: "2")
    let error = #expect(throws: SeedError.self) { try merge(seed, .refuse) }
    var told = "CAST(X'610079' AS TEXT)" + rest
    if key.contains("(b") { told = "1, CAST(X'610079' AS TEXT)" }
    #expect(error?.reason == .keysTaken([TakenRowKeys(table: "t", keys: [told], count: 1)]))
    try seed.write(schema, owned: [("t", [])], version: "3")
    #expect(try seed.merge().deleted == 2)
    #expect(try seed.rows("SELECT name FROM t ORDER BY a") == ["mine too", "mine"])
  }

  @Test(arguments: ["REPLACE", "IGNORE", "ROLLBACK", "FAIL"])
  func `a conflict clause takes no row of the app's away and leaves none of the seed's out`(
    clause: String
  ) throws {
    let schema = """
      CREATE TABLE t(id INTEGER PRIMARY KEY ON CONFLICT \(clause),
        code TEXT UNIQUE ON CONFLICT \(clause), note TEXT NOT NULL ON CONFLICT REPLACE DEFAULT '-');
      """
    let seed = try MergeSeed(
      schema + "INSERT INTO t VALUES (1,'a',''),(2,'b','');", owned: [("t", [])])
    try seed.bench.write("INSERT INTO t VALUES (100, 'mine', '')")
    let before = try seed.bench.digest()
    let new = schema + "INSERT INTO t VALUES (1,'b',''),(2,'a','')"
    try seed.write(new + ",(3,'mine','');", owned: [("t", [])], version: "2")
    let lines = try seed.refusal()
    #expect(lines.count == 1)
    #expect(lines.first?.contains("t") == true)
    #expect(try seed.bench.digest() == before)
    // Values that move between the seed's own rows are in nobody's way.
    try seed.write(new + ",(3,'c','');", owned: [("t", [])], version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM t") == ["1 b ", "2 a ", "3 c ", "100 mine "])
  }
}
