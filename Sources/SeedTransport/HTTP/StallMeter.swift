/// Tells whether a body comes too slowly, by ``HTTPLimits/stallTimeout`` and
/// ``HTTPLimits/stallByteCount``.
///
/// Only time that is spent waiting for the server counts.
package struct StallMeter: Sendable {
  private let span: Duration
  private let leastByteCount: Int
  private var waited = Duration.zero
  private var byteCount = 0

  /// A meter whose first span begins.
  package init(_ limits: HTTPLimits) {
    span = limits.stallTimeout
    leastByteCount = limits.stallByteCount
  }

  /// How long may still be waited before the span is over.
  package var remaining: Duration { span - waited }

  /// Notes how long was waited for some bytes, none if none came.
  ///
  /// - Returns: Whether a span is over in which too few came.
  package mutating func note(_ count: Int, after wait: Duration) -> Bool {
    byteCount += count
    waited += wait
    guard waited >= span else { return false }
    defer {
      waited = .zero
      byteCount = 0
    }
    return byteCount < leastByteCount
  }
}
