internal import SeedModel

/// Reads the records behind the header and gives them out in batches.
struct DelimitedParse {
  private let header: DelimitedHeader
  private let settings: ReaderSettings
  private let deliver: (TokenBatch) -> TokenBatch?
  private let columnCount: Int
  /// The words that one record takes.
  private let recordWordCount: Int
  /// Records with the wrong number of fields.
  private var errors: [InputError] = []
  private var outcome = ReaderOutcome()
  private var singleColumn: DelimitedSingleColumn
  // Bounds of another module, kept here for the loop.
  private let fullByteCount = TokenBatch.preferredByteCount
  private let fullWordCount: Int
  private let longestRecord = InputLimits.rowBytes

  /// Why a scan pauses.
  private enum Pause {
    /// There are no more complete records.
    case incomplete
    case batchIsFull
    /// Empty lines that were passed over are values after all.
    case emptyLines
    case ragged
    case tooLong
    case fault(DelimitedScan.End)
  }

  init(
    header: DelimitedHeader, settings: ReaderSettings,
    deliver: @escaping (TokenBatch) -> TokenBatch?
  ) {
    self.header = header
    self.settings = settings
    self.deliver = deliver
    columnCount = header.names.count
    recordWordCount = 2 * header.names.count + 3
    fullWordCount = settings.givesPlaces ? 0 : settings.batchWordCount
    singleColumn = DelimitedSingleColumn(delimiter: header.delimiter)
    outcome.remarks = header.remarks
  }

  /// Reads to the end.
  ///
  /// - Throws: ``InputError``, ``InputErrors``.
  mutating func run(
    _ text: inout DelimitedText, _ batch: inout TokenBatch
  ) throws -> ReaderOutcome {
    define(in: &batch)
    batch.appendStart(place: 0, line: header.line)
    if settings.givesPlaces { flush(&batch, text) }
    do {
      while try !step(&text, &batch), !outcome.wasCancelled {}
    } catch let error as InputError where !errors.isEmpty {
      throw InputErrors(errors + [error])
    }
    if errors.count > 1 { throw InputErrors(errors) }
    if let error = errors.first { throw error }
    if outcome.wasCancelled { return outcome }
    if columnCount == 1 { outcome.remarks += singleColumn.remarks(settings) }
    batch.appendEnd()
    flush(&batch, text)
    return outcome
  }

  private func define(in batch: inout TokenBatch) {
    let name = QualifiedName(local: settings.recordName)
    let record = Int(DelimitedScan.recordPlace)
    batch.definitions = [
      .place(name: .document(settings.recordName), parent: nil), .place(name: name, parent: 0),
      .array(place: record),
    ]
    for column in header.names {
      batch.definitions.append(.attribute(name: QualifiedName(local: column), place: record))
    }
  }

  /// Reads as many records as there are at hand; true at the end.
  private mutating func step(
    _ text: inout DelimitedText, _ batch: inout TokenBatch
  ) throws -> Bool {
    // Room for a full batch and one record more.
    batch.reserve(
      words: max(0, fullWordCount - batch.wordCount) + recordWordCount, bytes: text.count + 16)
    var scan = text.scan(into: batch, delimiter: header.delimiter, quote: header.quote)
    let (start, line) = (text.byteCount, text.line)
    let kept = text.putSentinel()
    let pause = self.scan(&scan, &text, &batch)
    text.removeSentinel(kept)
    switch pause {
    case .incomplete:
      if text.isLast { return true }
      let isOpen = scan.cursor < scan.end && scan.cursor.pointee == header.quote
      try text.readMore(
        contentCount: scan.output - (batch.bytes + batch.byteCount),
        openQuote: isOpen ? scan.cursor : nil)
    case .batchIsFull:
      if settings.givesPlaces {
        batch.places = DelimitedPlaces(header: header).places(
          text.bytes(since: start), at: start, line: Int(line))
      }
      flush(&batch, text)
    case .emptyLines: appendEmptyLines(&batch, text)
    case .ragged: try noteRagged(scan, &text)
    case .tooLong:
      throw text.error(.tooLong(what: "a record", limit: longestRecord), at: text.start)
    case .fault(let end):
      throw text.error(end.reason(at: scan.cursor, in: text, header.quote), at: scan.cursor)
    }
    return false
  }

