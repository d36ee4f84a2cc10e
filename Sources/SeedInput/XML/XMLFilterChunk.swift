internal import SeedModel

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A piece of the document as it goes from the filter to the parser.
struct XMLFilterChunk {
  /// What the parser sees.
  var output = XMLFilterOutput()
  /// The attribute values that were taken out of it.
  var values = XMLTakenValues()
  /// The piece as it stands in the document, for errors.
  var original = XMLOriginalText()
  /// What the filter found wrong behind this piece.
  var failure: (any Error)?
  /// Whether the document ends with this piece.
  var isLast = false
  /// The markup that it ends in, when it ends too early.
  var unfinishedMarkup: XMLUnfinishedMarkup?

  /// About how many bytes of memory it holds.
  var byteCount: Int { original.count + values.byteCount }

  mutating func removeAll() {
    output.removeAll()
    values.removeAll()
    original.removeAll()
    failure = nil
    isLast = false
    unfinishedMarkup = nil
  }

  func deallocate() {
    output.deallocate()
    values.deallocate()
    original.deallocate()
  }
}

/// Markup without an end.
struct XMLUnfinishedMarkup {
  /// What it is, with its article.
  var what: String
  /// Where it starts.
  var place: XMLErrorContext.Place
}

/// A copy of a piece of the document, with its place.
struct XMLOriginalText {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = TextWindow.readByteCount + 4_096
  private(set) var count = 0
  /// The offset in the document of the first byte.
  var startOffset: Int64 = 0
  /// How far lines have been counted, where the last of them starts, and its number.
  private var countedCount = 0
  private var lineStart = 0
  private var countedLine = 1
  /// How far columns have been counted, and the place there.
  private var placedCount = 0
  private var placedLine = 1
  private var placedColumn = 1
  /// The line and column of the first byte.
  var line = 1
  var column = 1
  /// The line of the tag that the first byte is inside of.
  var openTagLine: Int?

  init() {
    bytes = .allocate(capacity: capacity)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// Empties it, and gives back what one huge value needed.
  mutating func removeAll() {
    count = 0
    if capacity > 8 * TextWindow.readByteCount { allocate(TextWindow.readByteCount + 4_096) }
  }

  private mutating func allocate(_ newCapacity: Int) {
    bytes.deallocate()
    capacity = newCapacity
    bytes = .allocate(capacity: newCapacity)
  }

  mutating func set(_ source: UnsafePointer<UInt8>, count newCount: Int) {
    if newCount > capacity { allocate(newCount) }
    bytes.update(from: source, count: newCount)
    count = newCount
    countedCount = 0
    lineStart = 0
    countedLine = line
    placedCount = 0
    placedLine = line
    placedColumn = column
  }

  /// The column of the start tag on a line whose end stands at an index.
  ///
  /// It is 0 when the tag does not start in this text. Indices must rise.
  mutating func column(ofTagBefore index: Int, line: Int) -> Int {
    let text = UnsafeBufferPointer(start: bytes, count: max(0, min(index, count)))
    guard let start = text.lastIndex(of: UInt8(ascii: "<")), start >= placedCount else { return 0 }
    for byte in text[placedCount..<start] {
      if byte == 0x0A {
        placedLine += 1
        placedColumn = 1
      } else if byte & 0xC0 != 0x80 {
        placedColumn += 1
      }
    }
    placedCount = start
    return placedLine == line ? placedColumn : 0
  }

  /// Whether its first byte is the one behind the last of another.
  func follows(_ other: XMLOriginalText) -> Bool {
    startOffset == other.startOffset + Int64(other.count)
  }

  /// The line of the start tag whose end stands at an index.
  ///
  /// It is the line of the index itself when a reference stands there. Indices must rise.
  @inline(__always)
  mutating func line(ofTagBefore index: Int) -> UInt32 {
    let index = max(0, min(index, count))
    while index > countedCount,
      let found = memchr(bytes + countedCount, 0x0A, index - countedCount)
    {
      countedCount = found.assumingMemoryBound(to: UInt8.self) - UnsafeMutablePointer(bytes) + 1
      lineStart = countedCount
      countedLine += 1
    }
    countedCount = max(countedCount, index)
    let length = index - lineStart
    if length > 0,
      bytes[index - 1] == UInt8(ascii: ";")
        || memchr(bytes + lineStart, Int32(UInt8(ascii: "<")), length) != nil
    {
      return UInt32(truncatingIfNeeded: countedLine)
    }
    return UInt32(truncatingIfNeeded: lineOfLongTag(before: index))
  }

  /// The line of the tag before an index that starts on an earlier one.
  private func lineOfLongTag(before index: Int) -> Int {
    let text = UnsafeBufferPointer(start: bytes, count: index)
    guard let start = text.lastIndex(of: UInt8(ascii: "<")) else {
      return openTagLine ?? countedLine
    }
    return countedLine - text[start...].count { $0 == 0x0A }
  }
}
