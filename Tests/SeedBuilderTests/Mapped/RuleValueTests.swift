import SeedBuilder
import SeedModel
import SeedSQLite
import Testing

/// Defaults and constants of rules are what a record with their text would have.
@Suite struct RuleValueTests {
  private func rows(
    _ rule: ColumnRule, declared: String, value: String, _ options: (inout BuildOptions) -> Void
  ) throws -> [[SQLiteValue]] {
    // A constant takes no field.
    let csv = rule.constant == nil ? "id,v\n1,\"\(value)\"\n2,\n" : "id\n1\n2\n"
    return try BuiltProject(
      [("p.csv", csv)],
      schema: "CREATE TABLE p(id INTEGER, v \(declared))",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [rule])]], rules: options
    ).rows("SELECT v FROM p ORDER BY id")
  }

  @Test(arguments: [
    ("DATE", "MM/dd/yyyy" as String?, "01/02/2024", SQLiteValue.text("2024-01-02")),
    ("TEXT", "MM/dd/yyyy", "01/02/2024", .text("2024-01-02")),
    ("DATETIME", "dd.MM.yyyy HH:mm", "01.02.2024 10:30", .text("2024-02-01T08:30Z")),
    ("DATETIME", nil, "2024-02-01T10:30:00", .text("2024-02-01T08:30:00Z")),
    ("BLOB", "base64", "AAEC", .blob([0x00, 0x01, 0x02])),
    ("BLOB", "hex", "AAEC", .blob([0xAA, 0xEC])),
    ("REAL", "decimal-comma", "1,5", .real(1.5)), ("BOOLEAN", nil, "yes", .integer(1)),
  ])
  func `a default and a constant are read as the rule says that values are`(
    declared: String, format: String?, value: String, stored: SQLiteValue
  ) throws {
    for isConstant in [false, true] {
      var rule = ColumnRule("v", format: format)
      if isConstant {
        rule.constant = Located(.string(value))
      } else {
        rule.defaultValue = Located(.string(value))
      }
      #expect(
        try rows(rule, declared: declared, value: value) { $0.timeZone = "+02:00" }
          == [[stored], [stored]])
    }
  }

  @Test func `the pattern of all sources holds for defaults, too`() throws {
    var rule = ColumnRule("v")
    rule.defaultValue = Located(.string("01/02/2024"))
    #expect(
      try rows(rule, declared: "DATE", value: "03/04/2024") { $0.dateFormat = "dd/MM/yyyy" }
        == [[.text("2024-04-03")], [.text("2024-02-01")]])
    // What the values show settles the default.
    #expect(
      try rows(rule, declared: "DATE", value: "25/04/2024") { _ in }
        == [[.text("2024-04-25")], [.text("2024-02-01")]])
  }

  @Test(arguments: [
    ("DATE", "01/02/2024", "25/12/2023", "can be read in two ways"),
    ("BLOB", "6162", "YWI=", "is no data in hexadecimal digits"),
  ])
  func `a default does not settle how values are read`(
    declared: String, value: String, given: String, words: String
  ) throws {
    var rule = ColumnRule("v")
    rule.defaultValue = Located(.string(given))
    let said = try BuiltProject.failure(
      [("p.csv", "id,v\n1,\(value)\n")], schema: "CREATE TABLE p(id INTEGER, v \(declared))",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [rule])]])
    #expect(said.count == 1)
    #expect(said.first?.contains(words) == true, "\(said)")
  }

  @Test func `a whole number that a REAL would change is refused in any spelling`() throws {
    for text in ["9007199254740993", "9007199254740993.0", "9.007199254740993e15"] {
      let said = try BuiltProject.failure(
        [("p.csv", "v\n\(text)\n")], schema: "CREATE TABLE p(v REAL)",
        records: ["p.csv": [RecordRule("*", table: "p")]])
      #expect(said.first?.contains("would become another number as a REAL") == true, "\(said)")
      var constant = Located(JSONValue.number(9_007_199_254_740_992))
      constant.spelling = text
      var rule = ColumnRule("w")
      rule.constant = constant
      let ruled = try BuiltProject.failure(
        [("p.csv", "v\n1\n")], schema: "CREATE TABLE p(v REAL, w REAL)",
        records: ["p.csv": [RecordRule("*", table: "p", columns: [rule])]])
      #expect(ruled.first?.contains("would become another number as a REAL") == true, "\(ruled)")
    }
  }

  @Test func `a default that can be read in two ways is an error`() throws {
    var rule = ColumnRule("v")
    rule.constant = Located(.string("01/02/2024"))
    let said = try BuiltProject.failure(
      [("p.csv", "id\n1\n")], schema: "CREATE TABLE p(id INTEGER, v DATE)",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [rule])]])
    #expect(said.count == 1)
    #expect(said.first?.contains("can be read in two ways") == true, "\(said)")
  }

  @Test func `a default that is not written as the rule says is an error with the reason`() throws {
    var rule = ColumnRule("v", format: "MM/dd/yyyy")
    rule.defaultValue = Located(.string("13/02/2024"))
    let said = try BuiltProject.failure(
      [("p.csv", "id,v\n1,01/02/2024\n")], schema: "CREATE TABLE p(id INTEGER, v DATE)",
      records: ["p.csv": [RecordRule("*", table: "p", columns: [rule])]])
    #expect(said.count == 1)
    #expect(
      said.first?.contains(
        "\"13/02/2024\" does not fit into column \"v\" of type DATE: it is not a date (MM/dd/yyyy)")
        == true, "\(said)")
  }
}
