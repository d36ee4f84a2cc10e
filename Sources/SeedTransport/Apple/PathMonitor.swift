#if canImport(Network)
  internal import Dispatch
  internal import Network
  internal import SeedFiles

  /// Watches the device's network for the whole process, from the first question on.
  ///
  /// Not run where this package is built and tested: the compiler checks it against declarations of
  /// Apple's, and ``NetworkPath`` is tested with one of the tests' own.
  internal final class PathMonitor: Sendable {
    internal static let shared = PathMonitor()

    private struct State {
      /// Before the first word of the system a request is worth trying.
      var isUsable = true
      var nextKey = 0
      var waiting: [Int: DispatchSemaphore] = [:]
    }

    private let state = Lock(State())
    private let monitor = NWPathMonitor()

    private init() {
      monitor.pathUpdateHandler = { [state] path in
        let isUsable = path.status != .unsatisfied
        let released = state.withLock { state in
          state.isUsable = isUsable
          return isUsable ? Array(state.waiting.values) : []
        }
        for semaphore in released { semaphore.signal() }
      }
      monitor.start(queue: DispatchQueue(label: "seed.network-path"))
    }

    /// What it says, as a stream asks for it.
    internal var path: NetworkPath {
      NetworkPath(
        isUsable: { self.state.withLock(\.isUsable) },
        waitUntilUsable: { self.wait(orUntil: $0) })
    }

    private func wait(orUntil cancellation: HTTPCancellation) {
      let semaphore = DispatchSemaphore(value: 0)
      let key = state.withLock { state in
        if state.isUsable { return nil as Int? }
        state.nextKey += 1
        state.waiting[state.nextKey] = semaphore
        return state.nextKey
      }
      guard let key else { return }
      cancellation.withHandler({ semaphore.signal() }) {
        if !cancellation.isCancelled { semaphore.wait() }
      }
      state.withLock { $0.waiting[key] = nil }
    }
  }
#endif
