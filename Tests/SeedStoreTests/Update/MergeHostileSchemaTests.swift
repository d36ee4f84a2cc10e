import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// Seeds whose schema table was written by hand.
@Suite struct MergeHostileSchemaTests {
  private static let item = "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT);"
  private static let owned: [(String, [String])] = [("item", [])]

  /// An object, what stands in the schema table in place of its statement, and what is said of it.
  private static let cases: [(object: String, name: String, sql: String)] = [
    ("CREATE TABLE evil(x)", "evil", "CREATE TABLE evil(x); DROP TABLE mine"),
    ("CREATE TABLE evil(x)", "evil", "CREATE TABLE evil(x); CREATE TABLE worse(x)"),
    ("CREATE INDEX evil ON item(name)", "evil", "CREATE INDEX evil ON item(name); DROP TABLE mine"),
    (
      "CREATE VIRTUAL TABLE evil USING fts5(name, content='item')", "evil",
      "CREATE VIRTUAL TABLE evil USING fts5(name, content='item'); DROP TABLE mine"
    ),
  ]

  @Test(arguments: cases)
  func `no second statement is run`(object: String, name: String, sql: String) throws {
    let seed = try MergeSeed(Self.item + "INSERT INTO item VALUES (1, 'a');", owned: Self.owned)
    try seed.bench.write("CREATE TABLE mine(a); INSERT INTO mine VALUES (1);")
    let literal = sql.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    try seed.write(
      """
      \(Self.item) INSERT INTO item VALUES (1, 'b'); \(object);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = '\(literal)' WHERE name = '\(name)';
      PRAGMA writable_schema = OFF;
      """, owned: Self.owned, version: "2")
    let lines = try seed.refusal()
    #expect(lines.count == 1)
    #expect(lines.first?.contains("\"evil\" cannot be") == true, "\(lines)")
    #expect(lines.first?.hasSuffix("more than one statement in the text") == true, "\(lines)")
    #expect(try seed.rows("SELECT * FROM mine") == ["1"])
    #expect(try seed.rows("SELECT * FROM item") == ["1 a"])
    #expect(try seed.rows("SELECT 1 FROM sqlite_schema WHERE name IN ('evil', 'worse')") == [])
  }
}
