internal import SeedInput
internal import SeedModel

/// Shows the lines of a small file, such as a project file, that diagnostics name without showing.
enum ExcerptLookup {
  /// A configuration file is no longer.
  private static let mostBytes: Int64 = 4 << 20

  /// The same diagnostics, with the line of each place that can be read.
  static func completed(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var texts: [String: [UInt8]?] = [:]
    return diagnostics.map { diagnostic in
      guard diagnostic.excerpt == nil, let place = diagnostic.location, place.line > 0,
        place.column > 0
      else { return diagnostic }
      let text = texts[place.file] ?? text(of: place.file)
      texts[place.file] = .some(text)
      guard let text, let index = index(of: place, in: text) else { return diagnostic }
      var result = diagnostic
      result.excerpt = text.withUnsafeBufferPointer { bytes in
        SourcePlace(bytes, startLine: 1, startColumn: 1).describe(index: index, file: place.file).1
      }
      return result
    }
  }

  private static func text(of path: String) -> [UInt8]? {
    // A line that cannot be shown is no reason to say less about the error itself.
    guard let file = try? FileSource(path: path), let size = file.size, size <= mostBytes else {
      return nil
    }
    var text = [UInt8](repeating: 0, count: Int(size))
    let count = text.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { try? file.read(into: $0, capacity: buffer.count) }
    }
    return count == text.count ? text : nil
  }

  /// The byte at a line and a column, which counts scalars.
  private static func index(of place: SourceLocation, in text: [UInt8]) -> Int? {
    var line = 1
    var index = text.startIndex
    while line < place.line {
      guard let end = text[index...].firstIndex(of: 0x0A) else { return nil }
      index = end + 1
      line += 1
    }
    var column = 1
    while column < place.column {
      guard index < text.endIndex, text[index] != 0x0A else { return nil }
      index += 1
      while index < text.endIndex, text[index] & 0xC0 == 0x80 { index += 1 }
      column += 1
    }
    return index
  }
}
