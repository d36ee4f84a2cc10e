/// A flat piece of a document: what a reader hands to the loader, some thousand records at a time.
///
/// All formats are spoken of in XML's words: an *element* at a *place* (its path of names) with
/// *fields* (attributes, and one for direct text). The tokens lie in `words`, their values one
/// after the other in `bytes`, in the order of the tokens that own them. A token's first word has
/// its kind in the two high bits:
///
///     0  start   place; second word: line
///     1  field   number of the field; second word: byte count (where no child is open)
///     2  text    1 if it is all blanks, else 0; second word: byte count (one run of direct text)
///     3  end     ``ElementForm``
///
/// Where the reader's settings ask for it, a text of the number 2 stands for an array with nothing in
/// it, one of the number 3 for such a keyed collection, each the value of a member; the second word is
/// the place that its items would have had. No other token shows that there was such a member.
///
/// No string, array or object is made for a record; a batch's memory is used again.
/// A batch belongs to one thread at a time. The properties are open to readers and loader because
/// both work on the memory itself: a call into another module for each token would cost more than
/// the token.
package struct TokenBatch {
  /// The tokens.
  package var words: UnsafeMutablePointer<UInt32>
  package var wordCount = 0
  package var wordCapacity: Int

  /// The values of the fields and texts.
  package var bytes: UnsafeMutablePointer<UInt8>
  package var byteCount = 0
  package var byteCapacity: Int

  /// Places and fields that are met for the first time in this batch, in document order.
  package var definitions: [TokenDefinition] = []
  /// How many bytes of the input had been read when the batch was complete.
  package var inputBytesRead: Int64 = 0
  /// Where the starts, fields and texts of the batch stand, in their order.
  ///
  /// The last place is also that of the tokens behind it. Empty unless the reader's settings ask for
  /// places: a batch is then no more than a record of delimited text, and elsewhere about one token.
  package var places: [TokenPlace] = []

  /// The numbers of texts that stand for members with nothing in them.
  package static let emptyArrayMark = 2
  package static let emptyObjectMark = 3

  /// A batch with room for an ordinary load; it grows when a value needs more.
  package init() {
    wordCapacity = 1 << 15
    byteCapacity = TokenBatch.initialByteCapacity
    words = .allocate(capacity: wordCapacity)
    bytes = .allocate(capacity: byteCapacity)
  }

  /// A batch is complete when it has this many value bytes.
  package static let preferredByteCount = 192 << 10
  /// … or this many words of tokens.
  package static let preferredWordCount = 30 << 10
  private static let initialByteCapacity = preferredByteCount + (64 << 10)

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
    places.removeAll(keepingCapacity: true)
    guard byteCapacity > 4 * TokenBatch.initialByteCapacity else { return }
    bytes.deallocate()
    byteCapacity = TokenBatch.initialByteCapacity
    bytes = .allocate(capacity: byteCapacity)
  }
}
