internal import SeedModel

/// The part of a delimited text that is being read: checked UTF-8, with the place of a record.
struct DelimitedText {
  private let source: any ByteSource
  private let name: String
  private var window: TextWindow
  /// The index of the record that is next.
  private var position = 0
  /// The line of that record.
  private(set) var line: UInt32 = 1
  /// How many of the window's bytes are known to be text.
  private var checkedCount = 0
  /// What stands behind them, when it is none.
  private var fault = TextCheck.End.complete
  /// How many of the window's bytes were looked at, and whether their end was then known to be the
  /// end of all.
  private var seenCount = 0
  private var hasSeenEnd = false
  private var hasEnded = false

  init(_ source: any ByteSource, name: String, pieceByteCount: Int) {
    self.source = source
    self.name = name
    window = TextWindow(pieceByteCount: pieceByteCount)
  }

  func deallocate() { window.deallocate() }

  /// The bytes from the next record on; the pointer is good until more are read.
  var start: UnsafeMutablePointer<UInt8> { window.bytes + position }
  /// How many there are.
  var count: Int { checkedCount - position }
  /// Whether the text ends behind them, well.
  var isLast: Bool {
    hasSeenEnd && fault == .complete && checkedCount == window.count && window.failure == nil
  }
  /// How many bytes of the text come before the next record.
  var byteCount: Int64 { window.startOffset + Int64(position) }

  /// The bytes between the start of an earlier record, by its offset, and that of the next one.
  ///
  /// - Precondition: No bytes were read in between.
  func bytes(since offset: Int64) -> UnsafeBufferPointer<UInt8> {
    let count = Int(byteCount - offset)
    return UnsafeBufferPointer(start: start - count, count: count)
  }

  /// Goes to the record at an address, of a line.
  mutating func move(to address: UnsafePointer<UInt8>, line newLine: UInt32) {
    position = address - UnsafePointer(window.bytes)
    line = newLine
  }

  /// Gets more bytes behind those that are there.
  ///
  /// - Throws: What ends the text too early, once there are no more.
  mutating func readMore() throws {
    guard fault == .complete, !hasSeenEnd else { throw endFailure() }
    if seenCount == window.count { refill() }
    hasSeenEnd = hasEnded
    let isWhole = hasEnded && window.failure == nil
    let checked = TextCheck.check(
      window.bytes, from: checkedCount, count: window.count, isLast: isWhole)
    checkedCount = checked.index
    fault = checked.end
    seenCount = window.count
  }

  private mutating func refill() {
    let refill = window.refill(keeping: position, from: source)
    let dropped = position - refill.position
    position -= dropped
    checkedCount -= dropped
    seenCount -= dropped
    hasEnded = refill.readCount == 0
  }

  /// Gets more bytes of a record that is not complete.
  ///
  /// - Parameters:
  ///   - contentCount: How many bytes its fields have so far.
  ///   - address: Where its last quote opens, if that is not closed yet.
  /// - Throws: ``InputError`` when it is longer than a record may be, and what ends the text too
  ///   early.
  mutating func readMore(contentCount: Int, openQuote address: UnsafePointer<UInt8>?) throws {
    guard contentCount > InputLimits.rowBytes else { return try readMore() }
    if let address { throw error(.delimited(.unclosedQuote(isAtEnd: false)), at: address) }
    throw error(.tooLong(what: "a record", limit: InputLimits.rowBytes), at: start)
  }

  /// Prepares a scan of the records from the next one on.
  ///
  /// - Precondition: The sentinel is put behind them before it runs.
  func scan(into batch: TokenBatch, delimiter: UInt8, quote: UInt8) -> DelimitedScan {
    DelimitedScan(
      delimiter: delimiter, quote: quote, cursor: start, end: window.bytes + checkedCount,
      isLast: isLast, output: batch.bytes + batch.byteCount,
      words: batch.words + batch.wordCount, line: line)
  }

  /// Puts line feeds behind the bytes, as many as a scan may look at, and gives what stood there.
  func putSentinel() -> UInt64 {
    let address = window.bytes + checkedCount
    let kept = ByteWord.load(address)
    ByteWord.store(ByteWord.repeating(0x0A), to: address)
    return kept
  }

  /// Puts back what stood behind the bytes.
  func removeSentinel(_ kept: UInt64) { ByteWord.store(kept, to: window.bytes + checkedCount) }

  // MARK: Errors

  /// The error for a text without a line.
  var emptyError: InputError {
    InputError(
      line == 1 ? .emptyFile : .delimited(.onlyEmptyLines), at: SourceLocation(file: name))
  }

  /// Why there are no more bytes.
  private mutating func endFailure() -> any Error {
    let byte = window.bytes[checkedCount]
    let reason: InputError.Reason
    switch fault {
    case .complete:
      return window.failure ?? InputError(.changedWhileRead, at: SourceLocation(file: name))
    case .nul: reason = .nulByte
    case .invalid: reason = .delimited(.notUTF8(byte))
    case .cut: reason = .delimited(.cutCharacter)
    }
    return error(reason, at: window.bytes + checkedCount)
  }

  /// An error at an address, which is not before the next record.
  mutating func error(
    _ reason: InputError.Reason, at address: UnsafePointer<UInt8>
  ) -> InputError {
    let offset = address - UnsafePointer(start)
    // The line is shown alike however the text comes in pieces.
    while !hasEnded, window.count - position - offset < DelimitedText.excerptByteCount { refill() }
    let place = SourcePlace(
      UnsafeBufferPointer(start: start, count: window.count - position),
      startLine: Int(line), startColumn: 1, countsReturns: true)
    let (location, excerpt) = place.describe(index: offset, file: name)
    return InputError(reason, at: location, excerpt: excerpt)
  }

  /// At least as many bytes as an excerpt shows behind its caret.
  private static let excerptByteCount = 256
}
