internal import SeedModel

/// Sends requests to one server and gives their typed answers.
///
/// An app has one for each server and hides it behind a protocol of its own, so that views and tests
/// need no network:
///
/// ```swift
/// protocol DataProvider {
///   func collectData() async throws -> CollectData
/// }
///
/// struct NetworkDataProvider: DataProvider {
///   let network: NetworkProvider
///
///   func collectData() async throws -> CollectData {
///     try await network.send(CollectDataRequest())
///   }
/// }
/// ```
///
/// Redirects are followed, at most ten, never from `https` to `http`; the access token and all
/// confidential headers stay with the server that they are meant for.
public struct NetworkProvider: Sendable {
  /// Gives the access token, or nil when there is none.
  public typealias AccessToken = @Sendable () async throws -> String?

  private let composition: RequestComposition
  private let accessToken: AccessToken?
  private let transport: any HTTPTransport
  private let options: NetworkOptions
  private let clock: RetryClock

  /// A provider for the server at an address.
  ///
  /// - Parameters:
  ///   - baseURL: Where the paths of requests begin, such as `https://example.com/api/v1`.
  ///   - options: The bounds of requests.
  ///   - accessToken: Asked before each request that needs a token; a token that it renews is used
  ///     from then on.
  /// - Throws: ``RequestError`` when that is no `http` or `https` address, or has a user, a password
  ///   or a query in it.
  public init(
    baseURL: String, options: NetworkOptions = NetworkOptions(), accessToken: AccessToken? = nil
  ) throws(RequestError) {
    try self.init(
      baseURL: baseURL, options: options, accessToken: accessToken,
      transport: StandardTransport.make())
  }

  /// A provider over a transport.
  ///
  /// - Throws: As ``init(baseURL:options:accessToken:)``.
  package init(
    baseURL: String, options: NetworkOptions = NetworkOptions(), accessToken: AccessToken? = nil,
    transport: any HTTPTransport, clock: RetryClock = .live
  ) throws(RequestError) {
    composition = try RequestComposition(baseURL: baseURL, options: options)
    self.accessToken = accessToken
    self.transport = transport
    self.options = options
    self.clock = clock
  }

  /// Sends a request and gives the typed value of its answer.
  ///
  /// - Throws: ``RequestError``; `CancellationError` when the task was cancelled; what the access
  ///   token's closure throws.
  public func send<Request: JSONRequest>(_ request: Request) async throws -> Request.Response {
    try await answer(to: request).value
  }

  /// Sends a request and gives its answer, which can be stored besides being typed.
  ///
  /// - Throws: As ``send(_:)``.
  public func answer<Request: JSONRequest>(
    to request: Request
  ) async throws -> JSONAnswer<Request.Response> {
    try Task.checkCancellation()
    var token: String?
    if request.needsAccessToken {
      token = try await accessToken?()
      guard token?.isEmpty == false else {
        throw RequestError(.missingToken, url: composition.shownURL(of: request))
      }
    }
    let exchange = JSONExchange<Request.Response>(
      request: try composition.request(for: request, token: token), envelope: request.envelope,
      retryCount: request.method.isIdempotent ? options.retryCount : 0, options: options,
      transport: transport, clock: clock)
    let cancellation = HTTPCancellation()
    do {
      return try await withTaskCancellationHandler {
        // Decoding belongs there too: a large answer would hold up all other tasks.
        try await TransportThread.run { try exchange.run(cancellation) }
      } onCancel: {
        cancellation.cancel()
      }
    } catch let error as TransportError {
      if case .cancelled = error.reason { throw CancellationError() }
      throw RequestError(error)
    } catch let failure as TransportThread.Failure {
      throw RequestError(
        .unavailable("the system starts no thread (error \(failure.code))"),
        url: exchange.request.shownURL)
    }
  }

  /// Sends a request and hands its typed answer, or what went wrong, to a closure.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - completion: Called once, on no particular thread, with the value or with what the form for
  ///     `async` throws; `CancellationError` when the request was cancelled.
  /// - Returns: The request on its way.
  @discardableResult
  public func send<Request: JSONRequest>(
    _ request: Request,
    completion: @escaping @Sendable (Result<Request.Response, any Error>) -> Void
  ) -> RequestTask {
    RequestTask(
      task: Task {
        do {
          completion(.success(try await send(request)))
        } catch {
          completion(.failure(error))
        }
      })
  }
}

/// A request on its way, whose answer goes to a closure.
public struct RequestTask: Sendable {
  internal let task: Task<Void, Never>

  /// Gives the request up, if it is not answered yet.
  public func cancel() { task.cancel() }
}
