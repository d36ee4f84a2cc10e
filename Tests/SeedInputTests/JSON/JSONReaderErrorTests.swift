import SeedModel
import Testing

@testable import SeedInput

/// What is said of texts that are no JSON.
@Suite struct JSONReaderErrorTests {
  /// A text with a mark `→` before the place of the error, and the message.
  static let mistakes: [(String, String)] = [
    ("[1, →// one\n2]", "JSON has no comments"), ("→# x\n[]", "JSON has no comments"),
    ("[1 →/* one */]", "JSON has no comments"), ("{→/* */}", "JSON has no comments"),
    ("[] →// end", "JSON has no comments"), ("{\"a\" →/**/: 1}", "JSON has no comments"),
    ("[1, 2, →]", "a comma stands before \"]\""), ("{\"a\": 1,\n→}", "a comma stands before \"}\""),
    ("[→NaN]", "JSON has no NaN"), ("[→-Infinity]", "JSON has no -Infinity"),
    ("[→undefined]", "\"undefined\" is no JSON value"), ("[→True]", "\"True\" is no JSON value"),
    ("[→None]", "\"None\" is no JSON value"), ("[→abc]", "\"abc\" is no JSON value"),
    ("[→truex]", "\"truex\" is no JSON value"), ("[→nul]", "\"nul\" is no JSON value"),
    ("{→'a': 1}", "\"'\" is no quote of JSON"), ("[→'a']", "\"'\" is no quote of JSON"),
    ("[→“a”]", "\"“\" is no quote of JSON"), ("{\"é\": →`a`}", "\"`\" is no quote of JSON"),
    ("{→a: 1}", "the name \"a\" is not in double quotes"),
    ("{→1: 1}", "the name \"1\" is not in double quotes"),
    (
      "{\"a\": 1 →\"b\": 2}",
      "a quote stands where a \",\" or the \"}\" of the object that starts in line 1 is expected"
    ),
    (
      "[1 →2]",
      "\"2\" stands where a \",\" or the \"]\" of the array that starts in line 1 is expected"
    ),
    ("{\"a\" →1}", "\"1\" stands where a \":\" is expected behind the name of a member"),
    ("{\"a\"→}", "\"}\" stands where a \":\" is expected behind the name of a member"),
    ("{\"a\": →}", "\"}\" stands where a value is expected"),
    ("{→,}", "\",\" stands where the name of a member is expected"),
    ("[→,1]", "\",\" stands where a value is expected"),
    ("[1, →, 2]", "\",\" stands where a value is expected"),
    ("[\"a\"→: 1]", "a \":\" in an array, whose items have no names"),
    ("\n{\"a\": [1→}", "\"}\" does not close the array that starts in line 2"),
    ("[{\"a\": 1→]", "\"]\" does not close the object that starts in line 1"),
    ("[→01]", "a number of more than one digit begins with 0"),
    ("[→-007]", "a number of more than one digit begins with 0"),
    ("[→+1]", "a number begins with \"+\""), ("[→.5]", "a number begins with its point"),
    ("[→-.5]", "a number begins with its point"), ("[→5.]", "a number ends with its point"),
    ("[→1e]", "a number ends with its \"e\""), ("[→1.5E+]", "a number ends with its \"e\""),
    ("[→-]", "a \"-\" without a digit behind it"),
    (
      "[0→x1F]",
      "\"x\" stands where a \",\" or the \"]\" of the array that starts in line 1 is expected"
    ),
    ("[\"a→\nb\"]", "the line ends inside a text"), ("[\"a→\tb\"]", "a tab in a text"),
    ("[\"a→\u{1}\"]", "the control character U+0001 in a text"),
    ("{\"a→\nb\": 1}", "the line ends inside a name"),
    ("[→\u{1}]", "the control character U+0001"), ("[1]→\u{1E}", "the control character U+001E"),
    ("[\"→\\x41\"]", "\"\\x\" is no escape of JSON"),
    ("[\"→\\'\"]", "\"\\'\" is no escape of JSON"),
    ("[\"→\\u12g4\"]", "\"\\u\" without four hexadecimal digits"),
    ("[\"é →\\uD83D\"]", "\"\\uD83D\" is half a character: its other half is missing"),
    ("[\"→\\uDE00\"]", "\"\\uDE00\" is half a character: its other half is missing"),
    ("[\"→\\uD83D\\u0041\"]", "\"\\uD83D\" is half a character: its other half is missing"),
    (
      "[\"→\\u0000\"]",
      "\"\\u0000\" stands for a NUL character, at which SQLite's functions end a text"
    ),
    ("{\"a\": 1, \"b\": 2,\n →\"a\": 3}", "the object has a member \"a\" already"),
    ("{\"a\": 1, →\"\\u0061\": 3}", "the object has a member \"a\" already"),
    (
      "[{\"n\": {\"a\": 1, \"n\": {\"a\": 2}, →\"a\": 3}}]", "the object has a member \"a\" already"
    ),
    ("{\"a\": {}, →\"a\": []}", "the object has a member \"a\" already"),
    ("[1]\n→{\"a\": 1}", "a second value begins here"), ("{} →[]", "a second value begins here"),
    ("[1] →x", "\"x\" stands behind the end of the document"),
    ("[1]→]", "\"]\" stands behind the end of the document"),
    ("→\"text\"", "a JSON text to build from is an object or an array, not a quote"),
    ("→42", "a JSON text to build from is an object or an array, not \"4\""),
    ("→null", "a JSON text to build from is an object or an array, not \"n\""),
    ("→<html>", "this is not JSON but looks like XML or HTML"),
    ("[1, 2→", "the document ends inside the array that starts in line 1"),
    ("[\n{\"a\":→", "the document ends inside the object that starts in line 2"),
    ("[→\"abc", "the document ends inside the text that begins here"),
    ("{→\"abc", "the document ends inside the name that begins here"),
    (" \n→", "the file has no value: an object or an array is expected"),
  ]

