import SeedModel
import SeedStreams
import Testing

@Suite struct StreamHeadEncodingTests {
  private static let head = StreamHead(
    stream: "catalog",
    position: StreamPosition(epoch: 1_767_225_600, seq: 1042, id: "b1946ac92492d234"),
    time: "2026-09-21T06:00:00Z", pollAfterSeconds: 300,
    tables: [
      StreamTable(
        name: "category", key: ["id"],
        columns: [
          StreamColumn(name: "id", affinity: "INTEGER"),
          StreamColumn(name: "a \"title\"", affinity: "TEXT"),
        ])
    ],
    snapshot: SnapshotEntry(
      seq: 1000, id: "77de68daecd823ba", sha256: "3fa9", size: 9_210_443, plainSize: 41_231_360),
    segments: [
      SegmentEntry(from: 512, to: 1024, sha256: "aa10", size: 802, plainSize: 4402, rows: 31),
      SegmentEntry(from: 1024, to: 1042, sha256: "0b77", size: 20, plainSize: 101, rows: 8),
    ],
    retired: [RetiredObject(sha256: "9c3e", since: "2026-09-20T06:00:00Z")])

  @Test func `a head is JSON with a line for each part`() {
    #expect(
      String(decoding: Self.head.encoded, as: UTF8.self) == """
        {
        "format":1,
        "stream":"catalog",
        "epoch":1767225600,
        "seq":1042,
        "id":"b1946ac92492d234",
        "time":"2026-09-21T06:00:00Z",
        "poll_after":300,
        "schema":{"category":{"key":["id"],"columns":{"id":"INTEGER","a \\"title\\"":"TEXT"}}},
        "snapshot":{"seq":1000,"id":"77de68daecd823ba","sha256":"3fa9","size":9210443,\
        "plain_size":41231360,"encoding":"gzip"},
        "segments":[
        {"from":512,"to":1024,"sha256":"aa10","size":802,"plain_size":4402,"rows":31},
        {"from":1024,"to":1042,"sha256":"0b77","size":20,"plain_size":101,"rows":8}
        ],
        "retired":[
        {"sha256":"9c3e","since":"2026-09-20T06:00:00Z"}
        ]
        }

        """)
  }

  @Test func `what a head lacks is left out, but not the list of segments`() throws {
    let head = StreamHead(
      stream: "main", position: StreamPosition(epoch: 1, seq: 1, id: "00"), tables: [])
    let document = try JSONValue(parsing: head.encoded)
    #expect(document["segments"] == .array([]))
    for name in ["time", "poll_after", "snapshot", "retired"] { #expect(document[name] == nil) }
  }

  @Test func `a full list of segments stays small`() {
    var head = Self.head
    let digest = String(repeating: "a", count: 64)
    head.segments = (0..<64).map {
      SegmentEntry(
        from: $0 * 8, to: $0 * 8 + 8, sha256: digest, size: 802_113, plainSize: 4_402_113,
        rows: 31877)
    }
    #expect(head.encoded.count < 11_000)
  }
}
