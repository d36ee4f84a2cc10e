package import SeedFiles
internal import SeedModel
package import SeedTransport

/// Where a stream comes from.
public struct StreamOrigin: Sendable {
  /// Makes the source once the options are known.
  package let make: @Sendable (StreamOptions) throws(StreamError.Reason) -> any StreamSource
  /// What makes the requests; nil for that of the platform.
  package let transport: (any HTTPTransport)?
  /// The user and the password that stand in its address; nil for none.
  private let userInformation: String?

  /// An origin by a source of its own.
  package init(
    transport: (any HTTPTransport)? = nil, userInformation: String? = nil,
    make: @escaping @Sendable (StreamOptions) throws(StreamError.Reason) -> any StreamSource
  ) {
    self.make = make
    self.transport = transport
    self.userInformation = userInformation
  }

  /// An origin with an address that cannot be used.
  package static func unusable(_ url: String, _ problem: HTTPURL.Problem) -> StreamOrigin {
    StreamOrigin { (_) throws(StreamError.Reason) in
      throw .refused(TransportError(.invalidURL(problem), url: HTTPURL.shown(url)).description)
    }
  }

  /// Refuses trusted keys where nothing is signed: an app that names one must get nothing else.
  internal static func refuseKeys(_ options: StreamOptions) throws(StreamError.Reason) {
    guard !options.trustedKeys.isEmpty else { return }
    throw .refused("only the head of a static source is signed, and trusted keys are given")
  }

  /// The options with the address's user and password, unless the app gives other credentials.
  internal func completed(_ options: StreamOptions) -> StreamOptions {
    guard let userInformation else { return options }
    var options = options
    let hook = options.credentials
    options.credentials = { request in
      var headers = try await hook?(request) ?? [:]
      if !headers.keys.contains(where: { $0.lowercased() == "authorization" }) {
        headers["Authorization"] = BasicCredentials.headerValue(userInformation)
      }
      return headers
    }
    return options
  }

  /// Files that a web server, an object store or a cache serves, as `seed publish` writes them.
  ///
  /// A user and a password in the address are sent as basic authentication, unless
  /// ``StreamOptions/credentials`` gives an `Authorization` of its own. What is in its query goes with
  /// each request. Neither is shown in an error.
  /// - Parameter url: The address of the folder of `head.json`, or the path of such a folder.
  /// - Returns: The origin; an address that is none is reported by the first run.
  public static func `static`(_ url: String) -> StreamOrigin {
    guard HTTPURL.isMeant(by: url) else { return .directory(url) }
    do throws(HTTPURL.Problem) {
      let address = try HTTPURL.parse(url)
      return StreamOrigin(userInformation: address.userInformation) { options in
        StaticSource(address.url, keys: options.trustedKeys)
      }
    } catch {
      return .unusable(url, error)
    }
  }

  private static func directory(_ path: String) -> StreamOrigin {
    StreamOrigin(transport: DirectoryTransport(directory: path)) { options in
      StaticSource(DirectoryTransport.base, keys: options.trustedKeys)
    }
  }
}

extension StreamError.Reason: Error {}

/// Keeps some tables of an app's database as a server has published them.
///
/// The database comes from a publisher: `seed publish` bakes into it where in the stream it stands.
/// From there on only changes are fetched, and each is applied in one transaction together with the
/// new position: whatever happens meanwhile, the app sees one published state or the next. Tables
/// and columns of the app's own are never written.
///
/// It has a connection of its own to the file, so the app may use any library beside it. Several
/// streams may share a database, and several processes a stream.
public struct TableStream: Sendable {
  /// The stream's name.
  public let name: String
  /// The path of the database.
  public let databasePath: String
  private let origin: StreamOrigin
  private let options: StreamOptions
  private let transport: any HTTPTransport
  private let clock: RetryClock
  private let files: FileSystem

  /// A stream of a database; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - name: The stream's name.
  ///   - path: The path of the database.
  ///   - origin: Where the stream comes from.
  ///   - options: How to go about it.
  public init(
    _ name: String, database path: String, from origin: StreamOrigin,
    options: StreamOptions = StreamOptions()
  ) {
    self.init(
      name, database: path, from: origin, options: options, transport: nil, clock: .live,
      files: .live)
  }

  /// A stream whose requests, waits and files a test may take over.
  package init(
    _ name: String, database path: String, from origin: StreamOrigin, options: StreamOptions,
    transport: (any HTTPTransport)?, clock: RetryClock, files: FileSystem = .live
  ) {
    self.name = name
    databasePath = path
    self.origin = origin
    self.options = options
    self.transport = transport ?? origin.transport ?? StandardTransport.make()
    self.clock = clock
    self.files = files
  }

