internal import SeedStreams
package import SeedTransport

/// A published stream behind an address, as apps see it.
package struct AddressSource: PublishedSource {
  private let base: HTTPURL
  /// What tells the server who asks; never shown.
  private let credentials: [HTTPField]
  private let transport: any HTTPTransport
  private let clock: RetryClock

  /// The folder of `head.json`; a slash at its end does not matter.
  ///
  /// - Parameters:
  ///   - text: The address; a user and a password in it are sent as basic authentication.
  ///   - credentials: Headers that tell the server who asks, in place of those.
  ///   - transport: How to ask.
  ///   - clock: How to wait.
  /// - Throws: ``PublishedSourceError``.
  package init(
    _ text: String, credentials: [HTTPField] = [],
    transport: any HTTPTransport = StandardTransport.make(), clock: RetryClock = .live
  ) throws(PublishedSourceError) {
    var (base, user): (HTTPURL, String?)
    do throws(HTTPURL.Problem) {
      (base, user) = try HTTPURL.parse(text)
    } catch {
      throw PublishedSourceError(.address, place: HTTPURL.shown(text))
    }
    if !base.path.hasSuffix("/") { base.path += "/" }
    self.base = base
    var credentials = credentials
    if let user, !credentials.contains(where: { $0.name.lowercased() == "authorization" }) {
      credentials.append(HTTPField("Authorization", BasicCredentials.headerValue(user)))
    }
    self.credentials = credentials.map { HTTPField($0.name, $0.value, isSecret: true) }
    self.transport = transport
    self.clock = clock
  }

  package var place: String { url(StreamLayout.head).textWithoutQuery }

  private func url(_ name: String) -> HTTPURL {
    var url = base
    url.path += name
    return url
  }

  private func request(_ name: String, _ fields: [HTTPField] = []) -> HTTPRequest {
    HTTPRequest(
      url(name), headers: HTTPHeaders(fields + credentials),
      redaction: Redaction(credentials.map(\.value), hidesQueries: true))
  }

  package func head() throws(PublishedSourceError) -> [UInt8] {
    var request = request(StreamLayout.head, [HTTPField("Cache-Control", "no-cache")])
    request.limits.bodyByteCount = Int64(StreamHead.byteLimit)
    var bytes: [UInt8] = []
    let status = try perform(request) { piece in
      bytes.append(contentsOf: piece)
      return true
    } restart: {
      bytes.removeAll()
    }
    guard status?.status == 200 else { throw failure(request, status) }
    return bytes
  }

  package func size(of sha256: String) throws(PublishedSourceError) -> Int64? {
    var request = request(StreamLayout.object(sha256))
    request.method = "HEAD"
    let status = try perform(request) { _ in
      true
    } restart: {
    }
    guard status?.status == 200 else {
      if [404, 410].contains(status?.status) { return nil }
      throw failure(request, status)
    }
    guard status?.contentCodings.isEmpty == true else {
      throw PublishedSourceError(
        .unusable("the server sends the object in another coding"), place: request.shownURL)
    }
    // Some servers tell no length without the body.
    return status?.contentLength ?? -1
  }

  package func start(
    of sha256: String, limit: Int
  ) throws(PublishedSourceError) -> [UInt8] {
    let request = request(StreamLayout.object(sha256))
    var bytes: [UInt8] = []
    let status = try perform(request) { piece in
      bytes.append(contentsOf: piece.prefix(limit - bytes.count))
      return bytes.count < limit
    } restart: {
      bytes.removeAll()
    }
    guard status?.status == 200 else { throw failure(request, status) }
    return bytes
  }

  private func failure(_ request: HTTPRequest, _ head: HTTPHead?) -> PublishedSourceError {
    PublishedSourceError(
      .transport(request.error(.status(head?.status ?? 0, retryAfter: nil))),
      place: request.shownURL)
  }

  /// Ends a request whose answer is known well enough.
  private struct Enough: Error {}

  /// Makes a request, again where that may help.
  private func perform(
    _ request: HTTPRequest, _ body: (UnsafeRawBufferPointer) -> Bool, restart: () -> Void
  ) throws(PublishedSourceError) -> HTTPHead? {
    let cancellation = HTTPCancellation()
    var policy = RetryPolicy()
    policy.endsAtLongRetryAfter = true
    var retries = RetryRun(policy, clock, cancellation)
    var answer: HTTPHead?
    while true {
      do {
        do {
          answer = nil
          try transport.follow(
            request, cancellation: cancellation,
            onHead: { head in
              answer = head
              let error = request.error(
                .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)))
              if error.isTransient { throw error }
            },
            onBody: { piece in
              guard answer?.status == 200 else { return }
              if !body(piece) { throw Enough() }
            })
          return answer
        } catch is Enough {
          return answer
        } catch {
          try retries.wait(after: error)
          restart()
        }
      } catch let error as TransportError {
        throw PublishedSourceError(.transport(error), place: request.shownURL)
      } catch {
        throw PublishedSourceError(.unusable("\(error)"), place: request.shownURL)
      }
    }
  }
}