  /// The loop over records: all that it touches is its own.
  ///
  /// Leaves text and batch behind the last record that is done with.
  private mutating func scan(
    _ state: inout DelimitedScan, _ text: inout DelimitedText, _ batch: inout TokenBatch
  ) -> Pause {
    var scan = state
    var done = state
    let columnCount = columnCount
    let longestRecord = longestRecord
    let fullOutput = batch.bytes + fullByteCount
    let fullWords = batch.words + fullWordCount
    var pause = Pause.incomplete
    while true {
      let end = scan.record(columnCount: columnCount)
      if end == .record {
        if scan.fieldCount != columnCount {
          pause = .ragged
          break
        }
        if scan.output - done.output > longestRecord {
          pause = .tooLong
          break
        }
        if columnCount == 1 {
          if singleColumn.waitingLines > 0 {
            pause = .emptyLines
            break
          }
          singleColumn.note(
            UnsafeBufferPointer(start: done.cursor, count: scan.cursor - done.cursor))
        }
        done = scan
        if scan.output >= fullOutput || scan.words >= fullWords {
          pause = .batchIsFull
          break
        }
      } else if end == .emptyLine {
        if columnCount == 1 { singleColumn.waitingLines += 1 }
        done = scan
      } else {
        if end != .incomplete { pause = .fault(end) }
        break
      }
    }
    batch.byteCount = done.output - batch.bytes
    batch.wordCount = done.words - batch.words
    text.move(to: done.cursor, line: done.line)
    state = scan
    return pause
  }

  /// Hands over what is there; nothing once a record was wrong.
  private mutating func flush(_ batch: inout TokenBatch, _ text: DelimitedText) {
    guard errors.isEmpty else {
      batch.removeAll()
      return
    }
    batch.inputBytesRead = text.byteCount
    guard let next = deliver(batch) else {
      // The batch is gone.
      batch = TokenBatch()
      outcome.wasCancelled = true
      return
    }
    batch = next
  }

  /// Makes records of the empty lines before the next record.
  private mutating func appendEmptyLines(_ batch: inout TokenBatch, _ text: DelimitedText) {
    let count = UInt32(truncatingIfNeeded: singleColumn.waitingLines)
    for line in (text.line &- count)..<text.line {
      batch.appendStart(place: Int(DelimitedScan.recordPlace), line: line)
      batch.appendField(0, count: 0)
      batch.appendEnd()
      if batch.wordCount >= fullWordCount { flush(&batch, text) }
      if outcome.wasCancelled { return }
    }
    singleColumn.waitingLines = 0
  }

  /// Notes that a record has the wrong number of fields, and goes over it.
  private mutating func noteRagged(_ scan: DelimitedScan, _ text: inout DelimitedText) throws {
    let length = scan.cursor - UnsafePointer(text.start)
    // A header that is a comment too has every record seem wrong.
    let isComment = text.start[0] == UInt8(ascii: "#") || header.names[0].hasPrefix("# ")
    let fault = DelimitedFault.ragged(
      found: scan.fieldCount, expected: columnCount, line: Int(text.line), header.columns,
      cause: isComment
        ? .comment
        : scan.surplus != nil ? .surplus(delimiter: header.delimiter) : .missing)
    let nextLine = scan.line
    errors.append(
      text.error(.delimited(fault), at: scan.surplus ?? scan.recordEnd(from: text.start)))
    guard errors.count < InputLimits.errors else { throw InputErrors(errors) }
    text.move(to: text.start + length, line: nextLine)
  }
}
