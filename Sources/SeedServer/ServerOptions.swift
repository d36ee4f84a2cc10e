/// Where and how the reference server answers.
package struct ServerOptions: Sendable, Hashable {
  /// The address to listen on; by default only this machine reaches it.
  package var address = "127.0.0.1"
  /// The port; 0 takes a free one.
  package var port: UInt16 = 0
  /// What each request has to bring as `Authorization: Bearer …`; nil lets everybody in.
  package var token: String?
  /// What goes wrong, and when.
  package var faults = FaultPlan()
  /// The most bytes of the lines between two places from which a dynamic answer can be resumed.
  ///
  /// A row that is longer is sent all the same, on a page of its own.
  package var pageByteCount = 1 << 20
  /// Whether a client that is behind is sent to the static files.
  package var redirectsToFiles = false
  /// How long a request may wait for something new at most.
  package var longestWait: Duration = .seconds(60)
  /// How many connections are served at once; more have to wait.
  package var connectionLimit: UInt32 = 128

  /// The defaults.
  package init() {}
}
