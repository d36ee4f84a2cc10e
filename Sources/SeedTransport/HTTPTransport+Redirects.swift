extension HTTPTransport {
  /// Makes a request and follows redirects by our own rules.
  ///
  /// At most ten; never from `https` to `http`; and once host, port or scheme changes, what must
  /// stay with the first server (`Authorization`, `Cookie`, every header made of a secret) is left
  /// out for good.
  /// - Throws: As ``perform(_:cancellation:onHead:onBody:)`` does.
  package func follow(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var current = request
    for step in 0...RedirectRule.limit {
      do {
        try perform(
          current, cancellation: cancellation,
          onHead: { head in
            if let next = try RedirectRule.next(after: current, head) {
              guard step < RedirectRule.limit else {
                throw request.error(
                  .redirectRefused(.tooMany, location: next.redaction.shown(next.url)))
              }
              // Leaving the request here spares the body, which nobody reads.
              throw Redirect(request: next)
            }
            try onHead(head)
          },
          onBody: onBody)
        return
      } catch let redirect as Redirect {
        current = redirect.request
      } catch var error as TransportError where current.url != request.url {
        // Both are told: the address that was asked for, and the one that has failed.
        if case .redirectRefused = error.reason { throw error }
        error.url = request.shownURL
        error.redirectedTo = current.shownURL
        throw error
      }
    }
  }
}

/// Carries the next request out of a transport.
private struct Redirect: Error {
  let request: HTTPRequest
}

/// What a redirect makes of a request (RFC 9110, section 15.4).
internal enum RedirectRule {
  /// The most redirects that are followed.
  internal static let limit = 10

  /// The request that an answer asks for; nil if it asks for none.
  ///
  /// - Throws: ``TransportError`` with `redirectRefused`.
  internal static func next(
    after request: HTTPRequest, _ head: HTTPHead
  ) throws(TransportError) -> HTTPRequest? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    guard let location = head.headers["Location"] else {
      throw request.error(.redirectRefused(.noLocation, location: "\(head.status)"))
    }
    var next = request
    do {
      next.url = try request.url.resolving(location)
    } catch {
      throw request.error(
        .redirectRefused(
          .notAnAddress, location: request.redaction.shownWithoutPath(location)))
    }
    // What a server puts into the path at another one may be all that is asked for there.
    if !next.url.hasSameOrigin(as: request.url) { next.redaction.hidePaths(notOf: request.url) }
    if request.url.scheme == .https, next.url.scheme == .http {
      throw request.error(
        .redirectRefused(.insecure, location: next.redaction.shown(next.url)))
    }
    if !next.url.hasSameOrigin(as: request.url) { next.headers.removeConfidential() }
    // Every client turns a POST into a GET here, which 307 and 308 were made to prevent.
    if head.status == 303 && request.method != "HEAD"
      || [301, 302].contains(head.status) && request.method == "POST"
    {
      next.method = "GET"
      next.body = nil
      next.headers.remove("Content-Type")
    }
    return next
  }
}
