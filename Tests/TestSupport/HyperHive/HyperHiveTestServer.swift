import Foundation

/// A HyperHive server on loopback: login, schema, tables, changes, resumption and transactions, and
/// what a test wants to go wrong.
package final class HyperHiveTestServer: Sendable {
  /// What goes wrong with an answer of tables.
  package enum Fault: Sendable {
    /// The connection ends after so many bytes of the body.
    case drop(after: Int)
    /// Another answer in its place.
    case answer(HTTPAnswer)
    /// The answer says that it begins elsewhere than was asked for.
    case wrongContentRange
    /// The body is packed, although nobody asked for that.
    case gzip([UInt8])
    /// The length is not told, and the connection ends after so many bytes.
    case silentEnd(after: Int)
    /// The server falls silent after so many bytes of the body.
    case stall(after: Int)
    /// So many bytes of the answer come at a time, with a pause between them.
    case slow(byteCount: Int, pauseMilliseconds: Int32)
  }

  /// A request for tables as it was answered.
  package struct Call: Sendable {
    package var resource: String
    /// The first byte that was asked for.
    package var start: Int
    /// How many bytes of the document were sent.
    package var sentByteCount: Int
    package var delta: String?
    package var status: Int
  }

  /// What the server has and does, all of which a test may change between requests.
  package struct State: Sendable {
    package var resources: [HyperHiveResource] = []
    package var user = "guest"
    package var password = "p+a&s s=wörd"
    package var environment = "env"
    package var project = "project"
    /// What goes wrong with a request for tables, by its number from 0.
    package var fault: @Sendable (_ number: Int) -> Fault? = { _ in nil }
    /// Where the tables of a resource come from anew for each request, if not from its versions.
    package var source: (@Sendable (_ resource: String) -> [HyperHiveResource.Table]?)?
    /// Whether resumption follows `Range` instead of `X-Range`.
    package var hasStandardRangesOnly = false
    /// The header `Content-Version` for a version; the vendor's servers have three forms of it.
    package var contentVersion: @Sendable (_ from: Int?, _ reached: Int) -> String? = { from, to in
      from.map { "delta v\($0)-v\(to)" } ?? "v\(to)"
    }
    /// Added to each tag, so that a test can change it.
    package var tagSuffix = ""
    package var calls: [Call] = []
    package var loginCount = 0
    /// Whether a user may have several tokens; else each login ends the one before.
    package var keepsTokens = false
    fileprivate var token: String?
    fileprivate var olderTokens: Set<String> = []
    fileprivate var saved: [String: HTTPAnswer] = [:]

    /// Has the server forget who has logged in.
    package mutating func expireToken() {
      token = nil
      olderTokens = []
    }

    /// Changes a resource.
    package mutating func change(
      _ name: String, _ body: (inout [HyperHiveResource.Table]) -> Void
    ) {
      for index in resources.indices where resources[index].name == name {
        resources[index].change(body)
      }
    }
  }

  private let box: Box
  package let server: HTTPFaultServer

  /// Starts a server.
  package init(_ resources: HyperHiveResource...) throws {
    let box = Box()
    box.state.resources = resources
    self.box = box
    server = try HTTPFaultServer { request, _ in box.answer(request) }
  }

  /// The address that clients are given.
  package var host: String { "http://127.0.0.1:\(server.port)/" }

  /// What the server has and does.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    box.lock.withLock { body(&box.state) }
  }

  /// The requests for tables so far.
  package var calls: [Call] { change(\.calls) }
}

/// `@unchecked` is safe: the lock guards the state.
private final class Box: @unchecked Sendable {
  let lock = NSLock()
  var state = HyperHiveTestServer.State()

  func answer(_ request: ReceivedRequest) -> HTTPAnswer {
    lock.withLock { state.answer(request) }
  }
}

extension HyperHiveTestServer.State {
  fileprivate mutating func answer(_ request: ReceivedRequest) -> HTTPAnswer {
    let path = request.target
    if path == "/api/v1/auth/jwt/obtain/" { return login(request) }
    guard isKnown(request["authorization"]), request["x-device-id"]?.isEmpty == false
    else { return Self.refusal(401, "Unauthorized") }
    if path == "/api/v1/schema/" {
      return HTTPAnswer(text: "{" + resources.map(\.schema).joined(separator: ",") + "}")
    }
    let parts = path.split(separator: "/").map(String.init)
    if let source {
      for index in resources.indices {
        guard let tables = source(resources[index].name),
          tables.map(\.rows) != resources[index].versions.last?.map(\.rows)
        else { continue }
        resources[index].versions.append(tables)
      }
    }
    guard parts.count == 4, parts[2] == "rpc", request.method == "POST",
      let resource = resources.first(where: { $0.name == parts[3].removingPercentEncoding })
    else { return Self.refusal(404, "Not Found") }
    if let id = request["x-transaction-id"] {
      if let answer = saved[id] { return answer }
      let answer = tables(resource, request)
      saved[id] = answer.with(.none)
      return answer
    }
    return tables(resource, request)
  }

