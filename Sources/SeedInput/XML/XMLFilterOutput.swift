/// What a filter has made for the parser, with the way back to the original's offsets.
struct XMLFilterOutput {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = 2 * TextWindow.readByteCount
  private var count = 0
  private var taken = 0
  /// How many bytes came before `bytes`.
  private var startOffset: Int64 = 0
  /// Places where output and original correspond, in rising order; of this output and the last.
  private var marks: [Mark] = [Mark(output: 0, original: 0, droppedLines: 0)]
  private var previousMarkCount = 0
  /// Where ``droppedLineCount(upTo:)`` goes on searching.
  private var searchStart = 0
  private var droppedLines = 0

  private struct Mark {
    var output: Int64
    var original: Int64
    /// How many line breaks of the original have been left out so far.
    var droppedLines: Int
  }

  /// The count of bytes of a placeholder: U+007F and eight hexadecimal digits.
  static let placeholderByteCount = 9

  init() {
    bytes = .allocate(capacity: capacity)
    marks.reserveCapacity(4_096)
  }

  func deallocate() {
    bytes.deallocate()
  }

  var isEmpty: Bool { taken == count }

  mutating func removeAll() {
    startOffset += Int64(count)
    count = 0
    taken = 0
    // The parser lags behind by what it has read ahead; keep the marks of one output more.
    marks.removeFirst(previousMarkCount)
    searchStart = max(0, searchStart - previousMarkCount)
    previousMarkCount = max(0, marks.count - 1)
  }

  mutating func append(_ source: UnsafePointer<UInt8>, count added: Int) {
    if count + added > capacity { grow(by: added) }
    (bytes + count).update(from: source, count: added)
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

  /// Notes that the output so far ends at this offset of the original.
  mutating func mark(originalOffset: Int64, droppingLines lineCount: Int = 0) {
    droppedLines += lineCount
    marks.append(
      Mark(
        output: startOffset + Int64(count), original: originalOffset, droppedLines: droppedLines))
  }

  /// How many line breaks were left out before this offset of the output; offsets must rise.
  @inline(__always)
  mutating func droppedLineCount(upTo offset: Int64) -> Int {
    while searchStart + 1 < marks.count, marks[searchStart + 1].output <= offset {
      searchStart += 1
    }
    return marks[searchStart].droppedLines
  }

  mutating func take(into buffer: UnsafeMutablePointer<UInt8>, capacity: Int) -> Int {
    let given = min(capacity, count - taken)
    buffer.update(from: bytes + taken, count: given)
    taken += given
    return given
  }

  /// The offset in the original of what stands at this offset of the output.
  func originalOffset(of offset: Int64) -> Int64 {
    let mark = marks.last { $0.output <= offset } ?? marks[0]
    let next = marks.first { $0.output > offset }
    let original = mark.original + offset - mark.output
    return next.map { min(original, $0.original) } ?? original
  }

  private mutating func grow(by added: Int) {
    let larger = max(count + added, capacity + capacity / 2)
    let replacement = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    replacement.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = replacement
    capacity = larger
  }
}
