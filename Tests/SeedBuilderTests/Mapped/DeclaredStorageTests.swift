import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Rules that say another type than the schema, or than another rule for the same column.
@Suite struct DeclaredStorageTests {
  private static func failure(
    _ declared: String, _ type: DeclaredType, _ value: String
  ) throws -> [String] {
    try BuiltProject.failure(
      [("p.csv", "id,v\n1,\(value)\n")], schema: "CREATE TABLE p(id INTEGER, v \(declared))",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [ColumnRule("v", type: type)])]])
  }

  @Test(arguments: [
    ("INTEGER", DeclaredType.text, "007"), ("INTEGER", .text, "12345678901234567890"),
    ("INTEGER", .text, "abc"), ("INTEGER", .real, "2.5"), ("REAL", .integer, "9007199254740993"),
    ("REAL", .text, "5"), ("NUMERIC", .text, "1e3"), ("DATE", .text, "hello"),
    ("DATE", .text, "20260105"), ("UUID", .text, "12e4"), ("BOOLEAN", .integer, "2"),
    ("TEXT", .real, "1.50"), ("INT", .datetime, "2026-01-05"),
  ])
  func `a value that the column would change or is none of its type is an error at its place`(
    declared: String, type: DeclaredType, value: String
  ) throws {
    let said = try Self.failure(declared, type, value)
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix(
        "p.csv:2:3: \"\(value)\" would change or be no value of its column, declared \(declared),")
        == true, "\(said)")
  }

  @Test(arguments: [
    ("INTEGER", DeclaredType.text, "7", SQLiteValue.integer(7)),
    ("INTEGER", .boolean, "yes", .integer(1)), ("INTEGER", .real, "3.0", .integer(3)),
    ("TEXT", .integer, "7", .text("7")), ("TEXT", .real, "2.5", .text("2.5")),
    ("DATE", .text, "2026-01-05", .text("2026-01-05")),
    ("DATE", .datetime, "2026-01-05 10:00", .text("2026-01-05 10:00")),
    ("REAL", .integer, "5", .real(5)), ("BLOB", .text, "007", .text("007")),
    ("DATE", .integer, "1767571200", .integer(1_767_571_200)),
  ])
  func `a value that stays itself is stored`(
    declared: String, type: DeclaredType, value: String, stored: SQLiteValue
  ) throws {
    let built = try BuiltProject(
      [("p.csv", "id,v\n1,\(value)\n")], schema: "CREATE TABLE p(id INTEGER, v \(declared))",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [ColumnRule("v", type: type)])]])
    #expect(try built.rows("SELECT v FROM p") == [[stored]])
  }

  @Test(arguments: [
    ("12e4", "would become a number"), ("1E3", "would become a number"),
    ("007", "would become another number"),
  ])
  func `a text that a type unknown to SQLite would make a number of is an error at its place`(
    value: String, reason: String
  ) throws {
    let said = try BuiltProject.failure(
      [("p.csv", "id,v\n1,\(value)\n")], schema: "CREATE TABLE p(id INTEGER, v UUID)")
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix("p.csv:2:3: \"\(value)\" \(reason) in a column") == true, "\(said)")
  }

  @Test(arguments: [
    ("REAL", JSONValue.integer(9_007_199_254_740_993), DeclaredType?.none),
    ("INTEGER", .string("007"), .text), ("UUID", .string("12e4"), .none),
    ("NUMERIC", .string("1e3"), .text),
  ])
  func `a constant that the column would change is an error`(
    declared: String, constant: JSONValue, type: DeclaredType?
  ) throws {
    var rule = ColumnRule("v", type: type)
    rule.constant = Located(constant)
    let said = try BuiltProject.failure(
      [("p.csv", "id\n1\n")], schema: "CREATE TABLE p(id INTEGER, v \(declared))",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [rule])]])
    #expect(
      said.first?.contains("does not fit into column \"v\" of type \(declared)") == true, "\(said)")
  }

  @Test(arguments: [
    (DeclaredType.text, DeclaredType.integer), (.integer, .text), (.integer, .real),
    (.boolean, .text), (.decimal, .real),
  ])
  func `two rules that say two types of one column are an error that names both`(
    first: DeclaredType, second: DeclaredType
  ) throws {
    let rules = [(first, 3), (second, 8)].map { type, line in
      var rule = ColumnRule("z", type: type)
      rule.type?.location = SourceLocation(file: "seed.json", line: line, column: 5)
      return [RecordRule("*", table: "t", columns: [rule])]
    }
    let said = try BuiltProject.failure(
      [("a.csv", "id,z\n1,007\n"), ("b.csv", "id,z\n2,5\n")],
      records: ["a.csv": rules[0], "b.csv": rules[1]])
    let types = (first.rawValue.uppercased(), second.rawValue.uppercased())
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix(
        "seed.json:8:5: column \"z\" of \"t\" is \(types.1) by this rule and \(types.0) by the one at "
          + "seed.json:3:5") == true, "\(said)")
  }

  @Test func `constants of several types for one column stay as they are`() throws {
    let rules = [JSONValue.integer(5), .string("007")].map { value in
      var rule = ColumnRule("z")
      rule.constant = Located(value)
      return [RecordRule("*", table: "t", columns: [rule])]
    }
    let built = try BuiltProject(
      [("a.csv", "id\n1\n"), ("b.csv", "id\n2\n")],
      records: ["a.csv": rules[0], "b.csv": rules[1]])
    #expect(try built.rows("SELECT z FROM t ORDER BY id") == [[.text("5")], [.text("007")]])
  }
}
