internal import SeedModel

/// One request and its answer: sent, received, taken out of the envelope and decoded.
internal struct JSONExchange<Response: Decodable & Sendable>: Sendable {
  let request: HTTPRequest
  let envelope: AnswerEnvelope?
  let retryCount: Int
  let options: NetworkOptions
  let transport: any HTTPTransport
  let clock: RetryClock

  /// Does it all on the calling thread.
  ///
  /// - Throws: ``TransportError``, ``RequestError``.
  func run(_ cancellation: HTTPCancellation) throws -> JSONAnswer<Response> {
    var retries = RetryRun(RetryPolicy(retryCount: retryCount), clock, cancellation)
    while true {
      do {
        let (head, body) = try receive(cancellation)
        if [408, 425, 429, 500, 502, 503, 504].contains(head.status), retryCount > 0 {
          let error = request.error(
            .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)))
          // Once it was repeated often enough, the answer says why.
          if (try? retries.wait(after: error)) != nil { continue }
          if cancellation.isCancelled { throw request.error(.cancelled) }
        }
        return try AnswerReading<Response>(
          request: request, envelope: envelope, decoding: options.decoding
        ).answer(head, body)
      } catch let error as TransportError {
        try retries.wait(after: error)
      }
    }
  }

  private func receive(_ cancellation: HTTPCancellation) throws -> (HTTPHead, [UInt8]) {
    var head: HTTPHead?
    var body: [UInt8] = []
    let end = options.totalTimeout.map { MonotonicClock.now() + $0 }
    try transport.follow(
      request, cancellation: cancellation,
      onHead: { answer in
        if let coding = answer.contentCodings.first { throw request.error(.encoded(coding)) }
        head = answer
      },
      onBody: { bytes in
        if let end, MonotonicClock.now() > end { throw request.error(.timedOut(.receiving)) }
        body += bytes
      })
    guard let head else { throw request.error(.cut(received: 0, expected: nil)) }
    return (head, body)
  }
}
