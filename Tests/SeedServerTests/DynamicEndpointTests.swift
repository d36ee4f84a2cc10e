import SeedFiles
import SeedModel
import SeedServer
import SeedStreams
import TestSupport
import Testing

@Suite struct DynamicEndpointTests {
  private let history: ServedHistory

  init() throws {
    history = try ServedHistory()
    try history.publish([1: "Anvil", 2: "Rope", 3: "Saw"])
    try history.publish([2: nil, 4: "Vise"])
    try history.publish([1: "Big anvil", 5: "Nail"])
  }

  private func routes(_ change: (inout ServerOptions) -> Void = { _ in }) -> ServerRoutes {
    var options = ServerOptions()
    change(&options)
    return ServerRoutes(directory: history.path, options: options)
  }

  /// The rows that an answer leaves in a table, after its digests and counts were compared.
  private func state(
    of body: [UInt8], on before: [Int64: String], openRows: Int64 = 0
  ) throws -> [Int64: String] {
    var state = before
    var digest = SHA256Digest()
    var isDeleting = false
    var rows = openRows
    for line in body.split(separator: 10) {
      let bytes = Array(line) + [10]
      let json = try JSONValue(parsing: Array(line))
      if let mark = json["page"] ?? json["checkpoint"] {
        #expect(mark["sha256"]?.stringValue == digest.hexadecimal())
        digest = SHA256Digest()
        if let count = mark["rows"] {
          #expect(count == .integer(rows))
          rows = 0
        }
        continue
      }
      if json["end"] != nil { continue }
      bytes.withUnsafeBytes { digest.update($0) }
      if json["table"] != nil { isDeleting = json["delete"] != nil }
      if let values = json.arrayValue, let id = values[0].integerValue {
        rows += 1
        state[id] = isDeleting ? nil : values[1].stringValue
      }
    }
    return state
  }

