import SeedFiles
import SeedTransport
import TestSupport
import Testing

@testable import SeedStreams

/// Servers that are slow, and those that have fallen silent.
@Suite struct HyperHiveSlowServerTests {
  private static var large: HyperHiveResource {
    HyperHiveResource(
      "fruits",
      HyperHiveResource.Table(
        "list", columns: HyperHiveBench.resource.versions[0][0].columns,
        rows: (1...600).map { ["\($0)", "\($0).25", #""fruit number \#($0)""#] }))
  }

  private static func limits(_ timeout: Duration) -> HTTPLimits {
    var limits = HTTPLimits()
    limits.stallTimeout = timeout
    return limits
  }

  @Test func `a server that falls silent is timed out, and the repetition goes on where it was`()
    throws
  {
    let bench = try HyperHiveBench(Self.large, limits: Self.limits(.milliseconds(150)))
    bench.server.change { $0.fault = { $0 < 2 ? .stall(after: 4000) : nil } }
    let load = try bench.load {
      $0.resumes = true
      $0.retryCount = 2
    }
    #expect(load.changedRowCount == 600)
    #expect(load.exchange.retryCount == 2)
    #expect(bench.server.calls.map(\.start) == [0, 4000, 8000])
    #expect(try bench.leftovers == [])
  }

  @Test func `silence once more than allowed is an error, and the next call goes on`() throws {
    let bench = try HyperHiveBench(Self.large, limits: Self.limits(.milliseconds(150)))
    bench.server.change { $0.fault = { $0 < 2 ? .stall(after: 4000) : nil } }
    let error = try bench.failure {
      $0.resumes = true
      $0.retryCount = 1
    }
    #expect(error?.source == .transport)
    #expect(error?.code == 28)
    #expect(try bench.rows() == [])
    try bench.load { $0.resumes = true }
    #expect(bench.server.calls.last?.start == 8000)
    #expect(try bench.rows().count == 600)
  }

  @Test func `a server that is slow but never silent is waited for`() throws {
    let bench = try HyperHiveBench(Self.large, limits: Self.limits(.seconds(1)))
    let pieces = 14
    let count = Self.large.whole.utf8.count / pieces
    bench.server.change { state in
      state.fault = { _ in .slow(byteCount: count, pauseMilliseconds: 90) }
    }
    let start = ContinuousClock.now
    #expect(try bench.load().changedRowCount == 600)
    #expect(ContinuousClock.now - start > .seconds(1))
    #expect(bench.server.calls.count == 1)
  }

  @Test func `a login that is not answered is timed out`() throws {
    let silent = try HTTPFaultServer(HTTPAnswer(text: #"{"token":"x"}"#).with(.stall(after: 30)))
    let client = HyperHiveClient(
      HyperHiveServer(host: silent.url(), environment: "env", project: "project", device: "d"),
      transport: StandardTransport.make(), limits: Self.limits(.milliseconds(100)))
    let error = #expect(throws: HyperHiveError.self) {
      _ = try client.authenticate(
        user: "guest", password: "p", cancellation: HTTPCancellation())
    }
    #expect(error?.source == .transport)
    #expect(error?.code == 28)
  }

  @Test func `a load is given up in the middle, and what came is kept`() throws {
    let bench = try HyperHiveBench(Self.large)
    try bench.loadSchema()
    bench.server.change { $0.fault = { $0 == 0 ? .stall(after: 4000) : nil } }
    let cancellation = HTTPCancellation()
    var options = HyperHiveLoadOptions()
    options.downloadFolder = bench.downloads
    options.resumes = true
    options.retryCount = 3
    let count = bench.server.server.requests.count
    let transport = CancellingTransport(after: 4000, cancellation)
    let client = HyperHiveClient(bench.client.server, transport: transport)
    _ = try client.authenticate(
      user: "guest", password: bench.server.change(\.password), cancellation: HTTPCancellation())
    let error = #expect(throws: HyperHiveError.self) {
      try client.load(
        "fruits", into: bench.database, options: options, cancellation: cancellation)
    }
    #expect(error?.reason == .cancelled)
    #expect(bench.server.server.requests.count == count + 2)
    try bench.load { $0.resumes = true }
    #expect(bench.server.calls.map(\.start) == [0, 4000])
    #expect(try bench.rows().count == 600)
  }
}

/// Gives up when so many bytes of a body have come.
private struct CancellingTransport: HTTPTransport {
  private let base = StandardTransport.make()
  private let byteCount: Int
  private let cancellation: HTTPCancellation

  init(after byteCount: Int, _ cancellation: HTTPCancellation) {
    self.byteCount = byteCount
    self.cancellation = cancellation
  }

  func perform(
    _ request: HTTPRequest, cancellation: HTTPCancellation,
    onHead: (HTTPHead) throws -> Void, onBody: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var received = 0
    try base.perform(request, cancellation: cancellation, onHead: onHead) { bytes in
      try onBody(bytes)
      received += bytes.count
      if received >= byteCount { self.cancellation.cancel() }
    }
  }
}
