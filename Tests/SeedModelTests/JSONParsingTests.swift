import SeedModel
import Testing

@Suite struct JSONParsingTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test func `values of all kinds are read`() throws {
    let value = try parse(
      " {\"a\": [1, -2.5, 1e2, true, false, null], \"b\": {}, \"c\": [], \"d\": \"x\"}\r\n")
    let expected: JSONValue = [
      "a": .array([1, .number(-2.5), .number(100), true, false, nil]), "b": .object([]),
      "c": .array([]), "d": "x",
    ]
    #expect(value == expected)
    #expect(try JSONValue(parsing: Array(value.text.utf8)) == value)
  }

  @Test func `integers of 64 bits stay integers`() throws {
    #expect(try parse("9223372036854775807") == .integer(Int64.max))
    #expect(throws: JSONError.self) { try parse("9223372036854775808") }
  }

  @Test func `escapes are read`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00""#) == "\"\\/\u{8}\u{C}\n\r\tä😀")
  }

  @Test(arguments: [
    ("", 1, JSONError.Reason.empty), ("{", 1, .unclosed("an object")), ("[1,]", 3, .trailingComma),
    ("{\"a\":1,}", 7, .trailingComma),
    ("{\"a\" 1}", 6, .unexpected(found: "\"1\"", expected: "a colon")),
    ("01", 1, .malformedNumber("01")), ("1.", 1, .malformedNumber("1.")),
    ("1e", 1, .malformedNumber("1e")), ("+1", 1, .malformedNumber("+1")),
    ("tru", 1, .unknownWord("tru", meant: nil)), ("\"a", 1, .unclosed("a string")),
    ("\"\\x\"", 2, .unknownEscape("\\x")), ("\"\\ud800\"", 2, .loneSurrogate),
    ("\"\\u12\"", 2, .unknownEscape("\\u12")), ("\"\n\"", 1, .unclosed("a string")),
    ("1 2", 3, .unexpected(found: "\"2\"", expected: "the end of the file")),
    ("{\"a\":1,\"a\":2}", 8, .duplicateKey("a", line: 1)), ("1e999", 1, .hugeNumber("1e999")),
    (String(repeating: "[", count: 200), 65, .tooDeep(limit: 64)),
  ])
  func `what is no JSON is an error with its place`(
    text: String, column: Int, reason: JSONError.Reason
  ) {
    let error = #expect(throws: JSONError.self) { try parse(text) }
    #expect(error?.reason == reason)
    #expect(error?.location.line == 1)
    #expect(error?.location.column == column)
  }

  @Test(arguments: ["9", "0", "a", "\u{1F600}"])
  func `a long piece of a document is cut in the message`(piece: String) {
    let long = String(repeating: piece, count: 100_000)
    for text in [long, "{\(long):1}", "{\"\(long)\":1,\"\(long)\":2}"] {
      let error = #expect(throws: JSONError.self) { try parse(text) }
      #expect((error?.description.utf8.count ?? .max) < 500, "\(text.prefix(3))")
    }
  }

  @Test func `a string that is not UTF-8 is an error`() {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }
}
