/// Gives each item its height on the grid, as near to its neighbours in other layers as the items
/// above and below it allow.
struct DiagramPlacement {
  /// The top of each item in pixels.
  private(set) var tops: [Int]
  /// The height of the line above the items without references, if there are others above it.
  private(set) var parting: Int?

  private let network: DiagramNetwork
  private let order: [[Int]]
  private let graph: DiagramGraph

  private static let sweepCount = 8

  init(_ graph: DiagramGraph, _ network: DiagramNetwork, _ order: DiagramOrder, isolated: Set<Int>)
  {
    self.graph = graph
    self.network = network
    self.order = order.layers.map { $0.filter { !isolated.contains($0) } }
    tops = network.items.map { _ in 0 }
    for layer in self.order.indices { stack(layer) }
    for sweep in 0..<Self.sweepCount {
      let layers = Array(self.order.indices)
      for layer in sweep.isMultiple(of: 2) ? layers : layers.reversed() { settle(layer) }
    }
    let highest = self.order.joined().map { tops[$0] }.min() ?? 0
    for item in self.order.joined() { tops[item] -= highest }
    appendIsolated(order, isolated)
  }

  /// The cells from an item's top to the top of the one below it.
  private func cells(at place: Int, in layer: [Int]) -> Int {
    if let table = network.items[layer[place]].table {
      return DiagramMetrics.cells(of: graph.tables[table])
    }
    // Edges may run close to each other, but not to the box below them.
    let isAboveBox = place + 1 < layer.count && network.items[layer[place + 1]].table != nil
    return isAboveBox ? 2 : 1
  }

  private mutating func stack(_ layer: Int) {
    var top = 0
    for (place, item) in order[layer].enumerated() {
      tops[item] = top
      top += cells(at: place, in: order[layer]) * DiagramMetrics.line
    }
  }

  /// Moves the items of a layer to where their edges are straight, or near to it.
  private mutating func settle(_ layer: Int) {
    let items = order[layer]
    guard !items.isEmpty else { return }
    var wishes: [Int: Wish] = [:]
    func note(_ own: DiagramNetwork.End, _ other: DiagramNetwork.End) {
      let top = tops[other.item] + other.offset - own.offset
      wishes[own.item, default: Wish()].add(
        Double(top) / Double(DiagramMetrics.line), weight: weight(own.item, other.item))
    }
    for gap in [layer - 1, layer] where network.spans.indices.contains(gap) {
      for span in network.spans[gap] {
        for left in span.lefts {
          for right in span.rights { gap == layer ? note(left, right) : note(right, left) }
        }
      }
    }
    let wanted = items.map { item in
      wishes[item] ?? Wish(Double(tops[item]) / Double(DiagramMetrics.line), weight: 0.1)
    }
    let sizes = items.indices.map { cells(at: $0, in: items) }
    for (item, cell) in zip(items, Self.nearest(to: wanted, sizes: sizes)) {
      tops[item] = cell * DiagramMetrics.line
    }
  }

  /// How much it matters that an edge between two items is straight: the more, the longer it is.
  private func weight(_ a: Int, _ b: Int) -> Double {
    switch (network.items[a].net != nil, network.items[b].net != nil) {
    case (true, true): 8
    case (true, false), (false, true): 2
    case (false, false): 1
    }
  }

  /// The mean of the places where an item would like to be.
  struct Wish {
    private(set) var sum = 0.0
    private(set) var weight = 0.0

    init() {}

    init(_ place: Double, weight: Double) {
      add(place, weight: weight)
    }

    var place: Double { sum / weight }

    mutating func add(_ place: Double, weight: Double) {
      sum += place * weight
      self.weight += weight
    }
  }

  /// The places nearest to the wanted ones at which nothing overlaps: isotonic regression by the
  /// algorithm of pooling adjacent violators.
  static func nearest(to wishes: [Wish], sizes: [Int]) -> [Int] {
    var starts: [Int] = []
    var next = 0
    for size in sizes {
      starts.append(next)
      next += size
    }
    var pools: [(wish: Wish, count: Int)] = []
    for (wish, start) in zip(wishes, starts) {
      var pool = (wish: Wish(wish.place - Double(start), weight: wish.weight), count: 1)
      while let last = pools.last, last.wish.place >= pool.wish.place {
        pools.removeLast()
        pool.wish.add(last.wish.place, weight: last.wish.weight)
        pool.count += last.count
      }
      pools.append(pool)
    }
    let shifts = pools.flatMap { pool in
      Array(repeating: Int(pool.wish.place.rounded()), count: pool.count)
    }
    return zip(shifts, starts).map { $0 + $1 }
  }

  /// Puts tables without references below all others, so that nobody looks for theirs.
  private mutating func appendIsolated(_ order: DiagramOrder, _ isolated: Set<Int>) {
    guard !isolated.isEmpty else { return }
    let bottom = self.order.flatMap { layer in
      layer.indices.map { tops[layer[$0]] + cells(at: $0, in: layer) * DiagramMetrics.line }
    }.max()
    parting = bottom
    for layer in order.layers {
      var top = bottom.map { $0 + DiagramMetrics.line } ?? 0
      for (place, item) in layer.enumerated() where isolated.contains(item) {
        tops[item] = top
        top += cells(at: place, in: layer) * DiagramMetrics.line
      }
    }
  }
}
