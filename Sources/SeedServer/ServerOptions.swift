/// Where and how the reference server answers.
package struct ServerOptions: Sendable, Hashable {
  /// The address to listen on; by default only this machine reaches it.
  package var address = "127.0.0.1"
  /// The port; 0 takes a free one.
  package var port: UInt16 = 0

  /// The defaults.
  package init() {}
}
