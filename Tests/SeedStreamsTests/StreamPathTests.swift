import Testing

@testable import SeedStreams

@Suite struct StreamPathTests {
  private func entry(_ from: Int64, _ to: Int64, _ size: Int64) -> SegmentEntry {
    SegmentEntry(from: from, to: to, sha256: "\(from)-\(to)", size: size, plainSize: size, rows: 1)
  }

  private func head(
    _ segments: [SegmentEntry], seq: Int64 = 10, snapshotSeq: Int64 = 0, snapshotSize: Int64 = 1000
  ) -> StreamHead {
    StreamHead(
      stream: "s", position: StreamPosition(epoch: 1, seq: seq, id: "x"), tables: [],
      snapshot: SnapshotEntry(
        seq: snapshotSeq, id: "y", sha256: "snapshot", size: snapshotSize, plainSize: 1),
      segments: segments)
  }

  private func way(from seq: Int64, _ head: StreamHead) -> [String]? {
    StreamPath.behind(StreamPosition(epoch: 1, seq: seq, id: "z"), head).map { path in
      (path.snapshot.map { [$0.sha256] } ?? []) + path.segments.map(\.sha256)
    }
  }

  @Test func `each step takes what covers the number and leads furthest`() {
    let head = head([
      entry(0, 4, 10), entry(4, 8, 10), entry(2, 6, 10), entry(8, 9, 10), entry(9, 10, 10),
      entry(8, 10, 30), entry(6, 10, 20),
    ])
    #expect(way(from: 0, head) == ["0-4", "4-8", "6-10"])
    #expect(way(from: 5, head) == ["4-8", "6-10"])
    #expect(way(from: 6, head) == ["6-10"])
    #expect(way(from: 9, head) == ["9-10"])
  }

  @Test func `a gap or a position past the horizon takes the snapshot`() {
    let head = head([entry(3, 6, 10), entry(7, 10, 10)], snapshotSeq: 7)
    #expect(way(from: 0, head) == ["snapshot", "7-10"])
    #expect(way(from: 4, head) == ["snapshot", "7-10"])
    #expect(way(from: 8, head) == ["7-10"])
  }

  @Test func `a snapshot is taken for its size only if it is newer and far smaller`() {
    // 0.7 x (1000 + 100): 770 bytes are still fetched, 771 are not.
    for (size, expected) in [(670, ["0-8", "8-10"]), (671, ["snapshot", "8-10"])] {
      let head = head([entry(0, 8, Int64(size)), entry(8, 10, 100)], snapshotSeq: 8)
      #expect(way(from: 0, head) == expected)
    }
    // Older than the database, however small.
    let older = head([entry(0, 4, 10), entry(4, 10, 5000)], snapshotSeq: 4, snapshotSize: 1)
    #expect(way(from: 5, older) == ["4-10"])
    #expect(way(from: 4, older) == ["4-10"])
  }

  @Test func `nothing leads anywhere without a snapshot`() {
    var head = head([entry(4, 10, 10)])
    head.snapshot = nil
    #expect(way(from: 0, head) == nil)
  }
}
