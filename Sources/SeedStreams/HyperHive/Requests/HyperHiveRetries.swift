internal import SeedTransport

/// Makes attempts until one succeeds, as often as a call allows, with a new token in between where
/// the server wants one.
internal struct HyperHiveRetries {
  internal let session: HyperHiveSession
  internal let cancellation: HTTPCancellation
  private var run: RetryRun
  private var renewalCount = 0

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
      try session.renew(cancellation: cancellation, exchange: &exchange)
      return
    }
    try run.wait(after: error)
    exchange.retryCount += 1
  }

  /// Makes attempts until one succeeds.
  ///
  /// - Throws: The last attempt's error.
  internal mutating func attempt<Result>(
    _ exchange: inout HyperHiveExchange, _ body: (inout HyperHiveExchange) throws -> Result
  ) throws -> Result {
    while true {
      do {
        return try body(&exchange)
      } catch {
        try prepare(after: error, exchange: &exchange)
      }
    }
  }
}
