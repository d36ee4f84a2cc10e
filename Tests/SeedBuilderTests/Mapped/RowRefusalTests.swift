import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Rows that a constraint of the schema does not allow.
@Suite struct RowRefusalTests {
  private static let twice =
    "leave one of the two records out, correct it, or drop the constraint if both belong"

  @Test func `both records of a doubled value are named`() throws {
    let said = try BuiltProject.failure(
      [("u.csv", "id,code\n1,a\n2,b\n3,a\n")],
      schema: "CREATE TABLE u(id INTEGER PRIMARY KEY, code TEXT UNIQUE)")
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix(
        "u.csv:4:1: the record does not fit into \"u\": UNIQUE constraint failed: u.code "
          + "(another record, at u.csv:2:1, has code \"a\")") == true, "\(said)")
    #expect(said.first?.hasSuffix("[\(Self.twice)]") == true)
  }

  @Test func `a doubled key in two sources names both`() throws {
    let said = try BuiltProject.failure(
      [("u.csv", "id,code\n1,a\n"), ("v.csv", "id,code\n2,b\n1,c\n")],
      schema: "CREATE TABLE u(id INTEGER PRIMARY KEY, code TEXT UNIQUE)",
      records: ["v.csv": [RecordRule("*", table: "u")]])
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix(
        "v.csv:3:1: the record does not fit into \"u\": UNIQUE constraint failed: u.id "
          + "(another record, at u.csv:2:1, has id \"1\")") == true, "\(said)")
  }

  @Test func `columns that are unique together are all named`() throws {
    let said = try BuiltProject.failure(
      [("u.csv", "x,y\n1,a\n1,b\n1,a\n")], schema: "CREATE TABLE u(x INTEGER, y TEXT, UNIQUE(x, y))"
    )
    #expect(said.first?.contains("at u.csv:2:1, has x \"1\" and y \"a\")") == true, "\(said)")
  }

  @Test(arguments: [
    "id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT IGNORE",
    "id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT REPLACE",
    "id INTEGER, code TEXT PRIMARY KEY ON CONFLICT REPLACE",
    "id INTEGER PRIMARY KEY, code TEXT, UNIQUE(code) on conflict ignore",
  ])
  func `a conflict clause of the schema does not drop records`(columns: String) throws {
    let said = try BuiltProject.failure(
      [("u.csv", "id,code\n1,a\n2,a\n")], schema: "CREATE TABLE u(\(columns))")
    #expect(said.count == 1)
    #expect(
      said.first?.contains("UNIQUE constraint failed: u.code (another record, at u.csv:2:1")
        == true,
      "\(said)")
  }

  @Test func `a conflict clause does not drop a record for a row of the schema`() throws {
    let said = try BuiltProject.failure(
      [("u.csv", "id,code\n2,a\n")],
      schema: """
        CREATE TABLE u(id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT IGNORE);
        INSERT INTO u VALUES(1, 'a');
        """)
    #expect(said.first?.contains("UNIQUE constraint failed: u.code") == true, "\(said)")
  }

  @Test(arguments: [
    ("CREATE TABLE u(id INTEGER PRIMARY KEY, code TEXT CHECK(code <> 'a'))", "the CHECK"),
    (
      "CREATE TABLE u(id INTEGER PRIMARY KEY, code TEXT); CREATE UNIQUE INDEX i ON u(lower(code))",
      "leave out one of the records"
    ),
  ])
  func `every refusal says what to do`(schema: String, hint: String) throws {
    let said = try BuiltProject.failure([("u.csv", "id,code\n1,a\n2,A\n")], schema: schema)
    #expect(said.first?.contains(hint) == true, "\(said)")
  }
}
