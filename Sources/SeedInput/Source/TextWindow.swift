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
  static let historyByteCount = 2 << 10
  /// How many bytes are read at once, unless told otherwise.
  static let readByteCount = 64 << 10
  /// How many bytes behind the last one may be read and written, so that scans work in words.
  static let paddingByteCount = 16
  private let pieceByteCount: Int
  private let initialCapacity = TextWindow.historyByteCount + 2 * TextWindow.readByteCount
  /// What the source threw; all that it gave before is looked at first.
  private(set) var failure: (any Error)?

  init(pieceByteCount: Int = TextWindow.readByteCount) {
    self.pieceByteCount = pieceByteCount
    capacity = initialCapacity
    bytes = .allocate(capacity: capacity + TextWindow.paddingByteCount)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// Drops what lies far before `position`, reads more and gives the byte count and the position's
  /// new index; a count of 0 is the end of the text, or of what can be read (``failure``).
  mutating func refill(
    keeping position: Int, from source: any ByteSource
  ) -> (readCount: Int, position: Int) {
    let dropped = max(0, position - TextWindow.historyByteCount)
    if dropped > 0 { evict(dropped) }
    let pending = count - (position - dropped)
    // A long unfinished value is looked at again from its start: read more at a time then.
    let wanted = max(pieceByteCount, pending / 2)
    // A buffer that one huge value needed is given back once it is gone.
    let isOversized = capacity > 16 * TextWindow.readByteCount && count + wanted < capacity / 4
    if count + wanted > capacity || isOversized { resize(to: max(count + wanted, initialCapacity)) }
    let readCount = fill(wanted, from: source)
    count += readCount
    return (readCount, position - dropped)
  }

  /// Gives up what stands at an index and behind it.
  mutating func cut(at index: Int) { count = index }

  /// Reads until there is as much as wanted: pipes and decoders give small pieces.
  private mutating func fill(_ wanted: Int, from source: any ByteSource) -> Int {
    var filled = 0
    while filled < wanted, failure == nil {
      do {
        let more = try source.read(into: bytes + count + filled, capacity: wanted - filled)
        if more == 0 { break }
        filled += more
      } catch {
        failure = error
      }
    }
    return filled
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

  private mutating func resize(to needed: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(
      capacity: needed + TextWindow.paddingByteCount)
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

  private var text: SourcePlace {
    SourcePlace(
      UnsafeBufferPointer(start: bytes, count: count), startLine: linesBefore + 1,
      startColumn: scalarsBefore + 1)
  }

  /// Line, column and excerpt of a byte of the window.
  func place(of index: Int, file: String) -> (SourceLocation, SourceExcerpt?) {
    text.describe(index: index, file: file)
  }

  /// Line and column of a byte of the window.
  func position(of index: Int) -> (line: Int, column: Int) {
    let (line, column, _) = text.position(of: index)
    return (line, column)
  }
}
