internal import SeedFiles

/// A wish to end a request early, which any thread may express.
package final class HTTPCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var nextKey = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Lock(State())

  /// A token that nobody has used yet.
  package init() {}

  /// Whether the request is to end.
  package var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends the requests that carry this token, now or when they start.
  package func cancel() {
    let handlers = state.withLock { state in
      defer { state.handlers = [:] }
      state.isCancelled = true
      return Array(state.handlers.values)
    }
    for handler in handlers { handler() }
  }

  /// Runs a closure; if the token is used meanwhile, a handler is called on the thread that does.
  ///
  /// The handler may still be running when this returns, so it must not rely on what the caller
  /// then gives up.
  package func withHandler<Result>(
    _ handler: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let key = state.withLock { state in
      state.nextKey += 1
      state.handlers[state.nextKey] = handler
      return state.nextKey
    }
    defer { state.withLock { $0.handlers[key] = nil } }
    return try body()
  }
}
