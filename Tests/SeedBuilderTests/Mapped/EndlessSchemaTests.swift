import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Schemas whose statements would never end.
@Suite struct EndlessSchemaTests {
  private let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
  private let source = ("t.xml", "<r><t a='1'/><t a='2'/></r>")

  @Test func `a statement without an end is an error with its place`() throws {
    let said = try BuiltProject.failure(
      [source], schema: "CREATE TABLE t(a);\n  SELECT sum(i) FROM (\(endless));"
    ) { $0.mapping.mostSteps = 2_000_000 }
    #expect(
      said == [
        "schema.sql:2:3: the statement goes on without an end [give its recursion a condition or a LIMIT]"
      ])
  }

  @Test func `rows without an end are too`() throws {
    let said = try BuiltProject.failure(
      [source], schema: "CREATE TABLE t(a);\nINSERT INTO t \(endless);"
    ) { $0.mapping.mostSteps = 2_000_000 }
    #expect(said.first?.hasPrefix("schema.sql:2:1: the statement goes on without an end") == true)
  }

  @Test func `a trigger without an end is an error of the schema`() throws {
    let said = try BuiltProject.failure(
      [source],
      schema: """
        CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts5(x);
        CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f \(endless); END;
        """
    ) { $0.mapping.mostSteps = 2_000_000 }
    #expect(
      said == [
        "schema.sql: a trigger of the schema goes on without an end "
          + "[give its recursion a condition or a LIMIT]"
      ])
  }

  @Test func `what does not run in a build may be as it is`() throws {
    let built = try BuiltProject(
      [source],
      schema: """
        CREATE TABLE t(a); CREATE VIEW v AS \(endless);
        CREATE TRIGGER i AFTER INSERT ON t BEGIN DELETE FROM t WHERE a IN (\(endless)); END;
        """)
    #expect(try built.rows("SELECT count(*) FROM t") == [[.integer(2)]])
  }

  @Test func `many rows may take many steps together`() throws {
    let rows = (0..<2_000).map { "<t a='\($0)'/>" }.joined()
    let built = try BuiltProject(
      [("t.xml", "<r>\(rows)</r>")],
      schema: """
        CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts5(x);
        CREATE TRIGGER i AFTER INSERT ON t BEGIN
          INSERT INTO f SELECT count(*) FROM (\(endless) LIMIT 100);
        END;
        """
    ) { $0.mapping.mostSteps = 200_000 }
    #expect(try built.rows("SELECT count(*) FROM f") == [[.integer(2_000)]])
  }
}
