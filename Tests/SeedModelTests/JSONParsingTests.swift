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
    #expect(try parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
  }

  @Test func `escapes are read`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00""#) == "\"\\/\u{8}\u{C}\n\r\tä😀")
  }

  @Test(arguments: [
    ("", 0), ("{", 1), ("[1,]", 3), ("{\"a\":1,}", 7), ("{\"a\" 1}", 5), ("01", 1), ("1.", 2),
    ("1e", 2), ("+1", 0), ("tru", 0), ("\"a", 2), ("\"\\x\"", 3), ("\"\\ud800\"", 7),
    ("\"\\u12\"", 3), ("\"\n\"", 2), ("1 2", 2), ("{\"a\":1,\"a\":2}", 10), ("1e999", 5),
    (String(repeating: "[", count: 200), 101),
  ])
  func `what is no JSON is an error with its place`(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try parse(text) }
    #expect(error?.offset == offset)
  }

  @Test func `a string that is not UTF-8 is an error`() {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
  }
}
