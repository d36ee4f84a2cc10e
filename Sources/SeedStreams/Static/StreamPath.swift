/// The way from a position to a head: changes one after the other, or a whole state and the changes
/// after it.
internal struct StreamPath: Sendable, Hashable {
  /// The whole state that it begins with; nil where changes alone lead to the head.
  internal var snapshot: SnapshotEntry?
  internal var segments: [SegmentEntry]
  /// Why it begins with a whole state.
  internal var reason: ResetReason?

  /// The bytes of its objects.
  internal var size: Int64 {
    segments.reduce(snapshot?.size ?? 0) { $0.addingClamped($1.size) }
  }

  /// The changes that lead from a number to the head's; nil where they do not.
  ///
  /// Each step takes the segment that covers the number reached and leads furthest.
  internal static func segments(from seq: Int64, in head: StreamHead) -> [SegmentEntry]? {
    var reached = seq
    var way: [SegmentEntry] = []
    while reached < head.position.seq {
      let covering = head.segments.filter { $0.from <= reached && reached < $0.to }
      // The smaller of two that lead as far.
      guard let best = covering.max(by: { ($0.to, $1.size) < ($1.to, $0.size) }) else { return nil }
      way.append(best)
      reached = best.to
    }
    return way
  }

  /// The whole state and the changes after it; nil where the head has none that lead there.
  internal static func whole(in head: StreamHead, reason: ResetReason) -> StreamPath? {
    guard let snapshot = head.snapshot, let tail = segments(from: snapshot.seq, in: head) else {
      return nil
    }
    return StreamPath(snapshot: snapshot, segments: tail, reason: reason)
  }

  /// The way for a database that is behind a head of its own lineage; nil where there is none.
  ///
  /// A whole state is taken for its size only if it is newer than the database and what has to be
  /// fetched with it is so much less.
  internal static func behind(_ position: StreamPosition, _ head: StreamHead) -> StreamPath? {
    guard let way = segments(from: position.seq, in: head) else {
      return whole(in: head, reason: .retention)
    }
    let path = StreamPath(snapshot: nil, segments: way, reason: nil)
    guard let whole = whole(in: head, reason: .size), let snapshot = whole.snapshot,
      snapshot.seq > position.seq, Double(path.size) > 0.7 * Double(whole.size)
    else { return path }
    return whole
  }
}

extension Int64 {
  /// The sum, or the largest number where it is larger.
  internal func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
