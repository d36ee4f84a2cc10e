internal import SeedFiles

/// One request of a download, with what its answer means for the part.
internal final class DownloadAttempt {
  /// The part does not belong to the document that the server has now.
  internal struct Restart: Error {}

  private let request: HTTPRequest
  private let part: PartFile
  private let byteLimit: Int64
  private let acceptedCodings: Set<String>
  private let onState: (DownloadState) throws -> Void
  internal private(set) var state: DownloadState
  internal private(set) var firstHead: HTTPHead?
  private var outcome: ResumableDownload.Outcome?

  /// Thrown to leave an answer whose body is of no use.
  private struct Finished: Error {}

  internal init(
    _ request: HTTPRequest, part: PartFile, state: DownloadState, byteLimit: Int64,
    acceptedCodings: Set<String>, firstHead: HTTPHead?,
    onState: @escaping (DownloadState) throws -> Void
  ) {
    self.request = request
    self.part = part
    self.state = state
    self.byteLimit = byteLimit
    self.acceptedCodings = acceptedCodings
    self.firstHead = firstHead
    self.onState = onState
  }

  internal func run(
    on transport: any HTTPTransport, cancellation: HTTPCancellation
  ) throws -> ResumableDownload.Outcome {
    var request = request
    // Only a strong validator makes it safe to ask for the rest alone.
    if part.byteCount > 0, let validator = state.validator {
      request.headers["Range"] = "bytes=\(part.byteCount)-"
      request.headers["If-Range"] = validator.text
      // The part is newer than what these speak of; beside If-Range they would only confuse.
      request.headers.remove("If-None-Match")
      request.headers.remove("If-Modified-Since")
    } else {
      try part.removeAllBytes()
      state = DownloadState()
      firstHead = nil
    }
    do {
      try transport.follow(
        request, cancellation: cancellation, onHead: { try take($0) }, onBody: { try take($0) })
    } catch is Finished {
      // The outcome was told by the head.
    }
    if let outcome { return outcome }
    guard let firstHead else { throw request.error(.cut(received: 0, expected: nil)) }
    if let byteCount = state.byteCount, part.byteCount != byteCount {
      throw request.error(.cut(received: part.byteCount, expected: byteCount))
    }
    return .complete(firstHead, isLengthKnown: state.byteCount != nil || firstHead.isChunked)
  }

  private func take(_ head: HTTPHead) throws {
    switch head.status {
    case 200: try takeWhole(head)
    case 206: try takeRest(head)
    case 304 where part.byteCount == 0:
      outcome = .notModified(head)
      throw Finished()
    case 416 where part.byteCount > 0: try takeUnsatisfiable(head)
    default:
      throw request.error(
        .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)))
    }
  }

  /// The whole document, whatever was asked for.
  private func takeWhole(_ head: HTTPHead) throws {
    try checkCoding(head)
    try part.removeAllBytes()
    state = DownloadState(
      validator: Validator(head.headers), byteCount: head.contentLength,
      nextPage: LinkHeader.next(in: head.headers))
    firstHead = head
    try checkLimit(state.byteCount)
    try onState(state)
  }

  /// The rest of the document, if it is the same one and the rest begins where the part ends.
  private func takeRest(_ head: HTTPHead) throws {
    guard part.byteCount > 0, let validator = state.validator else {
      throw request.error(.malformed("it is a part (206) although the whole was asked for"))
    }
    try checkCoding(head)
    guard let range = head.headers["Content-Range"].flatMap(ContentRange.init),
      range.bytes?.lowerBound == part.byteCount, validator.matches(head.headers)
    else { throw Restart() }
    if let total = range.total {
      guard total == state.byteCount ?? total else { throw Restart() }
      state.byteCount = total
    }
    try checkLimit(state.byteCount)
    // A part that comes from an earlier run has no head of this one yet.
    if firstHead == nil { firstHead = head }
  }

  /// Nothing lies behind the part: it is complete, or it is longer than the document.
  private func takeUnsatisfiable(_ head: HTTPHead) throws {
    let total = head.headers["Content-Range"].flatMap(ContentRange.init)?.total
    guard let firstHead, total == part.byteCount, state.byteCount ?? total == total else {
      throw Restart()
    }
    outcome = .complete(firstHead, isLengthKnown: true)
    throw Finished()
  }

  private func take(_ bytes: UnsafeRawBufferPointer) throws {
    let end = part.byteCount + Int64(bytes.count)
    try checkLimit(end)
    if let byteCount = state.byteCount, end > byteCount {
      throw request.error(.malformed("it is longer than it says"))
    }
    try part.append(bytes)
  }

  private func checkCoding(_ head: HTTPHead) throws {
    for coding in head.contentCodings where !acceptedCodings.contains(coding) {
      throw request.error(.encoded(coding))
    }
  }

  private func checkLimit(_ byteCount: Int64?) throws {
    if let byteCount, byteCount > byteLimit { throw request.error(.tooLarge(limit: byteLimit)) }
  }
}
