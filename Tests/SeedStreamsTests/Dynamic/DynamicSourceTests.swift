import Foundation
import SeedFiles
import SeedStreams
import SeedTransport
import TestSupport
import Testing

@Suite struct DynamicSourceTests {
  private let seed = UInt64.random(in: 0...UInt64.max)

  private func history(_ count: Int = 8, rowsPerStep: Int = 6) -> PublishedHistory {
    let history = PublishedHistory()
    history.publishRandomly(count, rowsPerStep: rowsPerStep, seed: seed)
    return history
  }

  @Test(arguments: [1, 2, 5, 1000], [1, 3, Int.max])
  func `a database at any checkpoint comes to the head`(
    rowsPerPage: Int, checkpointsPerAnswer: Int
  ) throws {
    let history = history()
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = rowsPerPage
    feed.checkpointsPerAnswer = checkpointsPerAnswer
    let server = ScriptedServer { [feed] in feed.answer(to: $0) }
    for seq in history.firstSeq...history.seq {
      let app = try AppDatabase(history, at: seq)
      let result = try app.dynamic(server).syncBlocking()
      #expect(result.outcome == (seq == history.seq ? .current : .applied))
      try app.expectPublishedState(at: history.seq, "seed \(seed), from \(seq)")
      #expect(try app.dynamic(server).syncBlocking().outcome == .current)
    }
  }

  @Test func `the parameters are sorted, and the cursor of a checkpoint is given back`() throws {
    let history = history(3)
    let feed = ReferenceFeed(history)
    let server = ScriptedServer { feed.answer(to: $0) }
    let app = try AppDatabase(history)
    _ = try app.dynamic(server).syncBlocking()
    _ = try app.dynamic(server).syncBlocking()
    let first = try #require(server.requests.first)
    let names = (first.url.query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" } }
    #expect(names == ["epoch", "id", "schema", "seq"])
    #expect(first.position == history.position(at: history.firstSeq))
    #expect(first.query["schema"] == SchemaDigest.compute(history.streamTables))
    #expect(first.headers["Accept-Encoding"] == "identity")
    #expect(server.requests.count == 2)
    #expect(server.requests[1].query["cursor"] == "at \(history.seq)")
  }

  @Test(arguments: 0..<8)
  func `after a cut at any byte no page that was verified is asked for again`(
    shard: Int
  ) throws {
    let history = history(2, rowsPerStep: 4)
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = 2
    let (body, places) = feed.answer(after: history.firstSeq)
    #expect(places.count > 4)
    for cut in stride(from: shard, through: body.count, by: 8) {
      let server = ScriptedServer { [feed] request in
        var answer = feed.answer(to: request)
        if request.number == 0 { answer.cut = cut }
        return answer
      }
      let app = try AppDatabase(history, hasOwnData: false)
      #expect(try app.dynamic(server).syncBlocking().outcome == .applied)
      try app.expectPublishedState(at: history.seq, "seed \(seed), cut \(cut)")
      let last = places.last { $0.offset <= cut }
      // Behind the line that ends the answer nothing is missing.
      guard cut < body.count else {
        #expect(server.requests.count == 1)
        continue
      }
      let second = try #require(server.requests.dropFirst().first, "cut \(cut)")
      #expect(second.position.seq == last?.seq ?? history.firstSeq, "cut \(cut)")
      #expect(second.query["cursor"] == last?.cursor, "cut \(cut)")
      #expect(server.requests.count == 2, "cut \(cut)")
    }
  }

  @Test func `each answer may end after a page, and the process with it`() throws {
    let history = history(3)
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = 1
    // Each answer breaks off in the line behind its first page or checkpoint.
    let server = ScriptedServer { [feed] request in
      let cursor = request.query["cursor"]
      let (body, places) = feed.answer(after: request.position.seq, cursor: cursor)
      return .init(200, body: body, cut: places.first.map { $0.offset + 5 })
    }
    let app = try AppDatabase(history)
    app.options.attempts = 1
    var runs = 0
    while try app.position()?.seq != history.seq {
      // A run that ends with the first failure, as a killed process does.
      _ = app.dynamicFailure(server)
      runs += 1
      try #require(runs < 1000)
    }
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    let asked = server.requests.map { "\($0.position.seq) \($0.query["cursor"] ?? "")" }
    #expect(Set(asked).count == asked.count, "nothing is asked for twice")
  }

  @Test func `a cursor that the server has forgotten begins the checkpoint anew`() throws {
    let history = history(2)
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = 2
    let server = ScriptedServer { [feed] request in
      var answer = feed.answer(to: request)
      if request.number == 0 {
        answer.cut = feed.answer(after: request.position.seq).places[1].offset
      } else if request.query["cursor"]?.contains(":") == true {
        // As if it had never given one.
        answer.body = feed.answer(after: request.position.seq).body
      }
      return answer
    }
    let app = try AppDatabase(history)
    #expect(try app.dynamic(server).syncBlocking().outcome == .applied)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
  }

  @Test(arguments: ["page", "checkpoint"])
  func `a cursor that fits into no address is refused`(kind: String) throws {
    let history = history(1)
    let from = history.position(at: history.firstSeq)
    let server = ScriptedServer { _ in
      let text =
        "{\"segment\":1,\"stream\":\"catalog\",\"epoch\":\(from.epoch),\"from\":\(from.seq),"
        + "\"from_id\":\"\(from.id)\"}\n{\"table\":\"category\",\"delete\":[\"id\"]}\n[987654]\n"
      let sha256 = ReferenceEncoding.sha256(Array(text.utf8))
      // Below the limit as it stands, and above it with each byte as three.
      let cursor = String(repeating: "ä", count: 1000)
      return .init(
        200,
        text: text + "{\"\(kind)\":{\"seq\":\(from.seq + 1),\"id\":\"x\",\"rows\":1,"
          + "\"cursor\":\"\(cursor)\",\"sha256\":\"\(sha256)\"}}\n")
    }
    let app = try AppDatabase(history)
    #expect(
      app.dynamicFailure(server)?.reason
        == .unsupportedFormat(
          "line 4 of the answer: the cursor is longer than 4096 bytes in an address"))
    #expect(server.requests.count == 1)
    try app.expectPublishedState(at: history.firstSeq)
  }

