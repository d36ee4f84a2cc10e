package import SeedModel

/// A status, headers and a body.
package struct ServerAnswer {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: any AnswerBody

  /// An answer from its parts.
  package init(
    _ status: Int, _ headers: [(name: String, value: String)] = [],
    body: any AnswerBody = BytesBody()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The length that the head declares; nil where none is.
  ///
  /// A 304 has no body, and the length of the one that it stands for is not known here: it must not
  /// say 0 (RFC 9110, section 8.6).
  internal var declaredByteCount: Int64? { status == 304 ? nil : body.byteCount }

  /// An error as RFC 9457 has it, which no cache may keep.
  package static func problem(
    _ status: Int, type: String = "about:blank", title: String, detail: String? = nil,
    members: [JSONValue.Member] = [], headers: [(name: String, value: String)] = []
  ) -> ServerAnswer {
    var document: [JSONValue.Member] = [
      .init("type", .string(type)), .init("title", .string(title)),
      .init("status", .integer(status)),
    ]
    if let detail { document.append(.init("detail", .string(detail))) }
    return ServerAnswer(
      status,
      [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + headers,
      body: BytesBody(JSONValue.object(document + members).line))
  }

  /// What is said of a path that leads to nothing.
  package static func notFound() -> ServerAnswer {
    .problem(404, title: "Not found")
  }
}
