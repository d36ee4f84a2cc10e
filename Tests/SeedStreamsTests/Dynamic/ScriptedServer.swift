import Foundation
import SeedStreams
import SeedTransport

/// A server without a socket that answers each request by a closure.
///
/// `@unchecked` is safe: the lock guards every variable.
final class ScriptedServer: HTTPTransport, @unchecked Sendable {
  /// A request as it came.
  struct Request: Sendable {
    var url: HTTPURL
    var headers: HTTPHeaders
    /// How many came before it.
    var number: Int
    var query: [String: String]

    init(_ request: HTTPRequest, number: Int) {
      url = request.url
      headers = request.headers
      self.number = number
      query = [:]
      for item in (request.url.query ?? "").split(separator: "&") {
        let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        query[String(pair[0])] = String(pair[1]).removingPercentEncoding
      }
    }

    var position: StreamPosition {
      StreamPosition(
        epoch: query["epoch"].flatMap { Int64($0) } ?? -1,
        seq: query["seq"].flatMap { Int64($0) } ?? -1, id: query["id"] ?? "")
    }
  }

  /// What is answered.
  struct Answer: Sendable {
    var status = 200
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// After how many bytes of the body the connection is lost; nil for a whole answer.
    var cut: Int?

    init(
      _ status: Int = 200, _ headers: [(String, String)] = [], body: [UInt8] = [], cut: Int? = nil
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.cut = cut
    }

    init(_ status: Int = 200, _ headers: [(String, String)] = [], text: String) {
      self.init(status, headers, body: Array(text.utf8))
    }
  }

  static let endpoint = "https://server.test/v1/streams/catalog"

  private let lock = NSLock()
  private let answer: @Sendable (Request) throws -> Answer
  private var log: [Request] = []
  private var sentBytes = 0

  init(_ answer: @escaping @Sendable (Request) throws -> Answer) {
    self.answer = answer
  }

  var requests: [Request] { lock.withLock { log } }
  /// The bytes of bodies that were sent.
  var byteCount: Int { lock.withLock { sentBytes } }

  func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if cancellation.isCancelled { throw TransportError(.cancelled, url: request.url.text) }
    let received = lock.withLock {
      let received = Request(request, number: log.count)
      log.append(received)
      return received
    }
    let answer = try answer(received)
    let headers = HTTPHeaders(answer.headers.map { HTTPField($0.0, $0.1) })
    try onHead(HTTPHead(status: answer.status, headers: headers, url: request.url))
    let sent = answer.body.prefix(answer.cut ?? answer.body.count)
    // In pieces of an odd length, so that lines are cut in every way.
    for start in stride(from: 0, to: sent.count, by: 97) {
      let piece = Array(sent[start..<min(start + 97, sent.count)])
      lock.withLock { sentBytes += piece.count }
      try piece.withUnsafeBytes { try onBody($0) }
    }
    if answer.cut != nil {
      throw TransportError(
        .cut(received: Int64(sent.count), expected: nil), url: request.url.text)
    }
  }
}
