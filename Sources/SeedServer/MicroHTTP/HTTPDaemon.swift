#if !canImport(Darwin)
  internal import CMicroHTTPD
  internal import SeedFiles

  /// A running server: turns the library's callbacks into requests and answers.
  internal final class HTTPDaemon: Sendable {
    internal let address: String
    internal let port: UInt16
    private let core: DaemonCore
    private let running: RunningDaemon

    /// The bytes that the library may use for the head of one request, and for sending.
    private static let memoryLimit = 64 << 10

    /// How long a connection may stay silent: longer than the longest wait of an answer.
    private static let timeoutSeconds: UInt32 = 90

    /// Starts a server.
    ///
    /// - Throws: ``ServerError``.
    internal init(
      options: ServerOptions,
      answer: @escaping @Sendable (ServerRequest, any ServedClient) -> ServerAnswer,
      log: @escaping @Sendable (ServedRequest) -> Void
    ) throws(ServerError) {
      guard let library = MicroHTTPLibrary.shared else { throw ServerError(.noLibrary, place: "") }
      let socket = try ListeningSocket(address: options.address, port: options.port)
      address = socket.address
      port = socket.port
      core = DaemonCore(library, answer: answer, faults: FaultTurns(options.faults), log: log)
      let daemon = seed_microhttpd_start(
        library.functions, socket.descriptor, options.connectionLimit, Self.timeoutSeconds,
        Self.memoryLimit, Unmanaged.passUnretained(core).toOpaque(), beginExchange,
        answerExchange, finishExchange)
      guard let daemon else {
        FileSystem.live.close(socket.descriptor)
        throw ServerError(.notStarted, place: "\(address):\(port)")
      }
      running = RunningDaemon(daemon)
    }

    deinit {
      stop()
    }

    /// Ends all connections and waits for their threads; a second call does nothing.
    internal func stop() {
      core.stop()
      guard let daemon = running.take() else { return }
      seed_microhttpd_stop(core.library.functions, daemon)
    }
  }

  /// The library's handle, which is given up once.
  ///
  /// `@unchecked` is safe: the lock guards the handle.
  private final class RunningDaemon: @unchecked Sendable {
    private let handle: Lock<UInt>

    init(_ daemon: UnsafeMutableRawPointer) {
      handle = Lock(UInt(bitPattern: daemon))
    }

    func take() -> UnsafeMutableRawPointer? {
      let bits = handle.withLock { bits in
        defer { bits = 0 }
        return bits
      }
      return UnsafeMutableRawPointer(bitPattern: bits)
    }
  }

  /// What the threads of all connections share.
  internal final class DaemonCore: Sendable {
    internal let library: MicroHTTPLibrary
    private let makeAnswer: @Sendable (ServerRequest, any ServedClient) -> ServerAnswer
    private let faults: FaultTurns
    private let log: @Sendable (ServedRequest) -> Void
    private let isStopped = Lock(false)

    internal init(
      _ library: MicroHTTPLibrary,
      answer: @escaping @Sendable (ServerRequest, any ServedClient) -> ServerAnswer,
      faults: FaultTurns, log: @escaping @Sendable (ServedRequest) -> Void
    ) {
      self.library = library
      makeAnswer = answer
      self.faults = faults
      self.log = log
    }

    internal func stop() { isStopped.withLock { $0 = true } }

    /// Answers a request whose head has come.
    fileprivate func answer(
      _ exchange: HTTPExchange, method: String, _ connection: OpaquePointer
    ) -> MHD_Result {
      exchange.method = method
      let functions = library.functions
      var request = ServerRequest(method: method, target: exchange.target)
      for name in ServerRequest.headerNames {
        guard let value = seed_microhttpd_header(functions, connection, name) else { continue }
        request.headers[name] = String(cString: value)
      }
      let client = ClientConnection(seed_microhttpd_socket(functions, connection)) {
        self.isStopped.withLock { $0 }
      }
      let fault = faults.next()
      exchange.fault = fault
      if let delay = fault?.delay { client.wait(delay) { false } }
      var answer = fault?.answer ?? makeAnswer(request, client)
      if let ending = fault?.ending {
        answer.body = BrokenBody(
          answer.body, ending, after: fault?.byteCount ?? 0, client: client)
      }
      exchange.status = answer.status
      return send(answer, exchange, connection)
    }

    private func send(
      _ answer: ServerAnswer, _ exchange: HTTPExchange, _ connection: OpaquePointer
    ) -> MHD_Result {
      let functions = library.functions
      let body = Unmanaged.passRetained(SentBody(answer.body, exchange)).toOpaque()
      guard
        let response = seed_microhttpd_answer(
          functions, answer.declaredByteCount ?? -1, 64 << 10, readBody, body, releaseBody)
      else {
        releaseBody(body)
        return seed_microhttpd_refuse()
      }
      for header in answer.headers {
        _ = seed_microhttpd_add(functions, response, header.name, header.value)
      }
      return seed_microhttpd_send(functions, connection, UInt32(answer.status), response)
    }

    fileprivate func finish(_ exchange: HTTPExchange) {
      log(
        ServedRequest(
          method: exchange.method, target: exchange.target, status: exchange.status,
          byteCount: exchange.byteCount, fault: exchange.fault,
          failure: exchange.failure.map { "\($0)" },
          duration: exchange.start.duration(to: .now)))
    }
  }

  private func beginExchange(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?,
    _ connection: OpaquePointer?
  ) -> UnsafeMutableRawPointer? {
    let exchange = HTTPExchange(target: target.map { String(cString: $0) } ?? "")
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  private func answerExchange(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadByteCount: UnsafeMutablePointer<Int>?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let context, let connection, let state = state?.pointee else {
      return seed_microhttpd_refuse()
    }
    let core = Unmanaged<DaemonCore>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(state).takeUnretainedValue()
    let method = method.map { String(cString: $0) } ?? ""
    // An answer before all of the request has come ends the connection: right for a body that
    // nobody wants to read, but not for what may be followed by another request.
    if !exchange.hasHead, ["GET", "HEAD"].contains(method) {
      exchange.hasHead = true
      return seed_microhttpd_continue()
    }
    if let uploadByteCount, uploadByteCount.pointee > 0, exchange.hasHead {
      uploadByteCount.pointee = 0
      return seed_microhttpd_continue()
    }
    return core.answer(exchange, method: method, connection)
  }

  private func finishExchange(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ reason: MHD_RequestTerminationCode
  ) {
    guard let context, let pointer = state?.pointee else { return }
    let core = Unmanaged<DaemonCore>.fromOpaque(context).takeUnretainedValue()
    core.finish(Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue())
    state?.pointee = nil
  }

  private func readBody(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64,
    _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) -> Int {
    guard let context, let buffer else { return Int(seed_microhttpd_cut) }
    return Unmanaged<SentBody>.fromOpaque(context).takeUnretainedValue()
      .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
  }

  private func releaseBody(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<SentBody>.fromOpaque(context).release() }
  }
#endif
