/// Whether the device has a way to any network, from the system.
///
/// Only Apple's systems tell; elsewhere there is none, and attempts are made whatever the network.
package struct NetworkPath: Sendable {
  /// Whether there is a way at this moment.
  package var isUsable: @Sendable () -> Bool
  /// Waits until there is a way, or the token is used.
  package var waitUntilUsable: @Sendable (HTTPCancellation) -> Void

  /// A path from its parts.
  package init(
    isUsable: @escaping @Sendable () -> Bool,
    waitUntilUsable: @escaping @Sendable (HTTPCancellation) -> Void
  ) {
    self.isUsable = isUsable
    self.waitUntilUsable = waitUntilUsable
  }

  /// That of the system; nil where the system does not tell.
  package static var live: NetworkPath? {
    #if canImport(Network)
      PathMonitor.shared.path
    #else
      nil
    #endif
  }
}
