import SeedFetch
import SeedTransport
import TestSupport
import Testing

/// Servers that send, but so slowly that nobody should wait for them.
@Suite struct SlowServerTests {
  private let fixture: FetchFixture

  init() throws {
    fixture = try FetchFixture()
  }

  private func answer(_ byteCount: Int) -> HTTPAnswer {
    HTTPAnswer(200, [("ETag", "\"a\"")], text: String(repeating: "x", count: 20_000))
      .with(.slow(byteCount: byteCount, pauseMilliseconds: 2))
  }

  @Test func `a server that sends a byte now and then is given up`() throws {
    let server = try HTTPFaultServer(answer(1))
    let error = try fixture.failure(server.url()) {
      $0.limits.stallTimeout = .milliseconds(200)
      $0.retry.retryCount = 1
    }
    #expect(
      error?.reason == .transport(TransportError(.timedOut(.receiving), url: server.url())))
    #expect(server.requests.count == 2)
  }

  @Test func `a server that sends enough in time may take as long as it needs`() throws {
    let server = try HTTPFaultServer(answer(1_000))
    let source = try fixture.fetch(server.url()) { $0.limits.stallTimeout = .seconds(5) }
    #expect(source.pages[0].byteCount == 20_000)
  }

  @Test func `a short document need not reach the limit`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(text: "short").with(.slow(byteCount: 5, pauseMilliseconds: 1)))
    #expect(try fixture.fetch(server.url()).pages[0].byteCount == 5)
  }
}
