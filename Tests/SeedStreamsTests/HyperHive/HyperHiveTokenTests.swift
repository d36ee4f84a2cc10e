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
