internal import SeedSQLite

/// The keys of one table that are to be deleted at the end, unless their rows come back.
///
/// They are kept in temporary tables, which are in no file of the app's database: `fresh` has those
/// that came since rows were last parked, `pending` all others.
final class PendingKeys {
  let layout: TableLayout
  let parking: ParkingPlan?
  private let connection: Connection
  private let freshTable: String
  private let pendingTable: String
  /// The condition for a row to stay although it is to be deleted.
  private let keep: String?
  /// The rows of a snapshot's merge that were parked and are to be deleted.
  private var going: ParkedRows?
  /// Those that get their new values from it.
  private var moved: ParkedRows?
  /// The snapshot's table, where these are looked at once the rows that are held are written.
  private var movedSource: TableLayout?
  /// What the rows that stay had before they were parked.
  private let keptTable: String
  private var freshCount: Int64 = 0
  private var takeOut: Statement?
  private var hasTables = false
  /// Whether rows that wait have kept their values, since no row was known to want them.
  private var hasUnparked = false

  /// How many keys wait to be deleted, those that came last left out.
  private(set) var count: Int64 = 0

  /// How many rows have stayed although they were to be deleted.
  private(set) var keptCount: Int64 = 0

  /// The rows that wait until those that are in their way are gone.
  private(set) var held: [HeldRows] = []
  /// Tells the table from others of the merge.
  let number: Int

  /// No keys yet.
  ///
  /// - Parameters:
  ///   - layout: The table.
  ///   - number: A number that no other table of the merge has.
  ///   - keep: An SQL condition for a row to stay although it is to be deleted; nil for none.
  ///   - connection: The database, in a transaction.
  init(_ layout: TableLayout, number: Int, keep: String? = nil, _ connection: Connection) {
    self.layout = layout
    self.connection = connection
    self.keep = keep
    self.number = number
    keptTable = "temp.\"_seed_kept_\(number)\""
    parking = layout.parks ? ParkingPlan(for: layout) : nil
    pendingTable = "temp.\"_seed_pending_\(number)\""
    freshTable = parking == nil ? pendingTable : "temp.\"_seed_fresh_\(number)\""
  }

  private var tables: [String] {
    parking == nil ? [pendingTable] : [pendingTable, freshTable]
  }

  /// Makes the temporary tables when they are first needed: a segment touches few of many tables.
  private func makeTables() throws(MergeError) {
    guard !hasTables else { return }
    let columns = layout.key.map { "\($0.sql) \($0.affinity.rawValue)" }.joined(separator: ",")
    let body = "(\(columns),PRIMARY KEY(\(SQLText.list(layout.key)))) WITHOUT ROWID"
    for table in tables {
      try at { () throws(SQLiteError) in
        try connection.execute("CREATE TABLE \(table)\(body)")
      }
    }
    if let parking, keep != nil {
      // Without types, so that values stay as they are.
      let values = parking.columns.map { "," + SQLText.quoted("parked " + $0.name) }.joined()
      try at { () throws(SQLiteError) in
        try connection.execute(
          "CREATE TABLE \(keptTable)(\(columns)\(values),"
            + "PRIMARY KEY(\(SQLText.list(layout.key)))) WITHOUT ROWID")
      }
    }
    hasTables = true
    isIdle = false
  }

  /// Whether no keys wait at all: what each row of a section asks.
  private(set) var isIdle = true

  /// Whether keys have come since rows were last parked.
  var isUnsettled: Bool { freshCount > 0 }

  /// The statement that adds one key, whose values are its parameters.
  func insertion() throws(MergeError) -> Statement {
    try makeTables()
    let places = layout.key.map { _ in "?" }.joined(separator: ",")
    return try at { () throws(SQLiteError) in
      try connection.prepare("INSERT OR IGNORE INTO \(freshTable) VALUES (\(places))")
    }
  }

  /// Notes that a key was added by the statement.
  func wasAdded(_ changes: Int64) {
    if parking == nil { count += changes } else { freshCount += changes }
  }

  /// Adds the keys that a query yields.
  ///
  /// - Returns: How many there are.
  @discardableResult
  func add(_ query: String) throws(MergeError) -> Int64 {
    try makeTables()
    try at { () throws(SQLiteError) in
      try connection.prepare("INSERT OR IGNORE INTO \(freshTable) \(query)").run()
    }
    let added = connection.changes
    wasAdded(added)
    return added
  }

