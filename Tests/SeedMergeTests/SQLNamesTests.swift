import Testing

@testable import SeedMerge

@Suite struct SQLNamesTests {
  @Test func `the names in an index are those behind its first parenthesis`() {
    let sql = """
      CREATE UNIQUE INDEX "odd ( name" ON t(lower("A""b") || 'no''t', [c d], `e`, /* f */ 1e5,
      g -- h
      COLLATE NOCASE) WHERE i > x'00'
      """
    let names = SQLNames.namesInside(sql)
    #expect(names.isSuperset(of: ["lower", "a\"b", "c d", "e", "g", "nocase", "where", "i"]))
    #expect(names.isDisjoint(with: ["odd ( name", "no", "f", "h", "t", "e5"]))
  }

  @Test func `the names in a generated column are those of its own definition`() {
    let sql = """
      CREATE TABLE t(a, b TEXT DEFAULT (1 + 2), "g,h" AS (substr(a, b)) STORED UNIQUE,
      c INT CHECK (c > d), d AS ("g,h" || e))
      """
    #expect(SQLNames.namesInDefinition(of: "G,H", in: sql).isSuperset(of: ["substr", "a", "b"]))
    #expect(!SQLNames.namesInDefinition(of: "g,h", in: sql).contains("c"))
    #expect(SQLNames.namesInDefinition(of: "d", in: sql) == ["as", "g,h", "e"])
    #expect(SQLNames.namesInDefinition(of: "nothing", in: sql) == [])
  }

  @Test(arguments: [
    ("CREATE TABLE t(a UNIQUE ON CONFLICT REPLACE)", true),
    ("CREATE TABLE t(a, b, UNIQUE(a, b) ON/**/conflict ignore)", true),
    ("CREATE TABLE t(a PRIMARY KEY ON CONFLICT REPLACE)", true),
    ("CREATE TABLE t(a NOT NULL ON CONFLICT IGNORE)", true),
    ("CREATE TABLE t(a NOT NULL ON CONFLICT REPLACE DEFAULT 1)", false),
    ("CREATE TABLE t(a DEFAULT 'ON CONFLICT REPLACE', b REFERENCES p ON DELETE CASCADE)", false),
    ("CREATE TABLE t(a)", false),
  ])
  func `a conflict clause is told from what looks like one`(sql: String, isThere: Bool) {
    #expect(SQLNames.hasConflictClause(sql) == isThere)
  }

  @Test(arguments: ["'", "\"", "[", "`a", "/*", "--", "a(", "", "/* *", "''' "])
  func `text that ends early is read to its end`(sql: String) {
    _ = SQLNames.tokens(sql)
    #expect(SQLNames.namesInDefinition(of: "a", in: "t(" + sql) == [])
  }
}
