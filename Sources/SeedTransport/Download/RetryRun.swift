/// The repetitions of one piece of work: counts them and waits before each.
package struct RetryRun {
  private let policy: RetryPolicy
  private let clock: RetryClock
  private let cancellation: HTTPCancellation
  private var fruitless = 0
  private var total = 0

  /// Starts counting.
  package init(_ policy: RetryPolicy, _ clock: RetryClock, _ cancellation: HTTPCancellation) {
    self.policy = policy
    self.clock = clock
    self.cancellation = cancellation
  }

  /// Decides about an error: waits if the work is to be done again.
  ///
  /// - Parameters:
  ///   - error: What ended the last attempt.
  ///   - hasProgressed: Whether that attempt got further than all before it.
  /// - Throws: The error, when it is not to be repeated or was repeated often enough.
  package mutating func wait(after error: any Error, hasProgressed: Bool = false) throws {
    guard let error = error as? TransportError,
      error.isTransient || policy.repeatsEveryServerFailure && error.isServerFailure
    else { throw error }
    if hasProgressed { fruitless = 0 }
    guard fruitless < policy.retryCount, total < policy.totalRetryCount else { throw error }
    let delay = policy.delay(
      attempt: fruitless, retryAfter: error.retryAfter, fraction: clock.fraction())
    fruitless += 1
    total += 1
    clock.wait(delay, cancellation)
    if cancellation.isCancelled { throw TransportError(.cancelled, url: error.url) }
  }
}