  /// Parks the rows of the keys that came last.
  ///
  /// - Parameters:
  ///   - source: The table in the snapshot, for rows that get their new values from it; nil for rows
  ///     that are to be deleted at the end.
  ///   - wanted: The condition for a row, `t`, to have what rows to come want, where that is known.
  ///     Others stay as they are, so that triggers and foreign keys see them go with what they had.
  /// - Throws: ``MergeError``.
  func settle(moving source: TableLayout? = nil, where wanted: String? = nil) throws(MergeError) {
    guard let parking, freshCount > 0 else { return }
    let keepsKeys = source == nil
    if keepsKeys, let keep { try remember(parking, keep) }
    if wanted != nil { hasUnparked = true }
    let condition = wanted.map { " AND (\($0))" } ?? ""
    if wanted != nil || source != nil {
      try parkNoting(parking, condition, source)
    } else {
      try at { () throws(SQLiteError) in
        try park(parking, where: addresses(in: freshTable) + condition)
      }
    }
    try at { () throws(SQLiteError) in
      if keepsKeys {
        try connection.prepare("INSERT OR IGNORE INTO \(pendingTable) SELECT * FROM \(freshTable)")
          .run()
        count += connection.changes
      }
      try connection.execute("DELETE FROM \(freshTable)")
    }
    freshCount = 0
  }

  /// Parks rows of a snapshot's merge, so that what refers to them is in the end as if all values had
  /// changed at once.
  private func parkNoting(
    _ parking: ParkingPlan, _ condition: String, _ source: TableLayout?
  ) throws(MergeError) {
    let name = source == nil ? "_seed_going_\(number)" : "_seed_moved_\(number)"
    let noted: ParkedRows
    if let there = source == nil ? going : moved {
      noted = there
    } else {
      noted = try at { () throws(SQLiteError) in
        try ParkedRows(layout, parking, name: name, number: number, connection)
      }
      if source == nil { going = noted } else { moved = noted }
    }
    try noted.add(
      addresses(in: freshTable) + condition, source: source,
      park: { (condition) throws(SQLiteError) in try park(parking, where: condition) })
  }

  /// Looks whether parked rows have got their new values, once those that are held have.
  ///
  /// - Parameter source: The table in the snapshot.
  /// - Throws: ``MergeError``, with ``MergeError/Reason/leftParked(_:)`` when a trigger of the app's
  ///   has kept them from it.
  func expectMoved(_ source: TableLayout) throws(MergeError) {
    if held.isEmpty { return try checkLeft(moved, source) }
    movedSource = source
  }

  private func checkLeft(_ rows: ParkedRows?, _ source: TableLayout?) throws(MergeError) {
    guard layout.hasTriggers, let rows else { return }
    // A row that was to go and has come back has its values from elsewhere.
    let condition = source == nil ? addresses(in: pendingTable) : "1"
    guard let left = try rows.leftBehind(source, where: condition, limit: 10) else { return }
    throw MergeError(.leftParked(left), table: layout.name)
  }

  /// Parks rows that nothing known wanted, before rows come of which nothing is known.
  func parkEarlier() throws(MergeError) {
    guard let parking, hasUnparked, count > 0 else { return }
    try at { () throws(SQLiteError) in try park(parking, where: addresses(in: pendingTable)) }
    hasUnparked = false
  }

  private func park(_ parking: ParkingPlan, where condition: String) throws(SQLiteError) {
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    do throws(SQLiteError) {
      try update(parking, "WHERE \(condition)")
    } catch {
      try connection.execute("PRAGMA ignore_check_constraints = OFF")
      throw error
    }
    try connection.execute("PRAGMA ignore_check_constraints = OFF")
  }

  private func update(_ parking: ParkingPlan, _ tail: String) throws(SQLiteError) {
    func set(_ values: String) throws(SQLiteError) {
      try layout.run(on: connection) { "UPDATE \($0)\(layout.sql) AS t SET \(values) \(tail)" }
    }
    do throws(SQLiteError) {
      try set(parking.sql)
    } catch {
      guard error.isDuplicate, let second = parking.secondSQL else { throw error }
      // The first error tells more: it may be about rows that follow.
      do throws(SQLiteError) { try set(second) } catch _ { throw error }
    }
  }

