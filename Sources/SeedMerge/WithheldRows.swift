internal import SeedSQLite

/// Rows of one table that the app's triggers have kept out of a merge.
///
/// `RAISE(IGNORE)` leaves a row unwritten, or undeleted, and no error tells of it.
package struct WithheldRows: Sendable, Equatable {
  /// The table, as it was declared.
  package var table: DeclaredTable
  /// How many rows of the snapshot are not there.
  package var missingCount: Int64
  /// The name in SQL of a temporary table with the keys, in the table's columns, of those rows that
  /// came from a snapshot, this one or an earlier.
  package var source: String
}

extension RowMerge {
  /// Finds what was to be written or deleted and was not, once the merge is finished.
  ///
  /// Without triggers there is nothing of the kind, and nothing is looked at.
  ///
  /// - Parameters:
  ///   - schema: The name under which the snapshot is attached.
  ///   - noted: By table, an SQL condition that a row was an earlier snapshot's; the row's columns
  ///     stand behind `t.`.
  /// - Returns: The tables of which the snapshot does not tell what is there.
  /// - Throws: ``MergeError``.
  package func withheldRows(
    snapshot schema: String, noted: [String: String]
  ) throws(MergeError) -> [WithheldRows] {
    guard try hasTriggers() else { return [] }
    let snapshot = try LayoutReader(connection, schema: schema)
    let conditions = Self.folded(noted)
    var found: [WithheldRows] = []
    for (number, table) in tables.enumerated() {
      let layout = keys[number].layout
      let source = try snapshot.read(table).seen(through: views[number])
      let condition = conditions[SQLNames.folded(table.name)] ?? "0"
      let isBrought =
        "\(layout.keyValue(of: "t")) IN (SELECT \(SQLText.list(layout.key)) FROM \(source.sql))"
      let name = "temp.\"_seed_present_\(number)\""
      let counts = try MergeError.at(layout.name) { () throws(SQLiteError) in
        let missing = try connection.scalarInteger(
          """
          SELECT count(*) FROM \(source.sql) AS s WHERE NOT EXISTS \
          (SELECT 1 FROM \(layout.sql) AS t WHERE \(layout.keyEquals("t", "s")))
          """)
        let left = try connection.scalarInteger(
          "SELECT count(*) FROM \(layout.sql) AS t WHERE (\(condition)) AND NOT \(isBrought)")
        return (missing: missing ?? 0, left: left ?? 0)
      }
      guard counts.missing > 0 || counts.left > 0 else { continue }
      try MergeError.at(layout.name) { () throws(SQLiteError) in
        try connection.execute(
          """
          CREATE TABLE \(name) AS SELECT \(SQLText.list(layout.key, of: "t")) \
          FROM \(layout.sql) AS t WHERE \(isBrought) OR (\(condition))
          """)
      }
      found.append(WithheldRows(table: table, missingCount: counts.missing, source: name))
    }
    return found
  }
}
