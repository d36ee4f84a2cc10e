import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// What the app's triggers do to a merge.
@Suite struct MergeTriggerTests {
  private static let schemas = [
    "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, part INTEGER DEFAULT 1);",
    """
    CREATE TABLE item(id INTEGER, name TEXT, part INTEGER DEFAULT 1, PRIMARY KEY(id, part))
    WITHOUT ROWID;
    """,
  ]
  private static let owned: [(String, [String])] = [("item", [])]

  private func insert(_ rows: (Int, String)...) -> String {
    rows.map { "INSERT INTO item(id, name) VALUES (\($0.0), '\($0.1)');" }.joined()
  }

  @Test(arguments: schemas)
  func `a row that a trigger keeps out is not noted as the seed's`(schema: String) throws {
    let old = schema + insert((1, "a"), (2, "b"))
    let seed = try MergeSeed(old, owned: Self.owned)
    try seed.bench.write(
      """
      CREATE TRIGGER guard BEFORE INSERT ON item WHEN new.name = 'c'
      BEGIN SELECT RAISE(IGNORE); END
      """)
    try seed.write(old + insert((3, "c"), (4, "d")), owned: Self.owned, version: "2")
    #expect(try seed.merge() == MergedRows(inserted: 1, updated: 0, deleted: 0, unchanged: 2))
    try seed.bench.write("DROP TRIGGER guard;" + insert((3, "mine")))
    try seed.write(old, owned: Self.owned, version: "3")
    #expect(try seed.merge().deleted == 1)
    #expect(try seed.rows("SELECT id, name FROM item") == ["1 a", "2 b", "3 mine"])
  }

  @Test(arguments: schemas)
  func `a row that a trigger keeps from being deleted is still the seed's`(schema: String) throws {
    let seed = try MergeSeed(schema + insert((1, "a"), (2, "b")), owned: Self.owned)
    try seed.bench.write(
      """
      CREATE TRIGGER guard BEFORE DELETE ON item BEGIN SELECT RAISE(IGNORE); END;
      """ + insert((9, "mine")))
    try seed.write(schema + insert((1, "a")), owned: Self.owned, version: "2")
    #expect(try seed.merge() == MergedRows(inserted: 0, updated: 0, deleted: 0, unchanged: 1))
    #expect(try seed.rows("SELECT id, name FROM item") == ["1 a", "2 b", "9 mine"])
    try seed.bench.write("DROP TRIGGER guard")
    try seed.write(schema + insert((1, "a")), owned: Self.owned, version: "3")
    #expect(try seed.merge().deleted == 1)
    #expect(try seed.rows("SELECT id, name FROM item") == ["1 a", "9 mine"])
  }

  @Test(
    arguments: [
      (
        "CREATE TRIGGER guard BEFORE INSERT ON item BEGIN SELECT RAISE(ROLLBACK, 'no way'); END",
        "no way"
      ),
      (
        "CREATE TABLE line(item TEXT REFERENCES item(name)); INSERT INTO line VALUES ('b')",
        "foreign key mismatch - \"line\" referencing \"item\""
      ),
      (
        "CREATE TRIGGER guard BEFORE INSERT ON item BEGIN DELETE FROM gone; END",
        "no such table: main.gone"
      ),
    ], [JournalMode.delete, .wal])
  func `what a trigger or the schema says is the reason of the refusal`(
    own: (sql: String, line: String), mode: JournalMode
  ) throws {
    let schema = Self.schemas[0]
    let seed = try MergeSeed(schema + insert((1, "a"), (2, "b")), owned: Self.owned, mode: mode)
    try seed.bench.write(own.sql)
    let before = try seed.bench.digest()
    try seed.write(schema + insert((1, "x"), (3, "c")), owned: Self.owned, version: "2")
    #expect(try seed.refusal() == ["table \"item\": \(own.line)"])
    #expect(try seed.bench.digest() == before)
    #expect(try seed.bench.litter == [])
  }
}
