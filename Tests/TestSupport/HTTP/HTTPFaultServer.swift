import Foundation

/// An HTTP server on loopback that does to its clients what real ones do on bad days.
///
/// It answers each request by a closure or by a plan, keeps all requests, and stops with the last
/// reference. Every connection has a thread of its own.
package final class HTTPFaultServer: Sendable {
  /// Makes the answer to a request; the number counts all requests from 0.
  package typealias Handler = @Sendable (_ request: ReceivedRequest, _ number: Int) -> HTTPAnswer

  /// The port it listens on, chosen by the system.
  package let port: Int
  private let state: ServerState

  /// Starts a server that answers by a closure.
  package init(_ handler: @escaping Handler) throws {
    let listener = try LoopbackSocket.listening()
    port = listener.port
    let state = ServerState(handler: handler)
    self.state = state
    state.watch(listener.descriptor)
    let thread = Thread {
      while true {
        let client = accept(listener.descriptor, nil, nil)
        guard client >= 0, !state.isStopped else { break }
        // A child process that a test starts must not keep the connection open.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        state.watch(client)
        state.countConnection()
        let connection = Thread { FaultConnection(client, state: state).serve() }
        connection.start()
      }
      state.close(listener.descriptor)
    }
    thread.start()
  }

  /// Starts a server that gives some answers one after the other, the last one again and again.
  package convenience init(_ plan: HTTPAnswer...) throws {
    try self.init { _, number in plan[min(number, plan.count - 1)] }
  }

  deinit {
    state.stop()
  }

  /// The requests so far, in the order in which they came.
  package var requests: [ReceivedRequest] { state.requests }

  /// How many connections were made so far.
  package var connectionCount: Int { state.connectionCount }

  /// Runs a closure when the next request has come, or at once if one is there already.
  package func onRequest(_ body: @escaping @Sendable () -> Void) { state.onRequest(body) }

  /// An address at the server.
  package func url(_ path: String = "/", host: String = "127.0.0.1") -> String {
    "http://\(host):\(port)\(path)"
  }

  /// A port of loopback on which nobody listens.
  package static func closedPort() throws -> Int {
    let listener = try LoopbackSocket.listening()
    close(listener.descriptor)
    return listener.port
  }
}

/// What the connections of a server share.
///
/// `@unchecked` is safe: the lock guards every variable.
final class ServerState: @unchecked Sendable {
  private let handler: HTTPFaultServer.Handler
  private let lock = NSLock()
  private var received: [ReceivedRequest] = []
  private var open: Set<Int32> = []
  private var stopped = false
  private var connections = 0
  private var observers: [@Sendable () -> Void] = []

  init(handler: @escaping HTTPFaultServer.Handler) {
    self.handler = handler
  }

  var requests: [ReceivedRequest] { lock.withLock { received } }
  var connectionCount: Int { lock.withLock { connections } }
  var isStopped: Bool { lock.withLock { stopped } }

  func answer(_ request: ReceivedRequest) -> HTTPAnswer {
    let (number, waiting) = lock.withLock {
      defer { observers = [] }
      received.append(request)
      return (received.count - 1, observers)
    }
    for observer in waiting { observer() }
    return handler(request, number)
  }

  func countConnection() {
    lock.withLock { connections += 1 }
  }

  func onRequest(_ body: @escaping @Sendable () -> Void) {
    let isThere = lock.withLock {
      if received.isEmpty { observers.append(body) }
      return !received.isEmpty
    }
    if isThere { body() }
  }

  /// Has a socket shut down when the server stops, whatever its thread waits for.
  func watch(_ descriptor: Int32) {
    let isLate = lock.withLock {
      open.insert(descriptor)
      return stopped
    }
    if isLate { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  func close(_ descriptor: Int32) {
    lock.withLock {
      open.remove(descriptor)
      _ = Foundation.close(descriptor)
    }
  }

  func stop() {
    lock.withLock {
      stopped = true
      for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}
