import Foundation
import SeedTransport
import TestSupport
import Testing

@Suite struct NetworkProviderTests {
  private struct Item: Codable, Sendable, Equatable { var name: String }

  private struct ItemRequest: JSONRequest {
    typealias Response = Item
    var method = RequestMethod.get
    var path = "item"
    var query: RequestQuery = [:]
    var headers: [String: String] = [:]
    var content: RequestBody?
    var needsAccessToken = false
    var envelope: AnswerEnvelope? = .standard
    var body: RequestBody? { content }
  }

  private static let good = #"{"success":true,"data":{"name":"x"},"message":""}"#

  private func provider(
    _ server: HTTPFaultServer, _ path: String = "", options: NetworkOptions = NetworkOptions(),
    token: String? = nil
  ) throws -> NetworkProvider {
    try NetworkProvider(baseURL: server.url(path), options: options, accessToken: { token })
  }

  private func reason(
    _ body: () async throws -> some Sendable
  ) async throws -> RequestError.Reason? {
    do {
      _ = try await body()
      return nil
    } catch let error as RequestError {
      return error.reason
    }
  }

  // MARK: What is sent

  @Test func `a request has method, path, query, headers and body`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    var request = ItemRequest()
    request.method = .post
    request.path = "/notes/a b%/ü?"
    request.query = ["q": "a&b=c", "tag": "1", "tag": "ü"]
    request.headers = ["X-One": "1"]
    request.content = try .json(["k": [1.5, -2]])
    var options = NetworkOptions()
    options.headers = ["X-One": "0", "X-Two": "2"]
    #expect(
      try await provider(server, "/api/v1", options: options).send(request) == Item(name: "x"))
    let sent = try #require(server.requests.first)
    #expect(sent.method == "POST")
    #expect(sent.target == "/api/v1/notes/a%20b%25/%C3%BC%3F?q=a%26b%3Dc&tag=1&tag=%C3%BC")
    #expect(sent["x-one"] == "1")
    #expect(sent["x-two"] == "2")
    #expect(sent["content-type"] == "application/json")
    #expect(sent["accept"] == "application/json")
    #expect(
      try JSONSerialization.jsonObject(with: Data(sent.body)) as? [String: [Double]]
        == ["k": [1.5, -2]])
  }

  @Test(arguments: [
    ("", "", "/"), ("", "/", "/"), ("/api", "", "/api"), ("/api/", "x", "/api/x"),
    ("/api", "//x", "/api/x"), ("/api", "x/", "/api/x/"),
    ("/api", "https://evil/x", "/api/https://evil/x"),
    ("/api", "a:b@c", "/api/a:b@c"),
  ])
  func `a path stays below the address`(base: String, path: String, target: String) async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    _ = try await provider(server, base).send(ItemRequest(path: path))
    #expect(server.requests.first?.target == target)
  }

  @Test(arguments: ["../x", "a/../../x", "./x", "a\nb"])
  func `a path that leads elsewhere is refused`(path: String) async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let found = try await reason {
      try await provider(server, "/api").send(ItemRequest(path: path))
    }
    #expect(found == .invalidRequest("its path is no path below the address"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    "ftp://example.com", "example.com", "https://user:geheim@example.com",
    "https://example.com?a=b",
    "https://", "user:geheim@https://x y",
  ])
  func `an address that is none for requests is refused without its secrets`(address: String) {
    let error = #expect(throws: RequestError.self) { try NetworkProvider(baseURL: address) }
    guard case .invalidRequest? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("geheim") == false)
  }

  @Test func `a body that cannot be written is no request`() async throws {
    struct Request: JSONRequest {
      typealias Response = Item
      let path = "x"
      let method = RequestMethod.post
      var body: RequestBody? { get throws { try .json([Double.nan]) } }
    }
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let found = try await reason { try await provider(server).send(Request()) }
    guard case .invalidRequest? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    var get = ItemRequest()
    get.content = RequestBody([1], contentType: "x/y")
    #expect(
      try await reason { try await provider(server).send(get) }
        == .invalidRequest("a GET has no body"))
    #expect(server.requests.isEmpty)
  }

  // MARK: Tokens

  @Test func `a token is sent where it is needed`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let network = try provider(server, token: "t0ken")
    _ = try await network.send(ItemRequest(needsAccessToken: true))
    _ = try await network.send(ItemRequest())
    #expect(server.requests.map { $0["authorization"] } == ["Bearer t0ken", nil])
  }

  @Test(arguments: [nil, ""])
  func `a request without its token fails before it is sent`(token: String?) async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let found = try await reason {
      try await provider(server, token: token).send(ItemRequest(needsAccessToken: true))
    }
    #expect(found == .missingToken)
    #expect(server.requests.isEmpty)
    #expect(server.connectionCount == 0)
  }

  @Test func `a token is never sent to another host`() async throws {
    let other = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    for host in ["127.0.0.1", "localhost"] {
      let server = try HTTPFaultServer(.redirect(other.url("/x", host: host), status: 307))
      var options = NetworkOptions()
      options.headers = ["X-Key": "s3cr3t-key", "X-Plain": "p"]
      options.secretHeaders = ["x-key"]
      let network = try provider(server, options: options, token: "t0ken")
      #expect(try await network.send(ItemRequest(needsAccessToken: true)).name == "x")
      #expect(server.requests.first?["authorization"] == "Bearer t0ken")
      #expect(server.requests.first?["x-key"] == "s3cr3t-key")
    }
    #expect(other.requests.count == 2)
    for request in other.requests {
      #expect(!request.text.contains("t0ken"))
      #expect(!request.text.contains("s3cr3t"))
      #expect(request["x-plain"] == "p")
    }
  }

  @Test func `an error does not show the token`() async throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(text: #"{"success":false,"message":"no such token: t0ken"}"#))
    do {
      var request = ItemRequest(needsAccessToken: true)
      request.query = ["again": "t0ken"]
      _ = try await provider(server, token: "t0ken").send(request)
      Issue.record("no error")
    } catch let error as RequestError {
      #expect(!error.description.contains("t0ken"))
      #expect(error.reason == .refused(message: "no such token: ***"))
    }
  }

  @Test func `what the token's closure throws comes out`() async throws {
    struct Expired: Error {}
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let network = try NetworkProvider(baseURL: server.url(), accessToken: { throw Expired() })
    await #expect(throws: Expired.self) {
      try await network.send(ItemRequest(needsAccessToken: true))
    }
    #expect(server.requests.isEmpty)
  }

  // MARK: What comes back

  @Test(
    arguments: [
      (#"{"success":true,"data":{"name":"x"}}"#, nil),
      (#"{"success":"true","data":{"name":"x"}}"#, nil),
      (#"{"success":1,"data":{"name":"x"}}"#, nil),
      (#"{"success":false,"data":{"name":"x"},"message":"no"}"#, .refused(message: "no")),
      (#"{"success":false,"message":""}"#, .refused(message: nil)),
      (#"{"success":null,"message":5}"#, .refused(message: nil)),
      (#"{"success":"yes","data":{"name":"x"}}"#, .refused(message: nil)),
      (
        #"{"data":{"name":"x"}}"#,
        .decoding(codingPath: "success", "the envelope has no \"success\"")
      ),
      (#"{"success":true}"#, .decoding(codingPath: "data", "null in place of an object")),
      (
        #"{"success":true,"data":null}"#,
        .decoding(codingPath: "data", "null in place of an object")
      ),
      (#"[]"#, .decoding(codingPath: "", "an array in place of the envelope, an object")),
      (#"{"success":true,"data":{}}"#, .decoding(codingPath: "data.name", "there is no \"name\"")),
      ("<!DOCTYPE html>", .notJSON(byteOffset: 0, "found \"<\" in place of a value")),
      ("", .notJSON(byteOffset: 0, "it is empty")),
      (#"{"success":true,"data":{"name":"x"}"#, .notJSON(byteOffset: 0, "an object is not closed")),
    ] as [(String, RequestError.Reason?)])
  func `an envelope is opened or says why not`(
    text: String, expected: RequestError.Reason?
  ) async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: text))
    let found = try await reason { try await provider(server).send(ItemRequest()) }
    #expect(found == expected)
  }

  @Test func `an answer may have another envelope, or none`() async throws {
    let server = try HTTPFaultServer { request, _ in
      HTTPAnswer(
        text: request.target == "/bare" ? #"{"name":"x"}"# : #"{"ok":true,"name":"y","error":""}"#)
    }
    let network = try provider(server)
    #expect(try await network.send(ItemRequest(path: "bare", envelope: nil)).name == "x")
    let own = AnswerEnvelope(success: "ok", data: nil, message: "error")
    #expect(try await network.send(ItemRequest(path: "flat", envelope: own)).name == "y")
  }

  @Test(arguments: [
    (404, "gone", nil), (500, #"{"success":false,"message":"on fire"}"#, "on fire"), (401, "", nil),
  ])
  func `a status that is no success is an error with the server's message`(
    status: Int, body: String, message: String?
  ) async throws {
    let server = try HTTPFaultServer(HTTPAnswer(status, text: body))
    #expect(
      try await reason { try await provider(server).send(ItemRequest()) }
        == .status(status, message: message))
  }

  @Test func `an answer without content is none`() async throws {
    struct Request: JSONRequest {
      typealias Response = NoResponse
      let path = "x"
      let method = RequestMethod.delete
    }
    let server = try HTTPFaultServer(HTTPAnswer(204))
    #expect(try await provider(server).send(Request()) == NoResponse())
    #expect(server.requests.first?.method == "DELETE")
  }

  @Test func `a server that nobody runs is offline`() async throws {
    let network = try NetworkProvider(
      baseURL: "http://127.0.0.1:\(try HTTPFaultServer.closedPort())")
    let found = try await reason { try await network.send(ItemRequest()) }
    guard case .offline? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func `a host that nobody knows is offline`() async throws {
    let network = try NetworkProvider(baseURL: "http://no-such-host.invalid")
    let found = try await reason { try await network.send(ItemRequest()) }
    guard case .offline? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func `a silent server is timed out`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good).with(.stall(after: 60)))
    var options = NetworkOptions()
    options.stallTimeout = .milliseconds(80)
    #expect(
      try await reason { try await provider(server, options: options).send(ItemRequest()) }
        == .timedOut)
  }

  @Test func `a server that never ends is timed out`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "[").with(.endless).with(.untilClose))
    var options = NetworkOptions()
    options.totalTimeout = .milliseconds(80)
    options.largestAnswerByteCount = .max
    #expect(
      try await reason { try await provider(server, options: options).send(ItemRequest()) }
        == .timedOut)
  }

  @Test func `a connection that ends early is told apart`() async throws {
    let answer = HTTPAnswer(text: Self.good)
    let server = try HTTPFaultServer(answer.with(.close(after: answer.bytes.count - 5)))
    let found = try await reason { try await provider(server).send(ItemRequest()) }
    #expect(found == .interrupted(receivedByteCount: Int64(Self.good.utf8.count - 5)))
  }

  @Test func `an answer that is too long is left`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    var options = NetworkOptions()
    options.largestAnswerByteCount = 10
    #expect(
      try await reason { try await provider(server, options: options).send(ItemRequest()) }
        == .unusableAnswer("the answer is longer than 10 bytes"))
  }

  @Test(arguments: [RequestMethod.get, .post])
  func `only what can be done twice is repeated`(method: RequestMethod) async throws {
    let cut = HTTPAnswer(text: Self.good).with(.close(after: 50))
    let server = try HTTPFaultServer(cut, HTTPAnswer(503), HTTPAnswer(text: Self.good))
    var options = NetworkOptions()
    options.retryCount = 2
    let clock = ImpatientClock()
    let network = try NetworkProvider(
      baseURL: server.url(), options: options, transport: StandardTransport.make(),
      clock: clock.clock())
    let found = try await reason { try await network.send(ItemRequest(method: method)) }
    #expect((found == nil) == (method == .get))
    #expect(server.requests.count == (method == .get ? 3 : 1))
    #expect(clock.waits.count == (method == .get ? 2 : 0))
  }

  // MARK: Other forms

  @Test func `the form with a closure gives the same value`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let network = try provider(server)
    let item = try await withCheckedThrowingContinuation { continuation in
      network.send(ItemRequest()) { continuation.resume(with: $0) }
    }
    #expect(item == Item(name: "x"))
  }

  @Test func `the form with a closure gives the same error`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good))
    let network = try provider(server)
    let found = try await reason {
      try await withCheckedThrowingContinuation { continuation in
        network.send(ItemRequest(needsAccessToken: true)) { continuation.resume(with: $0) }
      }
    }
    #expect(found == .missingToken)
  }

  @Test func `a request that is given up ends at once`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.good).with(.stall(after: 0)))
    let network = try provider(server)
    await #expect(throws: CancellationError.self) {
      try await withCheckedThrowingContinuation { continuation in
        let task = network.send(ItemRequest()) { continuation.resume(with: $0) }
        server.onRequest { task.cancel() }
      }
    }
    let second = try HTTPFaultServer(HTTPAnswer(text: Self.good).with(.stall(after: 0)))
    let other = try provider(second)
    let task = Task { try await other.send(ItemRequest()) }
    second.onRequest { task.cancel() }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
