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
    /// How many tokens there were.
    var tokenNumber = 0

    mutating func take(_ token: String) {
      self.token = token
      tokenNumber += 1
    }
  }

  internal let server: HyperHiveServer
  internal let transport: any HTTPTransport
  private let limits: HTTPLimits
  private let state = Lock(State())
  /// Held while a token is renewed.
  private let renewal = Lock(())

  internal init(
    _ server: HyperHiveServer, transport: any HTTPTransport, limits: HTTPLimits
  ) {
    self.server = server
    self.transport = transport
    self.limits = limits
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
      $0.take(token)
    }
  }

  /// Obtains another token for the user who has logged in, unless somebody else has done so already.
  ///
  /// One thread at a time: a server may forget a token when it gives the next one, so that threads
  /// that renew at once would take each other's away.
  /// - Parameters:
  ///   - number: The number of the token that the server has refused.
  ///   - cancellation: Ends it from another thread.
  ///   - exchange: What passed between client and server.
  /// - Throws: ``HyperHiveError``, ``TransportError``.
  internal func renewToken(
    _ number: Int, cancellation: HTTPCancellation, exchange: inout HyperHiveExchange
  ) throws {
    try renewal.withLock { _ in
      Result {
        let (user, latest) = state.withLock { ($0.user, $0.tokenNumber) }
        guard latest == number else { return }
        guard let user else { throw HyperHiveError(.notAuthenticated, place: server.shownHost) }
        let token = try obtainToken(user.name, user.password, cancellation, &exchange)
        state.withLock { $0.take(token) }
      }
    }.get()
  }

  /// A request in the user's name, and the number of the token in it.
  ///
  /// - Throws: ``HyperHiveError`` when nobody has logged in: nothing is sent then.
  internal func request(
    _ method: String, _ path: String
  ) throws -> (request: HTTPRequest, tokenNumber: Int) {
    let (token, number) = state.withLock { ($0.token, $0.tokenNumber) }
    guard let token else {
      throw HyperHiveError(.notAuthenticated, place: server.shownHost)
    }
    var request = HTTPRequest(
      try url(path),
      headers: HTTPHeaders([
        HTTPField("Authorization", "Bearer \(token)", isSecret: true),
        HTTPField("X-Device-Id", server.device),
      ]), redaction: Redaction([token, "Bearer \(token)"]))
    request.method = method
    request.limits = limits
    return (request, number)
  }

  private func url(_ path: String) throws -> HTTPURL {
    var host = server.host[...]
    while host.hasSuffix("/") { host.removeLast() }
    let text = "\(host)/api/\(Percent.encode(server.apiVersion))/\(path)"
    let url: HTTPURL
    let userInformation: String?
    do throws(HTTPURL.Problem) {
      (url, userInformation) = try HTTPURL.parse(text)
    } catch {
      throw TransportError(.invalidURL(error), url: server.shownHost)
    }
    guard userInformation == nil else {
      throw HyperHiveError(
        .invalidArgument("the address has a user; who logs in is named at the login"),
        place: server.shownHost)
    }
    return url
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
    request.limits = limits
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
    var unpacking: AnswerUnpacking?
    var byteCount: Int64 = 0
    // Copied out, since closures cannot take an inout.
    defer {
      if let head { exchange.take(head, request.redaction) }
      exchange.byteCount += byteCount
    }
    try transport.perform(
      request, cancellation: cancellation,
      onHead: {
        head = $0
        unpacking = try AnswerUnpacking($0, request)
      },
      onBody: { bytes in
        byteCount += Int64(bytes.count)
        guard let unpacking else { return body += bytes }
        try unpacking.unpack(bytes) { piece in
          guard Int64(body.count + piece.count) <= limit else {
            throw request.error(.tooLarge(limit: limit))
          }
          body += piece
        }
      })
    guard let head else { throw request.error(.cut(received: 0, expected: nil)) }
    if let unpacking, !unpacking.isComplete {
      throw request.error(.cut(received: byteCount, expected: nil))
    }
    guard (200..<300).contains(head.status) else {
      throw Self.refusal(head, body, request)
    }
    // What a server says counts more than its status.
    if body.count <= HyperHiveRules.refusalByteCount, let refusal = HyperHiveRefusal(body) {
      throw refusal.error(of: request)
    }
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
