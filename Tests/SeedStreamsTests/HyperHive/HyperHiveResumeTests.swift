import SeedFiles
import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// What happens to a load when the connection, the server or the process fails.
@Suite struct HyperHiveResumeTests {
  private static var large: HyperHiveResource {
    HyperHiveResource(
      "fruits",
      HyperHiveResource.Table(
        "list", columns: HyperHiveBench.resource.versions[0][0].columns,
        rows: (1...2000).map { ["\($0)", "\($0).25", #""fruit number \#($0)""#] }))
  }

  /// Whether each request asked for exactly what had not been sent yet.
  private func isGapless(_ calls: [HyperHiveTestServer.Call]) -> Bool {
    var sent = 0
    for call in calls {
      guard call.start == sent else { return false }
      sent += call.sentByteCount
    }
    return sent == Self.large.whole.utf8.count
  }

  @Test(arguments: 0..<8)
  func `a load that is cut at random bytes goes on where it was`(seed: UInt64) throws {
    let bench = try HyperHiveBench(Self.large)
    try bench.loadSchema()
    var numbers = SystemRandomNumberGenerator()
    let cuts = (0..<10).map { _ in Int.random(in: 0...8000, using: &numbers) }
    bench.server.change { $0.fault = { $0 < 10 ? .drop(after: cuts[$0]) : nil } }
    let load = try bench.load {
      $0.resumes = true
      $0.retryCount = 10
      $0.retryInterval = .milliseconds(1500)
    }
    #expect(load.changedRowCount == 2000)
    #expect(isGapless(bench.server.calls), "\(cuts)")
    #expect(load.exchange.byteCount == Int64(Self.large.whole.utf8.count))
    #expect(bench.clock.waits == Array(repeating: .milliseconds(1500), count: 10))
    #expect(load.exchange.retryCount == 10)
    #expect(try bench.rows().count == 2000)
    #expect(try bench.leftovers == [])
  }

  @Test func `one failure more than allowed is an error, and the next call goes on`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 < 4 ? .drop(after: 1000) : nil } }
    let error = try bench.failure {
      $0.resumes = true
      $0.retryCount = 3
    }
    #expect(error?.source == .transport)
    #expect(error?.code == 18)
    #expect(error?.exchange.retryCount == 3)
    #expect(try bench.leftovers.count == 2)
    #expect(try bench.rows() == [])
    try bench.load { $0.resumes = true }
    #expect(isGapless(bench.server.calls))
    #expect(try bench.rows().count == 2000)
    #expect(try bench.leftovers == [])
  }

  @Test func `without resumption each try starts at zero and nothing is left`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 < 2 ? .drop(after: 1000) : nil } }
    let error = try bench.failure { $0.retryCount = 1 }
    #expect(error?.source == .transport)
    #expect(try bench.leftovers == [])
    try bench.load()
    #expect(bench.server.calls.map(\.start) == [0, 0, 0])
    #expect(try bench.rows().count == 2000)
  }

  @Test func `a server with the standard's ranges alone resumes as well`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change {
      $0.hasStandardRangesOnly = true
      $0.fault = { $0 < 3 ? .drop(after: 5000) : nil }
    }
    try bench.load {
      $0.resumes = true
      $0.retryCount = 3
    }
    #expect(isGapless(bench.server.calls))
    #expect(try bench.rows().count == 2000)
  }

  @Test(arguments: [false, true])
  func `a cut after the last byte is no loss`(isStandard: Bool) throws {
    let bench = try HyperHiveBench(Self.large)
    let count = Self.large.whole.utf8.count
    bench.server.change {
      $0.hasStandardRangesOnly = isStandard
      // The body is whole, the chunk that says so is not sent.
      $0.fault = { $0 == 0 ? .drop(after: count - 1) : $0 == 1 ? .drop(after: 0) : nil }
    }
    let load = try bench.load {
      $0.resumes = true
      $0.retryCount = 3
    }
    #expect(load.changedRowCount == 2000)
  }

  @Test func `a document that is complete on the disk is not sent again`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 == 0 ? .drop(after: 5000) : nil } }
    _ = try bench.failure { $0.resumes = true }
    let part = try #require(try bench.leftovers.first { $0.hasSuffix(".part") })
    try bench.directory.write(Self.large.whole, to: "downloads/" + part)
    try bench.load { $0.resumes = true }
    #expect(bench.server.calls.last?.sentByteCount == 0)
    #expect(try bench.rows().count == 2000)
  }

  @Test func `a changed document starts again from nothing`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 == 0 ? .drop(after: 5000) : nil } }
    _ = try bench.failure { $0.resumes = true }
    bench.server.change { $0.tagSuffix = "b" }
    try bench.load { $0.resumes = true }
    #expect(bench.server.calls.map(\.status) == [200, 412, 200])
    #expect(try bench.rows().count == 2000)
  }

  @Test func `a part that begins elsewhere is not used`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change {
      $0.fault = { $0 == 0 ? .drop(after: 5000) : $0 == 1 ? .wrongContentRange : nil }
    }
    try bench.load {
      $0.resumes = true
      $0.retryCount = 1
    }
    #expect(bench.server.calls.map(\.start) == [0, 5000, 0])
    #expect(try bench.rows().count == 2000)
  }

  @Test func `a part that ends before the document does is gone on with`() throws {
    let bench = try HyperHiveBench()
    try bench.loadSchema()
    let body = Array(HyperHiveBench.resource.whole.utf8)
    bench.server.change {
      $0.fault = { number in
        let start = number * 20
        let isLast = number == 2
        let end = isLast ? body.count : start + 20
        var answer = HTTPAnswer(
          number == 0 ? 200 : 206, [("ETag", "\"x\"")], body: Array(body[start..<end]))
        if number == 0 {
          answer.body = body
          answer.framing = .chunked
          answer.fault = .close(after: answer.byteCount(ofBody: 20))
        } else {
          answer.headers.append(("Content-Range", "bytes \(start)-\(end - 1)/\(body.count)"))
        }
        return .answer(answer)
      }
    }
    try bench.load {
      $0.resumes = true
      $0.retryCount = 2
    }
    let ranges = bench.server.server.requests.compactMap { $0["x-range"] }
    #expect(ranges == ["bytes=20-", "bytes=40-"])
    #expect(try bench.rows().count == 3)
  }

  @Test func `a server that never has the same document twice ends in an error`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change {
      $0.fault = { $0.isMultiple(of: 2) ? .drop(after: 5000) : .wrongContentRange }
    }
    let error = try bench.failure {
      $0.resumes = true
      $0.retryCount = 100
    }
    #expect(error?.source == .transport)
  }

  @Test(arguments: ["{", "[]", #"{"format":1}"#, ""])
  func `a sidecar that is none is not trusted`(text: String) throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 == 0 ? .drop(after: 5000) : nil } }
    _ = try bench.failure { $0.resumes = true }
    let sidecar = try #require(try bench.leftovers.first { $0.hasSuffix(".json") })
    try bench.directory.write(text, to: "downloads/" + sidecar)
    try bench.load { $0.resumes = true }
    #expect(bench.server.calls.map(\.start) == [0, 0])
    #expect(try bench.rows().count == 2000)
  }

  @Test func `a sidecar of another load is not trusted, and no sidecar has a secret`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 == 0 ? .drop(after: 5000) : nil } }
    _ = try bench.failure { $0.resumes = true }
    let sidecar = try #require(try bench.leftovers.first { $0.hasSuffix(".json") })
    let text = try bench.directory.text(of: "downloads/" + sidecar)
    #expect(!text.contains("secret-token") && !text.contains("guest"))
    try bench.directory.write(
      text.replacing("\"whole\"", with: "\"v7-last\""), to: "downloads/" + sidecar)
    try bench.load { $0.resumes = true }
    #expect(bench.server.calls.map(\.start) == [0, 0])
  }

  @Test func `bytes that are no part of the document are found out and fetched again`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 == 0 ? .drop(after: 5000) : nil } }
    _ = try bench.failure { $0.resumes = true }
    let part = try #require(try bench.leftovers.first { $0.hasSuffix(".part") })
    try bench.directory.write(String(repeating: "\0", count: 5000), to: "downloads/" + part)
    _ = try bench.failure { $0.resumes = true }
    try bench.load { $0.resumes = true }
    #expect(try bench.rows().count == 2000)
  }

  @Test func `an answer without a length that ends early is a cut one`() throws {
    let bench = try HyperHiveBench(Self.large)
    bench.server.change { $0.fault = { $0 == 0 ? .silentEnd(after: 5000) : nil } }
    try bench.load {
      $0.resumes = true
      $0.retryCount = 1
    }
    #expect(bench.server.calls.map(\.start) == [0, 5000])
    #expect(try bench.rows().count == 2000)
  }

  @Test(arguments: [408, 425, 429, 500, 501, 503, 599])
  func `a passing trouble of the server is repeated`(status: Int) throws {
    let bench = try HyperHiveBench()
    bench.server.change {
      $0.fault = {
        $0 == 0 ? .answer(HTTPAnswer(status, [("Retry-After", "7")], text: "no")) : nil
      }
    }
    try bench.load {
      $0.retryCount = 1
      $0.retryInterval = .milliseconds(250)
    }
    #expect(bench.clock.waits.count == 1)
    #expect(bench.clock.waits[0] >= .seconds(7) && bench.clock.waits[0] < .seconds(8))
  }

  @Test(arguments: [400, 403, 404, 409])
  func `a refusal is not repeated`(status: Int) throws {
    let bench = try HyperHiveBench()
    bench.server.change {
      $0.fault = { _ in
        .answer(HTTPAnswer(status, text: #"{"code":\#(status),"description":"Go Away"}"#))
      }
    }
    let error = try bench.failure { $0.retryCount = 5 }
    #expect(error?.reason == .refused(code: status, description: "Go Away"))
    #expect(error?.source == .server)
    #expect(bench.server.calls.count == 1)
  }

  @Test func `an expired token is renewed once`() throws {
    let bench = try HyperHiveBench()
    bench.server.change { $0.expireToken() }
    try bench.load()
    #expect(bench.server.change(\.loginCount) == 2)
    let refusal = HTTPAnswer(401, text: #"{"code":401,"description":"Unauthorized"}"#)
    bench.server.change { $0.fault = { _ in .answer(refusal) } }
    let error = try bench.failure { $0.retryCount = 5 }
    #expect(error?.reason == .refused(code: 401, description: "Unauthorized"))
    #expect(bench.server.change(\.loginCount) == 3)
  }

  @Test func `a wrong password is an error that does not show it`() throws {
    let bench = try HyperHiveBench()
    do throws(HyperHiveError) {
      _ = try bench.client.authenticate(
        user: "guest", password: "wrong-password", cancellation: HTTPCancellation())
      Issue.record("logged in")
    } catch {
      #expect(error.reason == .refused(code: 401, description: "Unauthorized"))
      #expect(!"\(error)".contains("wrong-password"))
    }
  }

  @Test func `nothing is sent for someone who has not logged in`() throws {
    let bench = try HyperHiveBench()
    let client = HyperHiveClient(bench.client.server)
    let count = bench.server.server.requests.count
    #expect(throws: HyperHiveError.self) {
      try client.load(
        "fruits", into: bench.database, options: HyperHiveLoadOptions(),
        cancellation: HTTPCancellation())
    }
    #expect(bench.server.server.requests.count == count)
  }

  @Test func `the token goes to no other host`() throws {
    let other = try HTTPFaultServer(HTTPAnswer(text: "[]"))
    let bench = try HyperHiveBench()
    let url = other.url()
    bench.server.change { $0.fault = { _ in .answer(.redirect(url, status: 307)) } }
    #expect(try bench.failure()?.source == .server)
    #expect(other.requests.isEmpty)
  }

  @Test func `arguments that make no sense are refused`() throws {
    let bench = try HyperHiveBench()
    #expect(try bench.failure { $0.retryCount = -1 }?.source == .core)
    #expect(try bench.failure { $0.retryInterval = .milliseconds(-1) }?.place == "retryIntervalSec")
    #expect(try bench.failure { $0.parameters = "[1]" }?.place == "requestParams")
    #expect(try bench.failure { $0.transactionID = "a\nb" }?.place == "transactionID")
    #expect(bench.server.calls.isEmpty)
  }
}
