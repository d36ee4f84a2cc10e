/// The references of a diagram as nets: all edges that lead to one line of a table from one side run
/// together and part where they have to.
struct DiagramNetwork {
  /// On which side of the table referred to its net lies.
  enum Side: Sendable {
    case right
    case left
    /// A table that refers to itself: the edge leaves and enters on the right.
    case loop
  }

  struct Net: Hashable {
    var parent: Int
    var parentLine: Int
    var side: Side
  }

  /// What takes room in a layer: a box, or a net that passes.
  struct Item {
    var layer: Int
    /// The table of a box.
    var table: Int?
    /// The net that passes.
    var net: Int?
  }

  /// Where an edge meets an item: so many pixels below the item's top.
  struct End: Hashable {
    var item: Int
    var offset: Int
  }

  /// The part of a net between two layers.
  struct Span {
    var net: Int
    var lefts: [End] = []
    var rights: [End] = []
  }

  private(set) var nets: [Net] = []
  /// The net of each reference.
  private(set) var netOfReference: [Int] = []
  /// The boxes in the order of the tables, then the passing nets.
  private(set) var items: [Item]
  /// The spans in the gap right of each layer.
  private(set) var spans: [[Span]]
  /// The item by which a net passes through a layer.
  private var passings: [Passing: Int] = [:]

  private struct Passing: Hashable {
    var net: Int
    var layer: Int
  }

  init(_ graph: DiagramGraph, _ layers: DiagramLayers) {
    items = graph.tables.indices.map { Item(layer: layers.layers[$0], table: $0) }
    spans = (0..<layers.count).map { _ in [] }
    var numbers: [Net: Int] = [:]
    for reference in graph.references {
      let net = Self.net(of: reference, layers)
      if numbers[net] == nil {
        numbers[net] = nets.count
        nets.append(net)
      }
      netOfReference.append(numbers[net] ?? 0)
    }
    for number in nets.indices {
      add(
        number,
        graph.references.indices.filter { netOfReference[$0] == number }.map {
          graph.references[$0]
        })
    }
  }

  private static func net(
    of reference: DiagramGraph.Reference, _ layers: DiagramLayers
  ) -> Net {
    let (child, parent) = (layers.layers[reference.child], layers.layers[reference.parent])
    let side: Side =
      reference.child == reference.parent ? .loop : child > parent ? .right : .left
    return Net(parent: reference.parent, parentLine: reference.parentLine, side: side)
  }

  /// Where a reference leaves its child.
  static func start(of reference: DiagramGraph.Reference) -> End {
    let middle = DiagramMetrics.middle(ofLine: reference.childLine)
    // A column that refers to itself needs two ends beside each other.
    let isPoint =
      reference.child == reference.parent && reference.childLine == reference.parentLine
    return End(item: reference.child, offset: isPoint ? middle - 6 : middle)
  }

  private mutating func add(_ number: Int, _ references: [DiagramGraph.Reference]) {
    let net = nets[number]
    let home = items[net.parent].layer
    let end = End(item: net.parent, offset: DiagramMetrics.middle(ofLine: net.parentLine))
    let starts = references.map { Self.start(of: $0) }
    switch net.side {
    case .loop:
      spans[home].append(Span(net: number, lefts: [end] + starts))
    case .right:
      let farthest = starts.map { items[$0.item].layer }.max() ?? home
      var left = end
      for gap in home..<farthest {
        var span = Span(net: number, lefts: [left])
        span.rights = starts.filter { items[$0.item].layer == gap + 1 }
        if gap + 1 < farthest {
          left = pass(number, through: gap + 1)
          span.rights.append(left)
        }
        spans[gap].append(span)
      }
    case .left:
      let farthest = starts.map { items[$0.item].layer }.min() ?? home
      var right = end
      for gap in (farthest..<home).reversed() {
        var span = Span(net: number, rights: [right])
        span.lefts = starts.filter { items[$0.item].layer == gap }
        if gap > farthest {
          right = pass(number, through: gap)
          span.lefts.append(right)
        }
        spans[gap].append(span)
      }
    }
  }

  private mutating func pass(_ net: Int, through layer: Int) -> End {
    passings[Passing(net: net, layer: layer)] = items.count
    items.append(Item(layer: layer, net: net))
    return End(item: items.count - 1, offset: DiagramMetrics.passing)
  }

  /// Where a net meets a layer on its way to the table referred to: the table itself, or between
  /// others.
  func end(of net: Int, in layer: Int) -> End {
    let parent = nets[net].parent
    guard let item = passings[Passing(net: net, layer: layer)] else {
      return End(item: parent, offset: DiagramMetrics.middle(ofLine: nets[net].parentLine))
    }
    return End(item: item, offset: DiagramMetrics.passing)
  }
}
