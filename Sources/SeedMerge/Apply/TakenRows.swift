internal import SeedSQLite

/// The rows of a table whose keys a snapshot brings though no earlier one had brought them.
///
/// The app has made them. Their keys, as the snapshot has them, go into a temporary table, so that
/// they can be told, or left out of what is merged.
struct TakenRows {
  /// The table with all columns of the snapshot, those that are not written among them.
  let layout: TableLayout
  let source: TableLayout
  /// The condition that a row was an earlier snapshot's.
  let noted: String
  /// A number that no other table of the merge has.
  let number: Int
  let connection: Connection

  private var table: String { "temp.\"_seed_taken_\(number)\"" }
  private var view: String { "_seed_untaken_\(number)" }

  /// Looks for them.
  ///
  /// A row that is in all columns as the snapshot has it is nobody's loss.
  /// - Parameter limit: How many keys are told.
  /// - Returns: Nil if there are none.
  /// - Throws: ``MergeError``.
  func find(limit: Int) throws(MergeError) -> TakenKeys? {
    let columns = layout.settable(layout.columns)
    guard !columns.isEmpty else { return nil }
    return try MergeError.at(layout.name) { () throws(SQLiteError) in
      let keys = layout.key.map { "\($0.sql) \($0.affinity.rawValue)" }.joined(separator: ",")
      try connection.execute(
        "CREATE TABLE \(table)(\(keys),PRIMARY KEY(\(SQLText.list(layout.key)))) WITHOUT ROWID")
      // By CASE, so that SQLite compares the few rows that were not noted, and not all.
      try connection.prepare(
        """
        INSERT OR IGNORE INTO \(table) SELECT \(SQLText.list(layout.key, of: "s")) \
        FROM \(layout.sql) AS t JOIN \(source.sql) AS s ON \(layout.keyEquals("t", "s")) \
        WHERE CASE WHEN \(noted) THEN 0 ELSE \(SQLText.differ(columns, "t", "s")) END
        """
      ).run()
      let count = connection.changes
      guard count > 0 else {
        try connection.execute("DROP TABLE \(table)")
        return nil
      }
      let statement = try connection.prepare(
        "SELECT \(SQLLiteral.shown(layout.key.map(\.sql))) FROM \(table) LIMIT \(limit)")
      var texts: [String] = []
      while try statement.step() { texts.append(statement.text(0)) }
      return TakenKeys(table: layout.name, keys: texts, count: count)
    }
  }

  /// Makes a view of the snapshot's table that lacks them.
  ///
  /// - Returns: Its name among the temporary ones.
  func makeView() throws(MergeError) -> String {
    try MergeError.at(layout.name) { () throws(SQLiteError) in
      try connection.execute(
        """
        CREATE TEMP VIEW \(SQLText.quoted(view)) AS SELECT * FROM \(source.sql) AS s \
        WHERE NOT EXISTS (SELECT 1 FROM \(table) AS p WHERE \(layout.keyEquals("s", "p")))
        """)
    }
    return view
  }
}

/// Keys of one table that a snapshot brings and that rows of the app's own have.
package struct TakenKeys: Sendable, Equatable {
  /// The table.
  package var table: String
  /// The first of the keys, as SQL literals, those of several columns with commas between.
  package var keys: [String]
  /// How many there are.
  package var count: Int64
}

extension TakenKeys {
  /// Finds those of the rows that a query's end selects.
  ///
  /// - Parameters:
  ///   - rows: From FROM on.
  ///   - alias: What the table is called in it.
  ///   - layout: The table.
  ///   - limit: How many keys are told.
  ///   - connection: The database.
  /// - Returns: Nil if there are none.
  /// - Throws: ``SQLiteError``.
  static func find(
    _ rows: String, as alias: String, of layout: TableLayout, limit: Int, _ connection: Connection
  ) throws(SQLiteError) -> TakenKeys? {
    let keys = SQLLiteral.shown(layout.key.map { "\(alias).\($0.sql)" })
    let statement = try connection.prepare("SELECT \(keys) \(rows) LIMIT \(limit)")
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    guard !texts.isEmpty else { return nil }
    let count = try connection.scalarInteger("SELECT count(*) \(rows)")
    return TakenKeys(table: layout.name, keys: texts, count: count ?? 0)
  }
}
