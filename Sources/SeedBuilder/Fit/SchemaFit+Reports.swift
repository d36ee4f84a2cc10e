internal import SeedModel
internal import SeedSQLite

/// What does not fit, in words.
extension SchemaFit {
  /// What errors call a staged value: `attribute timeStamp of Event`.
  func what(_ table: Int, _ column: Int, _ group: RecordGroup) -> String {
    let record = staged.tables[table].name.local
    let isXML = group.places.first.map { !staged.hasNamelessRoot($0) } ?? true
    switch staged.tables[table].columns[column].source {
    case .attribute(let name): return (isXML ? "attribute " : "") + "\(name.local) of \(record)"
    case .child(let name): return (isXML ? "element " : "") + "\(name.local) of \(record)"
    case .text: return "the text of \(record)"
    case .generatedKey, .line, .place, .parent: return "\(record)"
    }
  }

  /// The place of the first record of a group, or of the first that has a value in a column.
  func firstPlace(
    _ group: RecordGroup, column: StagedTable.Column? = nil
  ) throws -> (location: SourceLocation?, excerpt: SourceExcerpt?) {
    let table = staged.tables[group.staged]
    let condition = column.map { "AND \($0.sqlName) IS NOT NULL " } ?? ""
    let value = column.map(\.sqlName) ?? "NULL"
    var result: (location: SourceLocation?, excerpt: SourceExcerpt?) = (nil, nil)
    try staged.connection.forEachRow(
      """
      SELECT \(StagedInput.lineColumn), \(StagedInput.placeColumn), \(StagedInput.ordinalColumn),
        \(value) FROM \(table.sqlName)
      WHERE \(StagedInput.placeColumn) IN (\(group.places.map(String.init).joined(separator: ",")))
      \(condition) ORDER BY \(StagedInput.ordinalColumn) LIMIT 1
      """
    ) { row in
      let place = Int(row.integer(1))
      let found = PlaceFinder(staged: staged).place(
        of: ValueSpot(
          line: Int(row.integer(0)), place: place,
          record: ValueSpot.Record(place: place, ordinal: row.integer(2)),
          fields: column?.fields ?? [],
          value: row.columnType(3) == .null ? nil : Array(row.text(3).utf8)))
      result = (found.location, found.excerpt)
    }
    return result
  }

  mutating func reportMissingColumn(_ rule: ColumnRule, _ table: TargetTable) {
    let nearest = Suggestion.nearest(to: rule.name.value, in: table.columns.map(\.name))
    report.add(
      "table \"\(table.name)\" has no column \"\(rule.name.value)\"", at: rule.name.location,
      hint: nearest.map { "did you mean \"\($0)\"?" }
        ?? "it has \(table.columns.map(\.name).joined(separator: ", "))")
  }

  mutating func reportMissingSource(
    _ from: Located<String>, _ group: RecordGroup
  ) {
    guard staged.tables[group.staged].rowCount > 0 else { return }
    report.add(
      "no record at \"\(group.path(staged))\" has a value at \"\(from.value)\"", at: from.location,
      hint: reachableHint(from.value, of: [group]))
  }

  /// So many levels up a hint looks for a value.
  private static let mostLevels = 4

  /// What a path may say instead: values of the records, and of those around them.
  private func reachableHint(_ path: String, of groups: [RecordGroup]) -> String {
    var paths: [String] = []
    var hasParents = false
    for group in groups {
      let isXML = group.places.first.map { !staged.hasNamelessRoot($0) } ?? true
      let table = staged.tables[group.staged]
      paths += table.columns.indices.compactMap { table.pathText(of: $0, isXML: isXML) }
      let expressions = StagedExpression(staged: staged)
      var prefix = "../"
      var level = [(table: group.staged, places: group.places)]
      for _ in 0..<SchemaFit.mostLevels {
        var next: [(table: Int, places: [Int])] = []
        for (table, places) in level {
          let around = staged.recordPlaces(around: places)
          for parent in expressions.parents(of: table, at: places).map(\.table) {
            let table = staged.tables[parent]
            hasParents = true
            paths += table.columns.indices.compactMap { index in
              table.pathText(of: index, isXML: isXML).map { prefix + $0 }
            }
            next.append((parent, around[parent] ?? []))
          }
        }
        prefix += "../"
        level = next
      }
    }
    if let nearest = Suggestion.nearest(to: path, in: paths) {
      return "did you mean \"\(nearest)\"?"
    }
    let all =
      paths.isEmpty
      ? "they have no values of their own" : "they have \(paths.prefix(12).joined(separator: ", "))"
    guard path.hasPrefix("../"), !hasParents else { return all }
    return all + "; no record stands around them: the document's root is none, and what it says of "
      + "itself goes into a table of its own"
  }

