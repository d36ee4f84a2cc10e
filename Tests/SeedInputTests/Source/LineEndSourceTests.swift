import Testing

@testable import SeedInput

@Suite struct LineEndSourceTests {
  private static let texts = [
    ("a\rb", "a\nb"), ("a\r\nb", "a\r\nb"), ("\r", "\n"), ("\r\r\n\r", "\n\r\n\n"),
    ("\n\r", "\n\n"),
    ("", ""), ("abc", "abc"), ("\r\n\r\n\r\r", "\r\n\r\n\n\n"),
  ]

  @Test(arguments: [1, 2, 3, .max])
  func `a carriage return becomes a line feed unless one follows`(pieceSize: Int) throws {
    for (text, expected) in Self.texts {
      for step in [1, 2, 5] {
        let source = LineEndSource(PieceSource(text.utf8, pieceSize: pieceSize))
        let read = try PieceSource.drain(source, step: step)
        #expect(read == Array(expected.utf8), "\(text.debugDescription) by \(step)")
      }
    }
  }

  @Test func `what the source throws comes behind all that it gave`() throws {
    struct Cut: Error {}
    let source = LineEndSource(PieceSource("a\r".utf8, failure: Cut()))
    var bytes: [UInt8] = [0, 0]
    #expect(try source.read(into: &bytes, capacity: 2) == 2)
    #expect(bytes == Array("a\n".utf8))
    #expect(throws: Cut.self) { try source.read(into: &bytes, capacity: 2) }
  }
}
