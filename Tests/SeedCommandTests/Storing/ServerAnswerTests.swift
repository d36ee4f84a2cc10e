import Foundation
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// An app that shows a server's answer and keeps it, against a server on loopback.
@Suite struct ServerAnswerTests {
  private static let text = """
    {"success":true,"data":{"notes":[
      {"id":7,"title":"Milk","created":"16.01.2010","rating":4.5,"tags":["home","shop"]},
      {"id":9007199254740993,"title":"Tax","created":"01.02.2010","rating":null,"tags":[]}],
      "stat":{"notes":2,"unread":1,"isComplete":true}},"message":""}
    """

  private static let value = CollectData(
    notes: [
      CollectNote(
        id: 7, title: "Milk", created: "16.01.2010", rating: 4.5, tags: ["home", "shop"]),
      CollectNote(
        id: 9_007_199_254_740_993, title: "Tax", created: "01.02.2010", rating: nil, tags: []),
    ], stat: HomeCount(notes: 2, unread: 1, isComplete: true))

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func provider(_ address: String) throws -> NetworkDataProvider {
    var options = NetworkOptions()
    options.stallTimeout = .milliseconds(100)
    return NetworkDataProvider(network: try NetworkProvider(baseURL: address, options: options))
  }

  /// What collecting data from a server ends in.
  private func reason(_ answer: HTTPAnswer) async throws -> RequestError.Reason? {
    let server = try HTTPFaultServer(answer)
    return try await reason(server.url())
  }

  private func reason(_ address: String) async throws -> RequestError.Reason? {
    do {
      _ = try await provider(address).collectData()
      return nil
    } catch let error as RequestError {
      return error.reason
    }
  }

  // MARK: The answer

