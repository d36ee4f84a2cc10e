import SeedBuilder
import SeedModel
import Testing

@testable import SeedCoreData

/// Values as Core Data stores them.
@Suite struct AttributeValueTests {
  private func model(_ type: String, _ more: String = "") -> String {
    "<entity name=\"E\"><attribute name=\"a\" optional=\"YES\" attributeType=\"\(type)\" \(more)/></entity>"
  }

  /// The value of an attribute as SQL writes it.
  private func stored(
    _ value: String, as type: String, _ more: String = "",
    rules: (inout BuildOptions) -> Void = { _ in }
  ) throws -> String {
    let store = try FilledStore(
      "<R><E a=\"\(value)\"/></R>", model: model(type, more), rules: rules)
    return try store.lines("SELECT quote(ZA) FROM ZE")[0]
  }

  private func fault(
    _ value: String, as type: String, _ more: String = "",
    rules: (inout BuildOptions) -> Void = { _ in }
  ) throws -> [String] {
    try FilledStore.failure("<R>\n<E a=\"\(value)\"/></R>", model: model(type, more), rules: rules)
  }

  @Test(arguments: [
    ("-32768", "Integer 16", "-32768"), ("2147483647", "Integer 32", "2147483647"),
    ("9223372036854775807", "Integer 64", "9223372036854775807"),
    ("true", "Boolean", "1"), ("YES", "Boolean", "1"), ("0", "Boolean", "0"),
    ("off", "Boolean", "0"), ("1.5", "Double", "1.5"), ("2", "Double", "2.0"),
    ("9007199254740992", "Double", "9007199254740992.0"), ("16777216", "Float", "16777216.0"),
    ("36028797018963968", "Double", "36028797018963968.0"), ("0e-400", "Double", "0.0"),
    ("100000000000000000000000", "Double", "1e23"), ("0.30000001", "Float", "0.30000001192092896"),
    ("0.1", "Double", "0.1"), ("0.1", "Float", "0.10000000149011612"),
    ("10.11", "Decimal", "10.11"), ("10", "Decimal", "10"), ("1e2", "Decimal", "100"),
    ("9007199254740993", "Decimal", "9007199254740993"), ("+5", "Decimal", "5"),
    ("5.", "Decimal", "5"), ("-.5", "Decimal", "-0.5"), ("007.50", "Decimal", "7.5"),
    ("-0.0", "Decimal", "0"), ("+.5e1", "Decimal", "5"),
    ("100000000000000000000", "Decimal", "1e20"),
    ("1e20", "Decimal", "1e20"), ("9007199254740993.0", "Decimal", "9007199254740993"),
    ("9223372036854775807.00", "Decimal", "9223372036854775807"), ("1e127", "Decimal", "1e127"),
    ("1e-128", "Decimal", "1e-128"), ("16777216.0", "Float", "16777216.0"),
    ("1e16", "Float", "1.0000000272564224e16"), ("6.02214076e23", "Double", "6.02214076e23"),
    ("3.0000000054977558e+38", "Float", "3.0000000054977558e38"),
    ("36893488147419103232", "Double", "3.6893488147419103e19"),
    ("-36893488147419103232", "Double", "-3.6893488147419103e19"),
    ("1.1529215046068472e18", "Double", "1.1529215046068472e18"),
    ("1.7976931348623157e308", "Double", "1.7976931348623157e308"),
    ("16777217.5", "Float", "16777218.0"), ("1e30", "Float", "1.0000000150474662e30"),
    ("häh", "String", "'häh'"), ("", "String", "''"), ("007", "String", "'007'"),
    ("https://a.b/c?d=%20e", "URI", "'https://a.b/c?d=%20e'"),
    ("c4637490-bd7f-4428-b093-63a1720e17d2", "UUID", "X'C4637490BD7F4428B09363A1720E17D2'"),
    ("aGVsbG8=", "Binary", "X'68656C6C6F'"), ("68656c6c6f", "Binary", "X'68656C6C6F'"),
    ("2010-01-16", "Date", "285292800"), ("2001-01-01T00:00:00Z", "Date", "0"),
    ("2000-12-31T23:59:59.5Z", "Date", "-0.5"), ("2010-01-16T02:00:00+02:00", "Date", "285292800"),
    ("2024-05-10T18:27:26.843063Z", "Date", "737058446.843063"),
    ("16.01.2010", "Date", "285292800"), ("", "Date", "NULL"), ("", "Integer 16", "NULL"),
  ])
  func `a value is stored as Core Data stores it`(
    value: String, type: String, sql: String
  ) throws {
    let found = try stored(value, as: type)
    if let number = Double(sql), ["Float", "Double", "Date", "Decimal"].contains(type),
      !found.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    {
      #expect(Double(found) == number)
    } else {
      #expect(found == sql)
    }
  }

