import Testing

@testable import SeedInput

@Suite struct FormatGuessTests {
  @Test(arguments: [
    (Array("{\"a\": 1}".utf8), "JSON"), (Array("\u{FEFF} \n[1]".utf8), "JSON"),
    (Array("SQLite format 3\0".utf8), "an SQLite database"),
    (Array("bplist00".utf8), "a binary property list"), ([0x50, 0x4B, 3, 4], "a ZIP archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data"), (Array("BZh9".utf8), "bzip2 data"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "XZ data"), (Array("%PDF-1.7".utf8), "a PDF file"),
  ])
  func `what is surely no XML is called by its name`(bytes: [UInt8], name: String) {
    #expect(FormatGuess.nonXML(bytes) == name)
  }

  @Test(arguments: ["<r/>", " \n<r/>", "", "id,name", "\u{FEFF}<r/>"])
  func `what may be XML is left to the parser`(text: String) {
    #expect(FormatGuess.nonXML(Array(text.utf8)) == nil)
  }
}
