internal import SeedFiles

/// A way to end an installation from another thread.
///
/// The installation ends at its next step or block of a megabyte, deletes its copy, and throws
/// ``SeedError`` with ``SeedError/Reason/cancelled``. Once the copy has its name, cancelling has
/// no effect. The `async` form of ``SeedDatabase/install(_:at:options:)`` needs none: it follows
/// its task.
public final class InstallCancellation: Sendable {
  private let flag = Lock(false)

  /// Nothing is cancelled yet.
  public init() {}

  /// Cancels; safe from any thread, and more than once.
  public func cancel() {
    flag.withLock { $0 = true }
  }

  /// Whether it was cancelled.
  public var isCancelled: Bool { flag.withLock { $0 } }
}
