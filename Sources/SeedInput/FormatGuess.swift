/// Recognises what a file is by its first bytes, for errors that help.
package enum FormatGuess {
  /// What these bytes are, when they surely are no text; nil when they may be text.
  package static func nonText(_ bytes: [UInt8]) -> String? {
    magics.first { bytes.starts(with: $0.0) }?.1
  }

  /// What these bytes are, when they surely are no XML; nil when they may be XML.
  package static func nonXML(_ bytes: [UInt8]) -> String? {
    if let name = nonText(bytes) { return name }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
    default: return nil
    }
  }

  private static let magics: [([UInt8], String)] = [
    (Array("SQLite format 3\0".utf8), "an SQLite database"),
    (Array("bplist".utf8), "a binary property list"),
    ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data"),
    (Array("BZh".utf8), "bzip2 data"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "XZ data"),
    (Array("%PDF".utf8), "a PDF file"),
  ]
}