  /// A path through records below must not lead to several of them.
  mutating func checkSingle(
    _ found: StagedExpression.Result, _ from: Located<String>, _ group: RecordGroup
  ) throws {
    for step in found.steps {
      let table = staged.tables[step.table]
      let parent = table.columns[step.parentColumn].sqlName
      let line = try staged.connection.scalarInteger(
        """
        SELECT min(\(StagedInput.lineColumn)) FROM \(table.sqlName) WHERE \(parent) IS NOT NULL
        GROUP BY \(parent) HAVING count(*) > 1 LIMIT 1
        """)
      guard line != nil else { continue }
      report.add(
        "\"\(from.value)\" is no single value: some records have several \"\(table.name.local)\"",
        at: from.location, hint: "give them a table of their own")
    }
  }

  mutating func reportExtra(
    _ column: StagedTable.Column, named name: String, _ group: RecordGroup, _ table: TargetTable,
    filled: Set<Int>
  ) throws {
    guard !rules.ignoresExtra else { return }
    let place = try firstPlace(group, column: column)
    // A field that no record has a value for is nothing to lose.
    guard place.location != nil else { return }
    let nearest = Suggestion.nearest(
      to: name,
      in: table.columns.indices.filter { !filled.contains($0) }.map { table.columns[$0].name })
    var ways = "add the column, or leave it out with --ignore-extra"
    if let taken = table.column(matching: name), filled.contains(taken) {
      ways =
        "another value goes into column \"\(table.columns[taken].name)\"; say which one in seed.json, "
        + "as its \"from\", and " + ways
    }
    let subject = staged.tables[group.staged].columns.firstIndex { $0.sqlName == column.sqlName }
    report.add(
      "table \"\(table.name)\" has no column for "
        + (subject.map { what(group.staged, $0, group) } ?? name),
      at: place.location, excerpt: place.excerpt,
      hint: nearest.map { "did you mean column \"\($0)\"? \(ways)" } ?? ways)
  }

  mutating func reportMissingTable(_ group: RecordGroup) throws {
    let table = staged.tables[group.staged]
    if let name = group.rule?.table {
      let nearest = Suggestion.nearest(to: name.value, in: schema.tables.map(\.name))
      report.add(
        "the schema has no table \"\(name.value)\"", at: name.location,
        hint: nearest.map { "did you mean \"\($0)\"?" }
          ?? "it has \(schema.tables.map(\.name).joined(separator: ", "))")
      return
    }
    guard !rules.ignoresExtra else { return }
    // Records that only hold others, or whose values all went elsewhere, lose nothing.
    let leftover = table.columns.indices.contains { index in
      table.columns[index].source.documentName != nil || table.columns[index].source == .text
        ? staged.isOf(group.places, index, of: group.staged)
          && !consumed.contains(StagedColumnKey(table: group.staged, column: index))
        : false
    }
    guard leftover else { return }
    let place = try firstPlace(group)
    guard place.location != nil else { return }
    let nearest = Suggestion.nearest(to: group.tableName, in: schema.tables.map(\.name))
    let ways = "add the table, name another in seed.json, or leave them out with --ignore-extra"
    report.add(
      "the schema has no table for the records \"\(table.name.local)\"", at: place.location,
      excerpt: place.excerpt,
      hint: nearest.map { "did you mean table \"\($0)\"? \(ways)" } ?? ways)
  }

