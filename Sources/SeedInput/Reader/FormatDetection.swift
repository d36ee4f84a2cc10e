package import SeedModel

/// Tells the format of an input from its name and its first bytes.
package enum FormatDetection {
  /// How many bytes of an input are looked at.
  package static let prefixByteCount = 4_096

  /// The format of an input; nil when nothing gives it away.
  ///
  /// The name's extension decides; without a known one, the first bytes do.
  ///
  /// - Parameters:
  ///   - name: The path or URL of the input; a `.gz` at its end is passed over.
  ///   - prefix: The first bytes, not packed.
  ///   - layout: What is declared of delimited text; anything says that the input is such text.
  /// - Returns: The format, or nil.
  package static func format(
    name: String, prefix: [UInt8], layout: DelimitedLayout = DelimitedLayout()
  ) -> InputFormat? {
    if let format = format(ofExtension: SourceName(name).fileExtension) { return format }
    return layout == DelimitedLayout() ? format(ofContent: prefix) : .csv
  }

  /// Whether an input of which delimited text's layout is declared will be read as such text.
  ///
  /// - Parameters:
  ///   - declared: The format, where that is declared.
  ///   - name: The path or URL of the input.
  /// - Returns: Whether neither says that it is something else.
  package static func isDelimited(_ declared: InputFormat?, name: String) -> Bool {
    switch declared ?? format(ofExtension: SourceName(name).fileExtension) {
    case .csv, .tsv, nil: true
    case .xml, .json, .ndjson, .plist: false
    }
  }

  /// What to say when the format cannot be told.
  ///
  /// - Parameters:
  ///   - name: The path or URL of the input.
  ///   - prefix: The first bytes, not packed.
  /// - Returns: The error to throw.
  package static func failure(name: String, prefix: [UInt8]) -> InputError {
    if prefix.isEmpty { return InputError(.emptyFile, at: SourceLocation(file: name)) }
    if let other = FormatGuess.nonXML(prefix) {
      return InputError(.notReadable(looksLike: other), at: SourceLocation(file: name))
    }
    return InputError(.formatUnknown, at: SourceLocation(file: name))
  }

  private static func format(ofExtension text: String) -> InputFormat? {
    switch text {
    case "xml", "xhtml", "svg", "rss", "atom", "gpx", "kml", "osm", "xlf", "xliff", "resx": .xml
    case "json", "geojson", "topojson": .json
    case "ndjson", "jsonl", "ldjson": .ndjson
    case "csv": .csv
    case "tsv", "tab": .tsv
    case "plist", "strings", "stringsdict": .plist
    default: nil
    }
  }

  private static func format(ofContent prefix: [UInt8]) -> InputFormat? {
    if prefix.starts(with: Array("bplist".utf8)) { return .plist }
    // UTF-16 and UTF-32 show the same characters among NULs.
    let text = prefix.filter { $0 != 0 && $0 < 0x80 || $0 >= 0xC2 && $0 < 0xF5 }
      .drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0xEF || $0 >= 0xF0 }
    switch text.first {
    case UInt8(ascii: "<"): return .xml
    case UInt8(ascii: "["): return .json
    case UInt8(ascii: "{"): return isOneObjectALine(text) ? .ndjson : .json
    default: return delimitedFormat(text)
    }
  }

  /// Whether the first line ends an object and the second begins one.
  private static func isOneObjectALine(_ text: ArraySlice<UInt8>) -> Bool {
    guard let lineEnd = text.firstIndex(of: 0x0A) else { return false }
    let line = text[..<lineEnd].last { $0 != 0x0D && $0 != 0x20 }
    return line == UInt8(ascii: "}") && text[(lineEnd + 1)...].first == UInt8(ascii: "{")
  }

  /// Text with delimiters in its first line.
  private static func delimitedFormat(_ text: ArraySlice<UInt8>) -> InputFormat? {
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    if line.contains(0x09) { return .tsv }
    return line.contains(UInt8(ascii: ",")) || line.contains(UInt8(ascii: ";")) ? .csv : nil
  }
}
