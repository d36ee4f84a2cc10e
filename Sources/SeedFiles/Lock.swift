#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A mutual exclusion lock with the value it guards.
///
/// The standard library's needs newer systems than the oldest ones served. `@unchecked` is safe:
/// the value is reached through ``withLock(_:)`` only, one thread at a time.
package final class Lock<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  /// A lock around a value.
  package init(_ value: sending Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs a closure while no other thread does; never nest it.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
