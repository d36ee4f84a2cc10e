internal import SeedSQLite

/// Finds the rows of a snapshot that are not there as it has them, once the merge is at its end.
///
/// Foreign keys can do that: a row goes, or is changed, with the one that it refers to by a column
/// which the snapshot does not bring.
struct ChangedRows {
  let layout: TableLayout
  /// The table in the snapshot.
  let source: TableLayout
  /// A number that no other table of the merge has.
  let number: Int
  let connection: Connection

  private var table: String { "temp.\"_seed_unlike_\(number)\"" }

  /// The condition that a row of the snapshot, `s`, is not there as it is.
  private var isUnlike: String {
    let set = layout.settable(layout.columns)
    let isSame = set.isEmpty ? "" : " AND NOT (\(SQLText.differ(set, "t", "s")))"
    return """
      NOT EXISTS (SELECT 1 FROM \(layout.sql) AS t \
      WHERE \(layout.keyEquals("t", "s"))\(isSame))
      """
  }

  /// Notes the rows that triggers have kept out or changed, or that are held: before rows are
  /// deleted.
  func note() throws(MergeError) {
    let keys = layout.key.map { "\($0.sql) \($0.affinity.rawValue)" }.joined(separator: ",")
    try MergeError.at(layout.name) { () throws(SQLiteError) in
      try connection.execute(
        "CREATE TABLE \(table)(\(keys),PRIMARY KEY(\(SQLText.list(layout.key)))) WITHOUT ROWID")
      try connection.prepare(
        """
        INSERT OR IGNORE INTO \(table) SELECT \(SQLText.list(layout.key, of: "s")) \
        FROM \(source.sql) AS s WHERE \(isUnlike)
        """
      ).run()
    }
  }

  /// Looks for the rows.
  ///
  /// - Parameters:
  ///   - isNoted: Whether those that are noted are passed over.
  ///   - limit: How many keys are told.
  /// - Returns: Nil if there are none.
  /// - Throws: ``MergeError``.
  func find(isNoted: Bool, limit: Int) throws(MergeError) -> TakenKeys? {
    let others =
      isNoted
      ? " AND NOT EXISTS (SELECT 1 FROM \(table) AS p WHERE \(layout.keyEquals("s", "p")))" : ""
    let rows = "FROM \(source.sql) AS s WHERE \(isUnlike)\(others)"
    return try MergeError.at(layout.name) { () throws(SQLiteError) in
      try TakenKeys.find(rows, as: "s", of: layout, limit: limit, connection)
    }
  }

  /// Drops the note.
  func drop() throws(MergeError) {
    try MergeError.at(layout.name) { () throws(SQLiteError) in
      try connection.execute("DROP TABLE \(table)")
    }
  }
}
