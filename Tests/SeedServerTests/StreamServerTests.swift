import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import TestSupport
import Testing

@testable import SeedServer

/// The server over real connections.
@Suite struct StreamServerTests {
  /// What came for a request, and how it ended.
  private struct Received {
    var status: Int?
    var headers = HTTPHeaders()
    var body: [UInt8] = []
    var failure: TransportError.Reason?
  }

  private let transport = StandardTransport.make()
  private let history: ServedHistory

  init() throws {
    history = try ServedHistory()
    try history.publish([1: "Anvil", 2: "Rope"])
  }

  private func start(
    faults: String? = nil, _ change: (inout ServerOptions) -> Void = { _ in },
    log: @escaping @Sendable (ServedRequest) -> Void = { _ in }
  ) throws -> StreamServer {
    var options = ServerOptions()
    if let faults { options.faults = try FaultPlan(faults) }
    change(&options)
    return try StreamServer(directory: history.path, options: options, log: log)
  }

  private func get(
    _ url: String, stallTimeout: Duration = .seconds(20)
  ) throws -> Received {
    var request = HTTPRequest(try HTTPURL(url))
    request.limits.stallTimeout = stallTimeout
    var received = Received()
    do {
      try transport.perform(
        request, cancellation: HTTPCancellation(),
        onHead: {
          received.status = $0.status
          received.headers = $0.headers
        }, onBody: { received.body += $0 })
    } catch let error as TransportError {
      received.failure = error.reason
    }
    return received
  }

  @Test func `it listens on this machine alone, at a free port, and stops`() throws {
    let server = try start()
    #expect(server.url == "http://127.0.0.1:\(server.port)")
    let answer = try get("\(server.url)/catalog/v1/head.json")
    #expect(answer.status == 200)
    #expect(answer.body == history.head.encoded)
    #expect(answer.headers["Content-Length"] == "\(answer.body.count)")
    server.stop()
    #expect(throws: Never.self) { try start { $0.port = server.port }.stop() }
  }

  @Test func `one connection serves many requests`() throws {
    let server = try start()
    for _ in 0..<3 {
      let answer = try get("\(server.url)/catalog/v1/head.json")
      #expect(answer.headers["Connection"]?.lowercased() != "close")
    }
  }

