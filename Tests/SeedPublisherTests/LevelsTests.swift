import SeedStreams
import Testing

@testable import SeedPublisher

@Suite struct LevelsTests {
  private func segment(_ from: Int64, _ to: Int64, size: Int64 = 1) -> SegmentEntry {
    SegmentEntry(from: from, to: to, sha256: "\(from)-\(to)", size: size, plainSize: 1, rows: 1)
  }

  private func snapshot(_ seq: Int64, size: Int64) -> SnapshotEntry {
    SnapshotEntry(seq: seq, id: "", sha256: "", size: size, plainSize: 1)
  }

  @Test func `4,096 publications are at most 32 files, without a gap`() {
    let levels = Levels(fanOut: 8, limit: 64)
    var segments: [SegmentEntry] = []
    var merged: Int64 = 0
    for seq in 2...4096 as ClosedRange<Int64> {
      let known = Levels.outermost(segments)
      let starts = levels.mergeStarts(at: seq, known)
      merged += starts.reduce(0) { $0 + seq - $1 }
      let kept = starts.last.map { start in known.filter { $0.from < start } } ?? segments
      segments = kept + starts.reversed().map { segment($0, seq) } + [segment(seq - 1, seq)]
      #expect(segments.count <= 33)
      #expect(Levels.way(from: 1, to: seq, in: segments) != nil)
      #expect(segments.last?.from == seq - 1)
    }
    #expect(Levels.outermost(segments).count == 1)
    #expect(segments.map(\.from) == [1, 3584, 4032, 4088, 4095])
    // Each change is written anew once a level, not once a publication.
    #expect(merged <= 4096 * 4)
  }

  @Test func `a gap, or segments of another layout, are not merged`() {
    let levels = Levels(fanOut: 4, limit: 64)
    #expect(levels.mergeStarts(at: 8, [segment(4, 5), segment(6, 7)]) == [6])
    #expect(levels.mergeStarts(at: 8, [segment(1, 7)]) == [])
    #expect(levels.mergeStarts(at: 8, []) == [])
    #expect(levels.mergeStarts(at: 7, [segment(5, 6)]) == [])
    #expect(Levels(fanOut: 1, limit: 64).mergeStarts(at: 8, [segment(6, 7)]) == [])
  }

  @Test func `the way takes the segment that leads furthest`() {
    let segments = [segment(1, 3), segment(2, 6), segment(3, 4), segment(6, 7)]
    #expect(Levels.way(from: 1, to: 7, in: segments)?.map(\.to) == [3, 6, 7])
    #expect(Levels.way(from: 7, to: 7, in: segments)?.isEmpty == true)
    #expect(Levels.way(from: 1, to: 9, in: segments) == nil)
  }

  @Test func `only what no way from the snapshot needs is dropped`() {
    let levels = Levels(fanOut: 8, limit: 3)
    let segments = (1..<6).map { segment($0, $0 + 1, size: 40) }
    #expect(levels.trimmed(segments, snapshot: snapshot(5, size: 100)).map(\.from) == [4, 5])
    #expect(levels.trimmed(segments, snapshot: snapshot(2, size: 100)).map(\.from) == [2, 3, 4, 5])
    #expect(levels.trimmed(segments, snapshot: snapshot(6, size: 1000)).map(\.from) == [3, 4, 5])
  }

  @Test func `a snapshot is due for bytes, for length and for a gap`() {
    let levels = Levels(fanOut: 8, limit: 3)
    let two = [segment(1, 2, size: 25), segment(2, 3, size: 25)]
    #expect(!levels.needsSnapshot(two, snapshot: snapshot(1, size: 100), head: 3))
    #expect(levels.needsSnapshot(two, snapshot: snapshot(1, size: 99), head: 3))
    #expect(!levels.needsSnapshot(two, snapshot: snapshot(2, size: 50), head: 3))
    #expect(levels.needsSnapshot(two, snapshot: snapshot(1, size: 1000), head: 4))
    let four = (1..<5).map { segment($0, $0 + 1) }
    #expect(levels.needsSnapshot(four, snapshot: snapshot(1, size: 1000), head: 5))
  }
}
