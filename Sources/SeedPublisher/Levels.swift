internal import SeedStreams

/// Which segments a head lists: small ones for the newest checkpoints, larger ones for what is
/// longer ago.
struct Levels {
  /// How many checkpoints become one segment of the first level, and so on.
  let fanOut: Int64
  /// The most segments that are listed.
  let limit: Int

  /// Where the merged segments begin that a new checkpoint completes, from the shortest to the
  /// longest: one for each level whose length divides its number.
  ///
  /// All of them are listed, so that who lags little fetches little.
  ///
  /// - Parameters:
  ///   - seq: The new checkpoint.
  ///   - segments: The segments up to the one before it, none within another.
  /// - Returns: The checkpoints before the merged segments; none when nothing is to be merged.
  func mergeStarts(at seq: Int64, _ segments: [SegmentEntry]) -> [Int64] {
    var starts: [Int64] = []
    var length: Int64 = 1
    while fanOut > 1, length <= seq / fanOut, seq.isMultiple(of: length * fanOut) {
      length *= fanOut
      // Those that follow each other without a gap up to the new checkpoint.
      var start = seq - 1
      for segment in segments.sorted(by: { $0.to > $1.to })
      where segment.to == start && segment.from >= seq - length {
        start = segment.from
      }
      if start < starts.last ?? (seq - 1) { starts.append(start) }
    }
    return starts
  }

  /// The segments without those that lie within another one.
  static func outermost(_ segments: [SegmentEntry]) -> [SegmentEntry] {
    segments.filter { inner in
      !segments.contains {
        $0 != inner && $0.from <= inner.from && inner.to <= $0.to
          && $0.to - $0.from > inner.to - inner.from
      }
    }
  }

  /// The way from a checkpoint to another one: each time the segment that leads furthest.
  static func way(
    from start: Int64, to end: Int64, in segments: [SegmentEntry]
  ) -> [SegmentEntry]? {
    var reached = start
    var way: [SegmentEntry] = []
    while reached < end {
      let next = segments.filter { $0.from <= reached && reached < $0.to }
        .max { ($0.to, $1.size) < ($1.to, $0.size) }
      guard let next else { return nil }
      way.append(next)
      reached = next.to
    }
    return way
  }

  /// Drops the oldest segments while there are too many, or too many bytes of them.
  ///
  /// The way from the snapshot to the head stays, whatever its length.
  func trimmed(_ segments: [SegmentEntry], snapshot: SnapshotEntry) -> [SegmentEntry] {
    var kept = segments.sorted { ($0.to, $0.from) < ($1.to, $1.from) }
    var size = kept.reduce(0) { $0 + $1.size }
    while let first = kept.first, first.to <= snapshot.seq,
      kept.count > limit || size > snapshot.size
    {
      size -= first.size
      kept.removeFirst()
    }
    return kept
  }

  /// Whether a new snapshot is due: when what leads from the old one to the head is larger than
  /// half of it, or is too many segments.
  func needsSnapshot(_ segments: [SegmentEntry], snapshot: SnapshotEntry, head: Int64) -> Bool {
    guard let way = Self.way(from: snapshot.seq, to: head, in: segments) else { return true }
    let size = way.reduce(0) { $0 + $1.size }
    return size > snapshot.size / 2
      || segments.count { $0.to > snapshot.seq } > limit
  }
}
