import Testing

@testable import SeedInput

@Suite struct XMLEncodingTests {
  private func detect(_ text: String) -> XMLEncoding { XMLEncoding.detect(in: Array(text.utf8)) }

  @Test func `UTF-8 needs no decoding`() {
    for text in ["<r/>", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='utf-8'?>", ""] {
      #expect(detect(text) == XMLEncoding(name: nil))
    }
  }

  @Test(arguments: [
    "<?xml version='1.0' encoding='ISO-8859-2'?>",
    "<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?>",
    "<?xml version='1.0'\n\tencoding = 'ISO-8859-2' standalone='yes'?>",
  ])
  func `the declaration names the encoding`(text: String) {
    #expect(detect(text) == XMLEncoding(name: "ISO-8859-2"))
  }

  @Test(arguments: ["UTF-16", "utf-16le", "UCS-4", "UTF-32", "ISO-10646-UCS-2"])
  func `a declaration read byte by byte cannot be of wide characters`(name: String) {
    let found = detect("<?xml version='1.0' encoding='\(name)'?>")
    #expect(found == XMLEncoding(name: nil, contradictedDeclaration: name))
  }

  @Test(arguments: ["<?xml version='1.0' encoding=?>", "<?xml encoding=''?>", "<?xml encoding"])
  func `a broken declaration is the parser's business`(text: String) {
    #expect(detect(text) == XMLEncoding(name: nil))
  }

  @Test func `an encoding behind the declaration does not count`() {
    #expect(detect("<?xml version='1.0'?><r encoding='ISO-8859-2'/>").name == nil)
    #expect(detect("<r encoding='ISO-8859-2'/>").name == nil)
  }

  @Test func `a four-byte mark is not taken for the two-byte one`() {
    #expect(
      XMLEncoding.detect(in: [0xFF, 0xFE, 0, 0]) == XMLEncoding(name: "UTF-32LE", markCount: 4))
    #expect(
      XMLEncoding.detect(in: [0xFF, 0xFE, 0x3C, 0]) == XMLEncoding(name: "UTF-16LE", markCount: 2))
  }

  @Test func `EBCDIC without a name is plain EBCDIC`() {
    #expect(XMLEncoding.detect(in: [0x4C, 0x6F, 0xA7, 0x94, 0x93]).name == "EBCDIC-US")
  }

  @Test func `what the user names outranks the document`() {
    var encoding = detect("<?xml version='1.0' encoding='UTF-16'?>")
    encoding.override(with: "windows-1252")
    #expect(encoding == XMLEncoding(name: "windows-1252"))
    encoding.override(with: "utf8")
    #expect(encoding == XMLEncoding(name: nil))
  }
}
