import SeedModel
import Testing

@testable import SeedInput

@Suite struct JSONReaderLimitTests {
  private func reason(_ text: String) throws -> InputError.Reason? {
    try ReadObjects.error(text)?.reason
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func `nesting is bounded`(opening: String, closing: String) throws {
    let depth = InputLimits.depth
    let value = opening == "[" ? "" : "1"
    #expect(
      try reason(repeated(opening, depth) + value + repeated(closing, depth)) == nil)
    #expect(try reason(repeated(opening, depth + 1)) == .valuesTooDeep)
    #expect(try reason(repeated(opening, 100_000)) == .valuesTooDeep)
  }

  @Test func `names are bounded`() throws {
    let longest = InputLimits.nameBytes
    #expect(try reason("{\"\(repeated("x", longest))\": 1}") == nil)
    for count in [longest + 1, 300_000] {
      #expect(
        try reason("{\"\(repeated("x", count))\": 1}") == .tooLong(what: "a name", limit: longest))
    }
  }

  @Test func `all names together are bounded`() throws {
    let tail = repeated("x", InputLimits.nameBytes - 10)
    let members = (0..<5_000).map { "\"\($0)\(tail)\": 1" }
    #expect(
      try reason("{" + members.joined(separator: ",") + "}")
        == .tooLong(what: "the text of all names", limit: 16 << 20))
  }

  @Test func `values are bounded`() throws {
    let longest = InputLimits.rowBytes
    let wanted = InputError.Reason.tooLong(what: "a value", limit: longest)
    #expect(try reason("[\"\(repeated("x", longest + 70_000))\"]") == wanted)
  }

  @Test(arguments: [1_000, .max])
  func `what is too long has the place where it starts`(pieceSize: Int) throws {
    let long = repeated("x", InputLimits.rowBytes + 70_000)
    for (text, column) in [("[1,\n  \"\(long)\"]", 3), ("[\n{\"é\": \"\(long)", 7)] {
      let error = try ReadObjects.error(text, pieceSize: pieceSize)
      #expect(error?.location == .init(file: "test.json", line: 2, column: column))
      #expect(error?.excerpt?.text.hasSuffix("xxx") == true)
    }
  }

  @Test func `places and fields are bounded`() throws {
    let objects = (0..<InputLimits.places).map { "\"a\($0)\": [1]" }
    #expect(
      try reason("{" + objects.joined(separator: ",") + "}")
        == .tooMany(what: "different paths of names", limit: InputLimits.places))
    let members = (0...InputLimits.fields).map { "\"a\($0)\": 1" }
    #expect(
      try reason("{" + members.joined(separator: ",") + "}")
        == .tooMany(what: "different members of objects", limit: InputLimits.fields))
  }
}
