internal import SeedSQLite

/// Rows of one section, or of a snapshot, that cannot stand beside rows which wait to be deleted.
///
/// Where a UNIQUE index is over nothing but columns of the key and the app's, no value can be set
/// to park a row. What is to take its place then waits here, in a temporary table, until it is gone:
/// were the old row deleted at once, ON DELETE actions would take along what still refers to it and
/// is about to refer to another one.
final class HeldRows {
  private let layout: TableLayout
  /// The columns of the rows.
  private let columns: [LayoutColumn]
  private let connection: Connection
  private let table: String
  private let insertion: Statement
  private let search: Statement
  private let removal: Statement

  /// How many rows wait; more than there are where a row came twice.
  private(set) var count: Int64 = 0
  /// How many of them are no news to who counts what is written.
  private var countedCount: Int64 = 0

  /// No rows yet.
  ///
  /// - Parameters:
  ///   - layout: The table.
  ///   - columns: The columns of the rows, those of the key among them.
  ///   - name: A name that no other temporary table has.
  ///   - connection: The database.
  /// - Throws: ``SQLiteError``.
  init(
    _ layout: TableLayout, columns: [LayoutColumn], name: String, _ connection: Connection
  ) throws(SQLiteError) {
    self.layout = layout
    self.columns = columns
    self.connection = connection
    let table = "temp.\(SQLText.quoted(name))"
    self.table = table
    // Keys are compared as the table has them; all other values stay as they came.
    let isKey = Set(layout.key.map(\.name))
    let definitions = columns.map { column in
      isKey.contains(column.name) ? "\(column.sql) \(column.affinity.rawValue)" : column.sql
    }
    try connection.execute(
      "CREATE TABLE \(table)(\(definitions.joined(separator: ",")),"
        + "UNIQUE(\(SQLText.list(layout.key))))")
    let places = columns.map { _ in "?" }.joined(separator: ",")
    let condition = layout.key.map { "\($0.sql) = ?" }.joined(separator: " AND ")
    insertion = try connection.prepare("INSERT OR REPLACE INTO \(table) VALUES (\(places))")
    search = try connection.prepare("SELECT 1 FROM \(table) WHERE \(condition)")
    removal = try connection.prepare("DELETE FROM \(table) WHERE \(condition)")
  }

  /// Keeps a row, in the place of one with its key.
  func add(_ row: UnsafePointer<BoundValue>) throws(SQLiteError) {
    try insertion.bindUncopied(row, count: columns.count)
    try insertion.run()
    count += 1
  }

  /// Keeps the rows that a query yields.
  func add(_ query: String) throws(SQLiteError) {
    try connection.prepare("INSERT OR REPLACE INTO \(table) \(query)").run()
    count += connection.changes
  }

  /// Notes that the rows are counted as written already.
  func wereCounted() { countedCount = count }

  /// Whether a row with a key waits.
  func contains(_ key: [BoundValue]) throws(SQLiteError) -> Bool {
    guard count > 0 else { return false }
    try bind(key, to: search)
    let isThere = try search.step()
    search.reset()
    return isThere
  }

  /// Forgets the row with a key, which is to be deleted.
  func remove(_ key: [BoundValue]) throws(SQLiteError) {
    guard count > 0 else { return }
    try bind(key, to: removal)
    try removal.run()
    count -= connection.changes
  }

  /// Forgets all rows.
  func removeAll() throws(SQLiteError) {
    guard count > 0 else { return }
    try connection.execute("DELETE FROM \(table)")
    count = 0
  }

  /// Writes the rows, in the order in which they came.
  ///
  /// - Returns: How many were written, without those that were counted.
  func release() throws(SQLiteError) -> Int64 {
    guard count > 0 else { return 0 }
    let columns = SQLText.list(columns)
    var written: Int64 = 0
    var condition = "1"
    if layout.hasTriggers {
      // As of a snapshot's rows: an upsert overrules the clauses inside of triggers.
      if layout.update(setting: updated, from: table) != nil {
        try layout.run(on: connection) { clause in
          layout.update(setting: updated, from: table, clause: clause) ?? ""
        }
        written = connection.changes
      }
      condition =
        "NOT EXISTS (SELECT 1 FROM \(layout.sql) AS t WHERE \(layout.keyEquals("t", "s")))"
    }
    try layout.run(on: connection) { clause in
      layout.upsert(
        self.columns, setting: updated,
        from: "SELECT \(columns) FROM \(table) AS s NOT INDEXED WHERE \(condition)", clause: clause)
    }
    return max(written + connection.changes - countedCount, 0)
  }

  /// What of the rows is set in one that is there; further columns are a new row's alone.
  private var updated: [LayoutColumn] {
    let declared = Set(layout.columns.map(\.name))
    return columns.filter { declared.contains($0.name) }
  }

  /// Drops the temporary table.
  func drop() throws(SQLiteError) {
    try connection.execute("DROP TABLE \(table)")
  }

  private func bind(_ key: [BoundValue], to statement: Statement) throws(SQLiteError) {
    for (index, value) in key.enumerated() {
      try statement.bindUncopied(Int32(index + 1), value)
    }
  }
}
