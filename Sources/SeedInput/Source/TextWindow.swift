internal import SeedModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The part of a text that is being read, with what came shortly before it, so that an error can
/// name line and column and show the line.
struct TextWindow {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many of the window's bytes are filled.
  private(set) var count = 0
  /// The offset in the whole text of the window's first byte.
  private(set) var startOffset: Int64 = 0
  /// Line breaks before the window, and scalars between the last of them and the window.
  private var linesBefore = 0
  private var scalarsBefore = 0

  /// How many bytes already read stay in the window for the sake of errors.
  static let historyByteCount = 32 << 10
  /// How many bytes are read at once.
  static let readByteCount = 64 << 10

  init() {
    capacity = TextWindow.historyByteCount + 2 * TextWindow.readByteCount
    bytes = .allocate(capacity: capacity)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// Drops what lies far before `position`, reads more and gives the byte count and the position's
  /// new index; a count of 0 is the end of the text.
  mutating func refill(keeping position: Int, from source: any ByteSource) throws
    -> (readCount: Int, position: Int)
  {
    let dropped = max(0, position - TextWindow.historyByteCount)
    if dropped > 0 { evict(dropped) }
    let pending = count - (position - dropped)
    // A long unfinished value is looked at again from its start: read more at a time then.
    let wanted = max(TextWindow.readByteCount, pending / 2)
    if count + wanted > capacity { grow(to: count + wanted) }
    let readCount = try source.read(into: bytes + count, capacity: wanted)
    count += readCount
    return (readCount, position - dropped)
  }

  private mutating func evict(_ dropped: Int) {
    var cursor = 0
    var lineStart = -1
    while let found = memchr(bytes + cursor, 0x0A, dropped - cursor) {
      let index = found.assumingMemoryBound(to: UInt8.self) - UnsafeMutablePointer(bytes)
      linesBefore += 1
      lineStart = index + 1
      cursor = index + 1
      if cursor == dropped { break }
    }
    if lineStart >= 0 { scalarsBefore = 0 }
    scalarsBefore += scalarCount(from: max(0, lineStart), to: dropped)
    bytes.update(from: bytes + dropped, count: count - dropped)
    count -= dropped
    startOffset += Int64(dropped)
  }

  private mutating func grow(to needed: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = larger
    capacity = needed
  }

  private func scalarCount(from start: Int, to end: Int) -> Int {
    var total = 0
    for index in start..<max(start, end) where bytes[index] & 0xC0 != 0x80 { total += 1 }
    return total
  }

  /// Line, column and excerpt of a byte of the text; the nearest that the window still has.
  func place(ofOffset offset: Int64, file: String) -> (SourceLocation, SourceExcerpt?) {
    let index = Int(min(max(0, offset - startOffset), Int64(count)))
    var lineStart = 0
    var line = linesBefore + 1
    for position in 0..<index where bytes[position] == 0x0A {
      line += 1
      lineStart = position + 1
    }
    var column = scalarCount(from: lineStart, to: index) + 1
    if lineStart == 0 { column += scalarsBefore }
    return (
      SourceLocation(file: file, line: line, column: column),
      excerpt(around: index, lineStart: lineStart)
    )
  }

  /// At most this many bytes of a long line are shown on either side of the caret.
  private static let excerptReach = 72

  private func excerpt(around index: Int, lineStart: Int) -> SourceExcerpt? {
    var start = max(lineStart, index - TextWindow.excerptReach)
    while start > lineStart, start < index, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = index
    let limit = min(count, index + TextWindow.excerptReach)
    while end < limit, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    while end > index, end < count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    guard end > start else { return nil }
    let text = String(decoding: UnsafeBufferPointer(start: bytes + start, count: end - start), as: UTF8.self)
    return SourceExcerpt(text: text, caretOffset: scalarCount(from: start, to: index))
  }
}
