internal import SeedTransport

/// How long to wait between two looks at a server.
internal enum PollInterval {
  /// No server may be asked more often.
  private static let shortest = Duration.seconds(15)

  /// What was asked for, a tenth more or less, so that devices do not come all at once.
  internal static func wait(_ interval: Duration, _ clock: RetryClock) -> Duration {
    max(shortest, interval * (0.9 + 0.2 * clock.fraction()))
  }
}
