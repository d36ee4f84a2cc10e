/// What is asked of a server.
package struct HTTPRequest: Sendable, Hashable {
  package var method = "GET"
  package var url: HTTPURL
  /// The headers besides `Host`, `User-Agent` and those about the body's length.
  package var headers: HTTPHeaders
  /// What is sent; nil for nothing.
  package var body: [UInt8]?
  package var limits = HTTPLimits()
  /// The secrets in the address and the headers, which no error shows.
  package var redaction: Redaction

  /// A request for a document.
  ///
  /// Bodies come as they are unless the headers ask for another coding: a compressed answer cannot
  /// be resumed, and one that is cut looks complete.
  package init(
    _ url: HTTPURL, headers: HTTPHeaders = HTTPHeaders(), redaction: Redaction? = nil
  ) {
    self.url = url
    self.headers = headers
    self.redaction =
      redaction ?? Redaction(headers.fields.filter(\.isConfidential).map(\.value))
    if headers["Accept-Encoding"] == nil { self.headers["Accept-Encoding"] = "identity" }
  }

  /// The address as errors show it.
  package var shownURL: String { redaction.shown(url) }

  /// An error about this request.
  package func error(_ reason: TransportError.Reason) -> TransportError {
    TransportError(reason, url: shownURL)
  }
}
