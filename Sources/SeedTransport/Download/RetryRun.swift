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
  ///   - onCutWait: Told a wait before it, if it is shorter than the server asks for.
  /// - Throws: The error, when it is not to be repeated or was repeated often enough.
  package mutating func wait(
    after error: any Error, hasProgressed: Bool = false,
    onCutWait: (TransportError, Duration) -> Void = { _, _ in }
  ) throws {
    let transport = error as? TransportError
    try wait(
      after: error, isTransient: transport.map(isTransient) ?? false,
      retryAfter: transport?.retryAfter, hasProgressed: hasProgressed
    ) { delay in
      if let transport, let asked = transport.retryAfter, asked > delay {
        onCutWait(transport, delay)
      }
    }
  }

  private func isTransient(_ error: TransportError) -> Bool {
    error.isTransient || policy.repeatsEveryServerFailure && error.isServerFailure
  }

  /// Decides about an error of any kind: waits if the work is to be done again.
  ///
  /// - Parameters:
  ///   - error: What ended the last attempt.
  ///   - isTransient: Whether the same work may well succeed a moment later.
  ///   - retryAfter: How long the server asks to wait.
  ///   - hasProgressed: Whether that attempt got further than all before it.
  ///   - onWait: Told the wait before it, if there is one.
  /// - Throws: The error, when it is not to be repeated or was repeated often enough.
  package mutating func wait(
    after error: any Error, isTransient: Bool, retryAfter: Duration?, hasProgressed: Bool,
    onWait: (Duration) -> Void = { _ in }
  ) throws {
    guard isTransient else { throw error }
    if policy.endsAtLongRetryAfter, let retryAfter, retryAfter > policy.longestRetryAfter {
      throw error
    }
    if hasProgressed { fruitless = 0 }
    guard fruitless < policy.retryCount, total < policy.totalRetryCount else { throw error }
    let delay = policy.delay(
      attempt: fruitless, retryAfter: retryAfter, fraction: clock.fraction())
    fruitless += 1
    total += 1
    onWait(delay)
    clock.wait(delay, cancellation)
    if cancellation.isCancelled {
      throw TransportError(.cancelled, url: (error as? TransportError)?.url ?? "")
    }
  }
}
