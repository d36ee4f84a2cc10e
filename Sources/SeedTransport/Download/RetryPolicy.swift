/// How often a request is repeated, and how long to wait before it.
package struct RetryPolicy: Sendable, Hashable {
  /// The most repetitions in a row that bring nothing new.
  package var retryCount: Int
  /// The bound of the first wait; each further one doubles it.
  package var baseDelay: Duration
  /// The bound of all waits that the server does not ask for.
  package var longestDelay: Duration
  /// The longest wait that a server's `Retry-After` gets.
  package var longestRetryAfter: Duration
  /// Whether a longer `Retry-After` than that ends the repetitions at once; else the wait is cut
  /// short, and the server asked earlier than it wants.
  package var endsAtLongRetryAfter = false
  /// The most repetitions in all, also of those that bring something: a server that sends one byte
  /// at a time must not keep us for ever.
  package var totalRetryCount = 1000
  /// Whether every status from 500 on is repeated, not only those that mean a passing trouble.
  package var repeatsEveryServerFailure = false

  /// A policy; the defaults are those of a build, in which a person or a machine waits.
  package init(
    retryCount: Int = 4, baseDelay: Duration = .milliseconds(500),
    longestDelay: Duration = .seconds(60), longestRetryAfter: Duration = .seconds(120)
  ) {
    self.retryCount = retryCount
    self.baseDelay = baseDelay
    self.longestDelay = longestDelay
    self.longestRetryAfter = longestRetryAfter
  }

  /// How long to wait before the repetition of a number, counted from 0.
  ///
  /// Full jitter: anything from nothing to the bound, so that many clients that lost one server do
  /// not come back all at once. What the server asks for is the least, up to its own bound, and
  /// gets up to a tenth more for the same reason.
  /// - Parameters:
  ///   - attempt: How many repetitions in a row have brought nothing.
  ///   - retryAfter: What the server asks for.
  ///   - fraction: A random number from 0 to 1.
  /// - Returns: The time to wait.
  package func delay(attempt: Int, retryAfter: Duration?, fraction: Double) -> Duration {
    var bound = baseDelay
    for _ in 0..<min(attempt, 40) where bound < longestDelay { bound = bound * 2 }
    let jittered = min(bound, longestDelay) * fraction
    guard let retryAfter else { return jittered }
    let asked = min(max(retryAfter, .zero), longestRetryAfter)
    return max(jittered, asked + asked * (fraction / 10))
  }
}
