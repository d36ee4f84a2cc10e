package import SeedTransport

/// The repetitions of a run, all of which share one budget: only progress renews it.
///
/// Progress is a byte beyond the furthest offset that the run reached in an object, a verified page,
/// or a checkpoint applied. A server that always offers something but never anything new is left
/// after a bounded number of attempts.
package final class StreamAttempts {
  private var retries: RetryRun
  /// What says whether there is a network; nil where that is not waited for.
  private let path: NetworkPath?
  private let cancellation: HTTPCancellation
  private var hasProgressed = false
  /// How far the run got in what it may have to fetch again.
  private var furthest: [String: Int64] = [:]
  /// Told before each wait, with its length where that is known.
  package var onWait: (any Error, Duration?) -> Void = { _, _ in }
  /// Told after each wait.
  package var onResume: () -> Void = {}

  /// Repetitions by a policy.
  ///
  /// - Parameters:
  ///   - policy: How often and how long to wait.
  ///   - clock: What waits.
  ///   - path: What says whether the device has a network: while it has none, waiting for one takes
  ///     the place of attempts that cannot succeed. Nil to make them all the same.
  ///   - cancellation: Ends a wait.
  package init(
    policy: RetryPolicy, clock: RetryClock, path: NetworkPath? = nil,
    cancellation: HTTPCancellation
  ) {
    self.path = path
    self.cancellation = cancellation
    retries = RetryRun(policy, clock, cancellation)
  }

  /// Renews the budget at the next error.
  package func noteProgress() { hasProgressed = true }

  /// Renews the budget at the next error if something was fetched further than ever in this run.
  ///
  /// - Parameters:
  ///   - object: What is fetched.
  ///   - offset: How far, in bytes from its beginning.
  /// - Returns: Whether it is further.
  package func noteProgress(in object: String, to offset: Int64) -> Bool {
    guard offset > furthest[object] ?? 0 else { return false }
    furthest[object] = offset
    noteProgress()
    return true
  }

  /// Does something until it succeeds or is not to be repeated.
  ///
  /// - Parameter body: What to do; it goes on where it left off.
  /// - Returns: What the closure returns.
  /// - Throws: The last error.
  package func repeating<Value>(_ body: () throws -> Value) throws -> Value {
    while true {
      do {
        return try body()
      } catch {
        try wait(after: error)
      }
    }
  }

  /// Decides about an error: waits if the work is to be done again.
  ///
  /// - Parameters:
  ///   - error: What ended the last attempt.
  ///   - isTransient: Whether it may go away by itself; nil asks the error.
  /// - Throws: The error, when it is not to be repeated or was repeated often enough; a
  ///   ``SeedTransport/TransportError`` when the run was cancelled.
  package func wait(after error: any Error, isTransient: Bool? = nil) throws {
    let transport = error as? TransportError
    defer { hasProgressed = false }
    if let path, transport?.isTransient == true, !path.isUsable() {
      onWait(error, nil)
      path.waitUntilUsable(cancellation)
      if cancellation.isCancelled { throw TransportError(.cancelled, url: transport?.url ?? "") }
      return onResume()
    }
    try retries.wait(
      after: error, isTransient: isTransient ?? transport?.isTransient ?? false,
      retryAfter: transport?.retryAfter, hasProgressed: hasProgressed,
      onWait: { onWait(error, $0) })
    onResume()
  }
}
