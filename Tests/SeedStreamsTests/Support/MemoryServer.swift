import Foundation
import SeedStreams
import SeedTransport

/// A server without a socket: files by their paths, and a hook that may answer otherwise.
///
/// `@unchecked` is safe: the lock guards every variable.
final class MemoryServer: HTTPTransport, @unchecked Sendable {
  /// A request as it came.
  struct Request: Sendable {
    var path: String
    var headers: HTTPHeaders
    var number: Int

    var isHead: Bool { path.hasSuffix("/head.json") }
    var rangeStart: Int? {
      headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
    }
    var isPassingCaches: Bool { headers["Cache-Control"] == "no-cache" }
  }

  /// What comes instead of the right answer.
  struct Answer: Sendable {
    var status = 200
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// Whether the length is declared.
    var hasLength = true
    /// The error in which it ends after so many bytes of the body; nil for a whole answer.
    var cut: Int?
    /// A cut that looks like an end.
    var isCutSilent = false
  }

  static let base = "https://server.test/catalog/v1"

  private let lock = NSLock()
  private var stored: [String: [UInt8]]
  private var log: [Request] = []
  private var hook: @Sendable (Request, Answer) -> Answer = { $1 }
  private var sentBytes = 0

  init(_ files: [String: [UInt8]] = [:]) {
    stored = files
  }

  var files: [String: [UInt8]] {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }

  var requests: [Request] { lock.withLock { log } }
  var objectRequests: [Request] { requests.filter { !$0.isHead } }
  /// The bytes of bodies that were sent.
  var byteCount: Int { lock.withLock { sentBytes } }

  func forgetRequests() {
    lock.withLock {
      log = []
      sentBytes = 0
    }
  }

  /// Has a closure change answers; it gets the right one.
  func onRequest(_ hook: @escaping @Sendable (Request, Answer) -> Answer) {
    lock.withLock { self.hook = hook }
  }

  private func rightAnswer(_ request: Request) -> Answer {
    let name = String(request.path.dropFirst("/catalog/v1/".count))
    guard let bytes = files[name] else { return Answer(status: 404) }
    var answer = Answer(body: bytes)
    if request.isHead {
      let tag = "\"\(ReferenceEncoding.sha256(bytes).prefix(8))\""
      answer.headers.append(("ETag", tag))
      if request.headers["If-None-Match"] == tag {
        return Answer(status: 304, headers: answer.headers)
      }
    }
    if let start = request.rangeStart {
      guard start < bytes.count else {
        return Answer(status: 416, headers: [("Content-Range", "bytes */\(bytes.count)")])
      }
      answer.status = 206
      answer.headers.append(
        ("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"))
      answer.body = Array(bytes[start...])
    }
    return answer
  }

  func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if cancellation.isCancelled { throw TransportError(.cancelled, url: request.url.text) }
    let received = lock.withLock {
      let received = Request(
        path: request.url.path, headers: request.headers, number: log.count)
      log.append(received)
      return received
    }
    let answer = lock.withLock { hook }(received, rightAnswer(received))
    var headers = HTTPHeaders(answer.headers.map { HTTPField($0.0, $0.1) })
    if answer.hasLength, answer.status != 304 { headers["Content-Length"] = "\(answer.body.count)" }
    try onHead(HTTPHead(status: answer.status, headers: headers, url: request.url))
    let sent = answer.body.prefix(answer.cut ?? answer.body.count)
    lock.withLock { sentBytes += sent.count }
    // In pieces, as they come from a socket.
    for start in stride(from: 0, to: sent.count, by: 1000) {
      try Array(sent[start..<min(start + 1000, sent.count)]).withUnsafeBytes { try onBody($0) }
    }
    if answer.cut != nil, !answer.isCutSilent {
      throw TransportError(
        .cut(
          received: Int64(sent.count), expected: answer.hasLength ? Int64(answer.body.count) : nil),
        url: request.url.text)
    }
  }
}
