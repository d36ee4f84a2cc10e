internal import Dispatch
internal import SeedFiles

extension SeedDatabase {
  /// Installs a seed, or finds it installed, on a thread of its own.
  ///
  /// The calling task waits without keeping a thread of the pool; the work runs in the background
  /// at the priority of the caller. Cancelling the task ends it at the next block of a megabyte,
  /// also while it waits for another process.
  ///
  /// - Parameters:
  ///   - seed: The prebuilt database.
  ///   - destination: The path of the database to be; see the form that blocks.
  ///   - options: How to go about it. Its closures are called on the thread of the work.
  /// - Returns: The path to open, and what was found and done.
  /// - Throws: ``SeedError``, or `CancellationError` when the task was cancelled; the destination
  ///   is then as it was before.
  public static func install(
    _ seed: Seed, at destination: String, options: InstallOptions = InstallOptions()
  ) async throws -> InstallResult {
    let cancellation = InstallCancellation()
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          DispatchQueue(label: "seed.install", qos: .userInitiated).async {
            continuation.resume(
              with: Result {
                try install(
                  seed, at: destination, options: options, cancellation: cancellation)
              })
          }
        }
      } onCancel: {
        cancellation.cancel()
      }
    } catch let error as SeedError where error.reason == .cancelled {
      throw CancellationError()
    }
  }
}
