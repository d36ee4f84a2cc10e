internal import SeedModel

/// Writing tokens: here, where the readers are, so that it is compiled into their loops.
extension TokenBatch {
  @inline(__always)
  mutating func appendStart(place: Int, line: UInt32) {
    append(UInt32(truncatingIfNeeded: place), line)
  }

  @inline(__always)
  mutating func appendField(_ field: Int, _ value: UnsafePointer<UInt8>, count: Int) {
    append(1 << 30 | UInt32(truncatingIfNeeded: field), UInt32(truncatingIfNeeded: count))
    append(bytes: value, count: count)
  }

  /// A field whose value, the last `count` bytes, is there already.
  @inline(__always)
  mutating func appendField(_ field: Int, count: Int) {
    append(1 << 30 | UInt32(truncatingIfNeeded: field), UInt32(truncatingIfNeeded: count))
  }

  @inline(__always)
  mutating func appendText(isBlank: Bool, count: Int) {
    append(2 << 30 | (isBlank ? 1 : 0), UInt32(truncatingIfNeeded: count))
  }

  @inline(__always)
  mutating func appendEnd(_ form: ElementForm = .plain) {
    if wordCount + 1 > wordCapacity { growWords() }
    words[wordCount] = 3 << 30 | form.rawValue
    wordCount += 1
  }

  /// Says that the value of a member had nothing in it.
  mutating func appendEmpty(place: Int, mark: Int) {
    append(2 << 30 | UInt32(truncatingIfNeeded: mark), UInt32(truncatingIfNeeded: place))
  }

  @inline(__always)
  private mutating func append(_ first: UInt32, _ second: UInt32) {
    if wordCount + 2 > wordCapacity { growWords() }
    words[wordCount] = first
    words[wordCount + 1] = second
    wordCount += 2
  }

  /// Appends to the value that is being collected.
  @inline(__always)
  mutating func append(bytes source: UnsafePointer<UInt8>, count: Int) {
    if byteCount + count > byteCapacity { growBytes(by: count) }
    (bytes + byteCount).update(from: source, count: count)
    byteCount += count
  }

  /// Makes room for so many more words and bytes, for those who write into the memory themselves.
  @inline(__always)
  mutating func reserve(words newWords: Int, bytes newBytes: Int) {
    if wordCount + newWords > wordCapacity {
      words.grow(count: wordCount, toHold: wordCount + newWords, capacity: &wordCapacity)
    }
    if byteCount + newBytes > byteCapacity { growBytes(by: newBytes) }
  }

  /// Appends one byte to the value that is being collected.
  @inline(__always)
  mutating func append(byte: UInt8) {
    reserve(1)
    bytes[byteCount] = byte
    byteCount += 1
  }

  /// Makes sure that so many more bytes can be written behind the last one.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if byteCount + count > byteCapacity { growBytes(by: count) }
  }

  private mutating func growWords() {
    words.grow(count: wordCount, toHold: wordCount + 2, capacity: &wordCapacity)
  }

  private mutating func growBytes(by added: Int) {
    bytes.grow(count: byteCount, toHold: byteCount + added, capacity: &byteCapacity)
  }
}
