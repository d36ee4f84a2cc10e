/// A flat piece of a document: what a reader hands to the loader, some thousand records at a time.
///
/// All formats are spoken of in XML's words: an *element* at a *place* (its path of names) with
/// *fields* (attributes, and one for direct text). The tokens lie in `words`, their values one
/// after the other in `bytes`, in the order of the tokens that own them:
///
///     start   place | tag 0, line
///     field   field | tag 1, byte count     (attributes directly after their start)
///     text    field | tag 2, byte count     (one run of direct text)
///     end             tag 3
///
/// No string, array or object is made for a record; a batch's memory is used again.
/// A batch belongs to one thread at a time; `BatchChannel` hands it over.
package struct TokenBatch {
  /// The tokens. The two high bits of a token's first word are its kind.
  package private(set) var words: UnsafeMutablePointer<UInt32>
  package private(set) var wordCount = 0
  private var wordCapacity: Int

  /// The values of the fields and texts.
  package private(set) var bytes: UnsafeMutablePointer<UInt8>
  package private(set) var byteCount = 0
  package private(set) var byteCapacity: Int

  /// Places and fields that are met for the first time in this batch, in document order.
  package var definitions: [TokenDefinition] = []
  /// How many bytes of the input had been read when the batch was complete.
  package var inputBytesRead: Int64 = 0

  /// A batch with room for an ordinary load; it grows when a value needs more.
  package init() {
    wordCapacity = 1 << 15
    byteCapacity = TokenBatch.preferredByteCount + (64 << 10)
    words = .allocate(capacity: wordCapacity)
    bytes = .allocate(capacity: byteCapacity)
  }

  /// A batch is complete when it has this many value bytes.
  package static let preferredByteCount = 192 << 10
  /// … or this many words of tokens.
  package static let preferredWordCount = 30 << 10

  /// Frees the memory; the batch must not be used afterwards.
  package func deallocate() {
    words.deallocate()
    bytes.deallocate()
  }

  /// Empties the batch, and gives back memory that one huge value needed.
  package mutating func removeAll() {
    wordCount = 0
    byteCount = 0
    definitions.removeAll(keepingCapacity: true)
    inputBytesRead = 0
    if byteCapacity > 4 * TokenBatch.preferredByteCount {
      bytes.deallocate()
      byteCapacity = TokenBatch.preferredByteCount + (64 << 10)
      bytes = .allocate(capacity: byteCapacity)
    }
  }

  /// Appends one word.
  @inline(__always)
  package mutating func append(word: UInt32) {
    if wordCount == wordCapacity { growWords() }
    words[wordCount] = word
    wordCount += 1
  }

  /// Appends bytes to the value that is being collected.
  @inline(__always)
  package mutating func append(bytes source: UnsafePointer<UInt8>, count: Int) {
    if byteCount + count > byteCapacity { growBytes(by: count) }
    (bytes + byteCount).update(from: source, count: count)
    byteCount += count
  }

  /// Drops the last bytes, such as blanks that turn out to be formatting.
  package mutating func truncateBytes(to count: Int) {
    precondition(count <= byteCount)
    byteCount = count
  }

  private mutating func growWords() {
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: wordCapacity * 2)
    larger.update(from: words, count: wordCount)
    words.deallocate()
    words = larger
    wordCapacity *= 2
  }

  private mutating func growBytes(by count: Int) {
    // Half as much again: doubling would take a 16 MiB value to 32 MiB.
    let capacity = max(byteCount + count, byteCapacity + byteCapacity / 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: bytes, count: byteCount)
    bytes.deallocate()
    bytes = larger
    byteCapacity = capacity
  }
}
