internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Looks for rows with the same values where the model wants them once.
///
/// Where the unique index is there, SQLite itself has checked it.
struct ConstraintCheck {
  let connection: Connection
  let catalog: StoreCatalog

  /// What is wrong, constraint by constraint.
  ///
  /// - Throws: ``SQLiteError``.
  func findings(_ shape: StoreShape) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in shape.tables {
      for constraint in table.constraints
      where !isKept(constraint.columns, by: catalog.table(table.name)?.indexes ?? []) {
        // An index that keeps them unique can be made only when they are.
        findings += try duplicates(constraint, in: table)
        findings.append(missingIndex(constraint, in: table))
      }
    }
    return findings
  }

  private func isKept(_ columns: [String], by indexes: [StoreCatalog.Index]) -> Bool {
    let wanted = Set(columns.map { $0.uppercased() })
    return indexes.contains { index in
      index.isUnique && Set(index.columns.map { $0?.uppercased() }) == wanted
    }
  }

  private func missingIndex(
    _ constraint: StoreShape.Constraint, in table: StoreShape.EntityTable
  ) -> Finding {
    let names = constraint.names.joined(separator: "_")
    let columns = constraint.columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
    var finding = Finding(
      .storeUnique, .note,
      "nothing in the store keeps \(Self.list(constraint.names)) of \"\(constraint.entity)\" "
        + "unique: \"\(table.name)\" has no unique index of it",
      hint: "run: CREATE UNIQUE INDEX Z_\(constraint.entity)_UNIQUE_\(names) ON \(table.name) "
        + "(\(columns));")
    finding.table = table.name
    return finding
  }

  private func duplicates(
    _ constraint: StoreShape.Constraint, in table: StoreShape.EntityTable
  ) throws(SQLiteError) -> [Finding] {
    let columns = constraint.columns.map(SQLiteName.quoted)
    let isFilled = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let statement = try connection.prepare(
      """
      SELECT min(Z_PK), max(Z_PK), count(*) FROM \(SQLiteName.quoted(table.name))
      WHERE \(isFilled) GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1
      """)
    let hint = "keep one object of each, or make their values differ"
    var findings: [Finding] = []
    var count = 0
    while try statement.step() {
      count += 1
      guard count <= RowScan.limit else { continue }
      let others = statement.integer(2) - 2
      var finding = Finding(
        .storeUnique,
        "row \(statement.integer(1)) of \"\(table.name)\" has the same "
          + "\(Self.list(constraint.names)) as row \(statement.integer(0))"
          + (others > 0 ? " and \(others) more" : "")
          + ", which \"\(constraint.entity)\" has only once",
        hint: hint)
      finding.table = table.name
      finding.rowID = statement.integer(1)
      findings.append(finding)
    }
    if count > RowScan.limit {
      var more = Finding(
        .storeUnique,
        "\(count - RowScan.limit) more groups of rows of \"\(table.name)\" have the same "
          + Self.list(constraint.names),
        hint: hint)
      more.table = table.name
      findings.append(more)
    }
    return findings
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: " and ")
  }
}
