import SeedModel
import Testing

@Suite struct JSONValueTests {
  @Test func `members keep their order and nesting is indented`() {
    let value: JSONValue = ["b": 1, "a": [true, nil, "x"], "c": ["d": [:], "e": []]]
    #expect(
      value.text == """
        {
          "b": 1,
          "a": [
            true,
            null,
            "x"
          ],
          "c": {
            "d": {},
            "e": []
          }
        }

        """)
  }

  @Test(arguments: [
    ("a\"b\\c", #""a\"b\\c""#),
    ("\n\r\t", #""\n\r\t""#),
    ("\u{0}\u{1B}\u{1F}", #""\u0000\u001b\u001f""#),
    ("\u{7F}\u{9B}", #""\u007f\u009b""#),
    ("\u{2028}\u{2029}", #""\u2028\u2029""#),
    ("é 漢 😀", #""é 漢 😀""#),
    ("e\u{301}", "\"e\u{301}\""),
    ("\r\n", #""\r\n""#),
  ])
  func `a string escapes what is special or invisible`(string: String, json: String) {
    #expect(JSONValue.string(string).text == json + "\n")
  }

  @Test(arguments: [
    (JSONValue.integer(Int64.min), "-9223372036854775808"),
    (.integer(Int64.max), "9223372036854775807"),
    (.number(0.1), "0.1"),
    (.number(-0.0), "-0.0"),
    (.number(1e300), "1e+300"),
    (.number(.infinity), "null"),
    (.number(.nan), "null"),
  ])
  func `a number is written so that it reads back the same`(value: JSONValue, json: String) {
    #expect(value.text == json + "\n")
  }

  @Test func `a missing string or integer is null`() {
    #expect(JSONValue.string(String?.none) == .null)
    #expect(JSONValue.integer(Int64?.none) == .null)
    #expect(JSONValue.string(String?.some("a")) == "a")
  }
}