  @Test func `a whole number of seconds is an integer, as the column's affinity makes it`() throws {
    let store = try FilledStore(
      "<R><E a=\"2010-01-16\"/><E a=\"2010-01-16T00:00:00.25Z\"/></R>", model: model("Date"))
    #expect(
      try store.lines("SELECT typeof(ZA), ZA FROM ZE")
        == ["integer|285292800", "real|285292800.25"])
  }

  @Test func `data that may lie in a file of its own begins with the byte for inline`() throws {
    #expect(
      try stored("aGVsbG8=", as: "Binary", "allowsExternalBinaryDataStorage=\"YES\"")
        == "X'0168656C6C6F'")
  }

  @Test(arguments: [
    ("40000", "Integer 16", "does not fit into Integer 16 (-32768 to 32767)"),
    ("2147483648", "Integer 32", "does not fit into Integer 32"),
    ("9223372036854775808", "Integer 64", "does not fit into Integer 64"),
    ("1.5", "Integer 16", "is not an integer"), ("x", "Integer 64", "is not an integer"),
    ("١", "Integer 16", "is not an integer"),
    ("007", "Integer 16", "would change: as an integer it is 7"),
    ("maybe", "Boolean", "is not a truth value"), ("1,5", "Double", "is not a number"),
    ("1e39", "Float", "does not fit into Float"), ("1e999", "Double", "is not a number"),
    ("9007199254740993", "Double", "would become another number as a Double"),
    ("-9007199254740993", "Double", "would become another number as a Double"),
    ("12345678901234567890123", "Double", "would become another number as a Double"),
    ("16777217", "Float", "would become another number as a Float"),
    ("123456789", "Float", "would become another number as a Float"),
    ("1e-400", "Double", "is too small and would become 0 as a Double"),
    ("-0.5e-60", "Float", "is too small and would become 0 as a Float"),
    ("1e-400", "Decimal", "is too small for a Decimal"),
    ("12345678901234567890123", "Decimal", "has more digits than a Core Data store keeps"),
    ("+", "Decimal", "is not a number"), ("1.2.3", "Decimal", "is not a number"),
    ("0.1234567890123456789", "Decimal", "has more digits than a Core Data store keeps"),
    ("a/b", "URI", "is not an absolute URI"), ("http://a b", "URI", "is not an absolute URI"),
    ("1234", "UUID", "is not a UUID"), ("@", "Binary", "is no data in base64"),
    ("29.02.2011", "Date", "is not a date or time"), ("285292800", "Date", "is not a date or time"),
  ])
  func `a value that does not fit is an error at its place`(
    value: String, type: String, message: String
  ) throws {
    let faults = try fault(value, as: type)
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix("input.xml:2:7: \"\(value)\" ") == true, "\(faults)")
    #expect(faults.first?.contains(message) == true, "\(faults)")
    #expect(faults.first?.contains(" in attribute a of E") == true)
  }

  @Test(arguments: [
    ("http://a b", "URI", "with %"), ("a/b", "URI", "with its scheme"),
    ("285292800", "Date", "a number does not tell since when it counts"),
    ("yesterday", "Date", "--date-format"),
  ])
  func `the hint is one that helps`(value: String, type: String, hint: String) throws {
    let faults = try fault(value, as: type)
    #expect(faults.count == 1)
    #expect(faults.first?.contains(hint) == true, "\(faults)")
  }

  @Test func `numbers keep to the bounds of the model`() throws {
    let bounds = "minValueString=\"1\" maxValueString=\"9\""
    for type in ["Integer 16", "Double", "Decimal"] {
      #expect(try stored("9", as: type, bounds).hasPrefix("9"))
      #expect(
        try fault("0", as: type, bounds).first?.contains("is less than the model's minimum 1")
          == true)
      #expect(
        try fault("10", as: type, bounds).first?.contains("is more than the model's maximum 9")
          == true)
    }
    let dates = "minDateTimeInterval=\"0\" maxDateTimeInterval=\"86400\""
    #expect(
      try fault("2000-12-31", as: "Date", dates).first?.contains("before the earliest date") == true
    )
    #expect(
      try fault("2001-01-03", as: "Date", dates).first?.contains("after the latest date") == true)
  }

  @Test(arguments: [
    ("Float", ["16777217", "16777217.0", "1.6777217e7", "167772170e-1", "+016777217."]),
    ("Float", ["10000000000000000", "10000000000000001.0", "3.0000000054977559e38"]),
    ("Double", ["9007199254740993", "9007199254740993.0", "9.007199254740993E15"]),
    ("Double", ["36893488147419103233", "1.15292150460684723e18", "1152921504606847200"]),
  ])
  func `a whole number that the type would change is refused in any spelling`(
    type: String, spellings: [String]
  ) throws {
    for text in spellings {
      let faults = try fault(text, as: type)
      #expect(
        faults.first?.hasPrefix(
          "input.xml:2:7: \"\(text)\" would become another number as a \(type)") == true,
        "\(faults)")
      #expect(faults.count == 1)
    }
  }

  @Test(arguments: [
    (["1e128", "10e127", "1" + String(repeating: "0", count: 128)], "is too large for a Decimal"),
    (["1e-129", "0." + String(repeating: "0", count: 128) + "1"], "is too small for a Decimal"),
    (
      ["9223372036854775809", "9223372036854775809.0", "9.223372036854775809e18"], "has more digits"
    ),
    (
      [String(repeating: "12345", count: 8), "." + String(repeating: "12345", count: 8)],
      "38 digits"
    ),
  ])
  func `the limits of a Decimal are the same for all spellings`(
    spellings: [String], words: String
  ) throws {
    for text in spellings {
      let faults = try fault(text, as: "Decimal")
      #expect(faults.first?.contains(words) == true, "\(faults)")
    }
  }

  @Test func `strings keep to the lengths and the expression of the model`() throws {
    let bounds = "minValueString=\"2\" maxValueString=\"3\" regularExpressionString=\"[a-z]+\""
    #expect(try stored("abc", as: "String", bounds) == "'abc'")
    #expect(try fault("a", as: "String", bounds).first?.contains("is shorter than the 2") == true)
    #expect(try fault("abcd", as: "String", bounds).first?.contains("is longer than the 3") == true)
    // All of the text has to match.
    #expect(try fault("ab1", as: "String", bounds).first?.contains("does not match") == true)
  }

  @Test func `what is absent has the model's default, and NULL without one`() throws {
    let store = try FilledStore(
      "<R><E/></R>",
      model: """
        <entity name="E">
        <attribute name="b" attributeType="Boolean" defaultValueString="YES"/>
        <attribute name="c" attributeType="Decimal" defaultValueString="1.5"/>
        <attribute name="d" attributeType="Date" defaultDateTimeInterval="60.5"/>
        <attribute name="i" attributeType="Integer 16" defaultValueString="7"/>
        <attribute name="n" optional="YES" attributeType="String"/>
        <attribute name="s" attributeType="String" defaultValueString="x"/></entity>
        """)
    #expect(try store.lines("SELECT ZB, ZC, ZD, ZI, ZN, ZS FROM ZE") == ["1|1.5|60.5|7||x"])
  }

  @Test(arguments: [
    ("Integer 16", "defaultValueString=\"5\" maxValueString=\"3\"", "2", "maximum 3"),
    ("Decimal", "defaultValueString=\"0.5\" minValueString=\"1\"", "2", "minimum 1"),
    ("String", "defaultValueString=\"\" minValueString=\"2\"", "ab", "shorter than the 2"),
    (
      "String", "defaultValueString=\"x\" regularExpressionString=\"[0-9]+\"", "7", "does not match"
    ),
  ])
  func `a default outside of the model's own bounds is refused where it is used`(
    type: String, more: String, value: String, words: String
  ) throws {
    let model = model(type, more)
    #expect(
      try FilledStore("<R><E a=\"\(value)\"/></R>", model: model).lines("SELECT ZA FROM ZE").count
        == 1)
    let faults = try FilledStore.failure("<R>\n<E a=\"\(value)\"/><E/></R>", model: model)
    #expect(faults.count == 1)
    // The second E, behind the value of the first.
    let place = "input.xml:2:\(value.utf8.count + 10)"
    #expect(
      faults.first?.hasPrefix("\(place): E gets the model's default for attribute a") == true,
      "\(faults)")
    #expect(faults.first?.contains(words) == true, "\(faults)")
  }

  @Test func `an attribute that is not optional needs a value`() throws {
    let model = "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Date\"/></entity>"
    #expect(
      try FilledStore.failure("<R>\n<E a=\"2010-01-16\"/>\n<E/></R>", model: model) == [
        "input.xml:3:1: there is no value for attribute a of E, which is not optional "
          + "[name its source or a default in seed.json, or make it optional in the model]"
      ])
  }

  @Test func `dates follow the pattern and the zone that are given`() throws {
    #expect(try stored("05/03/2010", as: "Date") { $0.dateFormat = "dd/MM/yyyy" } == "289440000")
    #expect(
      try stored("2010-01-16T01:00:00", as: "Date") { $0.timeZone = "+01:00" } == "285292800")
    // A day is midnight of the zone.
    #expect(try stored("2010-01-16", as: "Date") { $0.timeZone = "+01:00" } == "285289200")
  }

  @Test func `dates that can be read in two ways are an error until one settles it`() throws {
    #expect(
      try fault("05/03/2010", as: "Date") == [
        "input.xml: the dates in E.a can be read in two ways "
          + "[say which with --date-format dd/MM/yyyy or --date-format MM/dd/yyyy]"
      ])
    // The second reading knows what the last value showed.
    let store = try FilledStore(
      "<R><E a=\"03/05/2010\"/><E a=\"03/16/2010\"/></R>", model: model("Date"))
    #expect(try store.lines("SELECT ZA FROM ZE") == ["289440000", "290390400"])
  }

  @Test(
    arguments: [
      ("[{\"a\": \"AAEC\"},\n{\"a\": true}]", "2:7: true", nil),
      ("[{\"a\": 1234}, {\"a\": \"AAEC\"}]", "1:8: 1234", nil),
      ("[{\"a\": false}]", "1:8: false", "hex"), ("[{\"a\": 7}]", "1:8: 7", nil),
    ] as [(String, String, String?)])
  func `only a string can be binary data`(
    json: String, start: String, format: String?
  ) throws {
    let faults = try FilledStore.failure(
      [("e.json", json)], model: model("Binary"),
      records: [
        "e.json": [
          RecordRule(
            "*", entity: "E", columns: format.map { [ColumnRule("a", from: "a", format: $0)] } ?? []
          )
        ]
      ])
    #expect(faults.count == 1, "\(faults)")
    #expect(
      faults.first
        == "e.json:\(start) is no string, and only a string can be binary data, in attribute a "
        + "[write the data in base64 or in hexadecimal digits]", "\(faults)")
  }

  @Test func `data is read as digits only if all of it may be`() throws {
    let store = try FilledStore("<R><E a=\"ABCD\"/><E a=\"aGk=\"/></R>", model: model("Binary"))
    #expect(try store.lines("SELECT ZA FROM ZE") == ["x'001083'", "x'6869'"])
  }

  @Test func `a transient or derived attribute takes no values`() throws {
    #expect(
      try fault("1", as: "Integer 16", "transient=\"YES\"") == [
        "input.xml:2:7: attribute \"a\" is transient and not stored "
          + "[leave it out, or with --ignore-extra]"
      ])
  }

  @Test func `data that is hexadecimal digits and base64 alike is told of once`() throws {
    let store = try FilledStore(
      "<R><E a=\"deadbeef\"/><E a=\"cafe\"/></R>", model: model("Binary"))
    #expect(
      store.remarks.map(\.message).filter { $0.contains("base64") }.count == 1, "\(store.remarks)")
    let clear = try FilledStore("<R><E a=\"SGk=\"/><E a=\"cafe\"/></R>", model: model("Binary"))
    #expect(!clear.remarks.contains { $0.message.contains("base64") })
    #expect(try clear.lines("SELECT quote(ZA) FROM ZE") == ["X'4869'", "X'71A7DE'"])
  }
}
