import SeedModel
import Testing

@testable import SeedInput

@Suite struct XMLElementReaderTests {
  private func read(_ text: String, pieceSize: Int = .max) throws -> XMLElement {
    try XMLElementReader.read(PieceSource(Array(text.utf8), pieceSize: pieceSize), name: "t.xml")
  }

  private func error(_ text: String) -> InputError? {
    #expect(throws: InputError.self) { try read(text) }
  }

  @Test func `elements, attributes and text are what stands there`() throws {
    let root = try read("<a x='1' y='&lt;&#228;'><b>one<c/>two</b><b/></a>")
    #expect(root.name == "a")
    #expect(root.attributes == [.init("x", "1"), .init("y", "<ä")])
    #expect(root.attribute("y") == "<ä")
    #expect(root.attribute("z") == nil)
    #expect(root.children.map(\.name) == ["b", "b"])
    #expect(root.children[0].text == "onetwo")
    #expect(root.children[0].children.map(\.name) == ["c"])
  }

  @Test(arguments: [Int.max, 1, 7])
  func `places are those of the start tags`(pieceSize: Int) throws {
    let root = try read(
      "<?xml version=\"1.0\"?>\n<!-- ä -->\n  <a\n    x=\"1\">ö<b/><b\n/>\n\t<c></c><d/></a>",
      pieceSize: pieceSize)
    #expect(root.location == SourceLocation(file: "t.xml", line: 3, column: 3))
    #expect(
      root.children.map { [$0.location.line, $0.location.column] }
        == [[4, 12], [4, 16], [6, 2], [6, 9]])
  }

  @Test func `columns are right far along a line`() throws {
    // More than one piece of the reader, in one line and in many.
    let count = 20_000
    for gap in ["", "\n"] {
      let root = try read(
        "<a>" + String(repeating: "<b x='äö'/>\(gap)", count: count) + "</a>")
      #expect(root.children.count == count)
      let wrong = root.children.enumerated().first { index, child in
        gap.isEmpty
          ? child.location.column != 4 + 11 * index || child.location.line != 1
          : child.location.column != (index == 0 ? 4 : 1) || child.location.line != index + 1
      }
      #expect(wrong == nil, "\(wrong?.element.location as Any)")
    }
  }

  @Test func `a document of a known form is read as its elements`() throws {
    let root = try read("<resources><string name='a'>b</string></resources>")
    #expect(root.children.first?.text == "b")
    #expect(try read("<plist><dict/></plist>").children.map(\.name) == ["dict"])
  }

  @Test func `what is no document is an error with its place`() {
    #expect(error("")?.reason == .empty)
    #expect(error("")?.hint == "get the file again; this one holds nothing")
    #expect(error("<a><b></a>")?.location.line == 1)
    #expect(error("<a x='1' x='2'/>") != nil)
    #expect(error("<a>\n<b>")?.location.line == 2)
  }

  @Test func `nesting and size are bounded`() {
    let depth = InputLimits.depth + 1
    #expect(error(String(repeating: "<a>", count: depth))?.reason == .tooDeep)
    let entity = "<!DOCTYPE a [<!ENTITY e '\(String(repeating: "x", count: 100_000))'>]><a>"
    let text = entity + String(repeating: "&e;", count: 200) + "</a>"
    #expect(error(text) != nil)
  }
}
