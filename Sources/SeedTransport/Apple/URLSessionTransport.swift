#if canImport(Darwin)
  internal import Foundation

  /// Requests through Apple's URLSession; type-checked at most, never run where this was written.
  ///
  /// Nothing of it is shared with the app: no cookies, no stored credentials, no cache.
  package final class URLSessionTransport: HTTPTransport {
    /// Makes a transport; each request has a session of its own, as its limits differ.
    package init() {}

    /// Makes one request, without following redirects.
    ///
    /// - Throws: ``TransportError``, or what a closure throws.
    package func perform(
      _ request: HTTPRequest, cancellation: HTTPCancellation,
      onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      guard let url = URL(string: request.url.text) else {
        throw request.error(.invalidURL(.badHost))
      }
      var native = URLRequest(url: url)
      native.httpMethod = request.method
      native.httpBody = request.body.map { Data($0) }
      for field in request.headers.fields {
        guard field.isValid else { throw request.error(.invalidHeader(field.name)) }
        native.addValue(field.value, forHTTPHeaderField: field.name)
      }
      let exchange = URLSessionExchange(request)
      let session = URLSession(
        configuration: Self.configuration(request.limits), delegate: exchange,
        delegateQueue: nil)
      let task = session.dataTask(with: native)
      defer { session.invalidateAndCancel() }
      try cancellation.withHandler({ task.cancel() }) {
        if cancellation.isCancelled { throw request.error(.cancelled) }
        task.resume()
        try exchange.consume(
          isCancelled: { cancellation.isCancelled }, onHead: onHead, onBody: onBody)
      }
    }

    private static func configuration(_ limits: HTTPLimits) -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      configuration.urlCredentialStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.waitsForConnectivity = false
      configuration.timeoutIntervalForRequest =
        TimeInterval(limits.stallTimeout.components.seconds)
      return configuration
    }
  }

  /// Hands what the session's queue receives to the thread that waits for it, one piece at a time.
  ///
  /// `@unchecked` is safe: the condition guards every variable.
  private final class URLSessionExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private enum Event {
      case head(HTTPHead)
      case body(Data)
      case end((any Error)?)
    }

    private let request: HTTPRequest
    private let condition = NSCondition()
    private var event: Event?
    private var isAbandoned = false

    init(_ request: HTTPRequest) {
      self.request = request
    }

    /// Takes the events until the last one.
    func consume(
      isCancelled: () -> Bool, onHead: (HTTPHead) throws -> Void,
      onBody: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      defer { abandon() }
      var expected: Int64?
      var received: Int64 = 0
      let limit = request.limits.bodyByteCount
      // What the session bounds itself is the time between two bytes, and all before the head.
      var meter: StallMeter?
      while true {
        let start = ContinuousClock.now
        let next = next(within: meter?.remaining)
        let wait = ContinuousClock.now - start
        switch next {
        case .end?: break
        case .body(let data)?:
          if meter?.note(data.count, after: wait) == true { throw stalled }
        case .head?, nil:
          if meter?.note(0, after: wait) == true { throw stalled }
        }
        guard let next else { continue }
        switch next {
        case .head(let head):
          meter = StallMeter(request.limits)
          expected = request.method == "HEAD" ? nil : head.contentLength
          if let expected, expected > limit { throw request.error(.tooLarge(limit: limit)) }
          try onHead(head)
        case .body(let data):
          received += Int64(data.count)
          if received > limit { throw request.error(.tooLarge(limit: limit)) }
          try data.withUnsafeBytes { try onBody($0) }
        case .end(let error):
          if isCancelled() { throw request.error(.cancelled) }
          if let error { throw request.error(reason(of: error, received, expected)) }
          return
        }
      }
    }

    private var stalled: TransportError { request.error(.timedOut(.receiving)) }

    /// The next event; nil when none came in time.
    private func next(within duration: Duration?) -> Event? {
      let deadline = duration.map { Date(timeIntervalSinceNow: Self.seconds($0)) }
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let event {
          self.event = nil
          condition.broadcast()
          return event
        }
        guard let deadline else {
          condition.wait()
          continue
        }
        guard condition.wait(until: deadline) else { return nil }
      }
    }

    private static func seconds(_ duration: Duration) -> TimeInterval {
      let (seconds, attoseconds) = duration.components
      return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
    }

    private func abandon() {
      condition.lock()
      isAbandoned = true
      condition.broadcast()
      condition.unlock()
    }

    /// Puts an event in place once the one before was taken: the session's queue waits meanwhile.
    private func put(_ event: Event) {
      condition.lock()
      while self.event != nil, !isAbandoned { condition.wait() }
      if !isAbandoned { self.event = event }
      condition.broadcast()
      condition.unlock()
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      if let response = response as? HTTPURLResponse {
        let fields = response.allHeaderFields.compactMap { name, value -> HTTPField? in
          guard let name = name as? String, let value = value as? String else { return nil }
          return HTTPField(name, value)
        }
        put(
          .head(
            HTTPHead(
              status: response.statusCode, headers: HTTPHeaders(fields), url: request.url)))
      }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      put(.body(data))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      put(.end(error))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) {
      // Redirects are followed by our own rules; without a request the redirect is the answer.
      completionHandler(nil)
    }

    private func reason(
      of error: any Error, _ received: Int64, _ expected: Int64?
    ) -> TransportError.Reason {
      switch (error as? URLError)?.code {
      case .cannotFindHost?, .cannotConnectToHost?, .dnsLookupFailed?, .notConnectedToInternet?,
        .dataNotAllowed?, .internationalRoamingOff?, .callIsActive?:
        .unreachable("")
      case .timedOut?: .timedOut(.receiving)
      case .secureConnectionFailed?: .handshake("")
      case .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
        .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?:
        .untrusted("")
      case .badServerResponse?, .cannotParseResponse?, .cannotDecodeRawData?: .malformed("")
      case .cancelled?: .cancelled
      default: .cut(received: received, expected: expected)
      }
    }
  }
#endif
