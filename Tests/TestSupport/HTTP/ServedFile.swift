/// A document with an ETag of which a server gives the whole or the rest, as RFC 9110 says.
package struct ServedFile: Sendable {
  package var bytes: [UInt8]
  /// With its quotation marks; nil for none.
  package var entityTag: String?
  package var headers: [(name: String, value: String)] = []

  /// A document.
  package init(_ bytes: [UInt8], entityTag: String? = "\"v1\"") {
    self.bytes = bytes
    self.entityTag = entityTag
  }

  /// The right answer to a request for the document.
  package func answer(to request: ReceivedRequest) -> HTTPAnswer {
    var headers = headers
    headers.append(("Accept-Ranges", "bytes"))
    if let entityTag { headers.append(("ETag", entityTag)) }
    if let entityTag, request["if-none-match"] == entityTag { return HTTPAnswer(304, headers) }
    let isSame = request["if-range"].map { $0 == entityTag } ?? true
    guard let start = request.rangeStart, isSame else {
      return HTTPAnswer(200, headers, body: bytes)
    }
    guard start < bytes.count else {
      return HTTPAnswer(416, headers + [("Content-Range", "bytes */\(bytes.count)")])
    }
    return HTTPAnswer(
      206, headers + [("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")],
      body: Array(bytes[start...]))
  }
}
