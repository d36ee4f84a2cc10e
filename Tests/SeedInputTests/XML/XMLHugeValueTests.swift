import SeedModel
import Testing

@testable import SeedInput

/// Huge attribute values are taken out of the parser's sight, and blanks may be put behind them.
@Suite struct XMLHugeValueTests {
  private let value = String(repeating: "é&amp;x", count: 20_000)
  private let decoded = String(repeating: "é&x", count: 20_000)

  @Test(arguments: [1_000, .max])
  func `what stands around huge values is read as it is`(pieceSize: Int) throws {
    let document =
      "<r>\n<e a='\(value)' b='1'><k/>t</e>\n<e a='\(value)'/>\n<e a='\(value)'>u</e></r>"
    let read = try ReadDocument(bytes: Array(document.utf8), pieceSize: pieceSize)
    let short = try ReadDocument(
      bytes: Array(document.replacing(value, with: "HUGE").utf8), pieceSize: pieceSize)
    #expect(read.outline.replacing(decoded, with: "HUGE") == short.outline)
    #expect(read.outline.contains(decoded))
  }

  @Test(arguments: [1_000, .max])
  func `a blank that is missing behind a huge value is still an error`(pieceSize: Int) throws {
    let document = "<r>\n<e a='\(value)'b='1'/></r>"
    let error = try ReadDocument.error(bytes: Array(document.utf8), pieceSize: pieceSize)
    #expect(error?.location.line == 2)
  }

  @Test(arguments: [1_000, .max])
  func `an error behind a huge value has its place`(pieceSize: Int) throws {
    let document = "<r>\n<e a='\(value)'/>\n  <k></m></r>"
    let error = try ReadDocument.error(bytes: Array(document.utf8), pieceSize: pieceSize)
    #expect(error?.location == .init(file: "test.xml", line: 3, column: 6))
  }
}
