/// A text file as its characters, which knows the place of each of them.
package struct SourceText: Sendable {
  /// The file's name in messages.
  package let file: String
  /// The characters, without a byte order mark.
  let scalars: [Unicode.Scalar]
  /// The index of each line's first character.
  private let lineStarts: [Int]

  /// The most characters of a line that an excerpt shows, and how many of them before the caret.
  private static let excerptLimits = (whole: 160, before: 100)

  /// Decodes a file's bytes.
  ///
  /// - Throws: ``JSONError`` with the first byte that is no UTF-8.
  package init(_ bytes: [UInt8], file: String) throws(JSONError) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    // Two bytes a character: a mark of its own, or a NUL beside the first bracket.
    if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF])
      || content.prefix(2).contains(0)
    {
      throw JSONError(.notUTF8(byte: nil), at: SourceLocation(file: file))
    }
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(content.count)
    var offset = content.startIndex
    var isValid = true
    var codec = Unicode.UTF8()
    var iterator = content.makeIterator()
    reading: while true {
      switch codec.decode(&iterator) {
      case .scalarValue(let scalar):
        scalars.append(scalar)
        offset += UTF8.width(scalar)
      case .emptyInput: break reading
      case .error:
        isValid = false
        break reading
      }
    }
    self.init(scalars, file: file)
    guard isValid else {
      throw JSONError(
        .notUTF8(byte: content[offset]), at: location(of: scalars.count),
        excerpt: excerpt(at: location(of: scalars.count)))
    }
  }

  private init(_ scalars: [Unicode.Scalar], file: String) {
    self.file = file
    self.scalars = scalars
    var starts = [0]
    for (index, scalar) in scalars.enumerated() {
      let isLoneReturn =
        scalar == "\r" && !(index + 1 < scalars.count && scalars[index + 1] == "\n")
      if scalar == "\n" || isLoneReturn { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// The line and column of the character at an index; the end of the file has a place too.
  func location(of index: Int) -> SourceLocation {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle } else { high = middle }
    }
    return SourceLocation(file: file, line: low + 1, column: index - lineStarts[low] + 1)
  }

  /// Where in a text's bytes a place lies, counted from 0.
  ///
  /// Works on bytes, since a text that is not in UTF-8 has places up to where it goes wrong.
  /// - Returns: The offset; that of the text's end for a place behind it.
  package static func byteOffset(of location: SourceLocation, in bytes: [UInt8]) -> Int {
    guard location.line > 0 else { return 0 }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var offset = bytes.starts(with: mark) ? mark.count : 0
    var line = 1
    while line < location.line, offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { offset += 1 }
      if byte == 0x0A || byte == 0x0D { line += 1 }
    }
    for _ in 1..<max(1, location.column) {
      guard offset < bytes.count else { break }
      offset += 1
      // The bytes behind the first one of a character.
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  /// The line of a place, or the part of it around the place.
  package func excerpt(at location: SourceLocation) -> SourceExcerpt? {
    guard location.line > 0, location.column > 0, location.line <= lineStarts.count else {
      return nil
    }
    let start = lineStarts[location.line - 1]
    let line = scalars[start...].prefix { $0 != "\n" && $0 != "\r" }
    let offset = min(location.column - 1, line.count)
    let limits = SourceText.excerptLimits
    let dropped = line.count > limits.whole ? max(0, offset - limits.before) : 0
    var text = ""
    text.unicodeScalars.append(contentsOf: line.dropFirst(dropped).prefix(limits.whole))
    return SourceExcerpt(text: text, caretOffset: offset - dropped)
  }
}
