import SeedFiles
import SeedTransport
import TestSupport
import Testing

@Suite struct CurlTransportTests {
  private let transport = StandardTransport.make()

  @Test(arguments: [HTTPAnswer.Framing.contentLength, .chunked, .untilClose])
  func `a body comes whole however its end is marked`(framing: HTTPAnswer.Framing) throws {
    let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let server = try HTTPFaultServer(HTTPAnswer(body: body).with(framing))
    let answer = try transport.answer(.get(server.url("/a?b=c")))
    #expect(answer.body == body)
    #expect(answer.head?.status == 200)
    let request = try #require(server.requests.first)
    #expect(request.target == "/a?b=c")
    #expect(request["accept-encoding"] == "identity")
    #expect(request["user-agent"]?.hasPrefix("seed/") == true)
  }

  @Test func `headers and a body are sent as they are`() throws {
    let server = try HTTPFaultServer(HTTPAnswer())
    let headers = HTTPHeaders([HTTPField("X-Empty", ""), HTTPField("Content-Type", "a/b")])
    var request = try HTTPRequest.get(server.url(), headers: headers)
    request.method = "POST"
    request.body = Array("{\"a\":1}".utf8)
    _ = try transport.answer(request)
    let received = try #require(server.requests.first)
    #expect(received.method == "POST")
    #expect(received["x-empty"] == "")
    #expect(received["content-type"] == "a/b")
    #expect(received["expect"] == nil)
    #expect(received.body == Array("{\"a\":1}".utf8))
  }

