internal import SeedModel
internal import SeedSQLite

/// Writes SQL expressions over staged records: `t` is the record at hand.
struct StagedExpression {
  let staged: StagedInput

  /// What a path leads to: the expression, and the staged columns that it reads.
  struct Result {
    var sql: String
    var table: Int
    var column: Int
    /// The staged tables of the records below that it goes through, with the column that refers to
    /// the record around them.
    var steps: [(table: Int, parentColumn: Int)]
  }

  /// The expression for a path, as it is written, from records of a staged table.
  ///
  /// What has the whole text as its name comes first: outside of XML a name may be `@a` or `a/b`.
  ///
  /// Only records around those at the given places are above them: others of the same name may stand
  /// elsewhere.
  func expression(_ text: String, from table: Int, at places: [Int]) -> Result? {
    if let column = staged.tables[table].column(.named(text)) {
      return Result(
        sql: "t.\(staged.tables[table].columns[column].sqlName)", table: table, column: column,
        steps: [])
    }
    return FieldPath(text).flatMap { expression($0, from: table, at: places) }
  }

  private func expression(_ path: FieldPath, from table: Int, at places: [Int]) -> Result? {
    var current = (table: table, alias: "t")
    var wrappers: [String] = []
    var steps: [(table: Int, parentColumn: Int)] = []
    var depth = 0
    var around = places
    for _ in 0..<path.levelsUp {
      depth += 1
      let alias = "u\(depth)"
      guard
        let (parent, column) = parents(of: current.table, at: around).first(where: {
          depth < path.levelsUp || !path.records.isEmpty
            || staged.tables[$0.table].column(path.leaf) != nil
        })
      else { return nil }
      wrappers.append(
        "FROM \(staged.tables[parent].sqlName) AS \(alias) WHERE "
          + "\(alias).\(StagedInput.ordinalColumn) = "
          + "\(current.alias).\(staged.tables[current.table].columns[column].sqlName)")
      around = staged.recordPlaces(around: around)[parent] ?? []
      current = (parent, alias)
    }
    for name in path.records {
      depth += 1
      let alias = "n\(depth)"
      guard let (child, column) = child(named: name, of: current.table) else { return nil }
      wrappers.append(
        "FROM \(staged.tables[child].sqlName) AS \(alias) WHERE "
          + "\(alias).\(staged.tables[child].columns[column].sqlName) = "
          + "\(current.alias).\(StagedInput.ordinalColumn) LIMIT 1")
      steps.append((child, column))
      current = (child, alias)
    }
    guard let column = staged.tables[current.table].column(path.leaf) else { return nil }
    var sql = "\(current.alias).\(staged.tables[current.table].columns[column].sqlName)"
    for wrapper in wrappers.reversed() { sql = "(SELECT \(sql) \(wrapper))" }
    return Result(sql: sql, table: current.table, column: column, steps: steps)
  }

  /// The staged tables that records of a table may stand in, with the columns that say so.
  func parents(of table: Int) -> [(table: Int, column: Int)] {
    staged.tables[table].columns.enumerated().compactMap { index, column in
      if case .parent(let parent) = column.source { (parent, index) } else { nil }
    }
  }

  /// Those of them that records at some places stand in.
  func parents(of table: Int, at places: [Int]) -> [(table: Int, column: Int)] {
    let around = staged.recordPlaces(around: places)
    return parents(of: table).filter { around[$0.table] != nil }
  }

  /// Whether records of a group stand in records of a staged table, directly or in what is passed.
  ///
  /// What is passed may itself stand in several tables, not all of them around these records.
  func isInside(_ parent: Int, _ group: RecordGroup, passing: Set<Int>) -> Bool {
    parents(of: group.staged).contains { $0.table == parent }
      || staged.isInside(parent, group.places, passing: passing)
  }

  private func child(named name: String, of table: Int) -> (table: Int, column: Int)? {
    for (index, candidate) in staged.tables.enumerated() where candidate.name.local == name {
      let column = candidate.columns.firstIndex { $0.source == .parent(table: table) }
      if let column { return (index, column) }
    }
    return nil
  }

  /// The expression for the number of the record around one, of a given staged table, passing
  /// through records that have no table of their own.
  func ordinal(of ancestor: Int, from table: Int, passing: Set<Int>) -> String? {
    var room = Self.mostWays
    return ordinal(of: ancestor, from: table, alias: "t", passing: passing, around: [], &room)
  }

  /// The most ways from a record to one around it that an expression follows: records that stand in
  /// each other in every order have more of them than any statement has room for.
  private static let mostWays = 100

  private func ordinal(
    of ancestor: Int, from table: Int, alias: String, passing: Set<Int>, around: Set<Int>,
    _ room: inout Int
  ) -> String? {
    guard !around.contains(table) else { return nil }
    let inside = around.union([table])
    // Records of one name may stand in the ancestor as well as in what is passed: each by its way.
    var ways: [String] = []
    for (parent, column) in parents(of: table) where room > 0 {
      let own = "\(alias).\(staged.tables[table].columns[column].sqlName)"
      if parent == ancestor {
        room -= 1
        ways.append(own)
        continue
      }
      guard passing.contains(parent) else { continue }
      let next = "p\(inside.count)"
      let outer = ordinal(
        of: ancestor, from: parent, alias: next, passing: passing, around: inside, &room)
      guard let outer else { continue }
      ways.append(
        "(SELECT \(outer) FROM \(staged.tables[parent].sqlName) AS \(next) WHERE "
          + "\(next).\(StagedInput.ordinalColumn) = \(own))")
    }
    return ways.count > 1 ? "coalesce(\(ways.joined(separator: ", ")))" : ways.first
  }
}
