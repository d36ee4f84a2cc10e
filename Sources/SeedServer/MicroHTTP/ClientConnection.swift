#if !canImport(Darwin)
  internal import CMicroHTTPD
  internal import Glibc

  /// A client's connection, seen from the thread that serves it.
  internal final class ClientConnection: ServedClient {
    private let descriptor: Int32
    private let isStopped: () -> Bool

    /// How often a wait looks up.
    private static let slice = Duration.milliseconds(20)

    internal init(_ descriptor: Int32, isStopped: @escaping () -> Bool) {
      self.descriptor = descriptor
      self.isStopped = isStopped
    }

    internal func wait(_ duration: Duration, until isOver: () throws -> Bool) rethrows {
      let clock = ContinuousClock()
      let end = clock.now + duration
      while try !isOver(), !isStopped() {
        let left = clock.now.duration(to: end)
        guard left > .zero, !hangsUp(within: min(left, Self.slice)) else { return }
      }
    }

    internal func reset() {
      // Giving up the peer's address aborts a connection at once, where closing it could still
      // send an orderly end before the reset.
      var nobody = sockaddr()
      nobody.sa_family = sa_family_t(AF_UNSPEC)
      _ = connect(descriptor, &nobody, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Waits for the client to hang up.
    private func hangsUp(within time: Duration) -> Bool {
      let milliseconds =
        Int32(clamping: time.components.seconds * 1000)
        + Int32(time.components.attoseconds / 1_000_000_000_000_000) + 1
      return seed_socket_hangs_up(descriptor, milliseconds) != 0
    }
  }
#endif
