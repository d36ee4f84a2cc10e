import SeedModel
import Testing

@testable import SeedInput

@Suite struct JSONReaderTests {
  /// The value that a JSON text has as a token.
  private func value(_ text: String) throws -> String? {
    let read = try ReadObjects(#"{"v": \#(text)}"#)
    guard read.events.count == 3, case .field("v", let value) = read.events[1] else { return nil }
    return value
  }

  // MARK: Texts

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("two words, {[:]}", "two words, {[:]}"), ("é 日本 😀", "é 日本 😀"),
    (#"\" \\ \/ \b\f\n\r\t"#, "\" \\ / \u{8}\u{C}\n\r\t"), (#"\u00e9\u65E5"#, "é日"),
    (#"\uD83D\uDE00"#, "😀"), (#"\uFFFF\uFFFE"#, "\u{FFFF}\u{FFFE}"),
    ("\u{7F}\u{85}", "\u{7F}\u{85}"),
    (#"\u0001"#, "\u{1}"), ("\u{FFFF}", "\u{FFFF}"), ("\u{10FFFF}", "\u{10FFFF}"),
  ])
  func `a text is what its escapes say`(written: String, meaning: String) throws {
    #expect(try value("\"\(written)\"") == meaning)
  }

  @Test func `a text of every length is read whole`() throws {
    for count in 0...70 {
      for special in ["", "é", "\\n", "\\uD83D\\uDE00"] {
        let text = String(repeating: "x", count: count)
        let meaning = ["": "", "é": "é", "\\n": "\n"][special] ?? "😀"
        #expect(try value("\"\(text)\(special)\(text)\"") == text + meaning + text)
      }
    }
  }

  @Test func `a text of megabytes is read whole`() throws {
    let text = String(repeating: "0123456789 é\\n", count: 100_000)
    let read = try ReadObjects(bytes: #"["\#(text)", "x"]"#.utf8, pieceSize: 10_000)
    #expect(read.events[2] == .field("text", text.replacing("\\n", with: "\n")))
    #expect(read.events[5] == .field("text", "x"))
  }

  // MARK: Numbers and words

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("12", "12"), ("-7", "-7"),
    ("9223372036854775807", "9223372036854775807"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("1.5", "1.5"), ("1.50", "1.5"), ("1.0", "1"), ("-1.0", "-1"), ("0.0", "0"), ("-0.0", "0"),
    ("0e7", "0"), ("1E3", "1000"), ("1e+3", "1000"), ("15e-1", "1.5"), ("100e-2", "1"),
    ("0.00012", "0.00012"), ("0.000000012", "1.2e-8"), ("1.25e-10", "1.25e-10"),
    ("1e17", "100000000000000000"), ("1e18", "1e18"), ("12.5e20", "1.25e21"), ("1e300", "1e300"),
    ("1e400", "1e400"), ("1.0e-400", "1.0e-400"), ("10.05", "10.05"), ("0.10", "0.1"),
    ("1.2345678901234567", "1.2345678901234567"), ("1.23456789012345678", "1.23456789012345678"),
    ("1.2345678901234567000", "1.2345678901234567"),
    ("1.000000000000000000000000", "1"), ("1e99999999999999999999", "1e99999999999999999999"),
  ])
  func `a number is its value`(written: String, meaning: String) throws {
    #expect(try value(written) == meaning)
  }

  @Test func `a number of any length is kept`() throws {
    let digits = "1" + String(repeating: "234567890", count: 2_000)
    #expect(try value(digits) == digits)
    #expect(try value("0." + digits) == "0." + digits)
    #expect(try value("1." + String(repeating: "0", count: 10_000)) == "1")
    #expect(try value("0." + String(repeating: "0", count: 100) + "1") == "1e-101")
  }

  @Test func `words are texts`() throws {
    #expect(try value("true") == "true")
    #expect(try value("false") == "false")
    #expect(try value("null") == nil)
  }

  // MARK: Names

  @Test func `names are decoded`() throws {
    let read = try ReadObjects(#"[{"\u0061b": 1, "\"\\": 2, "": 3, "é": 4, "日本語の名前": 5}]"#)
    #expect(read.outline == #"<r><r ab="1" "\="2" ="3" é="4" 日本語の名前="5"/></r>"#)
  }

  @Test func `a name is one however it is written`() throws {
    let read = try ReadObjects(#"[{"ab": 1}, {"\u0061b": 2}, {"a\u0062": 3}]"#)
    #expect(read.structure == ["r", "r/r", "[r/r]", "r/r@ab"])
  }

  @Test func `names that begin alike are told apart`() throws {
    let names = (0...20).map { String("abcdefghijklmnopqrstu".prefix($0)) }
    let members = names.map { "\"\($0)\": \($0.count)" }
    let rows = [members, members.reversed(), members.filter { $0.utf8.count % 2 == 0 }]
      .map { "{" + $0.joined(separator: ",") + "}" }
    let read = try ReadObjects("[" + rows.joined(separator: ",") + "]")
    #expect(read.structure.count == 3 + names.count)
    for case .field(let name, let value) in read.events { #expect("\(name.count)" == value) }
  }

  @Test func `members come in any order`() throws {
    let read = try ReadObjects(
      #"[{"a": 1, "b": 2, "c": 3}, {"c": 4, "a": 5}, {"b": 6, "d": 7, "a": 8}]"#)
    #expect(
      read.outline
        == #"<r><r a="1" b="2" c="3"/><r c="4" a="5"/><r b="6" d="7" a="8"/></r>"#)
  }

  @Test func `an object of thousands of members is read`() throws {
    let members = (0..<5_000).map { "\"m\($0)\": \($0)" }
    let text = "{" + members.joined(separator: ",") + "}"
    let read = try ReadObjects("[\(text), \(text)]")
    #expect(read.events.count == 2 + 2 * 5_002)
  }

  // MARK: Lines

  @Test func `blanks are allowed everywhere between`() throws {
    let text = " \t\r\n[ \n { \"a\" \t : \r 1 , \n\n \"b\" : [ ] } \n , 2 ] \n\n"
    let read = try ReadObjects(text)
    #expect(read.outline == #"<r><r a="1"/><r text="2"/></r>"#)
    #expect(read.lines == [2, 3, 6])
  }

  @Test func `each line is an item`() throws {
    let read = try ReadObjects(
      "{\"a\": 1}\n\n  \r\n{\"a\": 2, \"b\": {\"c\": 3}}\r\n[4]\n\"x\"\n7\nnull", format: .ndjson)
    #expect(
      read.outline
        == #"<r><r a="1"/><r a="2"><b c="3"/></r><r><item text="4"/></r><r text="x"/>"#
        + #"<r text="7"/><r/></r>"#)
    #expect(read.lines == [1, 1, 4, 4, 5, 5, 6, 7, 8])
  }

  @Test func `lines and an array of them give the same`() throws {
    let rows = [#"{"a": null}"#, #"{"a": {"x": 1}}"#, #"{"b": {"k": {"n": 1}}}"#]
    let lines = try ReadObjects(rows.joined(separator: "\n"), format: .ndjson)
    let array = try ReadObjects("[" + rows.joined(separator: ",") + "]")
    #expect(lines.outline == array.outline)
    #expect(lines.structure == array.structure)
  }

  // MARK: Pieces

  /// A document with everything in it.
  static let sample = """
    [{"id": 1, "name": "caf\\u00e9 \\"x\\" 😀", "tags": ["a", "b", null, [1, 2]], "n": -1.50e+1},
     {"name": "日本語", "id": 22, "geo": {"lat": 1.0, "lon": -0}, "on": true, "off": false},
     {"id": null, "long member name": "long value with more than sixteen bytes", "": {}},
     {"by": {"de": {"n": 1}, "fr": {"n": 2}, "i\\u0074": {"n": 3, "m": []}}}]

    """

  @Test(arguments: [1, 2, 3, 5, 7, 13, 64])
  func `pieces of every size give the same`(pieceSize: Int) throws {
    let whole = try ReadObjects(JSONReaderTests.sample)
    let read = try ReadObjects(JSONReaderTests.sample, pieceSize: pieceSize)
    #expect(read.events == whole.events)
    #expect(read.definitions == whole.definitions)
  }

  @Test(arguments: [1, 5, 4_096])
  func `a long document in pieces gives the same`(pieceSize: Int) throws {
    let row = JSONReaderTests.sample.dropLast(2).dropFirst()
    let text = "[" + Array(repeating: String(row), count: 300).joined(separator: ",\n") + "]"
    let whole = try ReadObjects(text)
    let read = try ReadObjects(text, pieceSize: pieceSize)
    #expect(text.utf8.count > TextWindow.readByteCount)
    #expect(read.events == whole.events)
  }

  @Test func `a document cut anywhere is an error`() throws {
    let bytes = Array(JSONReaderTests.sample.utf8.dropLast(2))
    for count in 0..<bytes.count {
      let error = try ReadObjects.error(bytes: bytes[..<count])
      #expect(error != nil, "cut at \(count)")
    }
  }

  @Test func `lines cut anywhere are an error or fewer lines`() throws {
    let lines = "{\"a\": 1, \"b\": [\"é\", 2.5]}\n{\"a\": 2, \"c\": {\"d\": null}}\n"
    let whole = try ReadObjects(lines, format: .ndjson).events
    for count in 1..<lines.utf8.count {
      do {
        let events = try ReadObjects(bytes: lines.utf8.prefix(count), format: .ndjson).events
        #expect(whole.starts(with: events.dropLast()))
      } catch is InputError {}
    }
  }
}
