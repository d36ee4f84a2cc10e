#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A thread of our own that runs one closure and gives its result to whoever joins it.
///
/// Not a task: parsing and checking block for as long as they take, which the pool of Swift's
/// concurrency is not made for.
package final class WorkerThread<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `result` is written by the thread and read after it was joined.
  private let body: @Sendable () throws -> Value
  private var result: Result<Value, any Error>?
  private var handle = pthread_t(bitPattern: 0)

  /// libxml2 nests by recursion in places, and other threads than the first get 512 KiB on macOS.
  private static var stackByteCount: Int { 8 << 20 }

  /// Prepares a thread for one closure.
  package init(_ body: @escaping @Sendable () throws -> Value) {
    self.body = body
  }

  /// Starts the thread.
  ///
  /// - Throws: ``WorkerThreadError`` when the system has no thread to give.
  package func start() throws {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, WorkerThread.stackByteCount)
    let box = Unmanaged.passRetained(ThreadBody { [self] in result = Result(catching: body) })
    let status = pthread_create(&handle, &attributes, runThreadBody, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw WorkerThreadError(errno: status)
    }
  }

  /// Waits for the closure's end and gives its result.
  ///
  /// - Precondition: The thread was started, and is joined once.
  /// - Throws: What the closure threw.
  package func join() throws -> Value {
    #if canImport(Darwin)
      if let handle { pthread_join(handle, nil) }
    #else
      pthread_join(handle, nil)
    #endif
    guard let result else { preconditionFailure("a thread that was joined has a result") }
    return try result.get()
  }
}

/// The system could not start a thread.
package struct WorkerThreadError: Error {
  /// The system's error number.
  package var errno: Int32
}

private final class ThreadBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runThreadBody(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
    return nil
  }
#else
  private func runThreadBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let box { Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run() }
    return nil
  }
#endif
