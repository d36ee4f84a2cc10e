internal import SeedFiles
internal import SeedModel
internal import SeedStreams

/// The body of a dynamic answer: the segments that lead from a position to the head, cut into pages
/// and closed by checkpoints.
///
/// A stored segment that begins before the position is sent whole: it holds the last value of each
/// row that it touches, so it leads to its end from anywhere in its range.
internal final class CheckpointFeed: AnswerBody {
  private let stream: PublishedStream
  private let published: PublishedHead
  private let pageByteCount: Int
  private let resumed: PageCursor?
  private var position: StreamPosition
  private var segment: OpenSegment?
  private var hasBegun = false
  private var hasEnded = false

  /// What is sent next, from ``start`` on.
  private var pending: [UInt8] = []
  private var start = 0

  /// Over all lines since the last page or checkpoint.
  private var digest = SHA256Digest()
  private var digestedByteCount = 0
  private var rowsOnPage = 0

  /// A body that begins at a position.
  ///
  /// - Parameters:
  ///   - stream: Where the segments lie.
  ///   - published: The head that the body leads to.
  ///   - position: Where the client stands.
  ///   - segment: What leads on from there, if that is not the head.
  ///   - resumed: The place in the segment at which the client goes on.
  ///   - pageByteCount: The most bytes of a page.
  internal init(
    _ stream: PublishedStream, _ published: PublishedHead, from position: StreamPosition,
    segment: OpenSegment?, resumed: PageCursor? = nil, pageByteCount: Int
  ) {
    self.stream = stream
    self.published = published
    self.position = position
    self.segment = segment
    self.resumed = resumed
    self.pageByteCount = pageByteCount
  }

  internal var byteCount: Int64? { nil }

  internal func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while start == pending.count, !hasEnded {
      pending.removeAll(keepingCapacity: true)
      start = 0
      try produce()
    }
    let count = min(buffer.count, pending.count - start)
    buffer.copyBytes(from: pending[start..<start + count])
    start += count
    return count
  }

  /// Puts at least one more line into ``pending``, unless nothing follows.
  private func produce() throws {
    guard hasBegun else { return begin() }
    guard var segment else { return try goOn() }
    let offset = segment.text.offset
    guard let line = try segment.text.next() else {
      throw StoredLines.Damaged(reason: "it has no end")
    }
    switch LineKind(line) {
    case .row:
      if rowsOnPage > 0, digestedByteCount + line.count > pageByteCount {
        closePage(PageCursor(sha256: segment.sha256, offset: offset))
      }
      rowsOnPage += 1
      append(line)
    case .section:
      segment.open(line)
      self.segment = segment
      append(line)
    case .end(let rows): closeCheckpoint(segment, rows: rows)
    case .unknown: throw StoredLines.Damaged(reason: "a line is unknown")
    }
  }

  private func begin() {
    hasBegun = true
    var members: [JSONValue.Member] = [
      .init("segment", 1), .init("stream", .string(published.head.stream)),
      .init("epoch", .integer(position.epoch)), .init("from", .integer(position.seq)),
      .init("from_id", .string(position.id)),
    ]
    if let resumed { members.append(.init("cursor", .string(resumed.text))) }
    JSONValue.object(members).line.withUnsafeBytes { append($0) }
    if resumed != nil, let section = segment?.section { section.withUnsafeBytes { append($0) } }
  }

  /// Opens the next segment, or ends.
  private func goOn() throws {
    guard position.seq < published.head.position.seq else { return try end() }
    guard let entry = published.segment(after: position.seq) else {
      throw StoredLines.Damaged(reason: "the head has a gap")
    }
    let next = try OpenSegment(entry.sha256, of: stream, published.head)
    guard next.id(at: position.seq) == position.id else {
      throw StoredLines.Damaged(reason: "it does not follow the one before")
    }
    segment = next
  }

  /// Adds lines that a digest covers.
  private func append(_ line: UnsafeRawBufferPointer) {
    digest.update(line)
    digestedByteCount += line.count
    pending += line
  }

  private func closePage(_ cursor: PageCursor) {
    pending +=
      JSONValue.object([
        .init(
          "page", ["cursor": .string(cursor.text), "sha256": .string(digest.hexadecimal())])
      ]).line
    beginPage()
  }

  private func closeCheckpoint(_ segment: OpenSegment, rows: Int64) {
    position.seq = segment.to
    position.id = segment.ids[segment.ids.count - 1]
    self.segment = nil
    pending +=
      JSONValue.object([
        .init(
          "checkpoint",
          [
            "seq": .integer(position.seq), "id": .string(position.id),
            // Clients give it back; this server does not need it.
            "cursor": .string("at-\(position.seq)"), "rows": .integer(rows),
            "sha256": .string(digest.hexadecimal()),
          ])
      ]).line
    beginPage()
  }

  private func beginPage() {
    digest = SHA256Digest()
    digestedByteCount = 0
    rowsOnPage = 0
  }

  private func end() throws {
    // Something may have been published while this was sent.
    let now = try stream.head()?.head.position
    var members: [JSONValue.Member] = [.init("up_to_date", .bool(now == position))]
    if let seconds = published.head.pollAfterSeconds {
      members.append(.init("poll_after", .integer(seconds)))
    }
    pending += JSONValue.object([.init("end", .object(members))]).line
    hasEnded = true
  }
}