  /// The statement that takes one key out, whose values are its parameters.
  func removal() throws(MergeError) -> Statement {
    if let takeOut { return takeOut }
    let condition = layout.key.map { "\($0.sql) = ?" }.joined(separator: " AND ")
    let statement = try at { () throws(SQLiteError) in
      try connection.prepare("DELETE FROM \(pendingTable) WHERE \(condition)")
    }
    takeOut = statement
    return statement
  }

  /// Notes that a key was taken out by the statement.
  func wasTakenOut(_ changes: Int64) {
    count -= changes
  }

  /// Takes out the keys that a query yields.
  func takeOut(_ query: String) throws(MergeError) {
    guard count > 0 else { return }
    try at { () throws(SQLiteError) in
      let key = SQLText.row(layout.key.map(\.sql))
      try connection.prepare("DELETE FROM \(pendingTable) WHERE \(key) IN (\(query))").run()
    }
    count -= connection.changes
  }

  /// Notes rows of a snapshot's merge that stay, which never come here.
  func wereKept(_ count: Int64) { keptCount += count }

  /// Keeps what the rows that stay are about to lose by being parked.
  ///
  /// A row that waits already is parked already; what it had is known.
  private func remember(_ parking: ParkingPlan, _ keep: String) throws(MergeError) {
    let columns = layout.key + parking.columns
    try at { () throws(SQLiteError) in
      try connection.prepare(
        """
        INSERT OR REPLACE INTO \(keptTable) SELECT \(SQLText.list(columns, of: "t")) \
        FROM \(layout.sql) AS t WHERE \(addresses(in: freshTable)) AND (\(keep)) \
        AND NOT EXISTS (SELECT 1 FROM \(pendingTable) AS q WHERE \(layout.keyIs("t", "q")))
        """
      ).run()
    }
  }

  /// The query for a waiting row beside which rows that are brought cannot stand.
  ///
  /// Where a UNIQUE index is over nothing but columns of the key and the app's, no value can be set
  /// to park a row. What is to take its place then waits until it is gone.
  ///
  /// - Parameters:
  ///   - columns: The columns that are brought.
  ///   - source: A query or table in SQL that has the rows.
  /// - Returns: The query; nil where no row waits, or each can be parked.
  func obstruction(to columns: [LayoutColumn], from source: String) -> String? {
    guard count > 0, let isInTheWay = layout.standsInTheWay(of: columns, from: source) else {
      return nil
    }
    let stays =
      switch (keep, parking) {
      case (nil, _): ""
      case (let keep?, nil): " AND (\(keep)) IS NOT TRUE"
      // What the condition asks for may be parked already.
      case (_?, _?):
        " AND NOT EXISTS (SELECT 1 FROM \(keptTable) AS k WHERE \(layout.keyIs("t", "k")))"
      }
    return """
      SELECT 1 FROM \(layout.sql) AS t WHERE \(addresses(in: pendingTable))\(stays) \
      AND \(layout.keyValue(of: "t")) NOT IN \
      (SELECT \(SQLText.list(layout.key, of: "s")) FROM \(source) AS s) AND (\(isInTheWay)) LIMIT 1
      """
  }

  /// A place for rows that wait.
  ///
  /// - Parameter columns: The columns of the rows.
  /// - Returns: The place, without rows.
  /// - Throws: ``MergeError``.
  func makeHeldRows(_ columns: [LayoutColumn]) throws(MergeError) -> HeldRows {
    let name = "_seed_held_\(number)_\(held.count)"
    let rows = try at { () throws(SQLiteError) in
      try HeldRows(layout, columns: columns, name: name, connection)
    }
    held.append(rows)
    return rows
  }

  /// Whether a row with a key is held, by its values in the order of the key.
  func isHeld(_ key: @autoclosure () -> [BoundValue]) throws(MergeError) -> Bool {
    guard !held.isEmpty else { return false }
    let key = key()
    return try at { () throws(SQLiteError) in
      for rows in held where try rows.contains(key) { return true }
      return false
    }
  }

  /// Forgets what is held of a key whose row is to be deleted.
  func forgetHeld(_ key: @autoclosure () -> [BoundValue]) throws(SQLiteError) {
    guard !held.isEmpty else { return }
    let key = key()
    for rows in held { try rows.remove(key) }
  }

