import SeedModel
import Testing

@testable import SeedInput

/// The bounds of ``InputLimits``, each a little exceeded and, where that is cheap, kept.
@Suite struct XMLReaderLimitTests {
  private func reason(_ text: String) throws -> InputError.Reason? {
    try ReadDocument.error(text)?.reason
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test func `elements nest only so deep`() throws {
    let depth = InputLimits.depth
    #expect(try reason(repeated("<a>", depth) + repeated("</a>", depth)) == nil)
    #expect(try reason(repeated("<a>", depth + 1)) == .tooDeep)
  }

  @Test func `a tag has only so many attributes`() throws {
    func tag(_ count: Int) -> String {
      "<r" + (0..<count).map { " a\($0)='\($0)'" }.joined() + "/>"
    }
    let most = InputLimits.attributesPerElement
    #expect(try reason(tag(most)) == nil)
    #expect(try reason(tag(most + 1)) == .tooMany(what: "attributes of one element", limit: most))
  }

  @Test func `a name is only so long`() throws {
    let longest = InputLimits.nameBytes
    #expect(try reason("<\(repeated("n", longest))/>") == nil)
    let error = InputError.Reason.tooLong(what: "a name", limit: longest)
    #expect(try reason("<\(repeated("n", longest + 1))/>") == error)
    #expect(try reason("<r \(repeated("n", longest + 1))=''/>") == error)
  }

  @Test func `a document has only so many paths of elements`() throws {
    let elements = (0...InputLimits.places).map { "<e\($0)/>" }.joined()
    #expect(
      try reason("<r>\(elements)</r>")
        == .tooMany(what: "different paths of elements", limit: InputLimits.places))
  }

  @Test func `a long value is read and one beyond the bound is refused at its start`() throws {
    let long = repeated("0123456789abcdef", 1 << 17)
    let read = try ReadDocument("<r>\n<a x='\(long)é'>\(long)ü</a></r>")
    #expect(read.events.contains(.field("x", long + "é")))
    #expect(read.events.contains(.text(long + "ü", isBlank: false)))
    let error = try ReadDocument.error("<r>\n<a x='\(repeated(long, 9))'/></r>")
    #expect(
      error?.reason == .tooLong(what: "the value of an attribute", limit: InputLimits.rowBytes))
    #expect(error?.location == .init(file: "test.xml", line: 2, column: 6))
  }

  @Test(arguments: [
    ("<!-- ", "a comment"), ("<![CDATA[", "a CDATA section"), ("<?p ", "a processing instruction"),
  ])
  func `markup without an end is refused at its start`(start: String, what: String) throws {
    let error = try ReadDocument.error("<r>\n é \(start)" + repeated("0123456789abcdef", 17 << 16))
    #expect(error?.reason == .tooLong(what: what, limit: InputLimits.markupBytes))
    #expect(error?.location == .init(file: "test.xml", line: 2, column: 4))
  }

  @Test func `a text in pieces is bounded as a whole`() throws {
    let piece = repeated("0123456789abcdef", 1 << 16) + "<!-- -->"
    #expect(
      try reason("<r>\(repeated(piece, 17))</r>")
        == .tooLong(what: "the text of an element", limit: InputLimits.rowBytes))
  }

  @Test func `a document type declaration is only so long`() throws {
    let comment = "<!-- \(repeated("0123456789abcdef", 1 << 16)) -->"
    #expect(
      try reason("\n<!DOCTYPE r [\(repeated(comment, 5))]><r/>")
        == .tooLong(what: "a document type declaration", limit: InputLimits.doctypeBytes))
  }
}
