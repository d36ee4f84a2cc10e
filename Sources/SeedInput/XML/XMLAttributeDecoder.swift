#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Decodes attribute values (XML 1.0, section 3.3.3) that need no declared entity.
///
/// The decoded values wait in order of the document for the parser's callback to take them.
struct XMLAttributeDecoder {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  private var capacity = XMLAttributeDecoder.initialCapacity
  private static let initialCapacity = 2 * TextWindow.readByteCount
  /// Where in `bytes` each waiting value starts and how long it is.
  private var entries: [(offset: Int, count: Int)] = []
  private var firstWaiting = 0

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

  /// Gives up all values and starts again with number 0.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    firstWaiting = 0
    byteCount = 0
    guard capacity > 8 * TextWindow.readByteCount else { return }
    bytes.deallocate()
    capacity = XMLAttributeDecoder.initialCapacity
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
      while end - input >= 8 {
        let word = UnsafeRawPointer(input).loadUnaligned(as: UInt64.self)
        if XMLByteClasses.hasSpecial(word) { break }
        UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
        input += 8
        output += 8
      }
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
    if isPlain, count < XMLAttributeDecoder.shortestTaken { return .left }
    entries.append((byteCount, count))
    byteCount += count
    return .taken(UInt32(truncatingIfNeeded: entries.count - 1))
  }

  /// Goes to the end of a value that is the parser's business.
  private func leave(
    _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, quote: UInt8
  ) -> Result {
    guard let found = memchr(cursor, Int32(quote), end - cursor) else { return .incomplete }
    cursor = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
    return .left
  }

  private mutating func grow(by count: Int) {
    let larger = max(byteCount + count, capacity + capacity / 2)
    let replacement = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    replacement.update(from: bytes, count: byteCount)
    bytes.deallocate()
    bytes = replacement
    capacity = larger
  }
}
