/// Why a request got no complete answer: what an app has to tell apart, and for which address.
package struct TransportError: Error, Sendable, Hashable {
  /// The kinds of failure.
  package enum Reason: Sendable, Hashable {
    /// The host is not known or does not take the connection: perhaps there is no network.
    case unreachable(String)
    /// No connection came about in time, or the server fell silent.
    case timedOut(Phase)
    /// TLS failed before the server could prove who it is.
    case handshake(String)
    /// The server's certificate does not prove that it is the host, or nobody trusted signed it.
    case untrusted(String)
    /// The connection ended inside an answer of which so much had come.
    case cut(received: Int64, expected: Int64?)
    /// The server answered with a status that is no success.
    case status(Int, retryAfter: Duration?)
    /// A redirect that is not followed, with the place that it names.
    case redirectRefused(RedirectRefusal, location: String)
    /// The answer is, or says that it is, longer than the limit.
    case tooLarge(limit: Int64)
    /// What came is not HTTP, or contradicts itself.
    case malformed(String)
    /// The body is in a coding that was not asked for.
    case encoded(String)
    /// The document kept changing while its parts were fetched.
    case changing
    /// The text of the request is no address.
    case invalidURL(HTTPURL.Problem)
    /// A header of the request cannot be sent; its name.
    case invalidHeader(String)
    /// The library that makes connections is missing or does not start.
    case noLibrary
    case cancelled
  }

  /// When time ran out.
  package enum Phase: Sendable, Hashable {
    case connecting, receiving
  }

  /// Why a redirect is not followed.
  package enum RedirectRefusal: Sendable, Hashable {
    /// From `https` to `http`.
    case insecure
    case tooMany
    case notAnAddress
    /// No `Location` says where to.
    case noLocation
  }

  package var reason: Reason
  /// The address without secrets.
  package var url: String
  /// The address without secrets that the request was sent on to by redirects, if it was.
  package var redirectedTo: String?

  /// Creates an error about an address, which must not hold a secret.
  package init(_ reason: Reason, url: String) {
    self.reason = reason
    self.url = url
  }

  /// Whether the same request may well succeed a moment later.
  package var isTransient: Bool {
    switch reason {
    case .unreachable, .timedOut, .handshake, .cut, .malformed: true
    case .status(let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// Whether the server says that it is at fault itself.
  package var isServerFailure: Bool {
    if case .status(500...599, _) = reason { true } else { false }
  }

  /// How long the server asks to wait before the next request.
  package var retryAfter: Duration? {
    if case .status(_, let delay) = reason { delay } else { nil }
  }
}
