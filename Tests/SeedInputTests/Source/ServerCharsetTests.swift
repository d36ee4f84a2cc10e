import SeedModel
import Testing

@testable import SeedInput

@Suite struct ServerCharsetTests {
  private func choose(
    _ charset: String, _ format: InputFormat, _ prefix: [UInt8]
  ) -> (encoding: String?, message: String?) {
    let choice = ServerCharset.choose(charset, format: format, prefix: prefix)
    return (choice.encoding, choice.doubt?.message)
  }

  private static let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?><r/>".utf8)

  @Test(arguments: [InputFormat.csv, .tsv, .xml, .plist])
  func `a document that says nothing is in the server's encoding`(format: InputFormat) {
    let choice = choose("windows-1252", format, Array("<r/>".utf8))
    #expect(choice == ("windows-1252", nil))
  }

  @Test(arguments: [InputFormat.csv, .xml, .json])
  func `a byte order mark outranks the server`(format: InputFormat) {
    let marked: [UInt8] = [0xEF, 0xBB, 0xBF, 0x3C, 0x72, 0x2F, 0x3E]
    let choice = choose("ISO-8859-1", format, marked)
    #expect(choice.encoding == nil)
    #expect(
      choice.message
        == "the server says that this is ISO-8859-1, and its first bytes that it is UTF-8, which "
        + "is taken")
    #expect(choose("utf8", format, marked) == (nil, nil))
    #expect(choose("UTF-16", format, [0xFF, 0xFE, 0x3C, 0x00]) == (nil, nil))
  }

  @Test func `the server outranks an XML declaration`() {
    let choice = choose("utf-8", .xml, Self.declared)
    #expect(choice.encoding == "utf-8")
    #expect(
      choice.message
        == "the server says that this is utf-8, which is taken, and the document declares ISO-8859-1"
    )
    #expect(choose("latin1", .xml, Self.declared) == ("latin1", nil))
  }

  @Test func `JSON is UTF-8 whatever a server says`() {
    let json = Array("[1]".utf8)
    #expect(choose("utf-8", .json, json) == (nil, nil))
    #expect(choose("us-ascii", .ndjson, json) == (nil, nil))
    let choice = choose("ISO-8859-1", .json, json)
    #expect(choice.encoding == nil)
    #expect(
      choice.message
        == "the server says that this is ISO-8859-1, and JSON is UTF-8 whatever a server says")
  }

  @Test func `an encoding that is not known is not used`() {
    let choice = choose("klingon", .csv, Array("a,b".utf8))
    #expect(choice.encoding == nil)
    #expect(
      choice.message == "the server names the encoding \"klingon\", which is not known and not used"
    )
  }

  @Test func `a binary property list has no encoding`() {
    #expect(choose("ISO-8859-1", .plist, Array("bplist00".utf8)) == (nil, nil))
  }
}
