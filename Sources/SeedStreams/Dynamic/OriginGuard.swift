package import SeedTransport

/// Keeps credentials from servers other than the one that they are for.
///
/// A dynamic server names addresses of snapshots and segments, which may lie elsewhere.
package struct OriginGuard: HTTPTransport {
  private let base: any HTTPTransport
  private let origin: HTTPURL

  /// A transport that gives confidential headers to one server alone.
  ///
  /// - Parameters:
  ///   - base: What makes the requests.
  ///   - origin: An address at the server.
  package init(_ base: any HTTPTransport, origin: HTTPURL) {
    self.base = base
    self.origin = origin
  }

  /// Makes one request, as the transport below does.
  ///
  /// - Throws: ``SeedTransport/TransportError``, or what a closure throws.
  package func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var request = request
    if !request.url.hasSameOrigin(as: origin) { request.headers.removeConfidential() }
    try base.perform(request, cancellation: cancellation, onHead: onHead, onBody: onBody)
  }
}
