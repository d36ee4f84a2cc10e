import Testing

@testable import SeedInput

@Suite struct FormatGuessTests {
  @Test func `data that is packed twice is told for what it is`() {
    #expect(FormatGuess.nonText([0x1F, 0x8B, 8, 0]) == "gzip data")
    #expect(FormatGuess.advice(on: "gzip data", called: "a.gz") == "unpack it first")
  }

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

  @Test(arguments: [
    ("<?xml version='1.0'?>", "XML"), ("\u{FEFF}\n<!DOCTYPE r>", "XML"), ("{\"a\": 1}", "JSON"),
    ("{ \n \"a\": 1}", "JSON"), ("[{\"a\": 1}]", "JSON"), ("[\"a\"]", "JSON"),
    ("[[\"a\"]]", "JSON"), ("bplist00", "a binary property list"),
    ("PK\u{3}\u{4}", "a ZIP archive"), ("<Events>\n<Event>a</Event>\n</Events>", "XML"),
    (" <a><b>1</b></a> \r\n", "XML"), ("<r/>", "XML"),
  ])
  func `what is surely no delimited text is called by its name`(text: String, name: String) {
    #expect(FormatGuess.nonDelimited(Array(text.utf8), hasQuotes: true) == name)
  }

  @Test(arguments: [
    "<a>,b", "<b>a</b>;<b>b</b>", "<1>", "<a", "{a},b", "[1],2", "", "a,b", "[a,\"b\"", "\u{FEFF}a",
  ])
  func `what may be delimited text is left to its reader`(text: String) {
    #expect(FormatGuess.nonDelimited(Array(text.utf8), hasQuotes: true) == nil)
  }

  @Test func `without quotes a text may begin like JSON`() {
    #expect(FormatGuess.nonDelimited(Array("[\"a\"]".utf8), hasQuotes: false) == nil)
  }

  @Test(arguments: ["<r/>", " \n<r/>", "", "id,name", "\u{FEFF}<r/>"])
  func `what may be XML is left to the parser`(text: String) {
    #expect(FormatGuess.nonXML(Array(text.utf8)) == nil)
  }
}
