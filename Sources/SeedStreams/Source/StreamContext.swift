package import SeedTransport

/// What a run offers to a source: requests, the cache, repetitions, and a place to report to.
///
/// Used on the thread of the run.
package final class StreamContext {
  /// The stream's name.
  package let stream: String
  /// The files of the stream that may be gone at any time.
  package let cache: StreamCache
  /// Ends the run from another thread.
  package let cancellation: HTTPCancellation
  /// The one budget of repetitions.
  package let attempts: StreamAttempts
  /// Where a stream that follows was told last that there is nothing newer; nil at its first look.
  ///
  /// There a source may wait for something newer before it answers.
  package let knownNewest: StreamPosition?
  /// Where the run stands; every change is reported.
  package private(set) var status: StreamStatus
  /// The budget of starts anew.
  internal let resets: ResetBudget
  private var bypassesCaches = false
  /// Whether the source may be asked again at once, because it then waits for something newer.
  package private(set) var mayWaitForNewer = false
  private let credentials: StreamCredentials
  /// An address at the one server that the credentials are for; nil for none.
  private let origin: HTTPURL?
  /// How long a server may be silent.
  package let stallTimeout: Duration
  /// How many objects are fetched at once.
  internal let parallelDownloads: Int
  internal let transport: any HTTPTransport
  private let onStatus: (StreamStatus) -> Void

  /// A context from its parts.
  internal init(
    stream: String, cache: StreamCache, transport: any HTTPTransport,
    credentials: StreamCredentials, origin: HTTPURL?, options: StreamOptions,
    attempts: StreamAttempts, resets: ResetBudget,
    cancellation: HTTPCancellation, knownNewest: StreamPosition?,
    onStatus: @escaping (StreamStatus) -> Void
  ) {
    self.stream = stream
    self.cache = cache
    self.transport = transport
    self.credentials = credentials
    self.origin = origin
    stallTimeout = options.stallTimeout
    parallelDownloads = options.parallelDownloads
    self.attempts = attempts
    self.resets = resets
    self.cancellation = cancellation
    self.knownNewest = knownNewest
    self.onStatus = onStatus
    status = StreamStatus(stream: stream, phase: .opening)
  }

  /// Changes the status and reports it.
  ///
  /// - Parameter change: What has changed.
  package func update(_ change: (inout StreamStatus) -> Void) {
    change(&status)
    onStatus(status)
  }

  /// Whether the next look at the source has to pass caches by; true once after it was asked for.
  package func takeBypassesCaches() -> Bool {
    defer { bypassesCaches = false }
    return bypassesCaches
  }

  /// Has the next look at the source pass caches by.
  internal func bypassCaches() { bypassesCaches = true }

  /// Takes note of whether the source, asked again at once, waits for something newer.
  package func noteWaitsForNewer(_ value: Bool) { mayWaitForNewer = value }

  /// An error of this run, at the phase that it is in.
  ///
  /// - Parameter reason: What stands in the way.
  /// - Returns: The error.
  package func error(_ reason: StreamError.Reason) -> StreamError {
    StreamError(reason, stream: stream, phase: status.phase, position: status.position)
  }

  /// The bounds of an exchange.
  internal var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.stallTimeout = stallTimeout
    return limits
  }

  /// Whether an address is at the server that the credentials are for.
  private func isHome(_ url: HTTPURL) -> Bool { origin.map { url.hasSameOrigin(as: $0) } ?? false }

  /// A request for an address, within the bounds of the run.
  ///
  /// Only at the stream's own server it has the app's credentials, since what that names may lie at
  /// any other; and neither those nor a query are ever shown.
  /// - Throws: ``StreamError`` with `unauthorized` when the app has none to give, or `cancelled`.
  internal func request(for url: HTTPURL, headers: [HTTPField] = []) throws -> HTTPRequest {
    let secret = isHome(url) ? try authorized { try credentials.headers() } : []
    var request = HTTPRequest(
      url, headers: HTTPHeaders(headers + secret),
      // Of "Bearer TOKEN", the token alone is a secret, too.
      redaction: Redaction(
        secret.flatMap { [$0.value, String($0.value.drop { $0 != " " }.dropFirst())] },
        hidesQueries: true))
    request.limits = limits
    return request
  }

  /// Makes one request, redirects followed, with the app's credentials at the stream's own server.
  ///
  /// When that refuses those (401 or 403), the app is asked for others, once, and the request
  /// is made again. Other statuses are the caller's to judge.
  /// - Parameters:
  ///   - url: What is asked for.
  ///   - headers: Headers besides the credentials.
  ///   - limits: The bounds of the exchange; nil for those of the run.
  ///   - onHead: Takes the status and the headers, and may throw to leave the body.
  ///   - onBody: Takes the next bytes of the body.
  /// - Throws: ``SeedTransport/TransportError``, ``StreamError`` with `unauthorized`, or what a
  ///   closure throws.
  package func perform(
    _ url: HTTPURL, headers: [HTTPField] = [], limits: HTTPLimits? = nil,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    while true {
      var request = try request(for: url, headers: headers)
      if let limits { request.limits = limits }
      do {
        try CountingTransport(base: transport, context: self).follow(
          request, cancellation: cancellation,
          onHead: { head in
            guard head.status != 401, head.status != 403 else { throw Refused() }
            credentials.noteStatus(head.status)
            try onHead(head)
          },
          onBody: { bytes in
            noteBytes(bytes.count)
            try onBody(bytes)
          })
        return
      } catch is Refused {
        guard isHome(url), try authorized({ try credentials.renew() }) else {
          throw error(.unauthorized(url: request.shownURL))
        }
      }
    }
  }

  /// A refusal by the server, which leaves the answer's body.
  private struct Refused: Error {}

  /// Counts a request.
  fileprivate func noteRequest() { update { $0.requests += 1 } }

  private func noteBytes(_ count: Int) { update { $0.bytes += Int64(count) } }

  /// Turns what an app's hook throws into an error of the stream.
  private func authorized<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch is CancellationError {
      throw error(.cancelled)
    } catch {
      throw self.error(.unauthorized(url: "\(error)"))
    }
  }
}

/// Counts the requests of a run, those behind redirects among them.
///
/// `@unchecked` is safe: it lives for one call on one thread.
private struct CountingTransport: HTTPTransport, @unchecked Sendable {
  let base: any HTTPTransport
  let context: StreamContext

  func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    context.noteRequest()
    try base.perform(request, cancellation: cancellation, onHead: onHead, onBody: onBody)
  }
}
