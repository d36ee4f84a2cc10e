internal import SeedInput
package import SeedModel

/// Finds where in an input a value stands, for errors about values that were read long before.
package struct PlaceFinder {
  let staged: StagedInput

  /// A record may go on for so many bytes before the value.
  private static let reach = 64 << 10

  /// The place of a value, as exactly as it can be found: a value that is written with escapes has
  /// only the line of its record.
  func place(
    of value: [UInt8]?, line: Int, place: Int
  ) -> (location: SourceLocation, excerpt: SourceExcerpt?) {
    PlaceFinder.place(of: value, line: line, in: staged.documents[staged.document(of: place)])
  }

  /// The place of a value in an input that nobody is reading now.
  package static func place(
    of value: [UInt8]?, line: Int, in document: InputDocument
  ) -> (location: SourceLocation, excerpt: SourceExcerpt?) {
    let rough = (SourceLocation(file: document.name, line: line), nil as SourceExcerpt?)
    // What cannot be read again has no more than its line.
    guard line > 0, case .success(let text?) = Result(catching: { try text(document, line) })
    else { return rough }
    // In another encoding than UTF-8 neither lines nor bytes can be told.
    guard !text.contains(0), String(validating: text, as: UTF8.self) != nil || isCut(text) else {
      return rough
    }
    return text.withUnsafeBufferPointer { bytes in
      let source = SourcePlace(bytes, startLine: line, startColumn: 1)
      // Several records may stand on the line: without a value to look for, the line is all.
      guard let value, !value.isEmpty, let index = PlaceFinder.index(of: value, in: bytes) else {
        return rough
      }
      return source.describe(index: index, file: document.name)
    }
  }

  /// Whether only the last character of a text is cut, by the end of what was read.
  private static func isCut(_ text: [UInt8]) -> Bool {
    (1...3).contains {
      text.count > $0 && String(validating: text.dropLast($0), as: UTF8.self) != nil
    }
  }

  /// The bytes of an input from the start of a line on.
  private static func text(_ document: InputDocument, _ line: Int) throws -> [UInt8]? {
    let source = try document.open().source
    var buffer = [UInt8](repeating: 0, count: PlaceFinder.reach)
    var linesLeft = line - 1
    var text: [UInt8] = []
    while text.count < PlaceFinder.reach {
      let count = try buffer.withUnsafeMutableBufferPointer { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        return try source.read(into: base, capacity: buffer.count)
      }
      if count == 0 { break }
      var start = 0
      while linesLeft > 0, start < count {
        guard let end = buffer[start..<count].firstIndex(of: 0x0A) else {
          start = count
          break
        }
        linesLeft -= 1
        start = end + 1
      }
      if linesLeft == 0 { text += buffer[start..<count] }
    }
    return linesLeft == 0 ? text : nil
  }

  /// Where a value stands that has no part of a longer word around it.
  private static func index(of value: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count >= value.count else { return nil }
    for index in 0...(text.count - value.count) where text[index] == value[0] {
      guard (0..<value.count).allSatisfy({ text[index + $0] == value[$0] }) else { continue }
      let isFree =
        (index == 0 || !isWord(text[index - 1]))
        && (index + value.count == text.count || !isWord(text[index + value.count]))
      if isFree { return index }
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
