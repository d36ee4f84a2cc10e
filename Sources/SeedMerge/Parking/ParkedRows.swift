internal import SeedSQLite

/// Rows of a snapshot's merge that are parked: what they had before, and what they are parked with.
///
/// They lie in a temporary table with the columns of the key, `old …` and `parked …`.
final class ParkedRows {
  private let layout: TableLayout
  private let parking: ParkingPlan
  private let following: FollowingRows
  private let connection: Connection
  private let table: String

  /// No rows yet.
  ///
  /// - Parameters:
  ///   - layout: The table.
  ///   - parking: What its rows are parked with.
  ///   - name: A name that no other temporary table has.
  ///   - number: A number that no other table of the merge has.
  ///   - connection: The database.
  /// - Throws: ``SQLiteError``.
  init(
    _ layout: TableLayout, _ parking: ParkingPlan, name: String, number: Int,
    _ connection: Connection
  ) throws(SQLiteError) {
    self.layout = layout
    self.parking = parking
    self.connection = connection
    table = "temp.\(SQLText.quoted(name))"
    following = try FollowingRows(layout, parked: parking.columns, number: number, connection)
    let keys = layout.key.map { "\($0.sql) \($0.affinity.rawValue)" }
    // Without types, so that values stay as they are.
    let values = parking.columns.flatMap { [Self.old($0), Self.parked($0)] }
    try connection.execute(
      "CREATE TABLE \(table)(\((keys + values).joined(separator: ",")),"
        + "PRIMARY KEY(\(SQLText.list(layout.key)))) WITHOUT ROWID")
  }

  private static func old(_ column: LayoutColumn) -> String { SQLText.quoted("old " + column.name) }
  private static func parked(_ column: LayoutColumn) -> String {
    SQLText.quoted("parked " + column.name)
  }

  /// Notes rows and has them parked.
  ///
  /// - Parameters:
  ///   - rows: The condition for a row, `t`, to be parked.
  ///   - source: The table in the snapshot, for rows that get their new values from it.
  ///   - park: Parks the rows that fulfil a condition.
  /// - Throws: ``MergeError``.
  func add(
    _ rows: String, source: TableLayout?, park: (String) throws(SQLiteError) -> Void
  ) throws(MergeError) {
    let noted = layout.key + parking.columns
    let names = layout.key.map(\.sql) + parking.columns.map(Self.old)
    let count = try at { () throws(SQLiteError) in
      try connection.prepare(
        """
        INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ","))) \
        SELECT \(SQLText.list(noted, of: "t")) FROM \(layout.sql) AS t WHERE \(rows)
        """
      ).run()
      return connection.changes
    }
    guard count > 0 else { return }
    try at { () throws(SQLiteError) in
      try following.keep(rows, source)
      try park(rows)
    }
    try following.restore()
    let set = parking.columns.map { "\(Self.parked($0)) = t.\($0.sql)" }.joined(separator: ", ")
    try at { () throws(SQLiteError) in
      try connection.prepare(
        "UPDATE \(table) AS w SET \(set) FROM \(layout.sql) AS t WHERE \(layout.keyEquals("t", "w"))"
      ).run()
    }
  }

  /// Gives rows that are about to go what they had, as far as nobody has taken it.
  ///
  /// ON DELETE then finds what refers to it. What follows the others gets the row that has taken it.
  ///
  /// - Parameter going: The condition for a row, `t`, to go.
  /// - Throws: ``MergeError``.
  func giveBack(_ going: String) throws(MergeError) {
    let references = try at { () throws(SQLiteError) in
      try InboundKeys(layout, connection).references
    }
    let names = Set(parking.columns.map(\.name))
    var done: Set<[String]> = []
    for reference in references where done.insert(reference.parentNames.sorted()).inserted {
      let columns = reference.columns.map(\.parent)
      let parked = columns.filter { names.contains($0.name) }
      guard !parked.isEmpty else { continue }
      try at { () throws(SQLiteError) in try giveBack(columns, parked, going) }
    }
    try at { () throws(SQLiteError) in
      try following.handOver(
        from: table, value: { names.contains($0.name) ? Self.old($0) : nil }, going: going)
    }
  }

  private func giveBack(
    _ columns: [LayoutColumn], _ parked: [LayoutColumn], _ going: String
  ) throws(SQLiteError) {
    let names = Set(parked.map(\.name))
    let taken = columns.map { column in
      "x.\(column.sql) = \(names.contains(column.name) ? "w.\(Self.old(column))" : "t.\(column.sql)")"
    }
    let set = parked.map { "\($0.sql) = w.\(Self.old($0))" }.joined(separator: ", ")
    do throws(SQLiteError) {
      try layout.run(on: connection) { clause in
        """
        UPDATE \(clause)\(layout.sql) AS t SET \(set) FROM \(table) AS w \
        WHERE \(layout.keyEquals("t", "w")) AND \(going) AND NOT EXISTS \
        (SELECT 1 FROM \(layout.sql) AS x WHERE \(taken.joined(separator: " AND ")))
        """
      }
    } catch {
      // An index over an expression has a value that others have; what refers to the rows is then
      // found to dangle.
      guard error.isDuplicate else { throw error }
    }
  }

  /// Finds rows that have not got rid of what they were parked with.
  ///
  /// - Parameters:
  ///   - source: The table in the snapshot, for rows that were to get values from it; nil for rows
  ///     that were to go.
  ///   - condition: A further condition for a row, `t`.
  ///   - limit: How many keys are told.
  /// - Returns: Nil if there are none.
  /// - Throws: ``MergeError``.
  func leftBehind(
    _ source: TableLayout?, where condition: String, limit: Int
  ) throws(MergeError) -> TakenKeys? {
    var join = ""
    let isLeft = parking.columns.map { column in
      let differs = "t.\(column.sql) IS w.\(Self.parked(column))"
      guard source != nil else {
        return "(\(differs) AND t.\(column.sql) IS NOT w.\(Self.old(column)))"
      }
      return "(\(differs) AND s.\(column.sql) IS NOT w.\(Self.parked(column)))"
    }
    if let source { join = "JOIN \(source.sql) AS s ON \(layout.keyEquals("t", "s"))" }
    let rows = """
      FROM \(table) AS w CROSS JOIN \(layout.sql) AS t ON \(layout.keyEquals("t", "w")) \(join) \
      WHERE (\(isLeft.joined(separator: " OR "))) AND \(condition)
      """
    return try at { () throws(SQLiteError) in
      try TakenKeys.find(rows, as: "t", of: layout, limit: limit, connection)
    }
  }

  /// Drops the temporary table.
  func drop() throws(MergeError) {
    try at { () throws(SQLiteError) in try connection.execute("DROP TABLE \(table)") }
  }

  private func at<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(MergeError) -> Value {
    try MergeError.at(layout.name, body)
  }
}