  @Test func `a port that is taken, an address elsewhere and a missing directory are errors`()
    throws
  {
    let server = try start()
    let taken = #expect(throws: ServerError.self) { try start { $0.port = server.port } }
    #expect(taken?.reason == .notListening(code: EADDRINUSE))
    #expect(taken?.hint?.contains("another port") == true)
    let elsewhere = #expect(throws: ServerError.self) { try start { $0.address = "192.0.2.1" } }
    #expect(elsewhere?.reason == .notListening(code: EADDRNOTAVAIL))
    let missing = #expect(throws: ServerError.self) {
      try StreamServer(directory: history.path + "/nothing")
    }
    #expect(missing?.reason == .noDirectory)
  }

  #if !canImport(Darwin)
    @Test func `a library that is not there is nil, and its error names the package`() {
      #expect(MicroHTTPLibrary(name: "libseed-nothing.so.1") == nil)
      let error = ServerError(.noLibrary, place: "")
      #expect(error.description == "libmicrohttpd cannot be loaded")
      #expect(error.hint?.contains("libmicrohttpd12") == true)
    }
  #endif

  @Test func `an answer breaks off after as many bytes as were asked for`() throws {
    let size = history.head.encoded.count
    for count in [0, 1, 100, size - 1] {
      let server = try start(faults: "drop=\(count),once")
      let answer = try get("\(server.url)/catalog/v1/head.json")
      #expect(answer.status == 200)
      #expect(answer.failure == .cut(received: Int64(count), expected: Int64(size)))
      #expect(answer.body == Array(history.head.encoded.prefix(count)))
      #expect(try get("\(server.url)/catalog/v1/head.json").failure == nil)
    }
    let server = try start(faults: "drop=\(size)")
    #expect(try get("\(server.url)/catalog/v1/head.json").failure == nil, "it was complete")
  }

  @Test func `a dynamic answer of unknown length breaks off in a way that clients notice`() throws {
    let target = history.position(at: 1).target()
    let healthy = try start()
    let whole = try get("\(healthy.url)\(target)")
    #expect(whole.failure == nil)
    for count in [0, 10, whole.body.count - 1] {
      let server = try start(faults: "drop=\(count)")
      let answer = try get("\(server.url)\(target)")
      #expect(answer.failure != nil)
      #expect(answer.body == Array(whole.body.prefix(count)))
    }
    let server = try start(faults: "drop=\(whole.body.count)")
    #expect(try get("\(server.url)\(target)").failure == nil)
  }

  @Test func `a reset, a stall and a status are what was asked for`() throws {
    let server = try start(
      faults: "reset=50,stall=50,status=503+retry-after=7,status=401,delay=30")
    let url = "\(server.url)/catalog/v1/head.json"
    guard case .cut? = try get(url).failure else {
      Issue.record("no reset")
      return
    }
    let stalled = try get(url, stallTimeout: .milliseconds(300))
    #expect(stalled.failure == .timedOut(.receiving))
    #expect(stalled.body.count == 50)
    let refused = try get(url)
    #expect(refused.status == 503)
    #expect(refused.headers["Retry-After"] == "7")
    #expect(refused.headers["Cache-Control"] == "no-store")
    #expect(try get(url).headers["WWW-Authenticate"] == "Bearer")
    let start = ContinuousClock.now
    #expect(try get(url).failure == nil)
    #expect(start.duration(to: .now) >= .milliseconds(30))
  }

  @Test func `a stop ends answers that stall or wait`() throws {
    let server = try start(faults: "stall=5")
    let isReceiving = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    let url = "\(server.url)/catalog/v1/head.json"
    let thread = Thread {
      do {
        try StandardTransport.make().perform(
          HTTPRequest(try HTTPURL(url)), cancellation: HTTPCancellation(), onHead: { _ in },
          onBody: { _ in isReceiving.signal() })
      } catch {
        isOver.signal()
      }
    }
    thread.start()
    isReceiving.wait()
    server.stop()
    isOver.wait()
  }

  @Test func `each request is logged with what was done`() throws {
    let log = Lock<[ServedRequest]>([])
    let logged = DispatchSemaphore(value: 0)
    let server = try start(
      faults: "none,drop=10",
      log: { request in
        log.withLock { $0.append(request) }
        logged.signal()
      })
    _ = try get("\(server.url)/catalog/v1/head.json?x=%41")
    logged.wait()
    _ = try get("\(server.url)/nothing%0Ahere")
    logged.wait()
    let requests = log.withLock { $0 }
    #expect(requests.map(\.method) == ["GET", "GET"])
    #expect(requests.map(\.target) == ["/catalog/v1/head.json?x=%41", "/nothing%0Ahere"])
    #expect(requests.map(\.status) == [200, 400])
    #expect(requests[0].byteCount == Int64(history.head.encoded.count))
    #expect(requests[1].fault?.description == "drop=10")
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
    "GET /catalog/v1/head.json HTTP/1.1\r\n\r\n",
    "GET /\(String(repeating: "a", count: 200_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /catalog/v1/head.json HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\nx",
    "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: 200_000))\r\n\r\n",
  ])
  func `requests of bad will are survived`(text: String) throws {
    let server = try start()
    let output = try CommandRun.run(
      "/bin/bash",
      [
        "-c", "exec 3<>/dev/tcp/127.0.0.1/\(server.port); cat >&3; timeout 2 head -c 100 <&3; true",
      ],
      input: Array(text.utf8))
    #expect(output.status == 0)
    #expect(try get("\(server.url)/catalog/v1/head.json").status == 200)
  }
}
