import SeedMerge
import SeedSQLite
import TestSupport
import Testing

/// Any two states of a table with several unique indexes, a reference to itself and children.
@Suite struct RandomMergeTests {
  /// Numbers that are the same for the same seed.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static let schema = """
    CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE CHECK(code <> ''),
      a INT NOT NULL, b INT, parent INT REFERENCES item(id) ON DELETE CASCADE, mine DEFAULT 'd');
    CREATE UNIQUE INDEX ab ON item(a, b) WHERE b > 1;
    CREATE UNIQUE INDEX sum ON item(a * 100 + coalesce(b, 0));
    CREATE TABLE child(id INTEGER PRIMARY KEY, item INT REFERENCES item(id) ON DELETE CASCADE);
    """
  private static let table = DeclaredTable(
    name: "item", key: ["id"], columns: ["id", "code", "a", "b", "parent"])

  /// A consistent state: each row a distinct pair and code, parents within the state.
  private func state(_ numbers: inout Numbers) -> [[SQLiteValue]] {
    let ids = (1...8).filter { _ in Int.random(in: 0..<4, using: &numbers) > 0 }
    let codes = Array("abcdefgh").shuffled(using: &numbers)
    let pairs = (0..<9).shuffled(using: &numbers)
    return ids.enumerated().map { index, id in
      let isUpper = Bool.random(using: &numbers)
      let code = isUpper ? codes[index].uppercased() : String(codes[index])
      let hasCode = Int.random(in: 0..<5, using: &numbers) > 0
      let parent = Bool.random(using: &numbers) ? ids.randomElement(using: &numbers) : nil
      return [
        .integer(Int64(id)), hasCode ? .text(code) : .null, .integer(Int64(pairs[index] / 3)),
        .integer(Int64(pairs[index] % 3)), parent.map { .integer(Int64($0)) } ?? .null,
      ]
    }
  }

  private func bench(_ rows: [[SQLiteValue]]) throws -> MergeBench {
    let bench = try MergeBench(Self.schema)
    try bench.live.execute("PRAGMA foreign_keys = OFF; BEGIN")
    for row in rows {
      try bench.live.run(
        "INSERT INTO item VALUES (?, ?, ?, ?, ?, 'm')", row[0], row[1], row[2], row[3], row[4])
    }
    try bench.live.execute(
      "INSERT INTO child SELECT id, id FROM item; COMMIT; PRAGMA foreign_keys = ON")
    return bench
  }

  @Test func `any state becomes any other one, and what stays keeps what hangs on it`() throws {
    for seed in 0..<60 as Range<UInt64> {
      var numbers = Numbers(state: seed)
      let (old, new, last) = (state(&numbers), state(&numbers), state(&numbers))
      let bench = try bench(old)
      let snapshotBench = try MergeBench(Self.schema)
      let path = snapshotBench.directory.path("snapshot.sqlite")
      let other = try self.bench(new)
      try other.live.run("VACUUM INTO ?", .text(path))
      try bench.merge([Self.table], snapshot: path) { merge in
        // A segment on top, with all keys of both in its `delete`.
        let deletion = try merge.deletion(from: "item", columns: ["id"])
        for row in new { try deletion.add([row[0]]) }
        let upsert = try merge.upsert(into: "item", columns: Self.table.columns)
        for row in last { try upsert.add(row) }
      }
      let expected = try self.bench(last).rows("SELECT id, code, a, b, parent FROM item")
      let name: Comment = "seed \(seed)"
      #expect(try bench.rows("SELECT id, code, a, b, parent FROM item") == expected, name)
      let stayed = Set(old.map { $0[0] }).intersection(last.map { $0[0] }).count
      #expect(
        try bench.rows("SELECT count(*) FROM item WHERE mine = 'm'") == ["\(stayed)"], name)
      #expect(try bench.rows("SELECT count(*) FROM child") == ["\(stayed)"], name)
      try bench.expectSound()
    }
  }

  @Test func `work grows with what changes and with the snapshot, not with both`() throws {
    let bench = try MergeBench(
      """
      CREATE TABLE item(id TEXT PRIMARY KEY COLLATE NOCASE, code TEXT UNIQUE, mine);
      CREATE TABLE plain(a INT, b INT, v, PRIMARY KEY(a, b)) WITHOUT ROWID;
      """)
    try bench.live.execute(
      """
      BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO item SELECT 'k' || i, 'c' || i, 1 FROM n;
      INSERT INTO plain SELECT rowid, 1, code FROM item;
      COMMIT
      """)
    let tables = [
      DeclaredTable(name: "item", key: ["id"], columns: ["id", "code"]),
      DeclaredTable(name: "plain", key: ["a", "b"], columns: ["a", "b", "v"]),
    ]
    let path = bench.directory.path("snapshot.sqlite")
    try bench.live.run("VACUUM INTO ?", .text(path))
    // A scan of a table would take some hundred thousand steps.
    bench.live.limitSteps(to: 100_000)
    let counts = try bench.merge(tables) { merge in
      for number in [5, 6] {
        try merge.deletion(from: "item", columns: ["id"]).add([.text("k\(number)")])
      }
      try merge.upsert(into: "item", columns: ["id", "code"]).add([.text("k6"), .text("c5")])
      try merge.deletion(from: "plain", columns: ["a", "b"]).add([.integer(9), .integer(1)])
    }
    #expect(counts.deleted == 2 && counts.written == 1)
    // Each value moves to the next row.
    bench.live.limitSteps(to: 20_000_000)
    try bench.live.execute("UPDATE item SET code = code || 'x'")
    try bench.live.execute(
      "UPDATE item SET code = 'c' || (substr(id, 2) % 20000 + 1); DELETE FROM plain WHERE a > 10000"
    )
    bench.live.restartSteps()
    let merged = try bench.merge(tables, snapshot: path)
    #expect(merged.inserted == 10_002)
    bench.live.liftStepLimit()
    #expect(
      try bench.rows("SELECT count(*) FROM item WHERE code = 'c' || substr(id, 2)") == ["20000"])
  }
}