  /// Goes to the newest position and returns.
  ///
  /// Failures that may go away by themselves are waited out, a bounded number of times in a row.
  /// The work runs on a thread of its own; cancelling the task ends it, and undoes what was not
  /// complete.
  /// - Returns: What was done.
  /// - Throws: ``StreamError``, or `CancellationError` when the task was cancelled. What was applied
  ///   before stays, and is a published state.
  public func sync() async throws -> StreamResult {
    try await cancellable { cancellation in
      try syncBlocking(cancellation: cancellation, onStatus: { _ in })
    }
  }

  /// Stays at the newest position until the iteration or its task ends.
  ///
  /// A status for each change of phase, now and then one for progress, and one for each result and
  /// each error; after an error it goes on by itself. A consumer that is slow misses statuses in
  /// between.
  /// - Returns: The statuses.
  public func run() -> AsyncStream<StreamStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
      let cancellation = HTTPCancellation()
      continuation.onTermination = { _ in cancellation.cancel() }
      Task {
        do {
          try await TransportThread.run {
            follow(cancellation: cancellation) { continuation.yield($0) }
          }
        } catch {
          var status = StreamStatus(stream: name, phase: .opening)
          status.error = StreamError(.file("\(error)"), stream: name, phase: .opening)
          continuation.yield(status)
        }
        continuation.finish()
      }
    }
  }

  /// Goes to the newest position on the calling thread, which blocks meanwhile.
  ///
  /// - Parameters:
  ///   - cancellation: Ends it from another thread.
  ///   - isFollowing: Whether failures that may go away are waited out for ever.
  ///   - knownNewest: Where a source may wait for something newer before it answers.
  ///   - onStatus: Told every change.
  /// - Returns: What was done.
  /// - Throws: ``StreamError``.
  package func syncBlocking(
    cancellation: HTTPCancellation = HTTPCancellation(), isFollowing: Bool = false,
    knownNewest: StreamPosition? = nil,
    onStatus: @escaping (StreamStatus) -> Void = { _ in }
  ) throws(StreamError) -> StreamResult {
    try engine().sync(
      isFollowing: isFollowing, knownNewest: knownNewest, cancellation: cancellation,
      onStatus: onStatus)
  }

  /// Stays at the newest position on the calling thread, which blocks until it is cancelled.
  ///
  /// - Parameters:
  ///   - cancellation: Ends it from another thread.
  ///   - onStatus: Told every change.
  package func follow(
    cancellation: HTTPCancellation, onStatus: @escaping (StreamStatus) -> Void
  ) {
    clock.wait(options.firstPollDelay * clock.fraction(), cancellation)
    let throttle = StatusThrottle(onStatus)
    var newest: StreamPosition?
    while !cancellation.isCancelled {
      var pollAfter: Duration?
      do throws(StreamError) {
        let result = try syncBlocking(
          cancellation: cancellation, isFollowing: true, knownNewest: newest,
          onStatus: { throttle.pass($0) })
        pollAfter = result.pollAfter
        newest = result.position
        // Asked again, the server itself waits until there is something.
        if result.mayWaitForNewer { continue }
      } catch {
        if error.reason != .cancelled {
          var status = throttle.last ?? StreamStatus(stream: name, phase: error.phase)
          status.error = error
          status.result = nil
          onStatus(status)
        }
      }
      clock.wait(PollInterval.wait(pollAfter ?? options.pollInterval, clock), cancellation)
    }
  }

  internal func engine() throws(StreamError) -> StreamEngine {
    let source: any StreamSource
    do throws(StreamError.Reason) {
      source = try origin.make(options)
    } catch {
      throw StreamError(error, stream: name, phase: .opening)
    }
    return StreamEngine(
      stream: name, path: databasePath, source: source, options: origin.completed(options),
      transport: transport,
      clock: clock, files: files)
  }

  /// Runs something on a thread of its own, and ends it with the task.
  internal func cancellable<Value: Sendable>(
    _ body: @escaping @Sendable (HTTPCancellation) throws -> Value
  ) async throws -> Value {
    let cancellation = HTTPCancellation()
    do {
      return try await withTaskCancellationHandler {
        try await TransportThread.run { try body(cancellation) }
      } onCancel: {
        cancellation.cancel()
      }
    } catch let error as StreamError where error.reason == .cancelled {
      throw CancellationError()
    }
  }
}
