import SeedModel
import Testing

@testable import SeedInput

@Suite struct JSONReaderEncodingTests {
  private static let text = "[{\"naïve\": \"日本 😀\"}]"
  private static let outline = "<r><r naïve=\"日本 😀\"/></r>"

  @Test(arguments: ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
  func `wide characters are recognised`(encoding: String) throws {
    let bytes = Encoded.bytes(JSONReaderEncodingTests.text, encoding)
    let mark = Encoded.bytes("\u{FEFF}", encoding)
    for bytes in [bytes, mark + bytes] {
      for pieceSize in [1, 3, Int.max] {
        #expect(
          try ReadObjects(bytes: bytes, pieceSize: pieceSize).outline
            == JSONReaderEncodingTests.outline)
      }
    }
  }

  @Test func `a byte order mark of UTF-8 is skipped`() throws {
    let text = "\u{FEFF}" + JSONReaderEncodingTests.text
    #expect(try ReadObjects(text).outline == JSONReaderEncodingTests.outline)
    #expect(try ReadObjects.error("\u{FEFF}[x]")?.location.column == 2)
  }

  @Test func `an encoding can be named`() throws {
    let bytes = Encoded.bytes("[\"é\"]", "iso-8859-1")
    #expect(
      try ReadObjects(bytes: bytes, encoding: "ISO-8859-1").outline == #"<r><r text="é"/></r>"#)
    #expect(
      try ReadObjects.error(bytes: bytes)?.reason == .undecodable(encoding: "UTF-8", byte: 0xE9))
    #expect(
      try ReadObjects.error(bytes: bytes, encoding: "klingon")?.reason
        == .unknownEncoding("klingon"))
  }

  @Test func `an encoding of wide characters can be named`() throws {
    let bytes = Encoded.bytes(JSONReaderEncodingTests.text, "utf-16be")
    #expect(
      try ReadObjects(bytes: bytes, encoding: "UTF-16").outline
        == JSONReaderEncodingTests.outline)
  }
}
