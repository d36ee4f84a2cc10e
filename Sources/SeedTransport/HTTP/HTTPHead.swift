/// The status and the headers of an answer.
package struct HTTPHead: Sendable, Hashable {
  package var status: Int
  package var headers: HTTPHeaders
  /// Where the answer came from, behind all redirects.
  package var url: HTTPURL

  /// Creates a head.
  package init(status: Int, headers: HTTPHeaders, url: HTTPURL) {
    self.status = status
    self.headers = headers
    self.url = url
  }

  /// The declared length of the body; nil if it is not declared or makes no sense.
  package var contentLength: Int64? {
    guard !isChunked, let text = headers["Content-Length"],
      !text.isEmpty, text.utf8.allSatisfy(HTTPURL.isDigit)
    else { return nil }
    return Int64(text)
  }

  /// Whether the body comes in chunks, the last of which marks its end.
  package var isChunked: Bool {
    headers.values(of: "Transfer-Encoding").contains { $0.lowercased().contains("chunked") }
  }

  /// The codings of the body besides `identity`, such as `gzip`.
  package var contentCodings: [String] {
    headers.values(of: "Content-Encoding")
      .flatMap { $0.split(separator: ",") }
      .map { HTTPText.trimmed($0).lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
  }
}
