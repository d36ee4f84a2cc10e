internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// One answer of a dynamic server: takes its lines, compares digests and collects what matched.
///
/// Pages and checkpoints that are complete stay in the spool whatever comes after them.
internal final class DynamicAnswer {
  /// How an answer ended in order.
  internal enum Ending: Sendable, Hashable {
    case end(isUpToDate: Bool, pollAfter: Duration?)
    /// The way goes through published files; the whole line.
    case redirect(JSONValue)
  }

  /// The bytes are not those of the digest that came with them.
  internal struct Mismatch: Error {
    internal var object: String
  }
  /// Enough has come to be applied first.
  internal struct Enough: Error {}
  /// Pages come, but nothing is in them.
  internal struct Fruitless: Error {}

  /// How much is collected before it is applied, which bounds the disk.
  private static let closedByteCount: Int64 = 16 << 20
  private static let closedCount = 1000
  /// How many pages without a row an answer may have in a row.
  private static let emptyPageCount = 8

  private let context: StreamContext
  private let slot: SpoolSlot
  internal private(set) var closed: [ClosedCheckpoint] = []
  internal private(set) var ending: Ending?
  /// Whether a page or a checkpoint has come that was not there before.
  internal private(set) var hasProgressed = false

  private var pages: VerifiedPages
  private var buffer: PageBuffer
  private var section: [UInt8]?
  private var lines = AnswerLines()
  private var digest = SHA256Digest()
  private var lineNumber = 0
  /// The rows of the checkpoint that is open.
  private var rows: Int64
  private var rowsOnPage: Int64 = 0
  private var emptyPages = 0

  /// An answer to a request that went on behind some pages.
  internal init(_ pages: VerifiedPages, _ slot: SpoolSlot, in context: StreamContext) {
    self.pages = pages
    self.slot = slot
    self.context = context
    rows = pages.last?.rows ?? 0
    buffer = PageBuffer(directory: context.cache.directory, files: context.cache.files)
  }

  /// Takes the next bytes of the body.
  ///
  /// - Throws: ``StreamError``, ``Mismatch``, ``Enough``, ``Fruitless``, ``SeedFiles/FileError``.
  internal func take(_ bytes: UnsafeRawBufferPointer) throws {
    do {
      try lines.take(bytes) { try take(line: $0) }
    } catch is AnswerLines.TooLong {
      throw refuse("a line is longer than \(SegmentLimits.lineBytes) bytes")
    }
  }

  /// Takes an answer without a body: there is nothing newer.
  internal func endEmpty() {
    ending = .end(isUpToDate: pages.last == nil, pollAfter: nil)
  }

  private func refuse(_ words: String) -> StreamError {
    context.error(.unsupportedFormat("line \(lineNumber) of the answer: \(words)"))
  }

