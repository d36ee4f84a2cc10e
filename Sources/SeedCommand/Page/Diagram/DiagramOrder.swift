/// Orders the items of each layer so that few edges cross: sweeps over the layers, each of which
/// is ordered by the middle of its neighbours, and keeps the best.
struct DiagramOrder {
  /// An edge between neighbouring layers.
  private struct Link {
    var left: DiagramNetwork.End
    var right: DiagramNetwork.End
  }

  /// The items of each layer from top to bottom, tables without references last.
  private(set) var layers: [[Int]]
  private let links: [[Link]]

  private static let sweepCount = 16

  init(_ network: DiagramNetwork, isolated: Set<Int>) {
    links = network.spans.map { spans in
      spans.flatMap { span in
        span.lefts.flatMap { left in span.rights.map { Link(left: left, right: $0) } }
      }
    }
    layers = network.spans.map { _ in [] }
    for (item, what) in network.items.enumerated() where !isolated.contains(item) {
      // What passes starts in the middle, where an edge to many tables has the shortest ways.
      let place = what.net == nil ? layers[what.layer].count : layers[what.layer].count / 2
      layers[what.layer].insert(item, at: place)
    }
    improve()
    for table in isolated.sorted() { layers[network.items[table].layer].append(table) }
  }

  private mutating func improve() {
    var best = (layers: layers, crossings: crossingCount)
    for sweep in 0..<Self.sweepCount where best.crossings > 0 || sweep < 2 {
      if sweep.isMultiple(of: 2) {
        for layer in layers.indices.dropFirst() { sort(layer, beside: layer - 1) }
      } else {
        for layer in layers.indices.dropLast().reversed() { sort(layer, beside: layer + 1) }
      }
      let crossings = crossingCount
      if crossings < best.crossings { best = (layers, crossings) }
    }
    layers = best.layers
  }

  /// Orders a layer by where its items' neighbours in another layer stand.
  private mutating func sort(_ layer: Int, beside other: Int) {
    let heights = positions(in: other)
    var sums: [Int: (sum: Double, count: Double)] = [:]
    for link in links[min(layer, other)] {
      let (own, neighbour) = other < layer ? (link.right, link.left) : (link.left, link.right)
      let height = Self.height(of: neighbour, heights)
      sums[own.item, default: (0, 0)].sum += height
      sums[own.item, default: (0, 0)].count += 1
    }
    let scale = Double(max(1, layers[other].count)) / Double(max(1, layers[layer].count))
    let keys = layers[layer].enumerated().map { place, item in
      // An item without neighbours there keeps its relative place.
      (
        key: sums[item].map { $0.sum / $0.count } ?? Double(place) * scale, place: place,
        item: item
      )
    }
    layers[layer] = keys.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map(\.item)
  }

  private func positions(in layer: Int) -> [Int: Int] {
    var positions: [Int: Int] = [:]
    for (place, item) in layers[layer].enumerated() { positions[item] = place }
    return positions
  }

  /// A place that grows downwards, from item to item and from line to line of one.
  private static func height(of end: DiagramNetwork.End, _ positions: [Int: Int]) -> Double {
    Double(positions[end.item] ?? 0) + Double(end.offset) / 1000
  }

  private var crossingCount: Int {
    links.indices.dropLast().reduce(0) { count, gap in
      let (left, right) = (positions(in: gap), positions(in: gap + 1))
      let ends = links[gap].map {
        (Self.height(of: $0.left, left), Self.height(of: $0.right, right))
      }
      var crossings = 0
      for (index, a) in ends.enumerated() {
        for b in ends[..<index] where (a.0 - b.0) * (a.1 - b.1) < 0 { crossings += 1 }
      }
      return count + crossings
    }
  }
}
