import SeedModel
import Testing

@testable import SeedInput

@Suite struct DelimitedEncodingTests {
  private static let text = "名,größe\n1,\"é\n😀\"\n"

  @Test(arguments: ["utf-16le", "utf-16be", "utf-32le", "utf-32be", "utf-8"], [1, 3, 4_096])
  func `a byte order mark tells the encoding`(encoding: String, pieceSize: Int) throws {
    let bytes = Encoded.bytes("\u{FEFF}" + Self.text, encoding)
    let read = try ReadTable(bytes: bytes, pieceSize: pieceSize)
    #expect(read.columns == ["名", "größe"])
    #expect(read.records == [["1", "é\n😀"]])
  }

  @Test func `the encoding may be named`() throws {
    for encoding in ["ISO-8859-1", "windows-1252"] {
      let bytes = Encoded.bytes("größe\né\n", encoding)
      let read = try ReadTable(bytes: bytes, encoding: encoding)
      #expect(read.columns == ["größe"])
      #expect(read.records == [["é"]])
    }
  }

  @Test func `an unknown encoding is refused`() throws {
    let errors = try ReadTable.errors(bytes: "a\n1\n".utf8, encoding: "no-such")
    #expect(errors.map(\.reason) == [.unknownEncoding("no-such")])
  }

  @Test func `what is no text at all is called by its name`() throws {
    let errors = try ReadTable.errors(bytes: [0x50, 0x4B, 0x03, 0x04, 0, 0])
    #expect(errors.map(\.reason) == [.notReadable(looksLike: "a ZIP archive")])
  }

  @Test func `a text may begin with a bracket`() throws {
    #expect(try ReadTable("[a],{b}\n1,2\n").columns == ["[a]", "{b}"])
  }
}
