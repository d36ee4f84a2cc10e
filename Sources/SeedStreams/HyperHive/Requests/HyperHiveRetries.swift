internal import SeedTransport

/// Makes attempts until one succeeds, as often as a call allows, with a new token in between where
/// the server wants one.
internal struct HyperHiveRetries {
  internal let session: HyperHiveSession
  internal let cancellation: HTTPCancellation
  private var run: RetryRun
  private var renewalCount = 0
  /// The number of the token in the request that was made last.
  private var tokenNumber = 0

  internal init(
    _ session: HyperHiveSession, count: Int, interval: Duration, clock: RetryClock,
    cancellation: HTTPCancellation
  ) {
    self.session = session
    self.cancellation = cancellation
    // The interval is what the app asks for, so nothing of it is left to chance.
    let clock = RetryClock(wait: clock.wait, fraction: { 1 })
    run = RetryRun(
      HyperHiveRules.retryPolicy(count: count, interval: interval), clock, cancellation)
  }

  /// A request of the next attempt, in the user's name.
  ///
  /// - Throws: ``HyperHiveError`` when nobody has logged in.
  internal mutating func request(_ method: String, _ path: String) throws -> HTTPRequest {
    let (request, number) = try session.request(method, path)
    tokenNumber = number
    return request
  }

  /// Decides about the error of an attempt: returns when there is to be another one.
  ///
  /// - Throws: The error, when it is not to be repeated or was repeated often enough.
  internal mutating func prepare(
    after error: any Error, exchange: inout HyperHiveExchange
  ) throws {
    if let error = error as? HyperHiveError, case .refused(401, _) = error.reason,
      renewalCount < HyperHiveRules.mostRenewals
    {
      renewalCount += 1
      try renewToken(&exchange)
      return
    }
    // A load that goes on for longer than its token lasts needs another one each time.
    renewalCount = 0
    try run.wait(after: error)
    exchange.retryCount += 1
  }

  /// Obtains a new token, as often as it takes: the network fails at a login as anywhere.
  private mutating func renewToken(_ exchange: inout HyperHiveExchange) throws {
    while true {
      do {
        return try session.renewToken(
          tokenNumber, cancellation: cancellation, exchange: &exchange)
      } catch {
        try run.wait(after: error)
        exchange.retryCount += 1
      }
    }
  }

  /// Makes a request whose answer fits into memory until it succeeds.
  ///
  /// - Throws: The last attempt's error.
  internal mutating func perform(
    _ method: String, _ path: String, limit: Int64, exchange: inout HyperHiveExchange
  ) throws -> [UInt8] {
    while true {
      do {
        return try session.perform(
          try request(method, path), limit: limit, cancellation: cancellation,
          exchange: &exchange)
      } catch {
        try prepare(after: error, exchange: &exchange)
      }
    }
  }
}