  @Test func `a HEAD has no body whatever length it declares`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "abc"))
    var request = try HTTPRequest.get(server.url())
    request.method = "HEAD"
    let answer = try transport.answer(request)
    #expect(answer.head?.contentLength == 3)
    #expect(answer.body.isEmpty)
  }

  @Test func `an informational answer before the real one is passed over`() throws {
    let server = try HTTPFaultServer(
      .raw(
        "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 2\r\n\r\nok"
      ))
    let answer = try transport.answer(.get(server.url()))
    #expect(answer.head?.status == 201)
    #expect(answer.head?.headers["Link"] == nil)
    #expect(answer.text == "ok")
  }

  @Test(arguments: [HTTPAnswer.Framing.contentLength, .chunked])
  func `an answer cut at any place is an error`(framing: HTTPAnswer.Framing) throws {
    let answer = HTTPAnswer(text: "0123456789").with(framing)
    // Of the mark behind the last chunk the library does not insist on the very last byte.
    let isChunked = if case .chunked = framing { true } else { false }
    for count in 0..<(answer.bytes.count - (isChunked ? 1 : 0)) {
      for fault in [HTTPAnswer.Fault.close(after: count), .reset(after: count)] {
        let server = try HTTPFaultServer(answer.with(fault))
        let error = try transport.failure(of: .get(server.url()))
        guard case .cut? = error?.reason else {
          Issue.record("\(fault): \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test func `a silent server is left after the time given`() throws {
    let stall = HTTPAnswer(text: "0123456789")
    for count in [0, 10, stall.bytes.count - 5] {
      let server = try HTTPFaultServer(stall.with(.stall(after: count)))
      var request = try HTTPRequest.get(server.url())
      request.limits.stallTimeout = .milliseconds(50)
      #expect(try transport.failure(of: request)?.reason == .timedOut(.receiving))
    }
  }

  @Test func `a declared length beyond the limit is refused before the body`() throws {
    var answer = HTTPAnswer(text: "x").with(.stall(after: 1000))
    answer.declaredLength = 10 << 30
    let server = try HTTPFaultServer(answer)
    var request = try HTTPRequest.get(server.url())
    request.limits.bodyByteCount = 1 << 20
    #expect(try transport.failure(of: request)?.reason == .tooLarge(limit: 1 << 20))
  }

  @Test func `a body without end is left at the limit`() throws {
    let server = try HTTPFaultServer(HTTPAnswer().with(.untilClose).with(.endless))
    var request = try HTTPRequest.get(server.url())
    request.limits.bodyByteCount = 3 << 20
    var received = 0
    let error = #expect(throws: TransportError.self) {
      try transport.perform(
        request, cancellation: HTTPCancellation(), onHead: { _ in },
        onBody: { received += $0.count })
    }
    #expect(error?.reason == .tooLarge(limit: 3 << 20))
    #expect(received <= 3 << 20)
  }

  @Test func `headers without end are left at the limit`() throws {
    let line = "X-Filler: " + String(repeating: "x", count: 1000) + "\r\n"
    let server = try HTTPFaultServer(
      .raw("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 500)))
    let error = try transport.failure(of: .get(server.url()))
    #expect(error?.reason == .malformed("its headers are too long"))
  }

  @Test(arguments: [
    "garbage instead of HTTP\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}\u{1}\u{2}\u{3}\r\n\r\n",
  ])
  func `what is not HTTP is malformed`(text: String) throws {
    let server = try HTTPFaultServer(.raw(text))
    let error = try transport.failure(of: .get(server.url()))
    guard case .malformed? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a port on which nobody listens is unreachable`() throws {
    let port = try HTTPFaultServer.closedPort()
    let error = try transport.failure(of: .get("http://127.0.0.1:\(port)/"))
    guard case .unreachable? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.url == "http://127.0.0.1:\(port)/")
  }

  @Test func `what a closure throws ends the request and is thrown`() throws {
    struct Enough: Error {}
    let server = try HTTPFaultServer(HTTPAnswer().with(.untilClose).with(.endless))
    let request = try HTTPRequest.get(server.url())
    #expect(throws: Enough.self) {
      try transport.perform(
        request, cancellation: HTTPCancellation(), onHead: { _ in throw Enough() },
        onBody: { _ in })
    }
    #expect(throws: Enough.self) {
      try transport.perform(
        request, cancellation: HTTPCancellation(), onHead: { _ in },
        onBody: { _ in throw Enough() })
    }
  }

  @Test func `a header with a line break is not sent`() throws {
    let server = try HTTPFaultServer(HTTPAnswer())
    let headers = HTTPHeaders([HTTPField("X", "a\r\nY: b")])
    #expect(
      try transport.failure(of: .get(server.url(), headers: headers))?.reason == .invalidHeader("X")
    )
    #expect(server.requests.isEmpty)
  }

  @Test func `one connection serves many requests`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "x"))
    for _ in 0..<3 { #expect(try transport.answer(.get(server.url())).text == "x") }
    #expect(server.requests.count == 3)
    #expect(server.connectionCount == 1)
  }

  @Test func `a cancelled request ends at once`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "abc").with(.stall(after: 0)))
    let request = try HTTPRequest.get(server.url())
    let cancellation = HTTPCancellation()
    let transport = transport
    // The server has the request before it is cancelled, so the wait itself is ended.
    server.onRequest { cancellation.cancel() }
    let error = #expect(throws: TransportError.self) {
      try transport.perform(
        request, cancellation: cancellation, onHead: { _ in }, onBody: { _ in })
    }
    #expect(error?.reason == .cancelled)
  }

  @Test func `a cancelled task ends its request`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "abc").with(.stall(after: 0)))
    let request = try HTTPRequest.get(server.url())
    let transport = transport
    let task = Task {
      try await transport.perform(request, onHead: { _ in }, onBody: { _ in })
    }
    server.onRequest { task.cancel() }
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
  }

  @Test func `the asynchronous form gives the same bytes`() async throws {
    let server = try HTTPFaultServer(.redirect("/b"), HTTPAnswer(text: "abc"))
    let body = Lock<[UInt8]>([])
    try await transport.perform(
      .get(server.url()), onHead: { _ in },
      onBody: { bytes in
        let piece = Array(bytes)
        body.withLock { $0 += piece }
      })
    #expect(body.withLock { $0 } == Array("abc".utf8))
  }
}
