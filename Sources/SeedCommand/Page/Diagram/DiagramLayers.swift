/// Puts each table in a layer, one of the diagram's columns: what is referred to stands left of
/// what refers to it, as far as there are no cycles.
struct DiagramLayers {
  /// The layer of each table.
  private(set) var layers: [Int]
  /// The tables that refer to no other one and are not referred to by one.
  let isolated: Set<Int>
  /// The height of each layer in cells of the grid.
  private var heights: [Int] = []
  private let cells: [Int]

  /// The layers beyond which a diagram does not fit on a usual screen.
  private static let usualCount = 4
  /// The height up to which a layer is filled in any case.
  private static let usualHeight = 44

  var count: Int { heights.count }

  init(_ graph: DiagramGraph) {
    cells = graph.tables.map { DiagramMetrics.cells(of: $0) }
    layers = cells.map { _ in 0 }
    let parents = Self.parentsWithoutCycles(in: graph)
    var children: [[Int]] = parents.map { _ in [] }
    for (child, parents) in parents.enumerated() {
      for parent in parents { children[parent].append(child) }
    }
    isolated = Set(parents.indices.filter { parents[$0].isEmpty && children[$0].isEmpty })
    placeConnected(parents)
    pullToChildren(parents, children)
    placeIsolated()
  }

  /// The tables that each table refers to, with references turned round where they close a cycle.
  private static func parentsWithoutCycles(in graph: DiagramGraph) -> [[Int]] {
    enum State { case new, open, done }
    var parents: [Set<Int>] = graph.tables.map { _ in [] }
    for reference in graph.references where reference.child != reference.parent {
      parents[reference.child].insert(reference.parent)
    }
    var states = parents.map { _ in State.new }
    var result: [Set<Int>] = parents.map { _ in [] }
    // At most as deep as there are tables in a diagram.
    func visit(_ table: Int) {
      states[table] = .open
      for parent in parents[table].sorted() {
        if states[parent] == .open {
          result[parent].insert(table)
        } else {
          result[table].insert(parent)
          if states[parent] == .new { visit(parent) }
        }
      }
      states[table] = .done
    }
    for table in parents.indices where states[table] == .new { visit(table) }
    return result.map { $0.sorted() }
  }

  /// Puts each table in the first layer right of its parents that has room for it.
  ///
  /// The room is bounded so that a table with many children does not make one endless column.
  private mutating func placeConnected(_ parents: [[Int]]) {
    let total = cells.reduce(0, +)
    let limit = max(
      Self.usualHeight, cells.max() ?? 0, total * 23 / (20 * Self.usualCount))
    let ranks = Self.ranks(parents)
    let order = cells.indices.filter { !isolated.contains($0) }
      .sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    for table in order {
      var layer = (parents[table].map { layers[$0] + 1 }).max() ?? 0
      while height(of: layer) > 0, height(of: layer) + cells[table] > limit { layer += 1 }
      put(table, in: layer)
    }
  }

  /// The length of the longest way from each table to one without parents.
  private static func ranks(_ parents: [[Int]]) -> [Int] {
    var ranks: [Int?] = parents.map { _ in nil }
    func rank(_ table: Int) -> Int {
      if let known = ranks[table] { return known }
      let rank = (parents[table].map { rank($0) + 1 }).max() ?? 0
      ranks[table] = rank
      return rank
    }
    return parents.indices.map { rank($0) }
  }

  /// Moves tables without parents to the right, as near to the first of their children as there is
  /// room.
  private mutating func pullToChildren(_ parents: [[Int]], _ children: [[Int]]) {
    let limit = max(Self.usualHeight, heights.max() ?? 0)
    for table in cells.indices where parents[table].isEmpty {
      guard let first = (children[table].map { layers[$0] }).min() else { continue }
      let nearer = (layers[table]..<first).last { layer in
        layer == layers[table] || height(of: layer) + cells[table] <= limit
      }
      heights[layers[table]] -= cells[table]
      put(table, in: nearer ?? layers[table])
    }
  }

  /// Puts tables without references in columns of their own below the others, where those are
  /// shortest.
  private mutating func placeIsolated() {
    let wanted = min(Self.usualCount, cells.count)
    while heights.count < wanted, heights.count - 1 < isolated.count { heights.append(0) }
    var columns = heights.map { _ in 0 }
    for table in isolated.sorted() {
      let shortest = columns.indices.min { (columns[$0], $0) < (columns[$1], $1) } ?? 0
      columns[shortest] += cells[table]
      put(table, in: shortest)
    }
    while heights.last == 0 { heights.removeLast() }
  }

  private func height(of layer: Int) -> Int {
    layer < heights.count ? heights[layer] : 0
  }

  private mutating func put(_ table: Int, in layer: Int) {
    while heights.count <= layer { heights.append(0) }
    heights[layer] += cells[table]
    layers[table] = layer
  }
}