  @Test func `the typed answer comes back`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.text))
    #expect(try await provider(server.url()).collectData() == Self.value)
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    #expect(request.target == "/collect")
    #expect(request["authorization"] == nil)
  }

  @Test func `the typed answer comes to a closure, too`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.text))
    let provider = try provider(server.url())
    let data = try await withCheckedThrowingContinuation { continuation in
      provider.collectData { continuation.resume(with: $0) }
    }
    #expect(data == Self.value)
  }

  @Test func `the same answer is rows of notes and the one row of stat`() async throws {
    let second = Self.text.replacing("Milk", with: "Bread").replacing(
      "\"unread\":1", with: "\"unread\":0")
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.text), HTTPAnswer(text: second))
    let provider = try provider(server.url())
    let database = directory.path("app.sqlite")
    #expect(try await provider.refresh(database) == Self.value)
    let connection = try Connection(path: database, mode: .readWrite)
    #expect(
      try connection.rows("SELECT id, title, created, rating FROM notes ORDER BY id") == [
        [.integer(7), .text("Milk"), .text("2010-01-16"), .real(4.5)],
        [.integer(9_007_199_254_740_993), .text("Tax"), .text("2010-02-01"), .null],
      ])
    #expect(
      try connection.rows("SELECT notes_id, text FROM tags ORDER BY id") == [
        [.integer(7), .text("home")], [.integer(7), .text("shop")],
      ])
    _ = try await provider.refresh(database)
    #expect(
      try connection.rows("SELECT title FROM notes ORDER BY id") == [
        [.text("Bread")], [.text("Tax")],
      ])
    #expect(
      try connection.rows("SELECT notes, unread, isComplete FROM stat") == [
        [.integer(2), .integer(0), .integer(1)]
      ])
    #expect(try connection.rows("SELECT count(*) FROM tags") == [[.integer(2)]])
  }

  @Test func `the same request as a source of a build gives the same tables`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.text))
    try directory.write(
      """
      {
        "sources": [
          {
            "url": "\(server.url("/collect"))", "format": "json",
            "envelope": { "success": "success", "message": "message" }
          }
        ]
      }
      """, to: "seed.json")
    let run = try CommandRun.run(
      Project.tool.path, ["build", "-o", "built.sqlite"],
      environment: ["SEED_CACHE_DIR": directory.path("cache"), "PATH": "/usr/bin:/bin"],
      directory: directory.path)
    #expect(run.status == 0, "\(run.errorText)")
    let answer = try await provider(server.url()).network.answer(to: CollectDataRequest())
    try await answer.store(into: directory.path("stored.sqlite"))
    let built = try Self.content(directory.path("built.sqlite"))
    #expect(built.count == 9)
    #expect(try Self.content(directory.path("stored.sqlite")) == built)
  }

  @Test func `a prebuilt database takes the answers that come later`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.text))
    try directory.write(Self.text, to: "answer.json")
    try directory.write(
      """
      {"sources": [{"file": "answer.json",
        "envelope": {"success": "success", "message": "message"}}]}
      """, to: "seed.json")
    let run = try CommandRun.run(
      Project.tool.path, ["build", "-o", "app.sqlite"], environment: ["PATH": "/usr/bin:/bin"],
      directory: directory.path)
    #expect(run.status == 0, "\(run.errorText)")
    let before = try Self.content(directory.path("app.sqlite"))
    _ = try await provider(server.url()).refresh(directory.path("app.sqlite"))
    let after = try Self.content(directory.path("app.sqlite"))
    // The tags of a note have no key, so they are written anew, with new ones.
    #expect(after.filter { !$0.hasPrefix("tags:") } == before.filter { !$0.hasPrefix("tags:") })
    #expect(after.count == before.count)
  }

  /// The statements of the schema and the rows of every table but the stamp.
  private static func content(_ path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    var lines: [String] = []
    for object in try connection.rows(
      """
      SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_seed%' ESCAPE '\\'
      ORDER BY name
      """)
    {
      guard case .text(let name) = object[1], case .text(let sql) = object[2] else { continue }
      lines.append(sql)
      guard object[0] == .text("table") else { continue }
      lines += try connection.rows("SELECT * FROM \(SQLiteName.quoted(name)) ORDER BY rowid")
        .map { "\(name): \($0)" }
    }
    return lines
  }

  // MARK: Errors

  @Test func `success that is false carries the message`() async throws {
    let answer = HTTPAnswer(text: #"{"success":false,"data":null,"message":"closed on Mondays"}"#)
    #expect(try await reason(answer) == .refused(message: "closed on Mondays"))
  }

  @Test func `no network is offline`() async throws {
    let found = try await reason("http://127.0.0.1:\(try HTTPFaultServer.closedPort())")
    guard case .offline? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func `a server that falls silent is timed out`() async throws {
    #expect(try await reason(HTTPAnswer(text: Self.text).with(.stall(after: 100))) == .timedOut)
  }

  @Test func `an error of the server is its status`() async throws {
    #expect(try await reason(HTTPAnswer(500, text: "")) == .status(500, message: nil))
  }

  @Test func `an answer of another shape names the place`() async throws {
    let text = Self.text.replacing("\"title\":\"Tax\"", with: "\"title\":5")
    #expect(
      try await reason(HTTPAnswer(text: text))
        == .decoding(codingPath: "data.notes[1].title", "a number in place of a string"))
  }

  @Test func `an answer that is not JSON names the byte`() async throws {
    let text = Self.text.replacing("\"Milk\"", with: "Milk")
    let offset = try #require(text.utf8.firstRange(of: Array("Milk".utf8))).lowerBound
    #expect(
      try await reason(HTTPAnswer(text: text))
        == .notJSON(
          byteOffset: text.utf8.distance(from: text.utf8.startIndex, to: offset),
          "the word \"Milk\" is no value"))
  }

  @Test func `a request without its token is not sent`() async throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: Self.text))
    let network = try provider(server.url()).network
    let error = await #expect(throws: RequestError.self) {
      try await network.send(CollectOwnDataRequest())
    }
    #expect(error?.reason == .missingToken)
    #expect(server.connectionCount == 0)
  }

  @Test func `a token stays with its host`() async throws {
    let other = try HTTPFaultServer(HTTPAnswer(text: Self.text))
    let server = try HTTPFaultServer(.redirect(other.url("/collect", host: "localhost")))
    let network = try NetworkProvider(baseURL: server.url(), accessToken: { "t0ken-of-app" })
    #expect(try await network.send(CollectOwnDataRequest()) == Self.value)
    #expect(server.requests.first?["authorization"] == "Bearer t0ken-of-app")
    #expect(other.requests.count == 1)
    #expect(other.requests.first?.text.contains("t0ken") == false)
  }
}
