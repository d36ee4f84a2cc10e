internal import SeedModel

/// The columns for keys, and those that refer to the records around.
extension SchemaFit {
  /// Fills the columns that refer to the records around.
  mutating func addParents(
    _ group: RecordGroup, _ table: TargetTable, _ index: Int
  ) throws {
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
        guard let key = preferred(open, parentTable, table, group) else {
          if keys.isEmpty { reportLostParent(group, table, parentTable) }
          continue
        }
        filled[index].insert(key.column)
        let reference = ParentReference(
          column: key.column, referred: key.to, parent: parent, target: target, ordinal: ordinal)
        guard let column = parentColumn(reference) else {
          try reportLostKey(reference, group, table)
          continue
        }
        mapped[index].columns.append(column)
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
  private mutating func preferred(
    _ keys: [(column: Int, to: String)], _ parent: TargetTable, _ table: TargetTable,
    _ group: RecordGroup
  ) -> (column: Int, to: String)? {
    if keys.count < 2 { return keys.first }
    let names = [parent.name + "id", "parentid", parent.name, "parent"].map(NameMatch.folded)
    for name in names {
      if let key = keys.first(where: { NameMatch.folded(table.columns[$0.column].name) == name }) {
        return key
      }
    }
    let all = keys.map { "\"\(table.columns[$0.column].name)\"" }
    report.remark(
      Diagnostic(
        .warning,
        "columns \(all.joined(separator: ", ")) of \"\(table.name)\" refer to \"\(parent.name)\", and "
          + "\(all[0]) gets the record around",
        at: group.places.first.map {
          SourceLocation(file: staged.documents[staged.document(of: $0)].name)
        },
        hint: "call the right one \(parent.name)_id or parent_id, or name the source of "
          + "the others in seed.json"))
    return keys.first
  }

  /// A column for the record around.
  private struct ParentReference {
    var column: Int
    /// The name of the column that it refers to.
    var referred: String
    /// The staged table of the records around, and their table in the schema.
    var parent: Int
    var target: Int
    /// The expression for the number of the record around.
    var ordinal: String
  }

  /// How a column for the record around is filled; nil when its key cannot be told.
  private func parentColumn(_ reference: ParentReference) -> MappedTable.Column? {
    let table = schema.tables[reference.target]
    let parent = mapped.first {
      $0.staged == reference.parent && $0.target == reference.target
    }
    var result = MappedTable.Column(
      target: reference.column,
      source: .parentKey(
        sql: reference.ordinal, offset: offset(of: reference.parent, in: reference.target)),
      conversion: ValueConversion(rule: .integer), what: "the reference to \(table.name)")
    guard let key = table.column(named: reference.referred) else { return result }
    let made = parent?.columns.first { $0.target == key }
    var value = MappedTable.absentKey
    switch made?.source {
    case .ordinal?: return result
    case nil where key == table.rowIDAlias: return result
    case .staged(let sql)? where !sql.hasPrefix("("):
      value = "coalesce(p.\(sql.dropFirst("t.".count)), \(MappedTable.absentKey))"
    case nil:
      guard let sql = table.columns[key].defaultSQL else { return nil }
      result.defaultValue = .schema(sql: sql)
    default: return nil
    }
    if let made {
      result.conversion = made.conversion
      result.nullTexts = made.nullTexts
      result.isTrimmed = made.isTrimmed
      result.defaultValue = made.defaultValue
    }
    result.source = .staged(
      sql: "(SELECT \(value) FROM \(staged.tables[reference.parent].sqlName) AS p WHERE "
        + "p.\(StagedInput.ordinalColumn) = \(reference.ordinal))")
    result.parentKey = "\(table.name).\(table.columns[key].name)"
    return result
  }

  private mutating func reportLostKey(
    _ reference: ParentReference, _ group: RecordGroup, _ table: TargetTable
  ) throws {
    let place = try firstPlace(group)
    guard place.location != nil else { return }
    let parent = schema.tables[reference.target]
    report.add(
      "column \"\(table.columns[reference.column].name)\" of \"\(table.name)\" refers to "
        + "\"\(reference.referred)\" of \"\(parent.name)\", which the records around do not have "
        + "themselves", at: place.location, excerpt: place.excerpt,
      hint: "give the records \"\(reference.referred)\", or name the source of "
        + "\"\(table.columns[reference.column].name)\" in seed.json")
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
