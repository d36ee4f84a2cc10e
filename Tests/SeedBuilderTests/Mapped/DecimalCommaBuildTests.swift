import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Numbers with a decimal comma in columns whose rules say so.
@Suite struct DecimalCommaBuildTests {
  private let prices = ("prices.csv", "name;price\na;12,50\nb;1.234,00\nc;\n")

  private func records(_ type: DeclaredType?) -> [String: [RecordRule]] {
    [
      "prices.csv": [
        RecordRule(
          "*", table: "p", columns: [ColumnRule("price", type: type, format: "decimal-comma")])
      ]
    ]
  }

  private static let rows: [[SQLiteValue]] = [
    [.text("a"), .real(12.5)], [.text("b"), .real(1_234)], [.text("c"), .null],
  ]

  @Test(arguments: [DeclaredType.real, .decimal, nil])
  func `the numbers are stored by their value`(type: DeclaredType?) throws {
    let built = try BuiltProject([prices], records: records(type))
    #expect(
      try built.rows("SELECT name, CAST(price AS REAL) FROM p WHERE price IS NOT NULL ORDER BY 1")
        == Array(Self.rows.prefix(2)))
    #expect(try built.rows("SELECT count(*) FROM p WHERE price IS NULL") == [[.integer(1)]])
  }

  @Test(arguments: ["REAL", "DOUBLE", "NUMERIC", "DECIMAL(8,2)"])
  func `a schema declares the column`(type: String) throws {
    let built = try BuiltProject(
      [prices], schema: "CREATE TABLE p(name TEXT, price \(type))", records: records(nil))
    #expect(
      try built.rows("SELECT name, CAST(price AS REAL) FROM p WHERE price NOT NULL ORDER BY 1")
        == Array(Self.rows.prefix(2)))
  }

  @Test func `what is no such number is an error with its place`() throws {
    let said = try BuiltProject.failure(
      [("prices.csv", "name;price\na;12,50\nb;12.50\n")], records: records(.real))
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix("prices.csv:3:3: \"12.50\" is not a number with a decimal comma")
        == true)
  }

  @Test func `a column of text takes no format of numbers`() throws {
    let said = try BuiltProject.failure(
      [prices], schema: "CREATE TABLE p(name TEXT, price TEXT)", records: records(nil))
    #expect(said.first?.contains("is one of numbers, and its column takes none") == true)
  }

  @Test func `without the format the error names it`() throws {
    let said = try BuiltProject.failure(
      [prices], schema: "CREATE TABLE p(name TEXT, price REAL)",
      records: ["prices.csv": [RecordRule("*", table: "p")]])
    #expect(
      said.first
        == "prices.csv:2:3: \"12,50\" is not a number in price of prices [say \"format\": "
        + "\"decimal-comma\" of the column in seed.json, or declare it as TEXT]")
  }
}
