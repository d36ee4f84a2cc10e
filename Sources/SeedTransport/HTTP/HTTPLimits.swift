/// The bounds of one exchange with a server, none of which a server can lift.
package struct HTTPLimits: Sendable, Hashable {
  /// How long finding the host, connecting and agreeing on TLS may take together.
  package var connectTimeout: Duration = .seconds(20)
  /// How long the server may take for ``stallByteCount`` bytes once it has the request.
  ///
  /// Time that we take ourselves to deal with bytes does not count.
  package var stallTimeout: Duration = .seconds(30)
  /// The bytes that have to come in each span of ``stallTimeout``.
  package var stallByteCount = 1
  /// The most bytes of a body.
  package var bodyByteCount: Int64 = .max
  /// The most bytes of the status line and the headers.
  package var headByteCount = 256 << 10

  /// Limits for files that may be large.
  package init() {}
}
