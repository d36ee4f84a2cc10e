import SeedFiles
import SeedTransport
import TestSupport
import Testing

@Suite struct ResumableDownloadTests {
  private let directory: TemporaryDirectory
  private let part: PartFile
  private let clock = ImpatientClock()

  init() throws {
    directory = try TemporaryDirectory()
    part = try PartFile.open(directory.path("file"))
  }

  private func download(_ retryCount: Int = 4) -> ResumableDownload {
    ResumableDownload(
      StandardTransport.make(), policy: RetryPolicy(retryCount: retryCount), clock: clock.clock())
  }

  @discardableResult
  private func run(
    _ server: HTTPFaultServer, retryCount: Int = 4, state: DownloadState = DownloadState(),
    headers: HTTPHeaders = HTTPHeaders(), limits: (inout HTTPRequest) -> Void = { _ in }
  ) throws -> ResumableDownload.Outcome {
    var state = state
    var request = try HTTPRequest.get(server.url(), headers: headers)
    limits(&request)
    return try download(retryCount).run(request, to: part, state: &state)
  }

  private var bytes: [UInt8] { get throws { try directory.bytes(of: "file.part") } }

  private static func content(_ count: Int, salt: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 + salt) &* 2_654_435_761 >> 7) }
  }

  @Test(arguments: [HTTPAnswer.Framing.contentLength, .chunked])
  func `an answer cut at fifty random bytes is put together without asking twice for any`(
    framing: HTTPAnswer.Framing
  ) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var numbers = SeededNumbers(seed: seed)
    let file = ServedFile(Self.content(200_000))
    let cuts = (0..<50).map { _ in Int.random(in: 1...7000, using: &numbers) }
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request).with(framing)
      guard number < cuts.count else { return answer }
      return answer.with(
        number.isMultiple(of: 2)
          ? .close(after: answer.head.count + cuts[number])
          : .reset(after: answer.head.count + cuts[number]))
    }
    try run(server)
    #expect(try bytes == file.bytes, "seed \(seed)")
    // Each request starts where the bytes on the disk ended: later than the one before, and never
    // beyond what was sent.
    var sent = 0
    for (number, request) in server.requests.enumerated() {
      let start = request.rangeStart ?? 0
      #expect(start <= sent, "seed \(seed), request \(number)")
      if number > 0 { #expect(request["if-range"] == "\"v1\"" || start == 0, "seed \(seed)") }
      sent = start + (number < cuts.count ? cuts[number] : file.bytes.count)
    }
    let starts = server.requests.map { $0.rangeStart ?? 0 }
    #expect(starts == starts.sorted(), "seed \(seed)")
  }

  @Test func `no byte on the disk is asked for again after orderly cuts`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var numbers = SeededNumbers(seed: seed)
    let file = ServedFile(Self.content(100_000))
    let cuts = (0..<50).map { _ in Int.random(in: 1...1900, using: &numbers) }
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request)
      return number < cuts.count
        ? answer.with(.close(after: answer.head.count + cuts[number])) : answer
    }
    try run(server)
    #expect(try bytes == file.bytes, "seed \(seed)")
    let expected = cuts.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
    #expect(server.requests.map { $0.rangeStart ?? 0 } == expected, "seed \(seed)")
  }

  @Test func `an error of the server is tried again`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(500), HTTPAnswer(502, text: "<html>"), HTTPAnswer(text: "ok"))
    try run(server)
    #expect(try bytes == Array("ok".utf8))
    #expect(clock.waits == [.milliseconds(500), .seconds(1)])
  }

  @Test func `a server that asks to wait is given that time`() throws {
    let server = try HTTPFaultServer(
      HTTPAnswer(429, [("Retry-After", "7")]),
      HTTPAnswer(
        503,
        [
          ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
          ("Retry-After", "Sun, 06 Nov 1994 08:49:57 GMT"),
        ]),
      HTTPAnswer(text: "ok"))
    try run(server)
    #expect(clock.waits == [.milliseconds(7700), .seconds(22)])
  }

  @Test func `a status that stays is the error`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(404, text: "no"))
    let error = #expect(throws: TransportError.self) { try run(server) }
    #expect(error?.reason == .status(404, retryAfter: nil))
    #expect(server.requests.count == 1)
    #expect(try bytes.isEmpty)
  }

  @Test func `attempts that bring nothing are bounded`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(503))
    let error = #expect(throws: TransportError.self) { try run(server, retryCount: 3) }
    #expect(error?.reason == .status(503, retryAfter: nil))
    #expect(server.requests.count == 4)
  }

  @Test func `a document that changes while it is resumed is fetched anew`() throws {
    let old = ServedFile(Self.content(5000), entityTag: "\"old\"")
    let new = ServedFile(Self.content(6000, salt: 9), entityTag: "\"new\"")
    let server = try HTTPFaultServer { request, number in
      number == 0 ? old.answer(to: request).with(.close(after: 3000)) : new.answer(to: request)
    }
    try run(server)
    #expect(try bytes == new.bytes)
    #expect(server.requests.last?["if-range"] == "\"old\"")
  }

  /// Answers to the rest of a document that do not fit what is there, each of which starts it anew.
  static let misfits: [(name: String, headers: [(name: String, value: String)])] = [
    ("another offset", [("Content-Range", "bytes 10-99/100"), ("ETag", "\"v1\"")]),
    ("another total", [("Content-Range", "bytes 40-119/120"), ("ETag", "\"v1\"")]),
    ("another tag", [("Content-Range", "bytes 40-99/100"), ("ETag", "\"v2\"")]),
    ("no tag", [("Content-Range", "bytes 40-99/100")]),
    ("no range", [("ETag", "\"v1\"")]),
    ("nonsense", [("Content-Range", "bytes x"), ("ETag", "\"v1\"")]),
  ]

  @Test(arguments: misfits.indices)
  func `a part that does not fit starts the document anew`(index: Int) throws {
    let file = ServedFile(Self.content(100))
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request)
      if number == 0 { return answer.with(.close(after: answer.head.count + 40)) }
      return number == 1
        ? HTTPAnswer(206, Self.misfits[index].headers, body: Array(file.bytes[40...])) : answer
    }
    try run(server)
    #expect(try bytes == file.bytes)
    #expect(server.requests.map { $0.rangeStart } == [nil, 40, nil])
  }

  @Test func `a server that only ever sends misfits is left`() throws {
    let server = try HTTPFaultServer { request, _ in
      guard request.rangeStart == nil else {
        return HTTPAnswer(206, [("Content-Range", "bytes 0-9/10")], text: "0123456789")
      }
      let answer = HTTPAnswer(200, [("ETag", "\"a\"")], text: "0123456789")
      return answer.with(.close(after: answer.head.count + 4))
    }
    let error = #expect(throws: TransportError.self) { try run(server) }
    #expect(error?.reason == .changing)
  }

  @Test func `an answer with the whole to a request for the rest starts anew`() throws {
    let file = ServedFile(Self.content(100))
    let server = try HTTPFaultServer { _, number in
      let answer = HTTPAnswer(200, [("ETag", "\"v1\"")], body: file.bytes)
      return number == 0 ? answer.with(.close(after: answer.head.count + 40)) : answer
    }
    try run(server)
    #expect(try bytes == file.bytes)
    #expect(server.requests.last?.rangeStart == 40)
  }

  @Test(arguments: [nil, "W/\"v1\""])
  func `without a strong validator nothing is resumed`(tag: String?) throws {
    let file = ServedFile(Self.content(100), entityTag: tag)
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request)
      return number == 0 ? answer.with(.close(after: answer.head.count + 40)) : answer
    }
    try run(server)
    #expect(try bytes == file.bytes)
    #expect(server.requests.allSatisfy { $0.rangeStart == nil })
  }

  @Test func `a part from an earlier run is continued`() throws {
    let file = ServedFile(Self.content(100))
    try file.bytes[..<60].withUnsafeBytes { try part.append($0) }
    let server = try HTTPFaultServer { request, _ in file.answer(to: request) }
    try run(server, state: DownloadState(validator: .entityTag("\"v1\""), byteCount: 100))
    #expect(try bytes == file.bytes)
    #expect(server.requests.map(\.rangeStart) == [60])
  }

  @Test func `a part longer than the document starts anew`() throws {
    let file = ServedFile(Self.content(100))
    try Self.content(130).withUnsafeBytes { try part.append($0) }
    let server = try HTTPFaultServer { request, _ in file.answer(to: request) }
    try run(server, state: DownloadState(validator: .entityTag("\"v1\"")))
    #expect(try bytes == file.bytes)
    #expect(server.requests.map(\.rangeStart) == [130, nil])
  }

  @Test func `an unchanged document is not sent again`() throws {
    let file = ServedFile(Self.content(100))
    let server = try HTTPFaultServer { request, _ in file.answer(to: request) }
    let outcome = try run(server, headers: HTTPHeaders([HTTPField("If-None-Match", "\"v1\"")]))
    guard case .notModified = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try bytes.isEmpty)
  }

  @Test func `a coding that was not asked for is refused`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(200, [("Content-Encoding", "br")], text: "x"))
    let error = #expect(throws: TransportError.self) { try run(server) }
    #expect(error?.reason == .encoded("br"))
  }

  @Test func `the limit holds for the whole and not for each part`() throws {
    let file = ServedFile(Self.content(100))
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request)
      return answer.with(.close(after: answer.head.count + 40)).with(.chunked)
    }
    var download = download()
    download.byteLimit = 60
    var state = DownloadState()
    let error = #expect(throws: TransportError.self) {
      try download.run(.get(server.url()), to: part, state: &state)
    }
    #expect(error?.reason == .tooLarge(limit: 60))
  }

  @Test func `the end of the connection alone is no proof of a whole document`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(text: "x").with(.untilClose))
    guard case .complete(_, isLengthKnown: false) = try run(server) else {
      Issue.record("the length was not declared")
      return
    }
  }

  @Test func `a stalled connection is resumed`() throws {
    let file = ServedFile(Self.content(100))
    let server = try HTTPFaultServer { request, number in
      let answer = file.answer(to: request)
      return number == 0 ? answer.with(.stall(after: answer.head.count + 40)) : answer
    }
    try run(server) { $0.limits.stallTimeout = .seconds(1) }
    #expect(try bytes == file.bytes)
    #expect(server.requests.map(\.rangeStart) == [nil, 40])
  }

  @Test func `a full disk is an error and what is there stays`() throws {
    let server = try HTTPFaultServer(HTTPAnswer(body: Self.content(100)))
    var files = FileSystem.live
    files.write = { (_, path, _) throws(FileError) in throw FileError(.write, path, code: 28) }
    let full = try PartFile.open(directory.path("full"), files: files)
    var state = DownloadState()
    let error = #expect(throws: FileError.self) {
      try download().run(.get(server.url()), to: full, state: &state)
    }
    #expect(error?.isFull == true)
    #expect(server.requests.count == 1)
  }

  @Test func `a part that someone works on is left to them`() throws {
    let second = try PartFile.open(directory.path("file"))
    #expect(second.path == directory.path("file-1.part"))
  }
}

