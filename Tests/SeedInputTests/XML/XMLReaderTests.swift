import SeedModel
import Testing

@testable import SeedInput

@Suite struct XMLReaderTests {
  private func outline(_ text: String) throws -> String { try ReadDocument(text).outline }

  @Test func `attributes come in the order of the document`() throws {
    #expect(
      try outline("<r><a y='2' x='1'/><a x='3'/></r>") == #"<r><a y="2" x="1"/><a x="3"/></r>"#)
  }

  @Test func `elements nest`() throws {
    #expect(
      try outline("<r><a><b><c>1</c></b></a><b/></r>")
        == #"<r><a><b><c>"1"</c></b></a><b/></r>"#)
  }

  @Test func `a comment or an instruction does not divide a text`() throws {
    #expect(try outline("<r><a>x<!-- c -->y<?p i?>z</a></r>") == #"<r><a>"xyz"</a></r>"#)
  }

  @Test func `a CDATA section is text`() throws {
    #expect(
      try outline("<r><a>x <![CDATA[<b>&amp;]]> y</a></r>") == #"<r><a>"x <b>&amp; y"</a></r>"#)
  }

  @Test func `an element without content gives no text`() throws {
    #expect(try outline("<r><a></a><b/><c><![CDATA[]]></c></r>") == "<r><a/><b/><c/></r>")
  }

  @Test func `blanks between elements are dropped and those of a leaf kept`() throws {
    let read = try ReadDocument("<r> <a> \n</a>\t<b/> </r>")
    #expect(read.outline == #"<r><a>" \n"</a><b/></r>"#)
    #expect(read.events.contains(.text(" \n", isBlank: true)))
  }

  @Test func `text between elements comes where it stands`() throws {
    let read = try ReadDocument("<r>a <b/> c <d/>\n</r>")
    #expect(read.outline == #"<r>"a "<b/>" c "<d/></r>"#)
    #expect(read.events.contains(.text(" c ", isBlank: false)))
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `line breaks become one character`(lineBreak: String) throws {
    let text = "<r><a x='1\(lineBreak)2'>1\(lineBreak)2<![CDATA[\(lineBreak)]]></a></r>"
    #expect(try outline(text) == #"<r><a x="1 2">"1\n2\n"</a></r>"#)
  }

  @Test func `a reference keeps what would be changed otherwise`() throws {
    #expect(
      try outline("<r><a x='&#10;&#9;&#13;'>&#13;&#10;</a></r>")
        == #"<r><a x="\n\t\r">"\r\n"</a></r>"#)
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try outline("\u{FEFF}<r a='1'/>") == #"<r a="1"/>"#)
  }

  @Test func `U+007F and what looks like the filter's own marks are kept`() throws {
    let marks = (0..<8).map { "<a x='\u{7F}\(String(repeating: "@", count: $0))é'/>" }.joined()
    let read = try ReadDocument("<r><a x='\u{7F}@@@@@@@@'>\u{7F}@@@@@@@@</a>\(marks)</r>")
    #expect(read.events.contains(.field("x", "\u{7F}@@@@@@@@")))
    #expect(read.events.contains(.text("\u{7F}@@@@@@@@", isBlank: false)))
    #expect(read.events.contains(.field("x", "\u{7F}@@@@@@@é")))
  }

  @Test func `an element inside one of its own kind is the same place`() throws {
    let read = try ReadDocument("<r><a><a x='1'><b/></a></a></r>")
    #expect(read.outline == #"<r><a><a x="1"><b/></a></a></r>"#)
    #expect(
      read.definitions == [
        .place(name: QualifiedName(local: "r"), parent: nil),
        .place(name: QualifiedName(local: "a"), parent: 0), .recursion(place: 1, parent: 1),
        .attribute(name: QualifiedName(local: "x"), place: 1),
        .place(name: QualifiedName(local: "b"), parent: 1),
      ])
  }

  @Test func `equal names below different parents are different places`() throws {
    let read = try ReadDocument("<r><a><n>1</n></a><b><n>2</n></b></r>")
    #expect(
      read.definitions == [
        .place(name: QualifiedName(local: "r"), parent: nil),
        .place(name: QualifiedName(local: "a"), parent: 0),
        .place(name: QualifiedName(local: "n"), parent: 1), .text(place: 2),
        .place(name: QualifiedName(local: "b"), parent: 0),
        .place(name: QualifiedName(local: "n"), parent: 3), .text(place: 4),
      ])
  }

  @Test func `more names than are searched one by one are all told apart`() throws {
    let attributes = (0..<60).map { "a\($0)='\($0)'" }.joined(separator: " ")
    let elements = (0..<60).map { "<e\($0)>\($0)</e\($0)>" }.joined()
    let row = "<row \(attributes)>\(elements)</row>"
    let read = try ReadDocument("<r>\(row)\(row)</r>")
    let fields = read.events.filter { if case .field = $0 { true } else { false } }
    #expect(fields == (0..<120).map { .field("a\($0 % 60)", "\($0 % 60)") })
    #expect(read.definitions.count == 2 + 60 + 60 + 60)
  }

  @Test func `a long document comes in several batches that tell how far they are`() throws {
    let rows = (0..<20_000).map { "<row n='\($0)'>text of a row</row>" }.joined()
    let text = "<r>\(rows)</r>"
    let read = try ReadDocument(text)
    #expect(read.batchCount > 1)
    #expect(read.inputBytesRead == text.utf8.count)
    #expect(read.events.count == 2 + 4 * 20_000)
  }

  @Test func `the consumer can stop the reading`() throws {
    let rows = String(repeating: "<row n='1'>text of a row</row>", count: 100_000)
    let read = try ReadDocument(bytes: "<r>\(rows)</r>".utf8, stopAfterBatches: 2)
    #expect(read.wasCancelled)
    #expect(read.batchCount == 2)
  }

  @Test func `what the source throws comes out as it is`() throws {
    struct SourceFailure: Error {}
    let source = PieceSource("<r><a>1</a>".utf8, failure: SourceFailure())
    #expect(throws: SourceFailure.self) { _ = try ReadDocument(source) }
  }

  @Test func `a long text leaves little for the parser and loses nothing`() throws {
    // A whole piece and more goes into one value, so the parser gets a few bytes of each.
    let texts = (0..<40).map { String(repeating: "line \($0) é\n", count: 9_000) }
    let read = try ReadDocument("<r>\n" + texts.map { "<t>\($0)</t>\n" }.joined() + "</r>")
    #expect(read.events.filter { if case .text = $0 { true } else { false } }.count == 40)
    #expect(read.events.contains(.text(texts[39], isBlank: false)))
    #expect(read.lines == [1] + (0..<40).map { 2 + $0 * 9_001 })
  }
}
