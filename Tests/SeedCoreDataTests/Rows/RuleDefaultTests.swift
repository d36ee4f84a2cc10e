import SeedBuilder
import SeedModel
import SeedSQLite
import Testing

@testable import SeedCoreData

/// Values that no record has: those of rules, and the defaults of a model.
@Suite struct RuleDefaultTests {
  private func model(_ type: String, _ more: String = "") -> String {
    "<entity name=\"E\"><attribute name=\"a\" optional=\"YES\" attributeType=\"\(type)\" \(more)/></entity>"
  }

  // MARK: Rules

  @Test(arguments: [
    ("Date", "MM/dd/yyyy" as String?, "01/02/2024", "725839200.0"),
    ("Date", "dd.MM.yyyy HH:mm", "02.01.2024 10:30", "725877000.0"),
    ("Date", nil, "2024-01-02T10:30:00", "725877000.0"),
    ("Binary", "base64", "AAEC", "x'000102'"), ("Binary", "hex", "AAEC", "x'aaec'"),
    ("Transformable", "base64", "AAEC", "x'000102'"), ("Float", nil, "0.1", "0.10000000149011612"),
  ])
  func `a default and a constant are read as the rule says that values are`(
    type: String, format: String?, value: String, stored: String
  ) throws {
    for rule in [
      ColumnRule("a", format: format, defaultValue: .string(value)),
      ColumnRule("a", from: "@a", format: format, defaultValue: .string(value)),
      ColumnRule("a", format: format, constant: .string(value)),
    ] {
      let given = rule.constant == nil ? " a=\"\(value)\"" : ""
      let store = try FilledStore(
        [("input.xml", "<R><E\(given)/><E/></R>")], model: model(type),
        records: ["input.xml": [RecordRule("R/E", columns: [rule])]]
      ) { $0.timeZone = "+02:00" }
      let found = try store.lines("SELECT ZA FROM ZE ORDER BY Z_PK")
      if let number = Double(stored) {
        #expect(found.map { Double($0) } == [number, number])
      } else {
        #expect(found == [stored, stored])
      }
    }
  }

