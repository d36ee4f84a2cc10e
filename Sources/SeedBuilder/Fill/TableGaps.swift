internal import SeedModel

/// Which tables lack rows because something of their records does not fit: whether a natural key of
/// theirs is known cannot be told.
struct TableGaps {
  private let targets: [Int?]
  /// Whether every value has a place; if not, no table gets rows.
  let isFitted: Bool
  /// The tables that lack rows.
  var tables: Set<Int> = []

  init(_ rules: [ReferenceRule], schema: TargetSchema, isFitted: Bool) {
    targets = rules.map { schema.table(matching: $0.targetTable) }
    self.isFitted = isFitted
  }

  /// Whether it cannot be told what a rule's natural keys stand for.
  func isUntold(_ rule: Int) -> Bool {
    !isFitted || targets[rule].map(tables.contains) ?? true
  }

  /// The rules of a mapping of which that cannot be told.
  func untoldRules(of mapping: MappedTable) -> Set<Int> {
    Set(
      mapping.columns.compactMap { column in
        guard case .reference(let rule, _) = column.source, isUntold(rule) else { return nil }
        return rule
      })
  }
}
