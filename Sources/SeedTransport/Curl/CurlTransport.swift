#if !canImport(Darwin)
  internal import Glibc
  internal import SeedFiles

  /// Requests through libcurl.
  ///
  /// Certificates are always checked. `SSL_CERT_FILE` names further trusted ones, and the usual
  /// variables (`https_proxy`, `no_proxy`, …) a proxy. Connections are kept for the next request.
  package final class CurlTransport: HTTPTransport {
    /// Idle connections that are kept; each request in flight has a session of its own.
    private static let idleLimit = 4

    private let certificateFile: String?
    private let idle = Lock<[CurlSession]>([])

    /// A transport that trusts the certificates in a file besides those of the system.
    ///
    /// - Parameter certificateFile: The file in PEM form; without any, that of `SSL_CERT_FILE`.
    package init(certificateFile: String? = nil) {
      self.certificateFile = certificateFile ?? Self.environment("SSL_CERT_FILE")
    }

    /// Makes one request, without following redirects.
    ///
    /// - Throws: ``TransportError``, or what a closure throws.
    package func perform(
      _ request: HTTPRequest, cancellation: HTTPCancellation,
      onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
      for field in request.headers.fields where !field.isValid {
        throw request.error(.invalidHeader(field.name))
      }
      guard let session = idle.withLock({ $0.popLast() }) ?? CurlSession() else {
        throw request.error(.noLibrary)
      }
      defer {
        idle.withLock { if $0.count < Self.idleLimit { $0.append(session) } }
      }
      try withoutActuallyEscaping(onHead) { onHead in
        try withoutActuallyEscaping(onBody) { onBody in
          let transfer = CurlTransfer(request, onHead: onHead, onBody: onBody)
          try cancellation.withHandler({ session.wakeUp() }) {
            try session.run(
              transfer, certificateFile: certificateFile,
              isCancelled: { cancellation.isCancelled })
          }
        }
      }
    }

    private static func environment(_ name: String) -> String? {
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
  }
#endif
