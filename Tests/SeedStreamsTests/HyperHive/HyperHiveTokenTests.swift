import Foundation
import SeedFiles
import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// Tokens that run out, and answers to a login that are unusual.
@Suite struct HyperHiveTokenTests {
  @Test func `loads that find their token expired at once renew it once`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let (client, folder) = (bench.client, bench.directory.path)
    for _ in 0..<5 {
      bench.server.change { $0.expireToken() }
      let before = bench.server.change(\.loginCount)
      let failures = Lock<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { number in
        do {
          // The server forgets a token when it gives the next one.
          _ = try client.load(
            "fruits", into: folder + "/app-\(number).sqlite", options: HyperHiveLoadOptions(),
            cancellation: HTTPCancellation())
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(failures.withLock(\.self) == [])
      #expect(bench.server.change(\.loginCount) == before + 1)
    }
  }

  @Test func `a server that refuses every token is asked twice`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let refusal = HTTPAnswer(401, text: #"{"code":401,"description":"Unauthorized"}"#)
    bench.server.change { $0.fault = { _ in .answer(refusal) } }
    let error = try bench.failure {
      $0.retryCount = 1000
      $0.resumes = true
    }
    #expect(error?.reason == .refused(code: 401, description: "Unauthorized"))
    #expect(bench.server.calls.count == 2)
    #expect(bench.server.change(\.loginCount) == 2)
    #expect(bench.clock.waits == [])
  }

  @Test func `a token that runs out again and again in one load is renewed each time`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let refusal = HTTPAnswer(401, text: #"{"code":401,"description":"Unauthorized"}"#)
    bench.server.change {
      $0.fault = { $0 < 6 ? $0.isMultiple(of: 2) ? .drop(after: 10) : .answer(refusal) : nil }
    }
    let load = try bench.load {
      $0.resumes = true
      $0.retryCount = 3
    }
    #expect(load.changedRowCount == 3)
    #expect(bench.server.calls.map(\.start) == [0, 0, 10, 0, 20, 0, 30])
    #expect(bench.server.change(\.loginCount) == 4)
  }

  @Test func `a renewal that fails for a moment is repeated as the load is`() throws {
    let faults = Lock<[HTTPAnswer]>([
      HTTPAnswer(text: #"{"token":"first"}"#), HTTPAnswer(503), HTTPAnswer(502),
    ])
    let flaky = try HTTPFaultServer { request, _ in
      if request.target.hasSuffix("obtain/"),
        let fault = faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
      {
        return fault
      }
      guard request["authorization"] != "Bearer first" else { return HTTPAnswer(401) }
      return HTTPAnswer(
        text: request.target.hasSuffix("obtain/")
          ? #"{"token":"second"}"#
          : request.method == "GET"
            ? "{\(HyperHiveBench.resource.schema)}" : HyperHiveBench.resource.whole)
    }
    let directory = try TemporaryDirectory()
    let clock = WaitLog()
    let client = HyperHiveClient(
      HyperHiveServer(host: flaky.url(), environment: "e", project: "p", device: "d"),
      transport: StandardTransport.make(), clock: clock.clock)
    _ = try client.authenticate(user: "u", password: "p", cancellation: HTTPCancellation())
    var options = HyperHiveLoadOptions()
    options.retryCount = 2
    let load = try client.load(
      "fruits", into: directory.path("app.sqlite"), options: options,
      cancellation: HTTPCancellation())
    #expect(load.changedRowCount == 3)
    #expect(load.exchange.retryCount == 2)
    #expect(clock.waits.count == 2)
  }

  @Test(arguments: [200, 403, 500])
  func `what a server repeats of the token is not shown`(status: Int) throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let answer = HTTPAnswer(
      status, [("X-Echo", "Bearer secret-token-1")],
      text: #"{"code":403,"description":"no secret-token-1"}"#)
    bench.server.change { $0.fault = { _ in .answer(answer) } }
    let error = try #require(try bench.failure())
    #expect(error.exchange.headers.contains { $0.name == "X-Echo" })
    #expect(!"\(error) \(error.exchange)".contains("secret-token"))
  }

  @Test func `what a server repeats of the password is not shown`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(text: #"{"code":401,"description":"hunter22 is wrong"}"#))
    let client = HyperHiveClient(
      HyperHiveServer(host: server.url(), environment: "e", project: "p", device: "d"))
    let error = #expect(throws: HyperHiveError.self) {
      try client.authenticate(
        user: "u", password: "hunter22", cancellation: HTTPCancellation())
    }
    #expect(error?.reason == .refused(code: 401, description: "*** is wrong"))
  }

  @Test func `an address with a user is refused and not shown`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: #"{"token":"t"}"#))
    let host = server.url().replacing("http://", with: "http://me:hunter22@")
    let client = HyperHiveClient(
      HyperHiveServer(host: host, environment: "e", project: "p", device: "d"))
    let error = #expect(throws: HyperHiveError.self) {
      try client.authenticate(user: "u", password: "p", cancellation: HTTPCancellation())
    }
    #expect(error?.source == .core)
    #expect(!"\(String(describing: error))".contains("hunter22"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a refusal with the status of success is one`() throws {
    let bench = try HyperHiveBench()
    try bench.load()
    let refusal = HTTPAnswer(text: #"{"code":401,"description":"Unauthorized"}"#)
    bench.server.change { state in
      state.change("fruits") { $0[0].rows.removeLast() }
      state.fault = { $0 == 1 ? .answer(refusal) : nil }
    }
    let load = try bench.load { $0.resumes = true }
    #expect(load.outcome == .delta)
    #expect(bench.server.change(\.loginCount) == 2)
    bench.server.change { $0.fault = { _ in .answer(refusal) } }
    let error = try bench.failure()
    #expect(error?.reason == .refused(code: 401, description: "Unauthorized"))
    #expect(bench.server.change(\.loginCount) == 3)
    #expect(try bench.leftovers == [])
    #expect(try bench.rows().count == 2)
  }

