/// Tells the nets between two layers where to run up and down, so that they cross seldom and never
/// lie on each other.
struct DiagramTracks {
  /// What a net needs in a gap: where it comes in from both sides.
  struct Demand {
    var net: Int
    var lefts: [Int]
    var rights: [Int]

    var range: ClosedRange<Int> {
      let heights = lefts + rights
      return (heights.min() ?? 0)...(heights.max() ?? 0)
    }

    /// Whether the net runs straight through.
    var isStraight: Bool { range.lowerBound == range.upperBound }
  }

  /// The track of each net, counted from the left; a net that runs straight has none.
  private(set) var trackOfNet: [Int: Int] = [:]
  /// The number of tracks.
  private(set) var count = 0

  init(_ demands: [Demand]) {
    var order = demands.filter { !$0.isStraight }
      .sorted { ($0.range.lowerBound, $0.net) < ($1.range.lowerBound, $1.net) }
    Self.improve(&order)
    var tracks: [Int] = []
    for (index, demand) in order.enumerated() {
      let before = order[..<index].indices.filter { Self.touch(order[$0].range, demand.range) }
      let track = (before.map { tracks[$0] + 1 }).max() ?? 0
      tracks.append(track)
      trackOfNet[demand.net] = track
      count = max(count, track + 1)
    }
  }

  /// Swaps neighbours as long as that helps.
  private static func improve(_ order: inout [Demand]) {
    for _ in order.indices {
      var isBetter = false
      for index in order.indices.dropLast() {
        let (a, b) = (order[index], order[index + 1])
        guard cost(a, leftOf: b) > cost(b, leftOf: a) else { continue }
        order.swapAt(index, index + 1)
        isBetter = true
      }
      guard isBetter else { return }
    }
  }

  /// How many crossings it makes if one net runs left of another; lying on it counts as many.
  private static func cost(_ a: Demand, leftOf b: Demand) -> Int {
    let crossings =
      a.rights.count { b.range.contains($0) } + b.lefts.count { a.range.contains($0) }
    return crossings + 100 * a.rights.count { b.lefts.contains($0) }
  }

  private static func touch(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> Bool {
    a.lowerBound <= b.upperBound + 8 && b.lowerBound <= a.upperBound + 8
  }
}