  private func isKnown(_ authorization: String?) -> Bool {
    guard let authorization else { return false }
    return olderTokens.union([token].compactMap(\.self)).contains {
      authorization == "Bearer \($0)"
    }
  }

  private static func refusal(_ code: Int, _ description: String) -> HTTPAnswer {
    HTTPAnswer(code, text: #"{"code":\#(code),"description":"\#(description)"}"#)
  }

  private mutating func login(_ request: ReceivedRequest) -> HTTPAnswer {
    loginCount += 1
    var fields: [String: String] = [:]
    for pair in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      if halves.count == 2 { fields[halves[0]] = halves[1] }
    }
    guard request["content-type"] == "application/x-www-form-urlencoded",
      fields["environment"] == environment, fields["project"] == project,
      fields["device_id"] != nil
    else { return HTTPAnswer(400) }
    guard fields["username"] == user, fields["password"] == password else {
      return Self.refusal(401, "Unauthorized")
    }
    let token = "secret-token-\(loginCount)"
    if keepsTokens, let older = self.token { olderTokens.insert(older) }
    self.token = token
    return HTTPAnswer(text: #"{"token":"\#(token)"}"#)
  }

  // MARK: Tables

  private mutating func tables(
    _ resource: HyperHiveResource, _ request: ReceivedRequest
  ) -> HTTPAnswer {
    let number = calls.count
    var call = HyperHiveTestServer.Call(
      resource: resource.name, start: 0, sentByteCount: 0, delta: request["x-delta"], status: 200)
    let fault = fault(number)
    let answer: HTTPAnswer
    if case .answer(let other)? = fault {
      answer = other
    } else {
      answer = tables(resource, request, fault, &call)
    }
    call.status = answer.status
    calls.append(call)
    return answer
  }

  private func tables(
    _ resource: HyperHiveResource, _ request: ReceivedRequest,
    _ fault: HyperHiveTestServer.Fault?, _ call: inout HyperHiveTestServer.Call
  ) -> HTTPAnswer {
    let current = resource.currentVersion
    var from: Int?
    if let delta = request["x-delta"] {
      if delta == "auto" {
        let version = (1...current).first { self.tag(resource, $0, nil) == request["if-match"] }
        guard let version else { return Self.refusal(412, "Precondition Failed") }
        from = version
      } else {
        from = Int(delta.dropFirst().prefix { $0.isNumber })
      }
    }
    if let from {
      if from < resource.oldestVersion || from > current {
        return Self.refusal(410, "Version Is Gone")
      }
      if from == current { return HTTPAnswer(304) }
    }
    let tag = self.tag(resource, current, from)
    var answer = HTTPAnswer(200, [("ETag", tag)])
    if let version = contentVersion(from, current) {
      answer.headers.append(("Content-Version", version))
    }
    answer.framing = .chunked
    if let writer = resource.writer {
      answer.writer = writer
      return answer
    }
    let document = Array((from.map(resource.delta) ?? resource.whole).utf8)
    return part(of: document, tag, request, fault, answer, &call)
  }

  private func tag(_ resource: HyperHiveResource, _ version: Int, _ from: Int?) -> String {
    "\"\(resource.name)-\(version)-\(from.map(String.init) ?? "all")\(tagSuffix)\""
  }

  private func part(
    of document: [UInt8], _ tag: String, _ request: ReceivedRequest,
    _ fault: HyperHiveTestServer.Fault?, _ template: HTTPAnswer,
    _ call: inout HyperHiveTestServer.Call
  ) -> HTTPAnswer {
    var answer = template
    let range = request[hasStandardRangesOnly ? "range" : "x-range"]
    if let range, let start = Int(range.dropFirst("bytes=".count).dropLast()) {
      if !hasStandardRangesOnly, request["if-match"] != tag {
        return Self.refusal(412, "Precondition Failed")
      }
      if !hasStandardRangesOnly || request["if-range"] == tag {
        if hasStandardRangesOnly, start >= document.count { return HTTPAnswer(416) }
        call.start = start
        answer.status = 206
        let shown = if case .wrongContentRange? = fault { start + 1 } else { start }
        let end =
          hasStandardRangesOnly ? "\(document.count - 1)/\(document.count)" : "/*"
        answer.headers.append(("Content-Range", "bytes \(shown)-\(end)"))
      }
    }
    answer.body = Array(document.dropFirst(call.start))
    call.sentByteCount = answer.body.count
    switch fault {
    case .drop(let count)? where count < answer.body.count:
      call.sentByteCount = count
      answer.fault = .close(after: answer.byteCount(ofBody: count))
    case .silentEnd(let count)? where count < answer.body.count:
      answer.framing = .untilClose
      call.sentByteCount = count
      answer.fault = .close(after: answer.byteCount(ofBody: count))
    case .stall(let count)? where count < answer.body.count:
      call.sentByteCount = count
      answer.fault = .stall(after: answer.byteCount(ofBody: count))
    case .slow(let count, let pause)?:
      answer.fault = .slow(byteCount: count, pauseMilliseconds: pause)
    case .gzip(let bytes)?:
      answer.headers.append(("Content-Encoding", "gzip"))
      answer.body = bytes
    default: break
    }
    return answer
  }
}