  @Test(arguments: 1...3, [false, true])
  func `an answer leads from any checkpoint to the head`(
    seq: Int64, isCompacted: Bool
  ) throws {
    if isCompacted { try history.compact() }
    for pageByteCount in [1, 60, 1 << 20] {
      let answer = routes { $0.pageByteCount = pageByteCount }
        .get(history.position(at: seq).target())
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "application/x-ndjson")
      #expect(answer.body.byteCount == nil)
      let body = try answer.bytes(pieceLimit: 13)
      let lines = try body.split(separator: 10).map { try JSONValue(parsing: Array($0)) }
      #expect(lines[0]["from"] == .integer(seq))
      #expect(lines[0]["from_id"]?.stringValue == history.position(at: seq).id)
      #expect(lines.last?["end"]?["up_to_date"] == true)
      #expect(lines.last?["end"]?["poll_after"] == 60)
      #expect(
        try state(of: body, on: history.states[Int(seq - 1)]) == history.states.last)
      let checkpoints = lines.compactMap { $0["checkpoint"]?["seq"]?.integerValue }
      #expect(checkpoints == (isCompacted ? [4] : Array((seq + 1)...4)))
    }
  }

  @Test func `an answer goes on behind every page`() throws {
    let routes = routes { $0.pageByteCount = 1 }
    let start = history.position(at: 1)
    let lines = try routes.get(start.target()).lines()
    var position = start
    var count = 0
    for line in lines {
      if let checkpoint = line["checkpoint"] {
        position = history.position(at: checkpoint["seq"]?.integerValue ?? 0)
      }
      guard let cursor = line["page"]?["cursor"]?.stringValue else { continue }
      count += 1
      let rest = try routes.get(position.target("&cursor=\(cursor)")).lines()
      #expect(rest[0]["cursor"]?.stringValue == cursor)
      #expect(rest[0]["from"] == .integer(position.seq))
      #expect(rest[1]["table"] != nil, "the open section comes again")
      let index = try #require(lines.firstIndex(of: line))
      let row = try #require(lines[index...].first { $0.arrayValue != nil })
      #expect(rest.first { $0.arrayValue != nil } == row)
    }
    #expect(count > 3)
  }

  @Test(arguments: [
    "", "x", "at-2", "0.0", ".", "ffff.12", "{sha}.1", "{sha}.-5", "{sha}.99999", "{snapshot}.12",
    "{missing}.12",
  ])
  func `a cursor that leads nowhere begins anew, and is not repeated`(text: String) throws {
    let head = history.head
    let cursor = text.replacing("{sha}", with: head.segments[0].sha256)
      .replacing("{snapshot}", with: head.snapshot?.sha256 ?? "")
      .replacing("{missing}", with: String(repeating: "ab", count: 32))
    let answer = routes().get(history.position(at: 1).target("&cursor=\(cursor)"))
    #expect(answer.status == 200)
    let body = try answer.bytes()
    let first = try JSONValue(parsing: Array(body.prefix { $0 != 10 }))
    #expect(first["cursor"] == nil)
    #expect(try state(of: body, on: [:]) == history.states.last)
  }

  @Test func `a cursor holds while its object is there, whatever the head lists`() throws {
    let routes = routes { $0.pageByteCount = 1 }
    let start = history.position(at: 1)
    let lines = try routes.get(start.target()).lines()
    let cursors = lines.compactMap { $0["page"]?["cursor"]?.stringValue }
    let cursor = try #require(cursors.first)
    try history.compact()
    let rest = try routes.get(start.target("&cursor=\(cursor)")).lines()
    #expect(rest[0]["cursor"]?.stringValue == cursor)
  }

  @Test func `a history that is not ours is told apart`() throws {
    let position = history.position(at: 2)
    let others = [
      StreamPosition(epoch: position.epoch, seq: 2, id: "fork"),
      StreamPosition(epoch: position.epoch, seq: 4, id: "fork"),
      StreamPosition(epoch: position.epoch - 1, seq: 2, id: position.id),
      StreamPosition(epoch: position.epoch + 1, seq: 2, id: position.id),
      StreamPosition(epoch: position.epoch, seq: 5, id: "later"),
    ]
    for other in others {
      let answer = routes().get(other.target(), ["host": "example.test:81"])
      #expect(answer.status == 410)
      #expect(answer.header("Content-Type") == "application/problem+json")
      #expect(answer.header("Cache-Control") == "no-store")
      let document = try answer.document()
      #expect(document["type"] == "urn:seed:problem:reset")
      #expect(document["reason"] == "lineage")
      #expect(document["epoch"] == .integer(position.epoch))
      let snapshot = try #require(history.head.snapshot)
      #expect(
        document["snapshot"]?["url"]?.stringValue
          == "http://example.test:81/catalog/v1/\(StreamLayout.object(snapshot.sha256))")
      #expect(document["snapshot"]?["seq"] == 1)
      #expect(document["segments"]?.arrayValue?.count == 3)
    }
  }

  @Test func `a position from which nothing leads on is past retention`() throws {
    try history.forget(before: 2)
    let answer = routes().get(history.position(at: 1).target())
    #expect(answer.status == 410)
    #expect(try answer.document()["reason"] == "retention")
  }

  @Test func `who is up to date waits for something new, no longer than it wants`() throws {
    let position = history.position(at: 4)
    let now = PatientClient()
    let lines = try routes().get(position.target(), from: now).lines()
    #expect(lines.count == 2)
    #expect(now.waits.isEmpty)
    let client = PatientClient { try history.publish([9: "Bolt"]) }
    let answer = routes().get(position.target("&wait=25"), from: client)
    #expect(client.waits == [.seconds(25)])
    #expect(try answer.lines().contains { $0["checkpoint"]?["seq"] == 5 })
    let patient = PatientClient()
    _ = routes().get(history.position(at: 5).target("&wait=9999999"), from: patient)
    #expect(patient.waits == [.seconds(60)])
    let behind = PatientClient()
    _ = routes().get(history.position(at: 1).target("&wait=25"), from: behind)
    #expect(behind.waits.isEmpty)
  }

  @Test func `who takes other columns is sent to the files`() throws {
    let position = history.position(at: 1)
    let same = SchemaDigest.compute(ServedHistory.tables)
    #expect(try routes().get(position.target("&schema=\(same)")).lines()[0]["segment"] == 1)
    for routes in [routes(), routes { $0.redirectsToFiles = true }] {
      let lines = try routes.get(position.target("&schema=0123"), ["host": "h"]).lines()
      #expect(lines.count == 1)
      #expect(lines[0]["base"] == "http://h/catalog/v1")
      #expect(lines[0]["segments"]?.arrayValue?.count == 3)
      #expect(lines[0]["schema"]?["product"] != nil)
    }
  }

  @Test(arguments: [
    "", "?epoch=1", "?epoch=1&seq=2", "?epoch=x&seq=2&id=3", "?epoch=1&seq=2.5&id=3",
    "?epoch=99999999999999999999&seq=2&id=3", "?epoch=1&seq=2&id=3&wait=x",
  ])
  func `a question without a position is a bad request`(query: String) throws {
    let answer = routes().get("/v1/streams/catalog\(query)")
    #expect(answer.status == 400)
    #expect(try answer.document()["detail"] != nil)
  }

  @Test(arguments: ["/v1/streams/other", "/v2/streams/catalog", "/v1/streams/catalog%2F..%2Fx"])
  func `a stream that is not there is not found`(path: String) {
    let query = "?epoch=1&seq=1&id=a"
    #expect([400, 404].contains(routes().get(path + query).status))
  }

  @Test func `a host that is none does not get into an address`() throws {
    let answer = routes().get(
      StreamPosition(epoch: 1, seq: 1, id: "a").target(), ["host": "evil\"/<x>"])
    #expect(try answer.document()["base"] == "/catalog/v1")
  }

  @Test func `a damaged segment breaks the answer off`() throws {
    let sha256 = history.head.segments[1].sha256
    let name = String(history.object(sha256).dropFirst(history.path.count + 1))
    let bytes = try #require(try history.directory?.bytes(of: name))
    try history.directory?.write(Array(bytes.dropLast(12)), to: name)
    let answer = routes().get(history.position(at: 1).target())
    #expect(throws: (any Error).self) { try answer.bytes() }
    try history.directory?.write("no gzip at all, but long enough to be some", to: name)
    let refused = routes().get(history.position(at: 2).target())
    #expect(refused.status == 503)
    #expect(refused.header("Retry-After") == "1")
  }
}