  private func take(line: UnsafeRawBufferPointer) throws {
    lineNumber += 1
    guard ending == nil else { throw refuse("something follows the end") }
    if line.first == UInt8(ascii: "["), lineNumber > 1 {
      guard section != nil else { throw refuse("a row stands outside of a section") }
      digest.update(line)
      rows += 1
      rowsOnPage += 1
      return try buffer.append(line)
    }
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: Array(line))
    } catch {
      throw refuse("it is no JSON")
    }
    guard lineNumber > 1 else { return try takeFirst(json, line) }
    if let table = json["table"] { return try takeSection(json, table, line) }
    if let page = json["page"] { return try takePage(page) }
    if let checkpoint = json["checkpoint"] { return try takeCheckpoint(checkpoint) }
    guard let end = json["end"] else { throw refuse("it is of an unknown kind") }
    try takeEnd(end)
  }

  /// The first line: whose changes these are and from where they lead on.
  private func takeFirst(_ json: JSONValue, _ line: UnsafeRawBufferPointer) throws {
    if json["segments"] != nil {
      ending = .redirect(json)
      return
    }
    guard let format = json["segment"] else { throw refuse("it is no segment") }
    guard format.integerValue == SegmentHeader.currentFormat else {
      throw refuse("the format is not \(SegmentHeader.currentFormat)")
    }
    let position = pages.position
    guard json["stream"]?.stringValue == context.stream else {
      throw refuse("it is of another stream")
    }
    guard json["epoch"]?.integerValue == position.epoch,
      json["from"]?.integerValue == position.seq, json["from_id"]?.stringValue == position.id
    else { throw refuse("it goes on from another position") }
    if let last = pages.last {
      if json["cursor"]?.stringValue == last.cursor {
        section = last.section
      } else {
        // The server does not know the place any more and begins anew.
        try pages.removeAll()
        rows = 0
      }
    }
    digest.update(line)
  }

  private func takeSection(
    _ json: JSONValue, _ table: JSONValue, _ line: UnsafeRawBufferPointer
  ) throws {
    guard table.stringValue != nil, (json["delete"] != nil) != (json["upsert"] != nil) else {
      throw refuse("the section is malformed")
    }
    digest.update(line)
    let bytes = Array(line)
    // A resumed answer repeats the line that the pages hold already.
    guard bytes != section else { return }
    section = bytes
    try buffer.append(line)
  }

  /// Compares a line's digest with that of the lines before it.
  private func check(_ json: JSONValue, _ object: String) throws {
    guard let sha256 = json["sha256"]?.stringValue else { throw refuse("a digest is missing") }
    let found = digest.hexadecimal()
    digest = SHA256Digest()
    guard sha256 == found else { throw Mismatch(object: object) }
  }

  /// What is to be given back, which has to fit into an address.
  private func cursor(_ json: JSONValue) throws -> String? {
    guard let cursor = json["cursor"]?.stringValue else { return nil }
    guard DynamicQuery.fits(cursor) else {
      throw refuse(
        "the cursor is longer than \(DynamicQuery.cursorByteLimit) bytes in an address")
    }
    return cursor
  }

  private func takePage(_ json: JSONValue) throws {
    try check(json, "page in line \(lineNumber)")
    guard let cursor = try cursor(json), !cursor.isEmpty else {
      throw refuse("a page has no cursor")
    }
    let isEmpty = rowsOnPage == 0
    try pages.append(buffer, rows: rows, cursor: cursor, section: section ?? [])
    buffer.removeAll()
    rowsOnPage = 0
    guard isEmpty else {
      emptyPages = 0
      // A server that forgets its cursors sends the same pages again and again.
      let isFurther = context.attempts.noteProgress(
        in: "\(pages.position.epoch)-\(pages.position.seq)", to: pages.last?.end ?? 0)
      hasProgressed = hasProgressed || isFurther
      return
    }
    emptyPages += 1
    if emptyPages == Self.emptyPageCount { throw Fruitless() }
  }

  private func noteProgress() {
    emptyPages = 0
    hasProgressed = true
    context.attempts.noteProgress()
  }

  private func takeCheckpoint(_ json: JSONValue) throws {
    let object = "checkpoint in line \(lineNumber)"
    try check(json, object)
    guard let seq = json["seq"]?.integerValue, let id = json["id"]?.stringValue, !id.isEmpty,
      id.utf8.count <= 128, let count = json["rows"]?.integerValue
    else { throw refuse("the checkpoint lacks what it has to say") }
    guard seq > pages.position.seq else { throw refuse("the checkpoint does not lead on") }
    let cursor = try cursor(json)
    guard count == rows else {
      // What was put together from several answers does not fit together.
      try pages.removeAll()
      throw Mismatch(object: object)
    }
    let position = StreamPosition(epoch: pages.position.epoch, seq: seq, id: id)
    let checkpoint = try ClosedCheckpoint.write(
      slot, pages, buffer, to: position, rows: rows, cursor: cursor)
    closed.append(checkpoint)
    buffer.removeAll()
    section = nil
    rows = 0
    rowsOnPage = 0
    pages = try VerifiedPages(slot, after: position)
    // What an earlier, broken answer left behind this checkpoint is on other lines.
    try pages.removeAll()
    noteProgress()
    let byteCount = closed.reduce(0) { $0 + $1.byteCount }
    if byteCount >= Self.closedByteCount || closed.count >= Self.closedCount { throw Enough() }
  }

  private func takeEnd(_ json: JSONValue) throws {
    guard case .bool(let isUpToDate)? = json["up_to_date"] else {
      throw refuse("the end does not say whether something follows")
    }
    guard !isUpToDate || buffer.isEmpty && pages.last == nil else {
      throw refuse("the end comes before a checkpoint")
    }
    let seconds = json["poll_after"]?.integerValue
    ending = .end(
      isUpToDate: isUpToDate,
      pollAfter: seconds.map { .seconds(min(max($0, 0), 86400 * 7)) })
  }
}
