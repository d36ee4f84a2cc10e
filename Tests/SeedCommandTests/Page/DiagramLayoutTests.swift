import Testing

@testable import SeedCommand

@Suite struct DiagramLayoutTests {
  /// Tables of two lines and more, with references given as (child, parent).
  private func graph(
    _ count: Int, _ references: [(Int, Int)], lineCount: (Int) -> Int = { 2 + $0 % 5 }
  ) -> DiagramGraph {
    let tables = (0..<count).map { index in
      DiagramGraph.Table(
        index: index, name: "table\(index)",
        rows: (0..<lineCount(index)).map {
          DiagramGraph.Row(name: "c\($0)", type: "TEXT", isKey: $0 == 0, isReference: $0 > 0)
        })
    }
    return DiagramGraph(
      tables: tables,
      references: references.map { child, parent in
        DiagramGraph.Reference(
          child: child, childLine: (parent + 1) % tables[child].rows.count, parent: parent,
          parentLine: 0, label: "\(child) → \(parent)")
      })
  }

  /// What a reader would trip over.
  private func faults(in layout: DiagramLayout, of graph: DiagramGraph) -> [String] {
    var faults: [String] = []
    for (index, box) in layout.boxes.enumerated() {
      if box.x < 0 || box.y < 0 || box.x + box.width > layout.width
        || box.y + box.height > layout.height
      {
        faults.append("box \(index) is outside")
      }
      for other in layout.boxes[..<index] where overlap(box, other) {
        faults.append("box \(index) lies on another")
      }
    }
    for (line, reference) in zip(layout.lines, graph.references) {
      for (a, b) in zip(line, line.dropFirst()) {
        if a.x != b.x && a.y != b.y { faults.append("\(reference.label) is oblique") }
        if layout.boxes.contains(where: { passes(a, b, through: $0) }) {
          faults.append("\(reference.label) runs through a box")
        }
        if min(a.x, b.x) < 0 || max(a.x, b.x) > layout.width || min(a.y, b.y) < 0
          || max(a.y, b.y) > layout.height
        {
          faults.append("\(reference.label) is outside")
        }
      }
      let ends = [(line.first, reference.child), (line.last, reference.parent)]
      for (end, table) in ends where !(end.map { touches($0, layout.boxes[table]) } ?? false) {
        faults.append("\(reference.label) does not end at table \(table)")
      }
    }
    return faults
  }

  private func overlap(_ a: DiagramLayout.Box, _ b: DiagramLayout.Box) -> Bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  }

  private func passes(
    _ a: DiagramLayout.Point, _ b: DiagramLayout.Point, through box: DiagramLayout.Box
  ) -> Bool {
    max(a.x, b.x) > box.x && min(a.x, b.x) < box.x + box.width && max(a.y, b.y) > box.y
      && min(a.y, b.y) < box.y + box.height
  }

  private func touches(_ point: DiagramLayout.Point, _ box: DiagramLayout.Box) -> Bool {
    (point.x == box.x || point.x == box.x + box.width)
      && (box.y...box.y + box.height).contains(point.y)
  }

  @Test func `one table is all there is`() {
    let graph = graph(1, [])
    let layout = DiagramLayout(graph)
    #expect(faults(in: layout, of: graph).isEmpty)
    #expect(layout.width <= 350)
  }

  @Test func `no table gives an empty diagram`() {
    let layout = DiagramLayout(graph(0, []))
    #expect(layout.boxes.isEmpty)
  }

  @Test func `what refers stands right of what it refers to`() {
    let layout = DiagramLayout(graph(3, [(1, 0), (2, 1)]))
    #expect(layout.boxes[0].x < layout.boxes[1].x)
    #expect(layout.boxes[1].x < layout.boxes[2].x)
  }

  @Test(arguments: [
    [(0, 0)], [(0, 1), (1, 0)], [(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 0), (0, 0), (1, 1)],
    [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 1)],
  ])
  func `cycles and tables that refer to themselves are drawn`(references: [(Int, Int)]) {
    let graph = graph(4, references)
    #expect(faults(in: DiagramLayout(graph), of: graph) == [])
  }

  @Test func `a table with many children spreads them over some columns`() {
    let graph = graph(30, (1..<30).map { ($0, 0) }, lineCount: { _ in 3 })
    let layout = DiagramLayout(graph)
    #expect(faults(in: layout, of: graph) == [])
    #expect(Set(layout.boxes.map(\.x)).count == 5)
    #expect(layout.height < 1300)
  }

  @Test func `tables without references fill four columns`() {
    let layout = DiagramLayout(graph(30, []))
    #expect(Set(layout.boxes.map(\.x)).count == 4)
  }

  @Test func `tables without references stand below all others`() throws {
    let graph = graph(9, [(1, 0), (2, 1), (4, 0)])
    let layout = DiagramLayout(graph)
    #expect(faults(in: layout, of: graph) == [])
    let parting = try #require(layout.parting)
    for (index, box) in layout.boxes.enumerated() {
      #expect([0, 1, 2, 4].contains(index) ? box.y + box.height < parting : box.y > parting)
    }
    #expect(Set(layout.boxes.filter { $0.y > parting }.map(\.x)).count > 1)
  }

  @Test(arguments: [[], [(1, 0), (2, 0)]] as [[(Int, Int)]])
  func `nothing parts tables of one kind`(references: [(Int, Int)]) {
    #expect(DiagramLayout(graph(3, references)).parting == nil)
  }

  @Test(arguments: 0..<40)
  func `no edge runs through a box and no box lies on another`(seed: Int) {
    var generator = LinearGenerator(state: UInt64(seed))
    let count = Int.random(in: 2...60, using: &generator)
    let references = (0..<Int.random(in: 0...count * 3, using: &generator)).map { _ in
      (Int.random(in: 0..<count, using: &generator), Int.random(in: 0..<count, using: &generator))
    }
    let graph = graph(count, references)
    let layout = DiagramLayout(graph)
    #expect(faults(in: layout, of: graph) == [])
    #expect(layout == DiagramLayout(graph))
  }

  @Test func `items are moved as little as order and sizes allow`() {
    func places(_ wishes: [Double], _ sizes: [Int]) -> [Int] {
      DiagramPlacement.nearest(to: wishes.map { .init($0, weight: 1) }, sizes: sizes)
    }
    #expect(places([0, 10], [3, 3]) == [0, 10])
    #expect(places([5, 5], [2, 2]) == [4, 6])
    #expect(places([9, 0, 20], [4, 4, 4]) == [3, 7, 20])
  }

  @Test func `points on the way between others are left out`() {
    let points = [(0, 0), (5, 0), (5, 0), (9, 0), (9, 4), (9, 8), (12, 8)].map {
      DiagramLayout.Point(x: $0, y: $1)
    }
    let kept = [(0, 0), (9, 0), (9, 8), (12, 8)].map { DiagramLayout.Point(x: $0, y: $1) }
    #expect(DiagramLayout.withoutNeedlessPoints(points) == kept)
  }
}

/// The same numbers on every run.
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 33
  }
}
