internal import SeedFiles
internal import SeedModel
internal import SeedTransport

/// The user who has logged in, and requests in the user's name.
///
/// Name, password and token are in memory alone.
internal final class HyperHiveSession: Sendable {
  private struct State {
    var user: (name: String, password: String)?
    var token: String?
  }

  internal let server: HyperHiveServer
  internal let transport: any HTTPTransport
  private let state = Lock(State())

  internal init(_ server: HyperHiveServer, transport: any HTTPTransport) {
    self.server = server
    self.transport = transport
  }

  /// Logs a user in.
  ///
  /// - Throws: ``HyperHiveError``, ``TransportError``. Who was logged in before still is.
  internal func authenticate(
    _ name: String, _ password: String, cancellation: HTTPCancellation,
    exchange: inout HyperHiveExchange
  ) throws {
    let token = try obtainToken(name, password, cancellation, &exchange)
    state.withLock {
      $0.user = (name, password)
      $0.token = token
    }
  }

  /// Obtains another token for the user who has logged in.
  ///
  /// - Throws: ``HyperHiveError``, ``TransportError``.
  internal func renew(
    cancellation: HTTPCancellation, exchange: inout HyperHiveExchange
  ) throws {
    guard let user = state.withLock({ $0.user }) else {
      throw HyperHiveError(.notAuthenticated, place: server.host)
    }
    let token = try obtainToken(user.name, user.password, cancellation, &exchange)
    state.withLock { $0.token = token }
  }

  /// A request in the user's name.
  ///
  /// - Throws: ``HyperHiveError`` when nobody has logged in: nothing is sent then.
  internal func request(_ method: String, _ path: String) throws -> HTTPRequest {
    guard let token = state.withLock({ $0.token }) else {
      throw HyperHiveError(.notAuthenticated, place: server.host)
    }
    var request = HTTPRequest(
      try url(path),
      headers: HTTPHeaders([
        HTTPField("Authorization", "Bearer \(token)", isSecret: true),
        HTTPField("X-Device-Id", server.device),
      ]), redaction: Redaction([token, "Bearer \(token)"]))
    request.method = method
    return request
  }

  private func url(_ path: String) throws -> HTTPURL {
    var host = server.host[...]
    while host.hasSuffix("/") { host.removeLast() }
    let text = "\(host)/api/\(Percent.encode(server.apiVersion))/\(path)"
    do throws(HTTPURL.Problem) {
      return try HTTPURL(text)
    } catch {
      throw TransportError(.invalidURL(error), url: String(host))
    }
  }

  private func obtainToken(
    _ name: String, _ password: String, _ cancellation: HTTPCancellation,
    _ exchange: inout HyperHiveExchange
  ) throws -> String {
    let fields = [
      ("environment", server.environment), ("project", server.project), ("username", name),
      ("password", password), ("device_id", server.device),
    ]
    var request = HTTPRequest(
      try url("auth/jwt/obtain/"),
      headers: HTTPHeaders([
        HTTPField("Content-Type", "application/x-www-form-urlencoded"),
        HTTPField("X-Device-Id", server.device),
      ]), redaction: Redaction([password]))
    request.method = "POST"
    request.body = Array(
      fields.map { "\($0.0)=\(Percent.encode($0.1))" }.joined(separator: "&").utf8)
    let answer = try perform(
      request, limit: HyperHiveRules.schemaByteCount, cancellation: cancellation,
      exchange: &exchange)
    guard
      case .success(let json) = Result(catching: { () throws(JSONError) in
        try JSONValue(parsing: answer)
      }),
      let token = json["token"]?.stringValue, !token.isEmpty
    else {
      if let refusal = HyperHiveRefusal(answer) {
        throw HyperHiveError(
          .refused(code: refusal.code, description: refusal.description),
          place: request.shownURL)
      }
      throw HyperHiveError(
        answer.first { $0 > 0x20 } == UInt8(ascii: "<")
          ? .webPage : .malformedAnswer("the answer has no token"), place: request.shownURL)
    }
    return token
  }

  /// Makes a request whose answer fits into memory.
  ///
  /// Redirects are not followed: the password and the token are for this server alone.
  /// - Throws: ``HyperHiveError`` for a refusal, ``TransportError``.
  internal func perform(
    _ request: HTTPRequest, limit: Int64, cancellation: HTTPCancellation,
    exchange: inout HyperHiveExchange
  ) throws -> [UInt8] {
    var request = request
    request.limits.bodyByteCount = limit
    var head: HTTPHead?
    var body: [UInt8] = []
    // Copied out, since closures cannot take an inout.
    defer {
      if let head { exchange.take(head) }
      exchange.byteCount += Int64(body.count)
    }
    try transport.perform(
      request, cancellation: cancellation, onHead: { head = $0 }, onBody: { body += $0 })
    guard let head else { throw request.error(.cut(received: 0, expected: nil)) }
    guard (200..<300).contains(head.status) else {
      throw Self.refusal(head, body, request)
    }
    for coding in head.contentCodings { throw request.error(.encoded(coding)) }
    return body
  }

  /// The error for an answer that is no success: one that may be repeated, or what the server says.
  internal static func refusal(
    _ head: HTTPHead, _ body: [UInt8], _ request: HTTPRequest
  ) -> any Error {
    let error = request.error(
      .status(head.status, retryAfter: RetryAfter.delay(in: head.headers)))
    guard !error.isTransient, !error.isServerFailure else { return error }
    let description = HyperHiveRefusal(body)?.description ?? error.message
    return HyperHiveError(
      .refused(code: head.status, description: request.redaction.shown(description)),
      place: request.shownURL)
  }
}
