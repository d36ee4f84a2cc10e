/// What a fault server answers, and what it does to the connection meanwhile.
package struct HTTPAnswer: Sendable {
  /// How the client learns where the body ends.
  package enum Framing: Sendable {
    case contentLength
    case chunked
    /// By the end of the connection alone.
    case untilClose
  }

  /// What goes wrong.
  package enum Fault: Sendable {
    case none
    /// The connection ends in order after so many bytes of the whole answer, head included.
    case close(after: Int)
    /// The connection is reset after so many bytes of the whole answer.
    case reset(after: Int)
    /// Nothing more comes after so many bytes of the whole answer.
    case stall(after: Int)
    /// The body never ends.
    case endless
    /// So many bytes of the whole answer come at a time, with a pause between them.
    case slow(byteCount: Int, pauseMilliseconds: Int32)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  package var framing = Framing.contentLength
  package var fault = Fault.none
  /// Sent as it is, instead of all the rest.
  package var raw: [UInt8]?
  /// Makes the body while it is sent, in chunks, instead of the one in memory: it sends pieces until
  /// it is told that the client is gone.
  package var writer: (@Sendable (_ send: ([UInt8]) -> Bool) -> Void)?
  /// The length that is declared, where that is not the body's.
  package var declaredLength: Int64?

  /// An answer with a body.
  package init(
    _ status: Int = 200, _ headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a text.
  package init(
    _ status: Int = 200, _ headers: [(name: String, value: String)] = [], text: String
  ) {
    self.init(status, headers, body: Array(text.utf8))
  }

  /// Bytes that need not be HTTP, after which the connection ends.
  package static func raw(_ text: String) -> HTTPAnswer {
    var answer = HTTPAnswer()
    answer.raw = Array(text.utf8)
    return answer
  }

  /// A redirect.
  package static func redirect(_ location: String, status: Int = 302) -> HTTPAnswer {
    HTTPAnswer(status, [("Location", location)])
  }

  /// The same answer with a fault.
  package func with(_ fault: Fault) -> HTTPAnswer {
    var answer = self
    answer.fault = fault
    return answer
  }

  /// The same answer with another framing.
  package func with(_ framing: Framing) -> HTTPAnswer {
    var answer = self
    answer.framing = framing
    return answer
  }

  /// The status line and the headers.
  package var head: [UInt8] {
    var text = "HTTP/1.1 \(status) Some Words\r\n"
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    switch framing {
    case .contentLength:
      if status != 304 { text += "Content-Length: \(declaredLength ?? Int64(body.count))\r\n" }
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    case .untilClose: text += "Connection: close\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  /// How many bytes of the whole answer are sent when so many of its body are.
  package func byteCount(ofBody count: Int) -> Int {
    guard case .chunked = framing else { return head.count + count }
    let size = Self.chunkByteCount
    let (whole, rest) = count.quotientAndRemainder(dividingBy: size)
    let overhead = String(size, radix: 16).utf8.count + 4
    guard rest > 0 else { return head.count + whole * (size + overhead) }
    let last = min(size, body.count - whole * size)
    return head.count + whole * (size + overhead) + String(last, radix: 16).utf8.count + 2 + rest
  }

  private static let chunkByteCount = 1000

  /// The whole answer as it is sent, were it not for the fault.
  package var bytes: [UInt8] {
    if let raw { return raw }
    guard status != 304 else { return head }
    guard case .chunked = framing else { return head + body }
    var bytes = head
    for start in stride(from: 0, to: body.count, by: Self.chunkByteCount) {
      let chunk = body[start..<min(start + Self.chunkByteCount, body.count)]
      bytes += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + [13, 10]
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }
}