  private static func marked(_ text: String) -> (text: String, location: SeedModel.SourceLocation) {
    let parts = text.split(separator: "→", omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let column = (lines.last?.unicodeScalars.count ?? 0) + 1
    return (
      parts.joined(), SeedModel.SourceLocation(file: "test.json", line: lines.count, column: column)
    )
  }

  @Test(arguments: mistakes)
  func `a mistake is called by its name, at its place`(text: String, message: String) throws {
    let (text, location) = JSONReaderErrorTests.marked(text)
    for pieceSize in [1, Int.max] {
      let error = try #require(try ReadObjects.error(text, pieceSize: pieceSize))
      #expect("\(error)" == message)
      #expect(error.location == location)
    }
  }

  @Test(arguments: mistakes)
  func `words and hints are of one style`(text: String, message: String) throws {
    let error = try #require(try ReadObjects.error(JSONReaderErrorTests.marked(text).text))
    for text in [error.description, error.hint].compactMap({ $0 }) {
      #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("\n"))
    }
  }

  @Test func `a second value in another line asks for the other format`() throws {
    #expect(
      try ReadObjects.error("{\"a\": 1}\n{\"a\": 2}")?.hint
        == "if each line is a value of its own, say --format ndjson")
  }

  @Test func `an error shows its line`() throws {
    let error = try #require(try ReadObjects.error("[1,\n {\"é\": tru}]\n"))
    #expect(error.location == SeedModel.SourceLocation(file: "test.json", line: 2, column: 8))
    #expect(error.excerpt == SourceExcerpt(text: " {\"é\": tru}]", caretOffset: 7))
  }

  // MARK: Lines

  @Test func `an error in a line has its number`() throws {
    var lines = Array(repeating: #"{"a": 1, "b": [1, 2]}"#, count: 6_000)
    lines[5_000] = #"{"a": 1, "b": [1, 2}"#
    let text = lines.joined(separator: "\n")
    let error = try #require(try ReadObjects.error(text, format: .ndjson))
    #expect(
      error.location == SeedModel.SourceLocation(file: "test.ndjson", line: 5_001, column: 20))
  }

  @Test(arguments: [
    ("{\"a\": 1\n}", "the line ends inside an object", 1, 8),
    ("[1,\n2]", "the line ends inside an array", 1, 4),
    ("{} {}", "\"{\" stands behind the value of a line", 1, 4),
    ("1\n2 3", "\"3\" stands behind the value of a line", 2, 3),
    ("{},\n{}", "a comma behind the value of a line", 1, 3),
    ("\n\n", "the file has no value: an object or an array is expected", 3, 1),
    ("1\n{\"a\":", "the document ends inside the object that starts in line 2", 2, 6),
    ("x", "\"x\" is no JSON value", 1, 1),
  ])
  func `a line has one value`(text: String, message: String, line: Int, column: Int) throws {
    let error = try #require(try ReadObjects.error(text, format: .ndjson))
    #expect("\(error)" == message)
    #expect(
      error.location == SeedModel.SourceLocation(file: "test.ndjson", line: line, column: column))
  }

  // MARK: Bytes

  @Test(arguments: [InputFormat.json, .ndjson])
  func `an empty file is an error`(format: InputFormat) throws {
    #expect(try ReadObjects.error("", format: format)?.reason == .emptyFile)
    let onlyMark = try #require(try ReadObjects.error("\u{FEFF}", format: format))
    #expect("\(onlyMark)" == "the file has no value: an object or an array is expected")
  }

  @Test(arguments: ["[→]", "[1→, 2]", "[\"a→b\"]", "{\"a→\": 1}", "[1]→", "[tru→e]"])
  func `a NUL byte is an error`(text: String) throws {
    let bytes = Array(text.replacing("→", with: "\0").utf8)
    for pieceSize in [1, Int.max] {
      let error = try ReadObjects.error(bytes: bytes, pieceSize: pieceSize)
      if text.contains("tru") { #expect(error != nil) } else { #expect(error?.reason == .nulByte) }
    }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98], [0x80],
    ] as [[UInt8]])
  func `bytes that are no UTF-8 are an error`(bytes: [UInt8]) throws {
    for (before, column) in [("[\n\"é", 3), ("[\n {\"", 4)] {
      for pieceSize in [1, 2, Int.max] {
        let error = try ReadObjects.error(
          bytes: Array(before.utf8) + bytes + Array("\"]".utf8), pieceSize: pieceSize)
        #expect(error?.reason == .undecodable(encoding: "UTF-8", byte: bytes[0]))
        #expect(
          error?.location == SeedModel.SourceLocation(file: "test.json", line: 2, column: column))
      }
    }
  }

  @Test(arguments: [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98]] as [[UInt8]])
  func `a document that ends in a character is cut`(bytes: [UInt8]) throws {
    let error = try ReadObjects.error(bytes: Array("[\"".utf8) + bytes)
    #expect(error?.reason == .cutCharacter(encoding: "UTF-8"))
  }

  @Test func `other files are called by their name`() throws {
    #expect(
      try ReadObjects.error(bytes: [0x50, 0x4B, 3, 4, 0, 0])?.reason
        == .notReadable(looksLike: "a ZIP archive"))
  }
}
