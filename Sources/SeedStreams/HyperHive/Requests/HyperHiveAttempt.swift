internal import SeedFiles
internal import SeedTransport

/// One request of a load, with what its answer means for the spool.
internal final class HyperHiveAttempt {
  /// What the spool holds is not of the document that the server has now.
  internal struct Restart: Error {}
  /// Thrown to leave an answer whose body is of no use.
  private struct Finished: Error {}

  internal let request: HTTPRequest
  private let spool: HyperHiveSpool
  private let identity: SpoolSidecar
  /// The tag with which the rest was asked for; nil if the whole was.
  private let tag: String?
  internal private(set) var head: HTTPHead?
  internal private(set) var receivedByteCount: Int64 = 0
  private var outcome: HyperHiveTransfer.Outcome?
  private var refusalBody: [UInt8] = []
  private var isRefusal = false
  /// The bytes of the whole document, where a part of it tells them.
  private var rangeTotal: Int64?
  private var unpacking: AnswerUnpacking?

  internal init(
    _ request: HTTPRequest, spool: HyperHiveSpool, identity: SpoolSidecar, resumesWith tag: String?
  ) {
    self.request = request
    self.spool = spool
    self.identity = identity
    self.tag = tag
  }

  internal func run(
    _ transport: any HTTPTransport, _ cancellation: HTTPCancellation
  ) throws -> HyperHiveTransfer.Outcome {
    do {
      // Redirects are not followed: the token is for this server alone.
      try transport.perform(
        request, cancellation: cancellation, onHead: { try take($0) }, onBody: { try take($0) })
    } catch is Finished {
      // The head told everything.
    }
    guard let head else { throw request.error(.cut(received: 0, expected: nil)) }
    if isRefusal { throw HyperHiveSession.refusal(head, refusalBody, request) }
    if let outcome { return outcome }
    if let unpacking, !unpacking.isComplete {
      throw request.error(.cut(received: spool.byteCount, expected: nil))
    }
    try checkEnd(head)
    try checkRefusal()
    return .document(
      entityTag: spool.sidecar?.entityTag ?? head.headers["ETag"],
      contentVersion: spool.sidecar?.contentVersion ?? head.headers["Content-Version"])
  }

  private func take(_ head: HTTPHead) throws {
    self.head = head
    switch head.status {
    case 200, 206: try takeDocument(head)
    case 304 where identity.request != "whole":
      outcome = .unchanged
      throw Finished()
    case 412 where tag != nil: throw Restart()
    case 416 where tag != nil:
      // Nothing lies behind what is there: it is complete, if it is a document.
      guard isWhole() else { throw Restart() }
      outcome = .document(
        entityTag: spool.sidecar?.entityTag, contentVersion: spool.sidecar?.contentVersion)
      throw Finished()
    default: isRefusal = true
    }
  }

  private func takeDocument(_ head: HTTPHead) throws {
    let unpacking = try AnswerUnpacking(head, request)
    let isPacked = unpacking != nil
    if tag != nil, let range = head.headers["Content-Range"] {
      // Offsets count bytes before compression, and it is not said where a packed rest begins.
      guard !isPacked, Self.start(of: range) == spool.byteCount, isSameDocument(head) else {
        throw Restart()
      }
      rangeTotal = ContentRange(range)?.total
      return
    }
    guard head.status == 200 else {
      guard tag == nil else { throw Restart() }
      throw request.error(.malformed("it is a part (206) although the whole was asked for"))
    }
    self.unpacking = unpacking
    var sidecar = identity
    sidecar.contentVersion = head.headers["Content-Version"]
    sidecar.byteCount = isPacked ? nil : head.contentLength
    if case .entityTag(let tag)? = Validator(head.headers) {
      sidecar.entityTag = tag
      try spool.begin(sidecar)
    } else {
      try spool.begin(nil)
    }
  }

  private func isSameDocument(_ head: HTTPHead) -> Bool {
    if let found = head.headers["ETag"], found != tag { return false }
    guard let version = head.headers["Content-Version"] else { return true }
    return version == spool.sidecar?.contentVersion
  }

  /// The first byte of `bytes 7-99/100` and of `bytes 7-/*`.
  private static func start(of range: String) -> Int64? {
    if let range = ContentRange(range) { return range.bytes?.lowerBound }
    guard range.lowercased().hasPrefix("bytes ") else { return nil }
    let digits = range.dropFirst(6).drop { $0 == " " }.prefix { $0 != "-" }
    guard !digits.isEmpty, digits.utf8.allSatisfy(JSONScanner.isDigit) else { return nil }
    return Int64(digits)
  }

  private func take(_ bytes: UnsafeRawBufferPointer) throws {
    receivedByteCount += Int64(bytes.count)
    if isRefusal {
      let room = HyperHiveRules.refusalByteCount - refusalBody.count
      refusalBody += bytes.prefix(max(0, room))
      return
    }
    guard let unpacking else { return try spool.append(bytes) }
    try unpacking.unpack(bytes) { try spool.append($0) }
  }

  /// Where the server did not say how long its answer is, only the document itself tells whether it
  /// is whole; so does a rest of nothing.
  private func checkEnd(_ head: HTTPHead) throws {
    // A server may give less than the rest that was asked for.
    if let expected = spool.sidecar?.byteCount ?? rangeTotal {
      guard spool.byteCount == expected else {
        // Only a server that changes the document under the same tag gets here with more.
        guard spool.byteCount < expected else { throw Restart() }
        throw request.error(.cut(received: spool.byteCount, expected: expected))
      }
      return
    }
    if tag != nil, receivedByteCount == 0 {
      guard isWhole() else { throw Restart() }
      return
    }
    guard head.contentLength == nil, !head.isChunked, unpacking == nil, !isWhole() else { return }
    throw request.error(.cut(received: spool.byteCount, expected: nil))
  }

  /// Looks whether the document is a refusal: what a server says counts more than its status.
  private func checkRefusal() throws {
    let count = Int(min(spool.byteCount, Int64(HyperHiveRules.refusalByteCount)))
    guard spool.byteCount == Int64(count) else { return }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try bytes.withUnsafeMutableBytes { try spool.read($0, 0) }
    if let refusal = HyperHiveRefusal(Array(bytes.prefix(read))) {
      try spool.removeAllBytes()
      throw refusal.error(of: request)
    }
  }

  /// Whether the spool holds a JSON document from end to end.
  ///
  /// One that is broken in the middle is whole, too: that is for its reader to say.
  private func isWhole() -> Bool {
    do {
      try AnswerReader(resource: identity.resource, read: spool.read).check()
      return true
    } catch let problem as JSONProblem {
      return problem.reason != .endsEarly
    } catch {
      return false
    }
  }
}