  mutating func reportLostParent(
    _ group: RecordGroup, _ table: TargetTable, _ parent: TargetTable
  ) {
    guard !rules.ignoresExtra, table.name != parent.name || hasOwnKindParents(group) else { return }
    report.add(
      "table \"\(table.name)\" has no foreign key to \"\(parent.name)\", in whose records its own stand",
      at: group.places.first.map {
        SourceLocation(file: staged.documents[staged.document(of: $0)].name)
      },
      hint: "add a column that references \(parent.name), or leave the relation out with "
        + "--ignore-extra")
  }

  private func hasOwnKindParents(_ group: RecordGroup) -> Bool {
    staged.tables[group.staged].columns.contains { $0.source == .parent(table: group.staged) }
  }

  mutating func reportUnfilled(_ group: RecordGroup, _ table: TargetTable, _ filled: Set<Int>) {
    guard staged.tables[group.staged].rowCount > 0 else { return }
    let location = group.places.first.map {
      SourceLocation(file: staged.documents[staged.document(of: $0)].name)
    }
    for (index, column) in table.columns.enumerated()
    where !filled.contains(index) && !column.isGenerated {
      if let sql = column.defaultSQL {
        guard ColumnDefault.isVolatile(sql) else { continue }
        report.add(
          "column \"\(column.name)\" of \"\(table.name)\" has nothing in the records, and its default "
            + "\(sql) differs in every build", at: location,
          hint: "give it a constant or a default in seed.json")
        continue
      }
      guard column.isNotNull else { continue }
      let names = staged.tables[group.staged].columns.compactMap { $0.source.documentName?.local }
      let nearest = Suggestion.nearest(to: column.name, in: names)
      report.add(
        "column \"\(column.name)\" of \"\(table.name)\" is NOT NULL, and the records have nothing for it",
        at: location,
        hint: (nearest.map { "did you mean \"\($0)\"? " } ?? "")
          + "name its source in seed.json, or give the column a DEFAULT")
    }
  }

  func isUsed(_ rule: ReferenceRule) -> Bool {
    guard let target = schema.table(matching: rule.table),
      let column = schema.tables[target].column(matching: rule.column)
    else { return false }
    return mapped.contains { table in
      table.target == target && table.columns.contains { $0.target == column }
    }
      && schema.table(matching: rule.targetTable).map {
        schema.tables[$0].column(matching: rule.targetColumn) != nil
      } ?? false
  }

  mutating func reportUnused(_ rule: ReferenceRule) {
    let location = rule.location ?? rule.from.location
    // The table that is referred to comes first: without it the column cannot be made either.
    for (table, column) in [
      (rule.targetTable, rule.targetColumn), (rule.table, rule.column),
    ] {
      guard let number = schema.table(matching: table) else {
        let nearest = Suggestion.nearest(to: table, in: schema.tables.map(\.name))
        return report.add(
          "there is no table \"\(table)\"", at: location,
          hint: nearest.map { "did you mean \"\($0)\"?" }
            ?? "there are \(schema.tables.map(\.name).joined(separator: ", "))")
      }
      guard schema.tables[number].column(matching: column) == nil else { continue }
      let names = schema.tables[number].columns.map(\.name)
      return report.add(
        "table \"\(table)\" has no column \"\(column)\"", at: location,
        hint: Suggestion.nearest(to: column, in: names).map { "did you mean \"\($0)\"?" }
          ?? "it has \(names.joined(separator: ", "))")
    }
    reportUnusedSource(rule)
  }

  private mutating func reportUnusedSource(_ rule: ReferenceRule) {
    let target = schema.table(matching: rule.table)
    report.add(
      "no record of \"\(rule.table)\" has a value at \"\(rule.from.value)\"",
      at: rule.from.location ?? rule.location,
      hint: reachableHint(
        rule.from.value, of: groups.filter { schema.table(matching: $0.tableName) == target }))
  }
}