  @Test func `a server that restarts in the middle of an answer is gone on with`() throws {
    let history = history(3)
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = 2
    let server = ScriptedServer { [feed] request in
      // Down after the first answer, then busy, then as before.
      if (1...3).contains(request.number) {
        throw TransportError(.unreachable("connection refused"), url: request.url.text)
      }
      if request.number == 4 { return .init(503, [("Retry-After", "2")]) }
      var answer = feed.answer(to: request)
      if request.number == 0 {
        answer.cut = feed.answer(after: request.position.seq).places[1].offset + 3
      }
      return answer
    }
    let app = try AppDatabase(history)
    #expect(try app.dynamic(server).syncBlocking().outcome == .applied)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    let place = feed.answer(after: history.firstSeq).places[1]
    for request in server.requests.dropFirst() {
      #expect(request.position.seq == place.seq && request.query["cursor"] == place.cursor)
    }
    #expect(server.requests.count == 6)
    #expect(app.clock.waits.last ?? .zero >= .seconds(2))
  }

  @Test(arguments: ["end", "false", "empty pages"])
  func `a server that does not lead on is left after eight attempts`(kind: String) throws {
    let history = history(1)
    let position = history.position
    let server = ScriptedServer { request in
      var text =
        "{\"segment\":1,\"stream\":\"catalog\",\"epoch\":\(position.epoch),"
        + "\"from\":\(position.seq),\"from_id\":\"\(position.id)\""
      if let cursor = request.query["cursor"] { text += ",\"cursor\":\"\(cursor)\"" }
      text += "}\n"
      switch kind {
      case "false": text += "{\"end\":{\"up_to_date\":false}}\n"
      case "empty pages":
        var digested = text
        for number in 0..<20 {
          let sha256 = ReferenceEncoding.sha256(Array(digested.utf8))
          text +=
            "{\"page\":{\"cursor\":\"\(request.number)-\(number)\",\"sha256\":\"\(sha256)\"}}\n"
          digested = ""
        }
        text += "{\"end\":{\"up_to_date\":false}}\n"
      default: break
      }
      return .init(200, text: text)
    }
    let app = try AppDatabase(history, at: history.seq)
    let error = try #require(app.dynamicFailure(server))
    #expect(error.reason == .noProgress)
    #expect(server.requests.count <= 8)
    try app.expectPublishedState(at: history.seq)
  }

