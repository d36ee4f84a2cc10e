/// Decodes attribute values (XML 1.0, section 3.3.3) that need no declared entity.
///
/// The decoded values wait in order of the document for the parser's callback to take them.
struct XMLAttributeDecoder {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var byteCount = 0
  private var capacity = 128 << 10
  /// Where in `bytes` each waiting value starts and how long it is.
  private var entries: [(offset: Int, count: Int)] = []
  private var firstWaiting = 0
  /// The number of the first entry of `entries`, counted over the whole document.
  private var baseNumber: UInt32 = 0

  init() {
    bytes = .allocate(capacity: capacity)
    entries.reserveCapacity(4_096)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// The number of the value that the callback takes next.
  @inline(__always)
  var nextNumber: UInt32 { baseNumber &+ UInt32(truncatingIfNeeded: firstWaiting) }

  /// Whether there is a value to take.
  @inline(__always)
  var hasWaiting: Bool { firstWaiting < entries.count }

  /// Gives up the values that were taken, and their room. Call when nothing points into it.
  mutating func compact() {
    guard firstWaiting > 0 else { return }
    let start = firstWaiting < entries.count ? entries[firstWaiting].offset : byteCount
    bytes.update(from: bytes + start, count: byteCount - start)
    byteCount -= start
    baseNumber &+= UInt32(truncatingIfNeeded: firstWaiting)
    entries.removeFirst(firstWaiting)
    for index in entries.indices { entries[index].offset -= start }
    firstWaiting = 0
  }

  /// Takes the next waiting value; the pointer is good until ``compact()`` or a decoding.
  @inline(__always)
  mutating func takeNext() -> (bytes: UnsafePointer<UInt8>, count: Int) {
    let entry = entries[firstWaiting]
    firstWaiting += 1
    return (UnsafePointer(bytes + entry.offset), entry.count)
  }

  /// Decodes a value between its quotes and gives its number.
  ///
  /// Gives nil, and keeps nothing, for a value that the parser has to see itself: one that refers
  /// to a declared entity, or that is not well-formed.
  mutating func decode(_ value: UnsafePointer<UInt8>, count: Int) -> UInt32? {
    // No reference expands: the shortest, "&lt;", has four bytes for one.
    if byteCount + count > capacity { grow(by: count) }
    let start = byteCount
    var input = value
    let end = value + count
    var output = bytes + start
    while input < end {
      let byte = input.pointee
      if byte == UInt8(ascii: "&") {
        guard let length = XMLReference.decode(&input, end: end, into: output) else { return nil }
        output += length
      } else if byte < 0x80 {
        // Without a DTD every attribute is CDATA: a tab becomes a blank, runs are kept.
        output.pointee = byte == 0x09 ? 0x20 : byte
        input += 1
        output += 1
      } else {
        let length = UTF8Scalar.length(at: input, end: end)
        guard length > 0 else { return nil }
        output.update(from: input, count: length)
        input += length
        output += length
      }
    }
    byteCount = output - bytes
    entries.append((start, byteCount - start))
    return baseNumber &+ UInt32(truncatingIfNeeded: entries.count - 1)
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
