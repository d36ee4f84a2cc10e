internal import SeedFiles

/// Tells the caller how far an installation is, and asks whether it is still wanted.
internal final class InstallWatch: @unchecked Sendable {
  // Unchecked: confined to the thread of one installation; the flag it reads has a lock.
  private let cancellation: InstallCancellation?
  private let onProgress: (@Sendable (Double) -> Void)?
  private var reported = -1.0
  /// Copying is most of the work; 1 is kept for the end.
  private static let shareOfCopying = 0.98

  internal init(
    _ cancellation: InstallCancellation?, onProgress: (@Sendable (Double) -> Void)?
  ) {
    self.cancellation = cancellation
    self.onProgress = onProgress
  }

  /// - Throws: ``SeedError`` when the installation was cancelled.
  internal func check(_ step: InstallStep, _ path: String) throws(SeedError) {
    if cancellation?.isCancelled == true { throw SeedError(step, path, .cancelled) }
  }

  /// Reports a share of the bytes.
  internal func report(copied: Int64, of total: Int64) {
    report(Self.shareOfCopying * Double(copied) / Double(max(total, 1)))
  }

  /// Reports the end, once.
  internal func reportEnd() {
    report(1)
  }

  private func report(_ share: Double) {
    guard let onProgress, share > reported else { return }
    reported = share
    onProgress(share)
  }
}
