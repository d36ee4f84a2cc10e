internal import SeedModel

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The text around the point at which the parser gave up, for errors that say what stands there.
struct XMLErrorContext {
  /// The document's last pieces, as they stand in it.
  let bytes: [UInt8]
  /// Where the parser stands.
  let index: Int
  /// Whether `bytes` begin where the document does.
  let hasStart: Bool
  /// Whether `bytes` end where the document does.
  let hasEnd: Bool
  let startLine: Int
  let startColumn: Int
  let file: String

  /// A place in the document, with its line.
  typealias Place = (location: SourceLocation, excerpt: SourceExcerpt?)

  /// Line, column and excerpt of a byte.
  func place(of index: Int) -> Place {
    bytes.withUnsafeBufferPointer {
      SourcePlace($0, startLine: startLine, startColumn: startColumn)
        .describe(index: index, file: file)
    }
  }

  /// Whether the parser has come to the document's end.
  var isAtEnd: Bool { hasEnd && index >= bytes.count }

  /// Whether the text at an index starts with `text`.
  func has(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, bytes.count - index >= text.utf8CodeUnitCount else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
  }

  /// The index of the last `text` that starts before another index.
  func last(_ text: StaticString, before end: Int) -> Int? {
    (0..<min(end, bytes.count)).last { has(text, at: $0) }
  }

  /// The index of the first `text` that starts at or behind another index.
  func first(_ text: StaticString, from start: Int) -> Int? {
    (start..<max(start, bytes.count)).first { has(text, at: $0) }
  }

  /// The text between two indices, at most its first 80 bytes.
  func text(from start: Int, to end: Int) -> String {
    guard start >= 0, end > start, end <= bytes.count else { return "" }
    return String(decoding: bytes[start..<min(end, start + 80)], as: UTF8.self)
  }

  /// Whether there is nothing but blanks before an index.
  func isBlank(before end: Int) -> Bool {
    hasStart && bytes.prefix(end).allSatisfy(XMLName.isBlank)
  }

  /// The byte at an index where the text is not valid UTF-8.
  func invalidByte(at index: Int) -> UInt8? {
    guard index < bytes.count, bytes[index] >= 0x80 else { return nil }
    let length = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { UTF8Scalar.length(at: $0 + index, end: $0 + buffer.count) } ?? 0
    }
    // U+FFFE and U+FFFF are valid UTF-8, but no characters.
    let isValid = length > 0 || has("\u{FFFE}", at: index) || has("\u{FFFF}", at: index)
    return isValid ? nil : bytes[index]
  }

  /// The character at an index.
  func scalar(at index: Int) -> Unicode.Scalar? {
    String(decoding: bytes.dropFirst(index).prefix(4), as: UTF8.self).unicodeScalars.first
  }

  /// Where the second attribute of this name stands in the start tag at an index.
  func repeatedAttribute(_ name: String, inTagAt start: Int) -> Int? {
    var cursor = start
    var isFirst = true
    while cursor < bytes.count, bytes[cursor] != UInt8(ascii: ">") {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        guard let quote = bytes[(cursor + 1)...].firstIndex(of: byte) else { return nil }
        cursor = quote + 1
      } else if XMLName.isPart(byte) {
        let word = bytes[cursor...].prefix(while: XMLName.isPart)
        if word.elementsEqual(name.utf8), cursor > 0, XMLName.isBlank(bytes[cursor - 1]) {
          if !isFirst { return cursor }
          isFirst = false
        }
        cursor = word.endIndex
      } else {
        cursor += 1
      }
    }
    return nil
  }
}
