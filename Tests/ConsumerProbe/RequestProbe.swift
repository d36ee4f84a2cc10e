import Foundation
import SeedStreams
import SeedTransport
import Testing

/// Uses typed requests as an app does: by their public names and nothing else.
@Suite struct RequestProbe {
  private struct Note: Codable, Equatable, Sendable {
    var id: Int
    var createdAt: Date?
  }

  private struct NotesRequest: JSONRequest<[Note]> {
    var method: RequestMethod { .post }
    let path = "notes"
    let query: RequestQuery = ["page": "2"]
    let headers = ["Accept-Language": "en"]
    var body: RequestBody? { get throws { try .json(Note(id: 1)) } }
    let needsAccessToken = true
    var envelope: AnswerEnvelope? { AnswerEnvelope(success: "ok", data: "items", message: nil) }
  }

  private struct PingRequest: JSONRequest<NoResponse> {
    let path = "ping"
    var envelope: AnswerEnvelope? { nil }
  }

  @Test func `the options of an app compile`() throws {
    var options = NetworkOptions()
    options.connectTimeout = .seconds(5)
    options.stallTimeout = .seconds(5)
    options.totalTimeout = nil
    options.retryCount = 3
    options.largestAnswerByteCount = 1 << 20
    options.headers = ["X-Client": "app"]
    options.secretHeaders = ["X-Key"]
    options.tokenHeader = "X-Token"
    options.tokenPrefix = ""
    options.decoding = .foundation(dates: .secondsSince1970)
    options.decoding.keys = .fromSnakeCase
    let network = try NetworkProvider(
      baseURL: "https://example.invalid/api", options: options, accessToken: { nil })
    let task = network.send(PingRequest()) { (_: Result<NoResponse, any Error>) in }
    task.cancel()
  }

  @Test func `an app handles every kind of error`() async throws {
    func words(_ reason: RequestError.Reason) -> String {
      switch reason {
      case .offline(let detail): "offline \(detail)"
      case .timedOut: "timed out"
      case .insecure(let detail): "insecure \(detail)"
      case .interrupted(let count): "interrupted \(count)"
      case .status(let status, let message): "status \(status) \(message ?? "")"
      case .refused(let message): "refused \(message ?? "")"
      case .decoding(let path, let detail): "decoding \(path) \(detail)"
      case .notJSON(let offset, let detail): "not JSON \(offset) \(detail)"
      case .missingToken: "missing token"
      case .invalidRequest(let detail): "invalid request \(detail)"
      case .unusableAnswer(let detail): "unusable answer \(detail)"
      case .unavailable(let detail): "unavailable \(detail)"
      }
    }
    let network = try NetworkProvider(baseURL: "https://example.invalid/api")
    do {
      let notes = try await network.send(NotesRequest())
      Issue.record("\(notes)")
    } catch let error as RequestError {
      #expect(words(error.reason) == "missing token")
      #expect(error.url == "https://example.invalid/api/notes")
      #expect(
        error.description
          == "https://example.invalid/api/notes: the request needs an access token, and there is none"
      )
      #expect(error.hint == "sign in first, or have the provider's accessToken give one")
      #expect(!error.isTransient)
    }
  }

  @Test func `storing an answer compiles`() async throws {
    func refresh(_ network: NetworkProvider, _ path: String) async throws -> [Note] {
      let answer = try await network.answer(to: NotesRequest())
      var options = StoreOptions(tables: ["items": .upsert(by: "id"), "other": .replace])
      options.tables["more"] = .append
      options.recordTable = "note"
      options.declaresNotNull = false
      options.busyTimeout = .seconds(1)
      let result: StoreResult = try await answer.store(into: path, options: options)
      #expect(result.tables["items"]?.inserted == 1)
      return answer.value
    }
    let network = try NetworkProvider(baseURL: "https://example.invalid")
    await #expect(throws: RequestError.self) { try await refresh(network, "/nowhere") }
  }

  @Test func `an answer from a server is stored at a URL`() async throws {
    func store(_ network: NetworkProvider, at url: URL) async throws {
      let answer = try await network.answer(to: PingRequest())
      try await answer.store(into: url)
      try await answer.store(into: url, options: StoreOptions())
    }
    let network = try NetworkProvider(baseURL: "https://example.invalid")
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("none.sqlite")
    await #expect(throws: RequestError.self) { try await store(network, at: url) }
  }

  @Test(arguments: [
    (JSONDecoding.DateForm.iso8601, "\"2010-01-16T10:00:00Z\""),
    (.iso8601, "\"2010-01-16T10:00:00.000Z\""), (.iso8601, "\"2010-01-16T11:00:00+01:00\""),
    (.secondsSince1970, "1263636000"), (.millisecondsSince1970, "1263636000000"),
  ])
  func `types of Foundation are decoded as they are written`(
    form: JSONDecoding.DateForm, date: String
  ) throws {
    struct Values: Decodable, Equatable, Sendable {
      var url: URL
      var data: Data?
      var date: Date
    }
    let text = #"{"url":"https://example.com/a?b","data":"AQID","date":\#(date)}"#
    let values = try JSONDecoding.foundation(dates: form).decode(
      Values.self, from: Array(text.utf8))
    #expect(values.url.absoluteString == "https://example.com/a?b")
    #expect(values.data == Data([1, 2, 3]))
    #expect(values.date == Date(timeIntervalSince1970: 1_263_636_000))
    for wrong in [#"{"url":"","date":1}"#, #"{"url":"https://a","data":"?","date":\#(date)}"#] {
      #expect(throws: RequestError.self) {
        try JSONDecoding.foundation(dates: form).decode(Values.self, from: Array(wrong.utf8))
      }
    }
  }
}