  @Test func `what the values show of dates settles the default, and nothing else does`() throws {
    let rule = RecordRule("R/E", columns: [ColumnRule("a", defaultValue: .string("01/02/2024"))])
    let store = try FilledStore(
      [("input.xml", "<R><E/><E a=\"25/12/2023\"/></R>")], model: model("Date"),
      records: ["input.xml": [rule]])
    #expect(
      try store.rows("SELECT date(ZA + 978307200, 'unixepoch') FROM ZE ORDER BY Z_PK")
        == [[.text("2024-02-01")], [.text("2023-12-25")]])
    let faults = try FilledStore.failure(
      [("input.xml", "<R><E/><E a=\"02/03/2023\"/></R>")], model: model("Date"),
      records: ["input.xml": [rule]])
    #expect(faults.count == 1)
    #expect(faults.first?.contains("can be read in two ways") == true, "\(faults)")
  }

  @Test func `a constant that does not fit says why`() throws {
    let faults = try FilledStore.failure(
      [("input.xml", "<R><E/></R>")], model: model("Float"),
      records: [
        "input.xml": [RecordRule("R/E", columns: [ColumnRule("a", constant: .integer(16_777_217))])]
      ])
    #expect(faults.count == 1)
    #expect(
      faults.first?.contains(
        "16777217 does not fit into attribute \"a\" of the type Float: it would become another number"
      )
        == true, "\(faults)")
  }

  @Test func `a number of a rule that loses digits is refused by what it says`() throws {
    var constant = Located(JSONValue.number(9_007_199_254_740_992))
    constant.spelling = "9007199254740993.0"
    var rule = ColumnRule("a")
    rule.constant = constant
    let rules = ["input.xml": [RecordRule("R/E", columns: [rule])]]
    for type in ["Double", "Float"] {
      let faults = try FilledStore.failure(
        [("input.xml", "<R><E/></R>")], model: model(type), records: rules)
      #expect(
        faults.first?.contains("9007199254740993.0 does not fit into attribute \"a\"") == true,
        "\(faults)")
    }
    let store = try FilledStore(
      [("input.xml", "<R><E/></R>")], model: model("Decimal"), records: rules)
    #expect(try store.lines("SELECT ZA FROM ZE") == ["9007199254740993"])
  }

  /// What is stored of two records, of which the second has no value.
  private func stored(_ type: String, value: String, _ rule: ColumnRule) throws -> [String] {
    try FilledStore(
      [("input.xml", "<R><E a=\"\(value)\"/><E/></R>")], model: model(type),
      records: ["input.xml": [RecordRule("R/E", columns: [rule])]]
    ).lines("SELECT ZA FROM ZE ORDER BY Z_PK")
  }

  @Test func `a default is read as the values are, and says nothing about them`() throws {
    // Either is hexadecimal digits and base64.
    let digits = ColumnRule("a", defaultValue: .string("6162"))
    #expect(try stored("Binary", value: "6263", digits) == ["x'6263'", "x'6162'"])
    #expect(try stored("Binary", value: "YWI=", digits) == ["x'6162'", "x'eb5eb6'"])
    let dates = ColumnRule("a", defaultValue: .string("01/02/2023"))
    #expect(try stored("Date", value: "12/25/2024", dates) == ["756777600", "694310400"])
    #expect(try stored("Date", value: "25/12/2024", dates) == ["756777600", "696902400"])
  }

  @Test(arguments: [
    ("Binary", "6162", "YWI=", "is no data in hexadecimal digits"),
    ("Date", "01/02/2024", "25/12/2023", "can be read in two ways"),
    ("Date", "2024-01-01", "01/02/2023", "can be read in two ways"),
    ("Date", "12/25/2024", "25/12/2024", "is not a date"),
  ])
  func `a default does not settle how values are read`(
    type: String, value: String, given: String, words: String
  ) throws {
    let rule = ColumnRule("a", defaultValue: .string(given))
    let faults = try FilledStore.failure(
      [("input.xml", "<R><E a=\"\(value)\"/><E/></R>")], model: model(type),
      records: ["input.xml": [RecordRule("R/E", columns: [rule])]])
    #expect(faults.count == 1)
    #expect(faults.first?.contains(words) == true, "\(faults)")
  }

  @Test func `numbers may have a decimal comma`() throws {
    let rule = ColumnRule("a", format: "decimal-comma", defaultValue: .string("2,5"))
    for type in ["Double", "Float", "Decimal"] {
      #expect(try stored(type, value: "1.234,5", rule) == ["1234.5", "2.5"])
    }
    // A number of the rule is written as JSON has it.
    let number = ColumnRule("a", format: "decimal-comma", defaultValue: .number(12.5))
    #expect(try stored("Double", value: "-1,5", number) == ["-1.5", "12.5"])
    let integer = ColumnRule("a", format: "decimal-comma", defaultValue: .integer(7))
    #expect(try stored("Integer 16", value: "1.234", integer) == ["1234", "7"])
    let faults = try FilledStore.failure(
      [("input.xml", "<R>\n<E a=\"1.5\"/></R>")], model: model("Double"),
      records: ["input.xml": [RecordRule("R/E", columns: [number])]])
    #expect(
      faults.first?.hasPrefix("input.xml:2:7: \"1.5\" is not a number with a decimal comma")
        == true,
      "\(faults)")
  }

  @Test func `a default is a value though its text means none in a record`() throws {
    var rule = ColumnRule("a", defaultValue: .integer(5))
    rule.nullTexts = ["5"]
    #expect(try stored("Integer 16", value: "5", rule) == ["5", "5"])
    rule.defaultValue = Located(.string("5"))
    #expect(try stored("String", value: "5", rule) == ["5", "5"])
  }

  // MARK: Fields without values

  private static let pair = """
    <entity name="P"><attribute name="a" optional="YES" attributeType="Integer 16"/>\
    <attribute name="v" optional="YES" attributeType="String"/>\
    <relationship name="q" optional="YES" maxCount="1" destinationEntity="Q" inverseName="ps" \
    inverseEntity="Q"/></entity>
    <entity name="Q"><attribute name="k" optional="YES" attributeType="String"/>\
    <relationship name="ps" optional="YES" toMany="YES" destinationEntity="P" inverseName="q" \
    inverseEntity="P"/></entity>
    """

  private func rules(_ path: String, from: String) -> [RecordRule] {
    var rule = ColumnRule("v", from: from)
    rule.nullTexts = ["-"]
    return [RecordRule(path, entity: "P", columns: [rule])]
  }

  @Test(arguments: [
    ("p.json", "[{\"a\": 1, \"b\": null}]", "*", 1), ("p.json", "[]", "*", 0),
    ("p.json", "{\"p\": []}", "p", 0), ("p.csv", "a,b\n", "*", 0), ("p.csv", "a,b\n1,\n", "*", 1),
  ])
  func `rules for fields without a value in any record are of use`(
    name: String, text: String, path: String, count: Int
  ) throws {
    let store = try FilledStore(
      [(name, text)], model: Self.pair, records: [name: rules(path, from: "b")]
    ) { $0.mapping.references = [ReferenceRule(("P", "q"), from: "b", to: ("Q", "k"))] }
    #expect(try store.lines("SELECT ZV IS NULL, ZQ IS NULL FROM ZP").count == count)
  }

  @Test func `a field that no record has is still an error`() throws {
    let faults = try FilledStore.failure(
      [("p.json", "[{\"a\": 1, \"b\": null}]")], model: Self.pair,
      records: ["p.json": rules("*", from: "c")])
    #expect(faults.count == 1)
    #expect(faults.first?.contains("no record at \"*\" has a value at \"c\"") == true, "\(faults)")
  }

  // MARK: The model

  @Test(arguments: [
    ("Float", "defaultValueString=\"16777217\"", "would become another number as a Float"),
    (
      "Double", "defaultValueString=\"9007199254740993\"", "would become another number as a Double"
    ),
    (
      "Decimal", "defaultValueString=\"0.123456789012345678901234567890\"",
      "has more digits than a Core Data store keeps of a Decimal"
    ),
    ("Date", "defaultDateTimeInterval=\"1e300\"", "is beyond the year 10000"),
  ])
  func `a default that a record could not have is refused where it is used`(
    type: String, more: String, words: String
  ) throws {
    let faults = try FilledStore.failure("<R>\n<E/></R>", model: model(type, more))
    #expect(faults.count == 1)
    #expect(
      faults.first?.hasPrefix(
        "input.xml:2:1: E gets the model's default for attribute a, which \(words)") == true,
      "\(faults)")
    let value = type == "Date" ? "2024-01-02" : "2"
    let model = model(type, more)
    #expect(
      try FilledStore("<R><E a=\"\(value)\"/></R>", model: model).lines("SELECT ZA FROM ZE").count
        == 1)
    // A rule's default stands in its place.
    let rule = RecordRule("R/E", columns: [ColumnRule("a", defaultValue: .string(value))])
    #expect(
      try FilledStore(
        [("input.xml", "<R><E/></R>")], model: model, records: ["input.xml": [rule]]
      ).lines("SELECT ZA FROM ZE").count == 1)
  }

  @Test func `a default of a Float is the Float, as a record's value is`() throws {
    let store = try FilledStore(
      "<R><E/><E a=\"0.1\"/></R>", model: model("Float", "defaultValueString=\"0.1\""))
    let value = SQLiteValue.real(Double(Float(0.1)))
    #expect(try store.rows("SELECT ZA FROM ZE") == [[value], [value]])
  }

  @Test(arguments: [
    ("Float", "0.1", "0.1"), ("Double", "0.1", "0.1"), ("Decimal", "0.1", "0.1"),
    ("Decimal", "9007199254740993", "9007199254740993"),
  ])
  func `a bound is itself within the bounds`(type: String, bound: String, value: String) throws {
    let bounds = "minValueString=\"\(bound)\" maxValueString=\"\(bound)\""
    _ = try FilledStore("<R><E a=\"\(value)\"/></R>", model: model(type, bounds))
  }

  @Test(arguments: [
    ("Float", "0.1", "0.11"), ("Decimal", "9007199254740992", "9007199254740993"),
  ])
  func `what is beyond a bound by one is refused`(type: String, most: String, value: String) throws
  {
    let faults = try FilledStore.failure(
      "<R><E a=\"\(value)\"/></R>", model: model(type, "maxValueString=\"\(most)\""))
    #expect(faults.first?.contains("is more than the model's maximum \(most)") == true, "\(faults)")
  }
}
