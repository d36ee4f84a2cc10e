import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import Testing

/// A device without a network, as the system tells it.
@Suite struct OfflineTests {
  /// A network that comes back when it is waited for.
  private static func path(_ isUsable: Lock<Bool>, _ waits: Lock<Int>) -> NetworkPath {
    NetworkPath(
      isUsable: { isUsable.withLock { $0 } },
      waitUntilUsable: { _ in
        waits.withLock { $0 += 1 }
        isUsable.withLock { $0 = true }
      })
  }

  /// A server that cannot be reached while there is no network.
  private func server(_ history: PublishedHistory, _ isUsable: Lock<Bool>) throws -> ScriptedServer
  {
    let files = history.files(try history.head(.steps))
    return ScriptedServer { request in
      guard isUsable.withLock({ $0 }) else {
        throw TransportError(.unreachable("no route"), url: request.url.text)
      }
      return files[String(request.url.path.dropFirst("/catalog/v1/".count))]
        .map { .init(200, body: $0) } ?? .init(404)
    }
  }

  @Test func `who follows waits for the network and burns no attempt`() throws {
    let history = PublishedHistory()
    history.publishRandomly(2, seed: 3)
    let (isUsable, waits) = (Lock(false), Lock(0))
    let server = try server(history, isUsable)
    let app = try AppDatabase(history)
    app.options.networkPath = Self.path(isUsable, waits)
    var phases: [StreamPhase] = []
    let result = try app.stream(server).syncBlocking(isFollowing: true) { phases.append($0.phase) }
    #expect(result.outcome == .applied)
    #expect(waits.withLock { $0 } == 1)
    #expect(app.clock.waits.isEmpty)
    #expect(phases.contains(.waiting) && phases.last != .waiting)
    #expect(server.requests.count == 4)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `one look tells that the device is offline, after its attempts`() throws {
    let history = PublishedHistory()
    history.publishRandomly(1, seed: 3)
    let (isUsable, waits) = (Lock(false), Lock(0))
    let server = try server(history, isUsable)
    let app = try AppDatabase(history)
    app.options.networkPath = Self.path(isUsable, waits)
    guard case .offline = app.failure(server)?.reason else {
      Issue.record("it went on")
      return
    }
    #expect(waits.withLock { $0 } == 0)
    #expect(server.requests.count == 8)
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `a wait for the network ends with the run`() throws {
    let history = PublishedHistory()
    history.publishRandomly(1, seed: 3)
    let server = try server(history, Lock(false))
    let app = try AppDatabase(history)
    app.options.networkPath = NetworkPath(
      isUsable: { false }, waitUntilUsable: { $0.cancel() })
    let error = #expect(throws: StreamError.self) {
      try app.stream(server).syncBlocking(isFollowing: true)
    }
    #expect(error?.reason == .cancelled)
    #expect(server.requests.count == 1)
  }
}
