internal import SeedModel

/// In which order tables are filled, so that natural keys can be looked up.
struct FillOrder {
  /// The mapped tables, by number.
  private(set) var order: [Int] = []
  /// The rules whose table refers to itself in the end: they are resolved when all is filled.
  private(set) var deferredRules: Set<Int> = []

  init(_ mapped: [MappedTable], rules: [ReferenceRule], schema: TargetSchema) {
    let edges = rules.enumerated().compactMap { index, rule in
      if let from = schema.table(matching: rule.table),
        let to = schema.table(matching: rule.targetTable)
      {
        (rule: index, from: from, to: to)
      } else {
        nil as (rule: Int, from: Int, to: Int)?
      }
    }
    // A rule whose target leads back to its own table cannot wait for it.
    for edge in edges
    where FillOrder.leads(from: edge.to, to: edge.from, edges.map { ($0.from, $0.to) }) {
      deferredRules.insert(edge.rule)
    }
    let waiting = edges.filter { !deferredRules.contains($0.rule) }
    var open = Array(mapped.indices)
    while !open.isEmpty {
      let unfilled = Set(open.map { mapped[$0].target })
      let position = open.firstIndex { index in
        !waiting.contains { $0.from == mapped[index].target && unfilled.contains($0.to) }
      }
      order.append(open.remove(at: position ?? 0))
    }
  }

  private static func leads(from start: Int, to end: Int, _ edges: [(Int, Int)]) -> Bool {
    var seen: Set<Int> = []
    var next = [start]
    while let table = next.popLast() {
      if table == end { return true }
      guard seen.insert(table).inserted else { continue }
      next += edges.filter { $0.0 == table }.map(\.1)
    }
    return false
  }
}
