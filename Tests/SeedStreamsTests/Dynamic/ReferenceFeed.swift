import SeedStreams

/// The answers of a dynamic server over a history, written from the protocol's description.
struct ReferenceFeed: Sendable {
  /// A place from which an answer can be resumed.
  struct Place: Sendable, Hashable {
    /// Where the line that marks it ends in the answer.
    var offset: Int
    /// What a client asks then.
    var seq: Int64
    var cursor: String?
  }

  /// The rows and section lines of each step, by the checkpoint before it.
  private var steps: [Int64: [String]] = [:]
  private var ids: [Int64: String] = [:]
  let stream: String
  let epoch: Int64
  let lastSeq: Int64
  var rowsPerPage = 3
  /// The most checkpoints in an answer.
  var checkpointsPerAnswer = Int.max

  init(_ history: PublishedHistory) {
    stream = history.stream
    epoch = history.epoch
    lastSeq = history.seq
    for seq in history.firstSeq...history.seq { ids[seq] = history.position(at: seq).id }
    for seq in history.firstSeq..<history.seq {
      let text = history.segmentText(from: seq, to: seq + 1).text
      steps[seq] = text.split(separator: "\n").dropFirst().dropLast().map { "\($0)\n" }
    }
  }

  /// The answer to a question, and the places in it.
  func answer(
    after seq: Int64, cursor: String? = nil
  ) -> (body: [UInt8], places: [Place]) {
    var writer = Writer()
    let resumed = cursor.flatMap { Self.row(of: $0, after: seq) }
    var header =
      "{\"segment\":1,\"stream\":\"\(stream)\",\"epoch\":\(epoch),\"from\":\(seq),"
      + "\"from_id\":\"\(ids[seq] ?? "")\""
    if resumed != nil, let cursor { header += ",\"cursor\":\"\(cursor)\"" }
    writer.add(header + "}\n")
    var skipped = resumed ?? 0
    var reached = seq
    var checkpoints = 0
    while reached < lastSeq, checkpoints < checkpointsPerAnswer {
      addStep(reached, skipping: skipped, to: &writer)
      skipped = 0
      reached += 1
      checkpoints += 1
    }
    writer.body += Array(
      "{\"end\":{\"up_to_date\":\(reached == lastSeq),\"poll_after\":60}}\n".utf8)
    return (writer.body, writer.places)
  }

  private func addStep(_ seq: Int64, skipping skipped: Int, to writer: inout Writer) {
    let lines = steps[seq] ?? []
    var row = 0
    var rowsOnPage = 0
    var section = ""
    for line in lines {
      if line.hasPrefix("{") {
        section = line
        if row >= skipped { writer.add(line) }
        continue
      }
      row += 1
      if row <= skipped {
        // The section that is open where the answer goes on comes again.
        if row == skipped { writer.add(section) }
        continue
      }
      if rowsOnPage == rowsPerPage {
        let cursor = "\(seq):\(row - 1)"
        writer.mark(
          "\"page\":{\"cursor\":\"\(cursor)\"", .init(offset: 0, seq: seq, cursor: cursor))
        rowsOnPage = 0
      }
      writer.add(line)
      rowsOnPage += 1
    }
    let cursor = "at \(seq + 1)"
    writer.mark(
      "\"checkpoint\":{\"seq\":\(seq + 1),\"id\":\"\(ids[seq + 1] ?? "")\","
        + "\"cursor\":\"\(cursor)\",\"rows\":\(row)",
      .init(offset: 0, seq: seq + 1, cursor: cursor))
  }

  /// The number of rows before a page's cursor; nil if it is none of this position.
  private static func row(of cursor: String, after seq: Int64) -> Int? {
    let parts = cursor.split(separator: ":")
    guard parts.count == 2, Int64(parts[0]) == seq else { return nil }
    return Int(parts[1])
  }

  private struct Writer {
    var body: [UInt8] = []
    var places: [Place] = []
    private var digested: [UInt8] = []

    mutating func add(_ line: String) {
      body += Array(line.utf8)
      digested += Array(line.utf8)
    }

    mutating func mark(_ start: String, _ place: Place) {
      let sha256 = ReferenceEncoding.sha256(digested)
      body += Array("{\(start),\"sha256\":\"\(sha256)\"}}\n".utf8)
      digested = []
      var place = place
      place.offset = body.count
      places.append(place)
    }
  }
}

extension ReferenceFeed {
  /// The answer to a request, as a server gives it.
  func answer(to request: ScriptedServer.Request) -> ScriptedServer.Answer {
    guard request.position.epoch == epoch, ids[request.position.seq] == request.position.id else {
      return .init(410, text: "{\"type\":\"urn:seed:problem:reset\",\"epoch\":\(epoch)}")
    }
    return .init(
      200, [("Content-Type", "application/x-ndjson")],
      body: answer(after: request.position.seq, cursor: request.query["cursor"]).body)
  }
}

extension AppDatabase {
  /// The stream from a dynamic server.
  func dynamic(_ server: ScriptedServer, endpoint: String = ScriptedServer.endpoint) -> TableStream
  {
    TableStream(
      history.stream, database: path, from: .dynamic(endpoint), options: options,
      transport: server, clock: clock.clock(), files: files)
  }

  /// The error of a run against a dynamic server; nil if it ends well.
  func dynamicFailure(_ server: ScriptedServer) -> StreamError? {
    do throws(StreamError) {
      _ = try dynamic(server).syncBlocking()
      return nil
    } catch {
      return error
    }
  }
}
