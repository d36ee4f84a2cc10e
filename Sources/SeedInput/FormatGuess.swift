package import SeedModel

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
    case UInt8(ascii: "{"), UInt8(ascii: "["): return json
    default: return nil
    }
  }

  /// What these bytes are, when they surely are no delimited text; nil when they may be some.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes.
  ///   - hasQuotes: Whether a quote may only stand around a field.
  /// - Returns: What they are.
  package static func nonDelimited(_ bytes: [UInt8], hasQuotes: Bool) -> String? {
    if let name = nonText(bytes) { return name }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let text = start.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(16)
    if text.starts(with: "<?xml".utf8) || text.starts(with: "<!DOCTYPE".utf8) { return xml }
    if hasQuotes, isElementLine(start) { return xml }
    // A text may well begin with a bracket, but then no quote follows.
    let isJSON = ["{\"", "[\"", "[{\"", "[[\""].contains { text.starts(with: $0.utf8) }
    return isJSON && hasQuotes ? json : nil
  }

  /// Whether a text begins with a line of elements alone, without what could be a delimiter.
  private static func isElementLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    let blanks = Array(" \t\r\n".utf8)
    let text = bytes.drop { blanks.contains($0) }
    var line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    while let last = line.last, blanks.contains(last) { line.removeLast() }
    guard line.first == UInt8(ascii: "<"), line.last == UInt8(ascii: ">"),
      let second = line.dropFirst().first, (UInt8(ascii: "A")...UInt8(ascii: "z")).contains(second)
    else { return false }
    return !line.contains { Array(",;\t|".utf8).contains($0) }
  }

  /// The format of a source that looks like something; nil of what is no source.
  package static func format(of name: String) -> InputFormat? {
    switch name {
    case json: .json
    case xml: .xml
    case binaryPropertyList: .plist
    default: nil
    }
  }

  /// What to do about a file that looks like something which is no source.
  package static func advice(on name: String, called file: String) -> String? {
    if isSpreadsheet(file) { return exportAdvice }
    if name == database {
      return "take it as the template with --schema, or export its rows as CSV to build from them"
    }
    return packed.contains { $0.1 == name } ? "unpack it first" : nil
  }

  /// What to do about a file whose format neither its name nor its content tells.
  package static func advice(onFileCalled file: String) -> String {
    if isSpreadsheet(file) { return exportAdvice }
    let formats = InputFormat.allCases.map(\.rawValue).joined(separator: ", ")
    return "name it with --format, or convert it to one of \(formats)"
  }

  private static func isSpreadsheet(_ file: String) -> Bool {
    let name = file.lowercased()
    return [".xls", ".xlsx", ".xlsm", ".xlsb", ".ods", ".numbers"].contains { name.hasSuffix($0) }
  }

  private static let exportAdvice = "export the sheet as CSV, and build from that"
  private static let database = "an SQLite database"
  private static let json = "JSON"
  private static let xml = "XML"
  private static let binaryPropertyList = "a binary property list"

  private static let packed: [([UInt8], String)] = [
    ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"),
    // Packed twice: once is unpacked before anybody looks.
    ([0x1F, 0x8B], "gzip data"),
    ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data"),
    (Array("BZh".utf8), "bzip2 data"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "XZ data"),
  ]

  private static let magics: [([UInt8], String)] =
    [
      (Array("SQLite format 3\0".utf8), database),
      (Array("bplist".utf8), binaryPropertyList),
      (Array("%PDF".utf8), "a PDF file"),
    ] + packed
}
