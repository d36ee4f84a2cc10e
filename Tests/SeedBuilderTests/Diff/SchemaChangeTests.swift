import Testing

@testable import SeedBuilder

@Suite struct SchemaChangeTests {
  private func changes(_ both: String = "", old: String = "", new: String = "") throws
    -> [SchemaChange]
  {
    try DatabasePair(both, old: old, new: new).difference().schema
  }

  @Test func `tables, indexes, views and triggers that came or went are told in this order`() throws
  {
    let changes = try changes(
      "CREATE TABLE t(a)", old: "CREATE INDEX i ON t(a); CREATE TABLE gone(x)",
      new: """
        CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END;
        CREATE VIEW v AS SELECT 1; CREATE TABLE came(x);
        """)
    #expect(changes.map(\.kind) == [.table, .table, .index, .view, .trigger])
    #expect(changes.map(\.name) == ["came", "gone", "i", "v", "r"])
    #expect(changes.map(\.action) == [.added, .removed, .removed, .added, .added])
    #expect(changes.map(\.table) == [nil, nil, "t", nil, "t"])
    #expect(changes[0].newSQL == "CREATE TABLE came(x)")
    #expect(changes[0].oldSQL == nil)
  }

  @Test func `of a changed table the columns that differ are told`() throws {
    let changes = try changes(
      old: "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b INT DEFAULT 1, c)",
      new: "CREATE TABLE t(id INTEGER PRIMARY KEY, A TEXT NOT NULL, b INT DEFAULT 2, d AS (id))")
    #expect(changes.map(\.action) == [.changed])
    #expect(
      changes[0].columns == [
        .init(name: "A", old: "TEXT", new: "TEXT NOT NULL"),
        .init(name: "b", old: "INT DEFAULT 1", new: "INT DEFAULT 2"),
        .init(name: "d", old: nil, new: "GENERATED"),
        .init(name: "c", old: "", new: nil),
      ])
  }

  @Test(arguments: [
    ("CREATE TABLE t(a, b)", "CREATE TABLE t(b, a)"),
    ("CREATE TABLE t(a)", "CREATE TABLE t(a CHECK (a > 0))"),
    ("CREATE TABLE t(a TEXT)", "CREATE TABLE t(a TEXT) STRICT"),
    (
      "CREATE TABLE t(a PRIMARY KEY NOT NULL)",
      "CREATE TABLE t(a PRIMARY KEY NOT NULL) WITHOUT ROWID"
    ),
    ("CREATE TABLE t(a)", "CREATE TABLE t(a REFERENCES t)"),
    ("CREATE TABLE t(a)", "CREATE TABLE t(a COLLATE NOCASE)"),
  ])
  func `a change that is in no column is one of the definition`(old: String, new: String) throws {
    let changes = try changes(old: old, new: new)
    #expect(changes.map(\.action) == [.changed])
    #expect(changes[0].columns.isEmpty)
    #expect(changes[0].oldSQL == old)
    #expect(changes[0].newSQL == new)
  }

  @Test func `a column that was added later makes no other definition`() throws {
    let changes = try changes(
      old: "CREATE TABLE t(\n  id INTEGER,\n  a TEXT\n); ALTER TABLE t ADD COLUMN b INTEGER",
      new: "CREATE TABLE t(\n  id INTEGER,\n  a TEXT, -- as ever\n  b INTEGER\n)")
    #expect(changes.isEmpty)
  }

  @Test(arguments: [
    ("CREATE TABLE t(a DEFAULT 'x  y')", "CREATE TABLE t(a DEFAULT 'x y')"),
    ("CREATE TABLE t(a DEFAULT 'x')", "CREATE TABLE t(a DEFAULT \"x\")"),
  ])
  func `what stands in quotes is compared as it is`(old: String, new: String) throws {
    #expect(try changes(old: old, new: new).map(\.action) == [.changed])
  }

  @Test(arguments: [
    ("CREATE INDEX x ON t(a)", "CREATE INDEX x ON t(a DESC)"),
    ("CREATE VIEW x AS SELECT 1", "CREATE VIEW x AS SELECT 2"),
    (
      "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END",
      "CREATE TRIGGER x AFTER DELETE ON t BEGIN SELECT 1; END"
    ),
  ])
  func `another definition under the same name is a change`(old: String, new: String) throws {
    let changes = try changes("CREATE TABLE t(a)", old: old, new: new)
    #expect(changes.map(\.name) == ["x"])
    #expect(changes.map(\.action) == [.changed])
  }

  @Test func `a view that takes a table's name is another object`() throws {
    let changes = try changes(old: "CREATE TABLE x(a)", new: "CREATE VIEW x AS SELECT 1 AS a")
    #expect(changes.map(\.kind) == [.table, .view])
    #expect(changes.map(\.action) == [.removed, .added])
  }
}
