#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Attribute values and texts that the parser does not see, decoded.
///
/// They need no declared entity (XML 1.0, sections 2.11, 3.3.3 and 4.4) and wait, in the order of
/// the document, for the parser's callbacks to take them.
struct XMLTakenValues {
  private var bytes: UnsafeMutablePointer<UInt8>
  /// How many bytes all values have together.
  private(set) var byteCount = 0
  private var capacity = XMLTakenValues.initialCapacity
  private static let initialCapacity = 2 * TextWindow.readByteCount
  private var entries: [Entry] = []
  private var firstWaiting = 0

  private struct Entry {
    /// Where in `bytes` the value starts.
    var offset: Int
    var count: Int
    /// Where in the parser's input a text stood; -1 for the value of an attribute.
    var textOffset: Int64
  }

  init() {
    bytes = .allocate(capacity: capacity)
    entries.reserveCapacity(4_096)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// The number within the piece of the value that the callback takes next.
  @inline(__always)
  var nextNumber: UInt32 { UInt32(truncatingIfNeeded: firstWaiting) }

  /// Whether there is a value to take.
  @inline(__always)
  var hasWaiting: Bool { firstWaiting < entries.count }

  /// Where the value to take next stood, when it is a text; -1 when it is an attribute's.
  ///
  /// - Precondition: ``hasWaiting``.
  @inline(__always)
  var nextTextOffset: Int64 { entries[firstWaiting].textOffset }

  /// Gives up all values and starts again with number 0.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    firstWaiting = 0
    byteCount = 0
    releaseHugeMemory()
  }

  /// Gives back the memory that huge values needed.
  ///
  /// - Precondition: No value waits.
  mutating func releaseHugeMemory() {
    guard capacity > 8 * TextWindow.readByteCount else { return }
    byteCount = 0
    bytes.deallocate()
    capacity = XMLTakenValues.initialCapacity
    bytes = .allocate(capacity: capacity)
  }

  /// Takes the next waiting value; the pointer is good until ``removeAll()``.
  @inline(__always)
  mutating func takeNext() -> (bytes: UnsafePointer<UInt8>, count: Int) {
    let entry = entries[firstWaiting]
    firstWaiting += 1
    return (UnsafePointer(bytes + entry.offset), entry.count)
  }

  /// Gives up the value that was decoded last.
  mutating func dropLast() {
    byteCount -= entries.removeLast().count
  }

  /// What became of a value.
  enum Result {
    /// Its end is not there yet.
    case incomplete
    /// The parser has to see it itself: it refers to a declared entity, is not well-formed, or is
    /// so short and plain that nothing is gained.
    case left
    /// It waits to be taken, under this number.
    case taken(UInt32)
  }

  /// Shorter plain values are left where they are: libxml2 is fast on them.
  private static var shortestTaken: Int { 40 }

  /// Decodes the value at `cursor`, behind its opening quote, and moves `cursor` to the closing
  /// one; it does not move when there is none before `end`.
  ///
  /// Without a DTD every attribute is CDATA: a tab becomes a blank, and runs of blanks are kept.
  @inline(__always)
  mutating func decode(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, quote: UInt8,
    classes: UnsafePointer<UInt8>
  ) -> Result {
    // No reference expands: the shortest, "&lt;", has four bytes for one.
    if byteCount + (end - cursor) > capacity { grow(by: end - cursor) }
    let start = bytes + byteCount
    var input = cursor
    var output = start
    var isPlain = true
    while true {
      XMLTakenValues.copyPlain(&input, end: end, to: &output)
      while input < end, classes[Int(input.pointee)] == 0 {
        output.pointee = input.pointee
        input += 1
        output += 1
      }
      guard input < end else { return .incomplete }
      let byte = input.pointee
      if byte == quote { break }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F, 0x09:
        if byte == 0x7F { isPlain = false }
        output.pointee = byte == 0x09 ? 0x20 : byte
        input += 1
        output += 1
      case UInt8(ascii: "&"):
        isPlain = false
        guard let length = XMLReference.decode(&input, end: end, into: output) else {
          return leave(&cursor, end: end, quote: quote)
        }
        output += length
      default:
        isPlain = false
        let length = byte >= 0x80 ? UTF8Scalar.length(at: input, end: end) : 0
        guard length > 0 else { return leave(&cursor, end: end, quote: quote) }
        output.update(from: input, count: length)
        input += length
        output += length
      }
    }
    cursor = input
    let count = output - start
    if isPlain, count < XMLTakenValues.shortestTaken { return .left }
    entries.append(Entry(offset: byteCount, count: count, textOffset: -1))
    byteCount += count
    return .taken(UInt32(truncatingIfNeeded: entries.count - 1))
  }

  /// Decodes a whole text that stands between two tags; false for one that the parser must see.
  ///
  /// Line breaks become LF, as XML wants it.
  mutating func decodeText(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, at textOffset: Int64,
    classes: UnsafePointer<UInt8>
  ) -> Bool {
    if byteCount + (end - start) > capacity { grow(by: end - start) }
    let outputStart = bytes + byteCount
    var input = start
    var output = outputStart
    while input < end {
      XMLTakenValues.copyPlain(&input, end: end, to: &output)
      guard input < end else { break }
      let byte = input.pointee
      switch byte {
      case UInt8(ascii: "&"):
        guard let length = XMLReference.decode(&input, end: end, into: output) else { return false }
        output += length
      case 0x80...:
        let length = UTF8Scalar.length(at: input, end: end)
        guard length > 0 else { return false }
        output.update(from: input, count: length)
        input += length
        output += length
      case 0x0D:
        if input + 1 == end || input[1] != 0x0A {
          output.pointee = 0x0A
          output += 1
        }
        input += 1
      case 0x09, 0x0A, 0x20...:
        output.pointee = byte
        input += 1
        output += 1
      default: return false
      }
    }
    if XMLTakenValues.hasSectionEnd(start, end) { return false }
    let count = output - outputStart
    entries.append(Entry(offset: byteCount, count: count, textOffset: textOffset))
    byteCount += count
    return true
  }

  /// Whether `]]>`, which may not stand in a text, does so as it was written.
  private static func hasSectionEnd(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    var cursor = start
    while end - cursor >= 3,
      let found = memchr(cursor, Int32(UInt8(ascii: "]")), end - cursor - 2)
    {
      cursor = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      if cursor[1] == UInt8(ascii: "]"), cursor[2] == UInt8(ascii: ">") { return true }
      cursor += 1
    }
    return false
  }

  /// Goes to the end of a value that is the parser's business.
  private func leave(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, quote: UInt8
  ) -> Result {
    guard let found = memchr(cursor, Int32(quote), end - cursor) else { return .incomplete }
    cursor = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    return .left
  }

  private mutating func grow(by added: Int) {
    bytes.grow(count: byteCount, toHold: byteCount + added, capacity: &capacity)
  }

  /// Copies bytes without a class, eight at a time, as far as they go.
  @inline(__always)
  private static func copyPlain(
    _ input: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
    to output: inout UnsafeMutablePointer<UInt8>
  ) {
    while end - input >= 8 {
      let word = UnsafeRawPointer(input).loadUnaligned(as: UInt64.self)
      if XMLByteClasses.hasSpecial(word) { return }
      UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
      input += 8
      output += 8
    }
  }
}
