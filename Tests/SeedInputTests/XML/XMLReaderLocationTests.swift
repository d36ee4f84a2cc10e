import SeedModel
import Testing

@testable import SeedInput

/// The lines of records, and the places of errors, against the document.
@Suite struct XMLReaderLocationTests {
  static let pieceSizes = [1, 3, 17, 4_096]

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `a record has the line that its tag starts on`(lineBreak: String) throws {
    let lines = [
      "<?xml version='1.0'?>", "<!-- a", "comment -->", "<r>", "", "  <a/>", "<a", "x='1'", "y='2",
      "3'>text", "text</a><b>", "<c/></b><d>é</d>", "", "<e", "/>", "</r>",
    ]
    let read = try ReadDocument(lines.joined(separator: lineBreak))
    #expect(read.lines == [4, 6, 7, 11, 12, 12, 14])
  }

  @Test(arguments: pieceSizes)
  func `a tag of many lines has its first one`(pieceSize: Int) throws {
    let attributes = (0..<40).map { "a\($0)='é\($0)'" }.joined(separator: "\n")
    let read = try ReadDocument("<r>\n\n<a\n\(attributes)/><b\n/>\n</r>", pieceSize: pieceSize)
    #expect(read.lines == [1, 3, 43])
  }

  @Test func `an element of an entity has the line of its reference`() throws {
    let document = "<!DOCTYPE r [<!ENTITY e '<k/>\n<k/>'>]>\n<r>\n<a/>\n&e;\n<b/></r>"
    #expect(try ReadDocument(document).lines == [3, 4, 5, 5, 6])
  }

  /// A document, in which `‸` stands before the character that an error must name.
  struct Marked: CustomTestStringConvertible {
    var text: String
    var testDescription: String { text.debugDescription }

    init(_ text: String) { self.text = text }

    var document: String { text.replacing("‸", with: "") }
    var line: Int {
      let bytes = Array(before.utf8)
      return 1
        + bytes.indices.count { index in
          bytes[index] == 0x0A
            || bytes[index] == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
        }
    }
    var column: Int {
      before.unicodeScalars.reversed().prefix { $0 != "\n" && $0 != "\r" }.count + 1
    }
    private var before: String {
      String(text.prefix(upTo: text.firstIndex(of: "‸") ?? text.endIndex))
    }
  }

  static let documents = [
    "<r>\n<a>fish ‸& chips</a></r>",
    "<r>\r\n\r\n<a>fish ‸& chips</a></r>",
    "<r>\r\r<a>fish ‸& chips</a></r>",
    "<r>\r\n\r<a>x</a>\r<b>fish ‸& chips</b></r>",
    "<r><a x='é' y='日本語' z='&amp;&#xe9;'>ü ‸& y</a></r>",
    "<r>\n<a x='\(String(repeating: "é", count: 500))' y='‸& '/></r>",
    "<r>\n  <a/>  <b/>  \n\n  <c x='1' ‸x='2'/></r>",
    "<r>\n<a x='1'\ny='é'\nz='2' ‸y='3'/></r>",
    "<r><a>text</a> <b>text ‸</c></r>",
    "<r>\n<a>\n<b>text</b>\n</a>\n<c>1</c>\n\n‸</a>\n</r>",
    "<r>text <b>é &amp; ü</b> text ‸<1/></r>",
    "<r>\(String(repeating: "<a x='é'>ü</a>\n", count: 9_000))<b>‸&nope;</b></r>",
    "<r>\(String(repeating: "<a x='é'>ü</a> ", count: 9_000))<b y='‸&nope;'/></r>",
    "<r>\(String(repeating: "é", count: 70_000))‸&nope;</r>",
    "<r x='1'/>\n\n‸<r/>",
    "<r x='1'/>\n\n\n ‸text",
    "<r>\n‸<!-- a comment\n that never ends\n</r>\n",
    "<r>\n  <a x='1\n\n‸</r>", "<r>\n  ‸<a x='1\n\n",
    "<r>‸<![CDATA[\n\(String(repeating: "long ", count: 30_000))",
    "<!DOCTYPE r [<!ENTITY e '<x>'>]>\n<r>\n  é ‸&e;</r>",
    "<!DOCTYPE r [\n<!ENTITY e 'x'>\n‸%nope;\n]>\n<r/>",
    "<r>\u{85}\u{2028}‸\u{1}</r>",
    "<r>\n<a>1</a>‸]]></r>",
  ].map(Marked.init)

  @Test(arguments: documents)
  func `an error names the place of what is wrong`(marked: Marked) throws {
    for pieceSize in [5, 100, 4_096, .max] where pieceSize > 5 || marked.text.utf8.count < 9_000 {
      let error = try #require(try ReadDocument.error(marked.document, pieceSize: pieceSize))
      #expect(
        error.location
          == SeedModel.SourceLocation(file: "test.xml", line: marked.line, column: marked.column),
        "\(error), pieces of \(pieceSize)")
    }
  }

  @Test func `the excerpt is the line with the caret before what is wrong`() throws {
    let error = try ReadDocument.error("<r>\n\t<a x='é'>ü & y</a>\n</r>")
    #expect(error?.excerpt == SourceExcerpt(text: "\t<a x='é'>ü & y</a>", caretOffset: 12))
  }

  @Test func `of a long line the part around the caret is shown`() throws {
    let text = String(repeating: "é", count: 5_000)
    let excerpt = try #require(try ReadDocument.error("<r>\(text)&nope;\(text)</r>")?.excerpt)
    #expect(excerpt.text.unicodeScalars.count <= 144)
    #expect(
      excerpt.text.unicodeScalars.dropFirst(excerpt.caretOffset).starts(
        with: "&nope;é".unicodeScalars))
  }

  @Test(arguments: ["utf-16LE", "utf-16BE", "utf-32LE"])
  func `places count characters in any encoding`(name: String) throws {
    let bytes = Encoded.bytes("<r>\n<a>日本 é</a>&nope;</r>", name)
    let error = try ReadDocument.error(bytes: bytes, encoding: name)
    #expect(error?.location == SeedModel.SourceLocation(file: "test.xml", line: 2, column: 12))
  }
}
