#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Threads for work that blocks, which tasks wait for.
package enum TransportThread {
  /// The system could not start a thread.
  package struct Failure: Error, Sendable {
    /// The system's error number.
    package var code: Int32
  }

  /// Runs a closure on a new thread and gives its result.
  ///
  /// - Throws: What the closure throws, or ``Failure``.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let code = start { continuation.resume(with: Result(catching: body)) }
      if code != 0 { continuation.resume(throwing: Failure(code: code)) }
    }
  }

  /// Starts a thread that nobody waits for.
  ///
  /// - Returns: The system's error number, 0 if the thread runs.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let box = Unmanaged.passRetained(Body(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, runBody, box)
    guard code == 0 else {
      Unmanaged<Body>.fromOpaque(box).release()
      return code
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return 0
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runBody(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
    return nil
  }
#else
  private func runBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let box { Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run() }
    return nil
  }
#endif