  @Test(arguments: ["the end says that there is more", "the connection is lost"])
  func `a server that sends the same page for ever is left`(kind: String) throws {
    let history = history(1)
    let position = history.position
    let server = ScriptedServer { _ in
      // Without the cursor that it was given back, as if it did not know it.
      var text =
        "{\"segment\":1,\"stream\":\"catalog\",\"epoch\":\(position.epoch),"
        + "\"from\":\(position.seq),\"from_id\":\"\(position.id)\"}\n"
        + "{\"table\":\"category\",\"delete\":[\"id\"]}\n[987654]\n"
      let sha256 = ReferenceEncoding.sha256(Array(text.utf8))
      text += "{\"page\":{\"cursor\":\"same\",\"sha256\":\"\(sha256)\"}}\n"
      guard kind == "the connection is lost" else {
        return .init(200, text: text + "{\"end\":{\"up_to_date\":false}}\n")
      }
      let body = Array(text.utf8)
      return .init(200, body: body + Array("[1]\n".utf8), cut: body.count)
    }
    let app = try AppDatabase(history, at: history.seq)
    let error = try #require(app.dynamicFailure(server))
    if kind != "the connection is lost" { #expect(error.reason == .noProgress) }
    // The first time the page is new.
    #expect(server.requests.count <= 9)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a position that goes on from elsewhere is refused`() throws {
    let history = history(3)
    let feed = ReferenceFeed(history)
    let first = history.firstSeq
    let server = ScriptedServer { _ in .init(200, body: feed.answer(after: first + 1).body) }
    let app = try AppDatabase(history)
    let error = try #require(app.dynamicFailure(server))
    guard case .unsupportedFormat = error.reason else {
      Issue.record("\(error)")
      return
    }
    try app.expectPublishedState(at: first)
    #expect(server.requests.count == 1)
  }

  @Test func `a bit that flips in any line that a digest covers writes nothing`() throws {
    let history = history(1, rowsPerStep: 2)
    let feed = ReferenceFeed(history)
    let body = feed.answer(after: history.firstSeq).body
    var start = 0
    for line in body.split(separator: 10, omittingEmptySubsequences: false) {
      let range = start..<start + line.count
      start = range.upperBound + 1
      let isCovered = !["{\"page", "{\"checkpoint", "{\"end"].contains {
        line.starts(with: Array($0.utf8))
      }
      guard isCovered else { continue }
      for index in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
        let server = ScriptedServer { _ in
          var body = body
          body[index] ^= 1 << UInt8(index % 7)
          return .init(200, body: body)
        }
        let app = try AppDatabase(history, hasOwnData: false)
        #expect(app.dynamicFailure(server) != nil, "seed \(seed), byte \(index)")
        try app.expectPublishedState(at: history.firstSeq, "seed \(seed), byte \(index)")
        #expect(server.requests.count <= 8)
      }
    }
  }

  @Test func `a digest that does not match is asked for once more, past caches`() throws {
    let history = history(1)
    let feed = ReferenceFeed(history)
    let server = ScriptedServer { request in
      var answer = feed.answer(to: request)
      if request.headers["Cache-Control"] != "no-cache" {
        // Another key in the first row, one digit for another.
        let index = answer.body.firstRange(of: Array("\n[".utf8))?.upperBound ?? 0
        answer.body[index] ^= 1
      }
      return answer
    }
    let app = try AppDatabase(history)
    #expect(try app.dynamic(server).syncBlocking().outcome == .applied)
    #expect(server.requests.count == 2)
    try app.expectPublishedState(at: history.seq)
  }

  @Test func `a token that ends with every page is renewed, and nothing begins from the start`()
    async throws
  {
    let history = history(4)
    var feed = ReferenceFeed(history)
    feed.rowsPerPage = 2
    let state = Lock((token: 0, uses: 0))
    let server = ScriptedServer { [feed] request in
      let isValid = state.withLock { state in
        let isValid = request.headers["Authorization"] == "Bearer \(state.token)" && state.uses == 0
        if isValid { state.uses += 1 }
        return isValid
      }
      guard isValid else { return .init(401) }
      let (body, places) = feed.answer(
        after: request.position.seq, cursor: request.query["cursor"])
      return .init(200, body: body, cut: places.first?.offset)
    }
    let app = try AppDatabase(history)
    app.options.credentials = { request in
      let token = state.withLock { state in
        if request.isRefused {
          state.token += 1
          state.uses = 0
        }
        return state.token
      }
      return ["Authorization": "Bearer \(token)"]
    }
    // On a thread of its own: the hook needs one of those that the tests share.
    #expect(try await app.dynamic(server).sync().outcome == .applied)
    try app.expectPublishedState(at: history.seq, "seed \(seed)")
    let asked = server.requests.filter { request in
      request.headers["Authorization"] != nil
    }.map { "\($0.position.seq) \($0.query["cursor"] ?? "")" }
    // Each question is asked at most twice: with the old token and with the new one.
    #expect(
      Dictionary(grouping: asked, by: \.self).values.allSatisfy { $0.count <= 2 },
      "seed \(seed): \(asked)")
  }

  @Test func `a token that stays refused ends the run with what was applied`() throws {
    let history = history(3)
    var feed = ReferenceFeed(history)
    feed.checkpointsPerAnswer = 1
    let server = ScriptedServer { [feed] request in
      request.number == 0 ? feed.answer(to: request) : .init(401)
    }
    let app = try AppDatabase(history)
    let error = try #require(app.dynamicFailure(server))
    guard case .unauthorized = error.reason else {
      Issue.record("\(error)")
      return
    }
    try app.expectPublishedState(at: history.firstSeq + 1)
  }
}
