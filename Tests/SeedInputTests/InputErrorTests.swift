import SeedModel
import Testing

@testable import SeedInput

@Suite struct InputErrorTests {
  static let reasons: [InputError.Reason] = [
    .missing, .isDirectory, .unreadable(operation: "open", errno: 13), .changedWhileRead,
    .damagedGzip("invalid distance"), .truncatedGzip(byteCount: 9, unpacked: 0),
    .unknownEncoding("klingon"),
    .wrongEncoding(declared: "UTF-16"), .undecodable(encoding: "UTF-8", byte: 0x9),
    .undecodable(encoding: "UTF-8", byte: nil), .cutCharacter(encoding: "UTF-16LE"), .nulByte,
    .notXML(looksLike: "JSON"), .notXML(looksLike: nil), .empty, .noElement,
    .malformed("a tag", hint: nil), .undeclaredEntity("e", hasExternalSubset: true),
    .undeclaredEntity("e", hasExternalSubset: false), .externalEntity("e"), .entityExpansion,
    .tooDeep, .tooLong(what: "a tag", limit: 1 << 24), .tooLong(what: "a name", limit: 4_096),
    .tooMany(what: "attributes", limit: 2_000),
  ]

  private func diagnostic(_ reason: InputError.Reason) -> Diagnostic {
    InputError(reason, at: SeedModel.SourceLocation(file: "a.xml", line: 2, column: 3)).diagnostic
  }

  @Test(arguments: reasons)
  func `messages and hints are of one style`(reason: InputError.Reason) {
    let diagnostic = diagnostic(reason)
    #expect(diagnostic.severity == .error)
    #expect(diagnostic.location == SeedModel.SourceLocation(file: "a.xml", line: 2, column: 3))
    for text in [diagnostic.message, diagnostic.hint].compactMap({ $0 }) {
      #expect(!text.isEmpty && !text.hasSuffix(".") && !text.contains("\n"))
      #expect(text.first?.isUppercase == false)
    }
  }

  @Test func `values stand in the message`() {
    #expect(
      diagnostic(.undecodable(encoding: "UTF-8", byte: 0x9)).message
        == "the byte 0x09 is not valid UTF-8 here")
    #expect(
      diagnostic(.tooLong(what: "a tag", limit: 1 << 24)).message == "a tag is longer than 16 MiB")
    #expect(
      diagnostic(.tooLong(what: "a name", limit: 4_096)).message
        == "a name is longer than 4096 bytes")
    #expect(diagnostic(.malformed("x", hint: "y")).hint == "y")
  }
}
