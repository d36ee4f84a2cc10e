internal import SeedFiles

/// Lets through what matters of many statuses: changes of phase, results, errors, and now and then
/// progress.
internal final class StatusThrottle {
  private let onStatus: (StreamStatus) -> Void
  private var lastPassed: Int64 = .min
  /// The status that came last, passed or not.
  internal private(set) var last: StreamStatus?

  private static let milliseconds: Int64 = 100

  internal init(_ onStatus: @escaping (StreamStatus) -> Void) {
    self.onStatus = onStatus
  }

  /// Takes a status.
  internal func pass(_ status: StreamStatus) {
    let isNews =
      status.phase != last?.phase || status.result != nil || status.error != last?.error
      || status.position != last?.position
    last = status
    let now = FileSystem.live.now()
    guard isNews || now - lastPassed >= Self.milliseconds else { return }
    lastPassed = now
    onStatus(status)
  }
}