  @Test func `a login and a schema that come packed are unpacked`() throws {
    let fruits = HyperHiveBench.resource
    let texts = [#"{"token":"t"}"#, "{\(fruits.schema)}", fruits.whole]
    let answers = try texts.map {
      HTTPAnswer(200, [("Content-Encoding", "gzip")], body: try Gzip.packed($0))
    }
    let server = try HTTPFaultServer { _, number in answers[min(number, 2)] }
    let directory = try TemporaryDirectory()
    let client = HyperHiveClient(
      HyperHiveServer(host: server.url(), environment: "e", project: "p", device: "d"))
    _ = try client.authenticate(user: "u", password: "p", cancellation: HTTPCancellation())
    let load = try client.load(
      "fruits", into: directory.path("app.sqlite"), options: HyperHiveLoadOptions(),
      cancellation: HTTPCancellation())
    #expect(load.changedRowCount == 3)
    #expect(load.warnings == [])
  }

  @Test func `a packed answer that is cut, damaged or in another coding is the network's error`()
    throws
  {
    let packed = try Gzip.packed(#"{"token":"t"}"#)
    var damaged = packed
    damaged[packed.count / 2] ^= 0x55
    for (coding, body, code) in [
      ("gzip", Array(packed.dropLast(3)), 18), ("gzip", damaged, 8), ("gzip", packed + [1], 8),
      ("br", packed, 61),
    ] {
      let server = try HTTPFaultServer(HTTPAnswer(200, [("Content-Encoding", coding)], body: body))
      let client = HyperHiveClient(
        HyperHiveServer(host: server.url(), environment: "e", project: "p", device: "d"))
      let error = #expect(throws: HyperHiveError.self) {
        _ = try client.authenticate(user: "u", password: "p", cancellation: HTTPCancellation())
      }
      #expect(error?.source == .transport)
      #expect(error?.code == code, "\(String(describing: error))")
    }
  }

  @Test func `a packed answer that grows without end is left`() throws {
    let blank = String(repeating: " ", count: 70 << 20)
    let server = try HTTPFaultServer(
      HTTPAnswer(200, [("Content-Encoding", "gzip")], body: try Gzip.packed(blank)))
    let client = HyperHiveClient(
      HyperHiveServer(host: server.url(), environment: "e", project: "p", device: "d"))
    let error = #expect(throws: HyperHiveError.self) {
      _ = try client.authenticate(user: "u", password: "p", cancellation: HTTPCancellation())
    }
    #expect(error?.code == 63)
  }

  @Test func `no request of a client goes to another host`() throws {
    let other = try HTTPFaultServer(HTTPAnswer(text: #"{"token":"t"}"#))
    for status in [301, 302, 303, 307, 308] {
      let url = other.url("/api/v1/auth/jwt/obtain/", host: "localhost")
      let server = try HTTPFaultServer(.redirect(url, status: status))
      let client = HyperHiveClient(
        HyperHiveServer(host: server.url(), environment: "e", project: "p", device: "d"))
      let error = #expect(throws: HyperHiveError.self) {
        _ = try client.authenticate(user: "u", password: "p", cancellation: HTTPCancellation())
      }
      #expect(error?.source == .server)
      #expect(error?.code == status)
    }
    #expect(other.connectionCount == 0)
  }
}
