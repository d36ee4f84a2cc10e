import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Where an app's credentials go: to the server of the stream, and to no other.
@Suite struct CredentialTests {
  private let history = PublishedHistory()
  private let files: [String: [UInt8]]

  init() throws {
    history.publishRandomly(2, rowsPerStep: 2, seed: 7)
    files = history.files(try history.head(.steps))
  }

  /// A server of the files; it remembers what it was asked.
  private func fileServer() throws -> HTTPFaultServer {
    try HTTPFaultServer { [files] request, _ in
      let name = String(request.target.dropFirst("/catalog/v1/".count))
      return ServedFile(files[name] ?? []).answer(to: request)
    }
  }

  private func app() throws -> AppDatabase {
    let app = try AppDatabase(history)
    app.options.credentials = { _ in
      ["Authorization": "Bearer secret", "X-Device-Key": "secret too"]
    }
    return app
  }

  private func hasSecret(_ request: ReceivedRequest) -> Bool { request.text.contains("secret") }

  /// Which requests are redirected to another server.
  enum Redirected: String, CaseIterable, Sendable {
    case head, objects, everything
  }

  @Test(arguments: Redirected.allCases, [1, 2])
  func `a redirect to another server takes no credentials along`(
    redirected: Redirected, parallelDownloads: Int
  ) async throws {
    let other = try fileServer()
    let target = other.url("")
    let home = try HTTPFaultServer { [files] request, _ in
      let isHead = request.target.hasSuffix("/head.json")
      let goesOn = redirected == .everything || (redirected == .head) == isHead
      if goesOn { return .redirect(target + request.target, status: 307) }
      let name = String(request.target.dropFirst("/catalog/v1/".count))
      return ServedFile(files[name] ?? []).answer(to: request)
    }
    let app = try app()
    app.options.parallelDownloads = parallelDownloads
    let stream = app.stream(StandardTransport.make(), base: home.url("/catalog/v1"))
    #expect(try await stream.sync().outcome == .applied)
    try app.expectPublishedState(at: history.seq)
    #expect(home.requests.count == 3)
    #expect(home.requests.allSatisfy(hasSecret))
    #expect(other.requests.count == (redirected == .head ? 1 : redirected == .objects ? 2 : 3))
    #expect(!other.requests.contains(where: hasSecret))
  }

  @Test func `a redirect at the same server keeps them`() async throws {
    let home = try HTTPFaultServer { [files] request, _ in
      guard request.target.hasPrefix("/moved/") else {
        return .redirect("/moved" + request.target, status: 302)
      }
      let name = String(request.target.dropFirst("/moved/catalog/v1/".count))
      return ServedFile(files[name] ?? []).answer(to: request)
    }
    let app = try app()
    let stream = app.stream(StandardTransport.make(), base: home.url("/catalog/v1"))
    #expect(try await stream.sync().outcome == .applied)
    #expect(home.requests.count == 6)
    #expect(home.requests.allSatisfy(hasSecret))
  }

  @Test func `a dynamic server's redirect takes none along`() async throws {
    let feed = ReferenceFeed(history)
    let first = history.firstSeq
    let elsewhere = try HTTPFaultServer { _, _ in
      HTTPAnswer(200, body: feed.answer(after: first).body)
    }
    let home = try HTTPFaultServer { _, _ in
      .redirect(elsewhere.url("/stream"), status: 307)
    }
    let app = try app()
    let stream = TableStream(
      history.stream, database: app.path, from: .dynamic(home.url("/v1/streams/catalog")),
      options: app.options, transport: StandardTransport.make(), clock: app.clock.clock())
    #expect(try await stream.sync().outcome == .applied)
    try app.expectPublishedState(at: history.seq)
    #expect(home.requests.allSatisfy(hasSecret))
    #expect(!elsewhere.requests.isEmpty && !elsewhere.requests.contains(where: hasSecret))
  }

  @Test func `another server's refusal does not ask the app for other credentials`() throws {
    let refusing = Lock(0)
    let server = ScriptedServer { request in
      guard request.url.host != "server.test" else {
        return .init(
          410,
          text: "{\"type\":\"urn:seed:problem:reset\",\"epoch\":1800000000,\"snapshot\":{"
            + "\"url\":\"https://cdn.test/o\",\"sha256\":\"\(String(repeating: "0", count: 64))\","
            + "\"size\":9,\"plain_size\":9,\"seq\":1,\"id\":\"x\",\"encoding\":\"gzip\"}}")
      }
      refusing.withLock { $0 += 1 }
      return .init(403)
    }
    let app = try app()
    let asked = Lock<[Bool]>([])
    app.options.credentials = { request in
      asked.withLock { $0.append(request.isRefused) }
      return ["Authorization": "Bearer secret"]
    }
    #expect(app.dynamicFailure(server)?.reason == .unauthorized(url: "https://cdn.test/o"))
    #expect(asked.withLock { $0 } == [false])
    #expect(refusing.withLock { $0 } == 1)
    try app.expectPublishedState(at: history.firstSeq)
  }
}
