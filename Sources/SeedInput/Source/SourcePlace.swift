package import SeedModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds line, column and excerpt in a stretch of UTF-8 text.
package struct SourcePlace {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let startLine: Int
  private let startColumn: Int
  /// Whether a CR without an LF behind it ends a line too.
  private let countsReturns: Bool

  /// At most this many bytes of a long line are shown on either side of the caret.
  private static let excerptReach = 72

  /// A text whose first byte stands at the given line and column, counted from 1.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, startLine: Int, startColumn: Int,
    countsReturns: Bool = false
  ) {
    self.bytes = bytes
    self.countsReturns = countsReturns
    self.startLine = startLine
    self.startColumn = startColumn
  }

  /// The place of a byte, or of the nearest one that the text has.
  package func describe(index: Int, file: String) -> (SourceLocation, SourceExcerpt?) {
    let index = min(max(0, index), bytes.count)
    let (line, column, lineStart) = position(of: index)
    return (
      SourceLocation(file: file, line: line, column: column),
      excerpt(around: index, lineStart: lineStart)
    )
  }

  /// Line and column of a byte, and the index at which its line starts or the text does.
  func position(of index: Int) -> (line: Int, column: Int, lineStart: Int) {
    var line = startLine
    var lineStart = 0
    while let end = lineEnd(from: lineStart, to: index) {
      line += 1
      lineStart = end + 1
    }
    let column = scalarCount(from: lineStart, to: index)
    return (line, column + (line == startLine ? startColumn : 1), lineStart)
  }

  /// The first line end among some bytes.
  private func lineEnd(from start: Int, to end: Int) -> Int? {
    guard countsReturns else {
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, end - start) else {
        return nil
      }
      return found.assumingMemoryBound(to: UInt8.self) - UnsafeMutablePointer(mutating: base)
    }
    return (start..<end).first(where: isLineEnd)
  }

  private func isLineEnd(_ position: Int) -> Bool {
    if bytes[position] == 0x0A { return true }
    guard bytes[position] == 0x0D else { return false }
    return position + 1 == bytes.count || bytes[position + 1] != 0x0A
  }

  private func scalarCount(from start: Int, to end: Int) -> Int {
    var total = 0
    for index in start..<max(start, end) where bytes[index] & 0xC0 != 0x80 { total += 1 }
    return total
  }

  private func excerpt(around index: Int, lineStart: Int) -> SourceExcerpt? {
    var start = max(lineStart, index - SourcePlace.excerptReach)
    while start > lineStart, start < index, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = index
    let limit = min(bytes.count, index + SourcePlace.excerptReach)
    // Of a file of zeros one is enough to see.
    while end < limit, ![0x0A, 0x0D].contains(bytes[end]), bytes[end] != 0 || end == index {
      end += 1
    }
    while end > index, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    guard end > start else { return nil }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    return SourceExcerpt(text: text, caretOffset: scalarCount(from: start, to: index))
  }
}
