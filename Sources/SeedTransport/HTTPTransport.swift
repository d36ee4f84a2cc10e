/// A way to ask a server: libcurl, Apple's URLSession, or a test's own.
package protocol HTTPTransport: Sendable {
  /// Makes one request on the calling thread, without following redirects.
  ///
  /// The bytes of the body are handed over as they come; while a closure runs nothing more is
  /// received than fits in the system's buffers, so that a slow reader holds the server back.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - cancellation: Ends the request early from another thread.
  ///   - onHead: Takes the final status and headers, once, before any byte of the body.
  ///   - onBody: Takes the next bytes of the body, which are valid during the call only.
  /// - Throws: ``TransportError``, or what a closure throws, which ends the request. When it
  ///   returns, the body had the length that it was declared to have.
  func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws
}

extension HTTPTransport {
  /// Makes a request, redirects followed, on a thread of its own, and ends it when the task ends.
  ///
  /// The blocking form would occupy one of the few threads that all tasks share.
  /// - Throws: As the blocking form does.
  package func perform(
    _ request: HTTPRequest, onHead: @escaping @Sendable (HTTPHead) throws -> Void,
    onBody: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    let cancellation = HTTPCancellation()
    try await withTaskCancellationHandler {
      try await TransportThread.run {
        try follow(request, cancellation: cancellation, onHead: onHead, onBody: onBody)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
