import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Whole numbers that a column declared as REAL may or may not hold.
@Suite struct WideNumberTests {
  private static let schema = "CREATE TABLE p(v REAL)"
  private static let records = ["p.csv": [RecordRule("*", table: "p")]]

  @Test(arguments: ["9007199254740993", "12345678901234567890", "-9007199254740993"])
  func `a whole number that would become its neighbour is an error`(text: String) throws {
    let said = try BuiltProject.failure(
      [("p.csv", "v\n\(text)\n")], schema: Self.schema, records: Self.records)
    #expect(
      said.first?.hasPrefix("p.csv:2:1: \"\(text)\" would become another number as a REAL") == true,
      "\(said)")
  }

  @Test(arguments: [
    ("9007199254740992", 9_007_199_254_740_992), ("-0", 0), ("1e300", 1e300),
    ("-33.867138999999999", -33.867139), ("10000000000000000000", 1e19),
  ])
  func `a number that is itself, and a fraction that is rounded, are stored`(
    text: String, value: Double
  ) throws {
    let built = try BuiltProject(
      [("p.csv", "v\n\(text)\n")], schema: Self.schema, records: Self.records)
    #expect(try built.rows("SELECT v FROM p") == [[.real(value)]])
  }
}
