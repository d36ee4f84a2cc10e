import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct PublicationCheckTests {
  /// A database with `rowCount` rows, checked by one thread or by two.
  private func check(
    rowCount: Int, _ change: String = "", damage: ((inout [UInt8]) -> Void)? = nil
  ) throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE a(id INTEGER PRIMARY KEY, x TEXT NOT NULL);
      CREATE TABLE b(id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a);
      CREATE INDEX b_a_id ON b(a_id);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
      INSERT INTO a SELECT i, 'x' || i FROM n;
      INSERT INTO b SELECT id, id FROM a;
      \(change);
      """)
    if let damage { try database.damage(damage) }
    try PublicationCheck.run(
      path: database.path,
      tables: [
        PublicationCheck.Table(
          name: "a", rowCount: Int64(rowCount), indexCount: 0, hasReferences: false),
        PublicationCheck.Table(
          name: "b", rowCount: Int64(rowCount), indexCount: 1, hasReferences: true),
      ])
  }

  static let rowCounts = [10, 10_000]

  @Test(arguments: rowCounts)
  func `a sound database passes`(rowCount: Int) throws {
    try check(rowCount: rowCount)
  }

  @Test(arguments: rowCounts)
  func `a reference to a missing row is found`(rowCount: Int) {
    #expect {
      try check(rowCount: rowCount, "DELETE FROM a WHERE id = 7")
    } throws: { error in
      (error as? PublicationCheck.Failure)?.finding == "row 7 of b refers to no row of a"
    }
  }

  @Test(arguments: rowCounts)
  func `an index that lacks a row is found`(rowCount: Int) {
    let change = """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '(a_id)', '(id)') WHERE name = 'b_a_id';
      UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'b';
      PRAGMA writable_schema = RESET;
      UPDATE b SET id = -id
      """
    #expect {
      try check(
        rowCount: rowCount,
        change + ";PRAGMA writable_schema = ON;"
          + "UPDATE sqlite_schema SET sql = replace(sql, '(id)', '(a_id)') WHERE name = 'b_a_id'")
    } throws: { error in
      (error as? PublicationCheck.Failure)?.finding.contains("index b_a_id") == true
    }
  }
}
