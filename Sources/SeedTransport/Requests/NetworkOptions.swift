/// The bounds of requests, and what all of them send.
public struct NetworkOptions: Sendable {
  /// How long finding the host, connecting and agreeing on TLS may take together.
  public var connectTimeout: Duration = .seconds(20)
  /// How long the server may be silent.
  public var stallTimeout: Duration = .seconds(30)
  /// How long one attempt may take in all; nil for no bound.
  ///
  /// A server that sends a byte now and then is never silent, but does not get on either.
  public var totalTimeout: Duration? = .seconds(120)
  /// How often a request is repeated when the server cannot be reached, falls silent, breaks off or
  /// is overloaded, with growing waits between; `POST` and `PATCH` never are.
  public var retryCount = 0
  /// The most bytes of an answer; while it is decoded it takes several times as much memory.
  public var largestAnswerByteCount: Int64 = 16 << 20
  /// Headers that every request sends, by their names.
  public var headers: [String: String] = [:]
  /// Names of headers that go to no other host, as the token does; `Authorization` and `Cookie`
  /// never do.
  public var secretHeaders: Set<String> = []
  /// The header that carries the access token.
  public var tokenHeader = "Authorization"
  /// What stands before the token in that header.
  public var tokenPrefix = "Bearer "
  /// How answers are decoded.
  public var decoding = JSONDecoding()

  /// The options that suit most servers.
  public init() {}
}
