internal import SeedModel

/// The columns for keys, and those that refer to the records around.
extension SchemaFit {
  /// Fills the columns that refer to the records around.
  mutating func addParents(_ group: RecordGroup, _ table: TargetTable, _ index: Int) {
    let unmapped = Set(staged.tables.indices.filter { targets[$0] == nil })
    for parent in ancestors(of: group.staged, passing: unmapped)
    where expressions.isInside(parent, group, passing: unmapped) {
      guard
        let ordinal = expressions.ordinal(of: parent, from: group.staged, passing: unmapped)
      else { continue }
      for target in (targets[parent] ?? []).sorted() {
        let parentTable = schema.tables[target]
        let keys = table.foreignKeys.filter {
          $0.columns.count == 1 && schema.table(named: $0.table) == target
        }
        let open = keys.compactMap { key in
          table.column(named: key.columns[0].from).map { (column: $0, to: key.columns[0].to) }
        }.filter { !filled[index].contains($0.column) }
        guard let key = preferred(open, parentTable, table) else {
          if keys.isEmpty { reportLostParent(group, table, parentTable) }
          continue
        }
        filled[index].insert(key.column)
        mapped[index].columns.append(
          parentColumn(key.column, to: key.to, parent: parent, parentTarget: target, ordinal))
      }
    }
  }

  /// The staged tables with a target that records may stand in, nearest first.
  private func ancestors(of table: Int, passing: Set<Int>) -> [Int] {
    var result: [Int] = []
    var seen: Set<Int> = []
    var next = expressions.parents(of: table).map(\.table)
    while let parent = next.first {
      next.removeFirst()
      guard seen.insert(parent).inserted else { continue }
      if passing.contains(parent) {
        next += expressions.parents(of: parent).map(\.table)
      } else {
        result.append(parent)
      }
    }
    return result
  }

  /// The column for the record around, where several could be meant: one that is called so.
  private func preferred(
    _ keys: [(column: Int, to: String)], _ parent: TargetTable, _ table: TargetTable
  ) -> (column: Int, to: String)? {
    if keys.count < 2 { return keys.first }
    let names = [parent.name + "id", "parentid", parent.name, "parent"].map(NameMatch.folded)
    for name in names {
      if let key = keys.first(where: { NameMatch.folded(table.columns[$0.column].name) == name }) {
        return key
      }
    }
    return keys.first
  }

  private func parentColumn(
    _ column: Int, to referred: String, parent: Int, parentTarget: Int, _ ordinal: String
  ) -> MappedTable.Column {
    let parentTable = schema.tables[parentTarget]
    let filled = mapped.first { $0.staged == parent && $0.target == parentTarget }
    if let key = parentTable.column(named: referred),
      let made = filled?.columns.first(where: { $0.target == key }),
      case .staged(let sql) = made.source, !sql.hasPrefix("(")
    {
      let value = "p." + sql.dropFirst("t.".count)
      return MappedTable.Column(
        target: column,
        source: .staged(
          sql: "(SELECT \(value) FROM \(staged.tables[parent].sqlName) AS p WHERE "
            + "p.\(StagedInput.ordinalColumn) = \(ordinal))"),
        conversion: made.conversion, what: "the reference to \(parentTable.name)")
    }
    return MappedTable.Column(
      target: column,
      source: .parentKey(sql: ordinal, offset: offset(of: parent, in: parentTarget)),
      conversion: ValueConversion(rule: .integer), what: "the reference to \(parentTable.name)")
  }

  /// Rows without a key of their own are numbered as their records are.
  mutating func completeKey(_ group: RecordGroup, _ table: TargetTable, _ index: Int) {
    guard let key = table.rowIDAlias, filled[index].insert(key).inserted else { return }
    mapped[index].columns.append(
      MappedTable.Column(
        target: key, source: .ordinal(offset: offset(of: group.staged, in: mapped[index].target)),
        conversion: ValueConversion(rule: .integer), what: "the key of \(table.name)"))
  }

  /// How far the numbers of a staged table's records lie above those that the target has already.
  func offset(of table: Int, in target: Int) -> Int64 {
    var offset = keptOffsets[target] ?? 0
    for earlier in 0..<table where targets[earlier]?.contains(target) == true {
      offset += staged.tables[earlier].lastOrdinal
    }
    return offset
  }
}
