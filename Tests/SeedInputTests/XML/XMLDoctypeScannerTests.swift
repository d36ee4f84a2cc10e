import Testing

@testable import SeedInput

@Suite struct XMLDoctypeScannerTests {
  /// How many bytes of the text belong to the declaration, seen in pieces of a size.
  private func length(_ text: String, pieceSize: Int) -> (length: Int?, hasSubset: Bool) {
    var scanner = XMLDoctypeScanner()
    let bytes = Array(text.utf8)
    var position = 0
    var end = 0
    while true {
      end = min(bytes.count, end + pieceSize)
      let hasEnded = bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map {
          scanner.scan($0, position: &position, end: end, isFinal: end == bytes.count)
        } ?? false
      }
      if hasEnded { return (position, scanner.hasInternalSubset) }
      if end == bytes.count { return (nil, scanner.hasInternalSubset) }
    }
  }

  @Test(arguments: [
    " r>", " r SYSTEM 'a>b'>", " r [<!ENTITY e ']>'>]>", " r [<!-- ]> ' -->]>",
    " r [<?p ]> \" ?>]>",
    " r SYSTEM \"[\" [ ] >", " r [<!ENTITY a \"'\"><!ENTITY b '\"'>]>",
  ])
  func `the declaration ends at its own bracket`(text: String) {
    for pieceSize in 1...text.utf8.count {
      let (length, hasSubset) = length(text + "<r a='>'/>", pieceSize: pieceSize)
      #expect(length == text.utf8.count, "pieces of \(pieceSize)")
      #expect(hasSubset == (text.contains("[<") || text.contains("[ ]")))
    }
  }

  @Test(arguments: [" r", " r [", " r [<!-- ]>", " r '>", " r [<!ENTITY e ']>"])
  func `a declaration without an end has none`(text: String) {
    #expect(length(text, pieceSize: 1).length == nil)
  }
}
