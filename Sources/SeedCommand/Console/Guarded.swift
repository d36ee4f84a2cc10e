#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value that one thread at a time may use.
///
/// A build reports from more than one thread. The standard library's own mutex needs newer
/// systems than this package serves, and Foundation would slow the start of the tool.
///
/// Unchecked because the compiler cannot see that `mutex` guards every access to `value`.
final class Guarded<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: sending Value) {
    mutex = .allocate(capacity: 1)
    self.value = value
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "pthread_mutex_init failed with \(status)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Uses the value while no other thread does.
  ///
  /// - Precondition: The body does not use the same value again through this object.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