  /// Forgets all rows that are held, since all of the table is to be others.
  func forgetAllHeld() throws(MergeError) {
    try at { () throws(SQLiteError) in for rows in held { try rows.removeAll() } }
  }

  /// Writes the rows that were held, once those in their way are gone.
  ///
  /// - Returns: How many were written.
  func releaseHeld() throws(MergeError) -> Int64 {
    let written = try at { () throws(SQLiteError) in
      var written: Int64 = 0
      for rows in held { written += try rows.release() }
      return written
    }
    if let movedSource { try checkLeft(moved, movedSource) }
    return written
  }

  /// Deletes the rows whose keys are left, but for those that stay.
  ///
  /// - Returns: How many rows were deleted.
  /// - Throws: ``MergeError``; a constraint where another row has taken a unique value of one that
  ///   stays.
  func deleteRows() throws(MergeError) -> Int64 {
    guard count > 0 else { return 0 }
    if let going { try going.giveBack(addresses(in: pendingTable)) }
    guard let keep else {
      let deleted = try delete(but: "")
      try checkLeft(going, nil)
      return deleted
    }
    guard let parking else {
      keptCount += try at { () throws(SQLiteError) in
        try connection.scalarInteger(
          """
          SELECT count(*) FROM \(layout.sql) AS t \
          WHERE \(addresses(in: pendingTable)) AND (\(keep))
          """) ?? 0
      }
      return try delete(but: " AND (\(keep)) IS NOT TRUE")
    }
    let key = SQLText.row(layout.key.map(\.sql))
    let list = SQLText.list(layout.key)
    try at { () throws(SQLiteError) in
      // Rows that came back have their new values.
      try connection.execute(
        """
        DELETE FROM \(keptTable) WHERE \(key) NOT IN (SELECT \(list) FROM \(pendingTable));
        DELETE FROM \(pendingTable) WHERE \(key) IN (SELECT \(list) FROM \(keptTable))
        """)
    }
    let deleted = try delete(but: "")
    try restore(parking)
    return deleted
  }

  private func delete(but condition: String) throws(MergeError) -> Int64 {
    try at { () throws(SQLiteError) in
      try connection.prepare(
        "DELETE FROM \(layout.sql) AS t WHERE \(addresses(in: pendingTable))\(condition)"
      ).run()
    }
    return connection.changes
  }

  /// Gives the rows that stay what they had before they were parked.
  private func restore(_ parking: ParkingPlan) throws(MergeError) {
    let columns = SQLText.list(parking.columns)
    let values = parking.columns.map { "k." + SQLText.quoted("parked " + $0.name) }
    try at { () throws(SQLiteError) in
      try connection.prepare(
        """
        UPDATE \(layout.sql) AS t SET (\(columns)) = (SELECT \(values.joined(separator: ",")) \
        FROM \(keptTable) AS k WHERE \(layout.keyIs("t", "k"))) \
        WHERE \(addresses(in: keptTable))
        """
      ).run()
    }
    keptCount += connection.changes
  }

  /// Drops the temporary tables.
  func drop() throws(MergeError) {
    takeOut = nil
    try at { () throws(SQLiteError) in for rows in held { try rows.drop() } }
    held = []
    guard hasTables else { return }
    for table in tables {
      try at { () throws(SQLiteError) in try connection.execute("DROP TABLE \(table)") }
    }
    if parking != nil, keep != nil {
      try at { () throws(SQLiteError) in try connection.execute("DROP TABLE \(keptTable)") }
    }
    try going?.drop()
    try moved?.drop()
    (going, moved) = (nil, nil)
  }

  /// The condition that a row's key is, in class and bytes, among those of a temporary table.
  ///
  /// The temporary table leads, whatever SQLite knows of the sizes: it is the short one.
  private func addresses(in table: String) -> String {
    """
    \(layout.addressValue(of: "t")) IN (SELECT \(layout.address.map { "r.\($0)" }
      .joined(separator: ",")) FROM \(table) AS p CROSS JOIN \(layout.sql) AS r \
    ON \(layout.keyIs("r", "p")))
    """
  }

  private func at<Value>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(MergeError) -> Value {
    try MergeError.at(layout.name, body)
  }
}
