internal import SeedFiles

/// Fetches a document into a file, going on where a broken connection left off.
///
/// A part is only ever continued with bytes of the same document: the request names a strong
/// validator (`If-Range`), and the answer must repeat it and the offset. Everything else starts
/// again from nothing. When ``run(_:to:state:)`` returns, the file holds the whole document as far
/// as the server declared its length.
package struct ResumableDownload {
  /// How a download ended.
  package enum Outcome: Sendable {
    /// The file holds the document.
    ///
    /// `isLengthKnown` is false if the server declared neither length nor chunks: then the end of
    /// the connection is the end of the document, and a cut one looks the same.
    case complete(HTTPHead, isLengthKnown: Bool)
    /// The server says that the version named in the request is still the current one (304).
    case notModified(HTTPHead)
  }

  private let transport: any HTTPTransport
  private let policy: RetryPolicy
  private let clock: RetryClock
  /// The most bytes of the document.
  package var byteLimit = Int64.max
  /// The codings of the body that are taken, as they are, besides none.
  package var acceptedCodings: Set<String> = []
  /// Called with what has to be kept for a later run, before the first byte that depends on it.
  package var onState: (DownloadState) throws -> Void = { _ in }
  /// Told that a server asks to be left alone for longer than it will be, and how long that is.
  package var onCutWait: (TransportError, Duration) -> Void = { _, _ in }
  /// Ends the download from another thread.
  package var cancellation = HTTPCancellation()

  /// How often in a row an answer may turn out to be of another document.
  private static let mostRestarts = 3

  /// A download through a transport.
  package init(
    _ transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
    clock: RetryClock = .live
  ) {
    self.transport = transport
    self.policy = policy
    self.clock = clock
  }

  /// Fetches the document of a request.
  ///
  /// - Parameters:
  ///   - request: What to fetch; without headers about ranges.
  ///   - part: The file; what it holds already is continued if the state allows it.
  ///   - state: What is known about the part; kept up to date.
  /// - Returns: How the download ended.
  /// - Throws: ``TransportError``; ``FileError`` when the file cannot be written. The part stays as
  ///   far as it came.
  package func run(
    _ request: HTTPRequest, to part: PartFile, state: inout DownloadState
  ) throws -> Outcome {
    var retries = RetryRun(policy, clock, cancellation)
    var furthest = part.byteCount
    var restarts = 0
    // The head of the answer whose bytes the file begins with.
    var firstHead: HTTPHead?
    while true {
      let attempt = DownloadAttempt(
        request, part: part, state: state, byteLimit: byteLimit, acceptedCodings: acceptedCodings,
        firstHead: firstHead, onState: onState)
      do {
        let outcome = try attempt.run(on: transport, cancellation: cancellation)
        state = attempt.state
        return outcome
      } catch is DownloadAttempt.Restart {
        state = DownloadState()
        firstHead = nil
        try part.removeAllBytes()
        restarts += 1
        guard restarts <= Self.mostRestarts else { throw request.error(.changing) }
      } catch {
        state = attempt.state
        firstHead = attempt.firstHead
        // What is too little to be waited for is no progress either.
        let fewest = Int64(max(1, request.limits.stallByteCount))
        try retries.wait(
          after: error, hasProgressed: part.byteCount - furthest >= fewest, onCutWait: onCutWait)
        furthest = max(furthest, part.byteCount)
      }
    }
  }
}
