import Testing

@testable import SeedModel

@Suite struct LocatedJSONTests {
  private func parse(_ text: String) throws -> LocatedJSON {
    var parser = LocatedJSONParser(try SourceText(Array(text.utf8), file: "a.json"))
    return try parser.parse()
  }

  private static let values: [(text: String, value: JSONValue)] = [
    ("null", nil), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
    ("9223372036854775807", .integer(Int64.max)), ("-9223372036854775808", .integer(Int64.min)),
    ("0.5", .number(0.5)), ("1e2", .number(100)), ("-1.5E-1", .number(-0.15)), ("\"\"", ""),
    ("\"a\\u0062\\n\\/\"", "ab\n/"), ("\"\\ud83c\\udf89\"", "🎉"), ("[]", []), ("{}", [:]),
    (" [ 1 , [ 2 ] ] ", [1, [2]]), ("{\"a\":{\"b\":null},\"c\":1}", ["a": ["b": nil], "c": 1]),
  ]

  @Test(arguments: values.indices)
  func `a text is the value that RFC 8259 says`(index: Int) throws {
    let (text, value) = Self.values[index]
    #expect(try parse(text).plain == value)
  }

  @Test(arguments: [
    ("18446744073709551615", JSONValue.number(18_446_744_073_709_551_616)),
    ("-9223372036854775809", .number(-9_223_372_036_854_775_808)), ("7", 7), ("1.50", .number(1.5)),
    ("1e400", .number(.infinity)),
  ])
  func `a number keeps its text where that is asked for`(text: String, value: JSONValue) throws {
    var parser = LocatedJSONParser(try SourceText(Array("[\(text), null]".utf8), file: ""))
    parser.keepsLiterals = true
    guard case .array(let items) = try parser.parse().value else {
      Issue.record("not an array")
      return
    }
    #expect(items.map(\.literal) == [text, nil])
    #expect(items[0].plain == value)
    #expect(try parse("7").literal == nil)
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func `a place is found again among the bytes`(newline: String) throws {
    for mark in ["", "\u{FEFF}"] {
      let text = mark + ["[\"ü🎉\",", " 1, \"é\",", "", "x]"].joined(separator: newline)
      let bytes = Array(text.utf8)
      let error = #expect(throws: JSONError.self) {
        var parser = LocatedJSONParser(try SourceText(bytes, file: ""))
        _ = try parser.parse()
      }
      let location = try #require(error?.location)
      #expect(SourceText.byteOffset(of: location, in: bytes) == bytes.count - 2)
    }
  }

  @Test func `names that differ in nothing but their composition are two`() throws {
    var parser = LocatedJSONParser(
      try SourceText(Array("{\"\u{E9}\": 1, \"e\u{301}\": 2}".utf8), file: "a.json"))
    #expect(try parser.parse().members.count == 2)
    #expect(parser.repetitions.isEmpty)
  }

  @Test func `every value and name has its line and column`() throws {
    let root = try parse("{\n  \"a\": [1,\n\t\"ü🎉\", true]\n}")
    #expect(root.location == SeedModel.SourceLocation(file: "a.json", line: 1, column: 1))
    let member = try #require(root.members.first)
    #expect(member.name.location == SeedModel.SourceLocation(file: "a.json", line: 2, column: 3))
    #expect(member.value.location == SeedModel.SourceLocation(file: "a.json", line: 2, column: 8))
    guard case .array(let elements) = member.value.value else {
      Issue.record("not an array")
      return
    }
    #expect(elements.map(\.location.line) == [2, 3, 3])
    #expect(elements.map(\.location.column) == [9, 2, 8])
  }

  @Test(arguments: ["\n", "\r", "\r\n"])
  func `lines end as on any system`(newline: String) throws {
    let root = try parse("[\(newline)\(newline) 1]")
    guard case .array(let elements) = root.value else {
      Issue.record("not an array")
      return
    }
    #expect(
      elements.first?.location == SeedModel.SourceLocation(file: "a.json", line: 3, column: 2))
  }

  @Test func `arrays and objects nest as deep as the limit and no deeper`() throws {
    let limit = LocatedJSONParser.depthLimit
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try parse(nested(limit)) }
    let error = try #require(throws: JSONError.self) { try parse(nested(limit + 1)) }
    #expect(error.reason == .tooDeep(limit: 64))
    #expect(error.location.column == limit + 1)
  }
}
