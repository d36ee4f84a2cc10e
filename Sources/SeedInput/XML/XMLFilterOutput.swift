#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What a filter has made for the parser, with the way back to the original's offsets.
struct XMLFilterOutput {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = TextWindow.readByteCount + 4_096
  private(set) var count = 0
  private var taken = 0
  /// How many bytes the parser gets before these.
  private(set) var startOffset: Int64 = 0
  /// Places where output and original correspond, in rising order.
  private var marks: [Mark] = []
  /// Where ``risingOriginalOffset(of:)`` goes on searching.
  private var searchStart = 0

  private struct Mark {
    var output: Int64
    var original: Int64
  }

  /// The count of bytes of a placeholder: U+007F and eight hexadecimal digits.
  static let placeholderByteCount = 9

  init() {
    bytes = .allocate(capacity: capacity)
  }

  func deallocate() {
    bytes.deallocate()
  }

  /// The offset behind these bytes in the parser's input.
  var endOffset: Int64 { startOffset + Int64(count) }

  var isEmpty: Bool { taken == count }

  mutating func removeAll() {
    count = 0
    taken = 0
    searchStart = 0
    marks.removeAll(keepingCapacity: true)
    guard capacity > 8 * TextWindow.readByteCount else { return }
    bytes.deallocate()
    capacity = TextWindow.readByteCount + 4_096
    bytes = .allocate(capacity: capacity)
  }

  /// Says where an empty output stands in the parser's input and in the original.
  mutating func begin(at offset: Int64, originalOffset: Int64) {
    startOffset = offset
    mark(originalOffset: originalOffset)
  }

  mutating func append(_ source: UnsafePointer<UInt8>, count added: Int) {
    if count + added > capacity { grow(by: added) }
    (bytes + count).update(from: source, count: added)
    count += added
  }

  mutating func append(blanks added: Int) {
    if count + added > capacity { grow(by: added) }
    (bytes + count).update(repeating: 0x20, count: added)
    count += added
  }

  mutating func append(placeholder number: UInt32) {
    if count + XMLFilterOutput.placeholderByteCount > capacity {
      grow(by: XMLFilterOutput.placeholderByteCount)
    }
    XMLFilterOutput.write(placeholder: number, to: bytes + count)
    count += XMLFilterOutput.placeholderByteCount
  }

  /// Writes the nine bytes that stand for the value of this number.
  @inline(__always)
  static func write(placeholder number: UInt32, to target: UnsafeMutablePointer<UInt8>) {
    target[0] = 0x7F
    for digit in 0..<8 {
      // Sixteen letters from "@" on: no markup, no blank.
      target[1 + digit] = 0x40 | UInt8(truncatingIfNeeded: number >> UInt32(4 * digit)) & 0x0F
    }
  }

  /// Whether nine bytes are the placeholder of this number.
  @inline(__always)
  static func isPlaceholder(_ bytes: UnsafePointer<UInt8>, of number: UInt32) -> Bool {
    guard bytes[0] == 0x7F else { return false }
    for digit in 0..<8
    where bytes[1 + digit] != 0x40 | UInt8(truncatingIfNeeded: number >> UInt32(4 * digit)) & 0x0F {
      return false
    }
    return true
  }

  /// Notes that the output so far ends at this offset of the original.
  mutating func mark(originalOffset: Int64) {
    marks.append(Mark(output: startOffset + Int64(count), original: originalOffset))
  }

  /// The offset in the original of what stands before this offset of the output; offsets must rise.
  @inline(__always)
  mutating func risingOriginalOffset(of offset: Int64) -> Int64 {
    while searchStart + 1 < marks.count, marks[searchStart + 1].output < offset {
      searchStart += 1
    }
    return marks[searchStart].original + offset - marks[searchStart].output
  }

  mutating func take(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int {
    let given = min(capacity, count - taken)
    buffer.update(from: bytes + taken, count: given)
    taken += given
    return given
  }

  /// The offset in the original of what stands at this offset of the output.
  func originalOffset(of offset: Int64) -> Int64 {
    // What was left out at this very offset comes behind it: the parser has not been there yet.
    guard let mark = marks.last(where: { $0.output < offset }) ?? marks.first else { return 0 }
    let next = marks.first { $0.output >= offset && $0.output > mark.output }
    let original = mark.original + offset - mark.output
    return next.map { min(original, $0.original) } ?? original
  }

  private mutating func grow(by added: Int) {
    bytes.grow(count: count, toHold: count + added, capacity: &capacity)
  }
}