@Suite(.enabled(if: NginxServer.isAvailable, "needs nginx")) struct NginxDownloadTests {
  @Test func `a file of a real server is resumed although it would rather compress it`() throws {
    let directory = try TemporaryDirectory()
    let text = (0..<20_000).map { "line \($0)\n" }.joined()
    try directory.makeDirectory("root")
    try directory.write(text, to: "root/file.xml")
    let server = try NginxServer(
      root: directory.path("root"),
      directives: "gzip on; gzip_types *; gzip_min_length 1; types { text/xml xml; }")
    let request = try HTTPRequest.get(server.url("/file.xml"))
    let download = ResumableDownload(StandardTransport.make())

    let whole = try PartFile.open(directory.path("whole"))
    var state = DownloadState()
    _ = try download.run(request, to: whole, state: &state)
    #expect(try directory.text(of: "whole.part") == text)
    #expect(state.validator != nil)

    let half = try PartFile.open(directory.path("half"))
    try Array(text.utf8.prefix(100_000)).withUnsafeBytes { try half.append($0) }
    _ = try download.run(request, to: half, state: &state)
    #expect(try directory.text(of: "half.part") == text)
    // A line is written after its answer: a further request makes sure that it is there.
    try StandardTransport.make().perform(
      .get(server.url("/end")), cancellation: HTTPCancellation(), onHead: { _ in },
      onBody: { _ in })
    #expect(try server.accessLog.contains("\" 206 \(text.utf8.count - 100_000) "))
  }
}
