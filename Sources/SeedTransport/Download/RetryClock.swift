#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// How retries wait and draw their random numbers; a test has its own and waits for nothing.
package struct RetryClock: Sendable {
  /// Waits for a time, or until the token is used.
  package var wait: @Sendable (Duration, HTTPCancellation) -> Void
  /// A random number from 0 to 1.
  package var fraction: @Sendable () -> Double

  /// A clock from its parts.
  package init(
    wait: @escaping @Sendable (Duration, HTTPCancellation) -> Void,
    fraction: @escaping @Sendable () -> Double
  ) {
    self.wait = wait
    self.fraction = fraction
  }

  /// The real clock.
  package static let live = RetryClock(
    wait: { duration, cancellation in
      let end = MonotonicClock.now() + duration
      while !cancellation.isCancelled {
        let left = end - MonotonicClock.now()
        guard left > .zero else { return }
        // In slices, so that a cancelled wait ends soon.
        _ = poll(nil, 0, min(left, .milliseconds(100)).milliseconds)
      }
    },
    fraction: { .random(in: 0...1) })
}
