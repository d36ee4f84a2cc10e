#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A clock that never goes back and knows no dates.
internal enum MonotonicClock {
  /// The time since some fixed moment.
  internal static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, within what the system's calls take.
  internal var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    let thousandths = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: max(0, thousandths))
  }
}
