internal import SeedFiles

/// Remembers at which positions servers had nothing newer: there the next question may wait for it.
///
/// The first look is answered at once, so that a stream says that it is up to date; the next one, which
/// waits, follows it without a pause.
internal enum LongPolling {
  /// How long a server is asked to wait.
  internal static let waitSeconds = 25
  /// An answer that took less did not wait.
  internal static let shortestWaitMilliseconds: Int64 = 5000

  private static let positions = Lock<[String: StreamPosition]>([:])

  /// Whether the server was up to date with a position when it was asked last.
  internal static func isCurrent(_ position: StreamPosition, _ key: String) -> Bool {
    positions.withLock { $0[key] == position }
  }

  /// Takes note of a position at which there was nothing newer.
  internal static func note(_ position: StreamPosition, _ key: String) {
    positions.withLock { $0[key] = position }
  }
}
