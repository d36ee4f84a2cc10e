import Testing

@testable import SeedInput

@Suite struct PrefixedSourceTests {
  @Test(arguments: [1, 3, Int.max], [0, 2, 5, 9])
  func `what was read ahead comes first, and once`(pieceSize: Int, count: Int) throws {
    let (bytes, source) = try PrefixedSource.peek(
      count, from: PieceSource("abcde".utf8, pieceSize: pieceSize))
    #expect(bytes == Array("abcde".utf8.prefix(count)))
    #expect(try PieceSource.drain(source, step: 2) == Array("abcde".utf8))
  }

  @Test func `bytes that were read ahead can be dropped`() throws {
    let (_, source) = try PrefixedSource.peek(4, from: PieceSource("abcde".utf8))
    #expect(try PieceSource.drain(source.dropping(3)) == Array("de".utf8))
  }
}
