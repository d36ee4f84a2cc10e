/// Where everything in a diagram is, in pixels from the top left corner.
///
/// The tables stand in layers from left to right, each right of the tables it refers to. Edges run
/// in the gaps between the layers and, to get through a layer, between its boxes; never through one.
/// The same tables always give the same layout.
struct DiagramLayout: Sendable, Hashable {
  struct Point: Sendable, Hashable {
    var x: Int
    var y: Int
  }

  struct Box: Sendable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// The boxes in the order of the tables.
  private(set) var boxes: [Box] = []
  /// The corners of each reference, from the table that refers to the one referred to.
  private(set) var lines: [[Point]] = []
  /// The height of the line between the tables with references and those without; nil if all
  /// tables are of one kind.
  private(set) var parting: Int?
  private(set) var width = 0
  private(set) var height = 0

  /// Room for the frames of the boxes and the ends of edges.
  private static let margin = 2

  init(_ graph: DiagramGraph) {
    let layers = DiagramLayers(graph)
    let network = DiagramNetwork(graph, layers)
    let order = DiagramOrder(network, isolated: layers.isolated)
    let placement = DiagramPlacement(graph, network, order, isolated: layers.isolated)
    let tops = placement.tops.map { $0 + Self.margin }
    parting = placement.parting.map { $0 + Self.margin }
    let tracks = network.spans.map { spans in
      DiagramTracks(
        spans.map { span in
          DiagramTracks.Demand(
            net: span.net, lefts: span.lefts.map { tops[$0.item] + $0.offset },
            rights: span.rights.map { tops[$0.item] + $0.offset })
        })
    }
    let columns = Columns(graph, layers, tracks, margin: Self.margin)
    boxes = graph.tables.enumerated().map { index, table in
      let layer = layers.layers[index]
      return Box(
        x: columns.starts[layer], y: tops[index], width: columns.widths[layer],
        height: DiagramMetrics.boxHeight(of: table))
    }
    let router = Router(network: network, layers: layers, tops: tops, columns: columns)
    lines = graph.references.indices.map { router.line(of: $0, graph.references[$0]) }
    width = columns.end + Self.margin
    height = (boxes.map { $0.y + $0.height }.max() ?? 0) + Self.margin
    let lowest = lines.joined().map(\.y).max() ?? 0
    height = max(height, lowest + Self.margin)
  }

  /// The horizontal extent of the layers and of the gaps between them.
  private struct Columns {
    var starts: [Int] = []
    var widths: [Int] = []
    let tracks: [DiagramTracks]
    /// Where the last gap ends.
    var end: Int

    init(
      _ graph: DiagramGraph, _ layers: DiagramLayers, _ tracks: [DiagramTracks], margin: Int
    ) {
      self.tracks = tracks
      end = margin
      for layer in 0..<layers.count {
        let tables = graph.tables.indices.filter { layers.layers[$0] == layer }
        let width = tables.map { DiagramMetrics.boxWidth(of: graph.tables[$0]) }.max() ?? 0
        starts.append(end)
        widths.append(width)
        end += width + Self.gap(tracks[layer].count, isLast: layer == layers.count - 1)
      }
    }

    private static func gap(_ trackCount: Int, isLast: Bool) -> Int {
      guard trackCount > 0 else { return isLast ? 0 : DiagramMetrics.plainGap }
      let edges = (trackCount - 1) * DiagramMetrics.track
      return edges + DiagramMetrics.clearance * (isLast ? 1 : 2)
    }

    func right(of layer: Int) -> Int { starts[layer] + widths[layer] }

    /// Where a net runs up or down right of a layer.
    func x(of net: Int, rightOf layer: Int) -> Int {
      let track = tracks[layer].trackOfNet[net] ?? 0
      return right(of: layer) + DiagramMetrics.clearance + track * DiagramMetrics.track
    }
  }

  /// Follows a reference through the gaps.
  private struct Router {
    let network: DiagramNetwork
    let layers: DiagramLayers
    let tops: [Int]
    let columns: Columns

    func line(of index: Int, _ reference: DiagramGraph.Reference) -> [Point] {
      let net = network.netOfReference[index]
      let (child, parent) = (layers.layers[reference.child], layers.layers[reference.parent])
      let start = DiagramNetwork.start(of: reference)
      var y = tops[start.item] + start.offset
      var points: [Point] = []
      func turn(inGap gap: Int, towards layer: Int) {
        let x = columns.x(of: net, rightOf: gap)
        points.append(Point(x: x, y: y))
        let end = network.end(of: net, in: layer)
        y = tops[end.item] + end.offset
        points.append(Point(x: x, y: y))
      }
      switch network.nets[net].side {
      case .loop:
        points.append(Point(x: columns.right(of: child), y: y))
        turn(inGap: child, towards: parent)
        points.append(Point(x: columns.right(of: parent), y: y))
      case .right:
        points.append(Point(x: columns.starts[child], y: y))
        for gap in (parent..<child).reversed() { turn(inGap: gap, towards: gap) }
        points.append(Point(x: columns.right(of: parent), y: y))
      case .left:
        points.append(Point(x: columns.right(of: child), y: y))
        for gap in child..<parent { turn(inGap: gap, towards: gap + 1) }
        points.append(Point(x: columns.starts[parent], y: y))
      }
      return DiagramLayout.withoutNeedlessPoints(points)
    }
  }

  /// The same line without points that repeat the one before or lie on the way to the next.
  static func withoutNeedlessPoints(_ points: [Point]) -> [Point] {
    var result: [Point] = []
    for point in points where point != result.last {
      if let last = result.last, let before = result.dropLast().last,
        (before.x == last.x && last.x == point.x) || (before.y == last.y && last.y == point.y)
      {
        result.removeLast()
      }
      result.append(point)
    }
    return result
  }
}
