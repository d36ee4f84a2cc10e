internal import CSQLite

/// Inserts rows of one table, several with one run of one statement.
///
/// Starting and ending a statement takes SQLite a third of the time of an insert; a statement with
/// room for many rows spends it once for all of them. Values are bound by pointer, without a copy.
/// Confined to the thread that uses its ``Connection``.
package final class BulkInsert {
  /// The values of the rows that wait, row by row; fill the next one at ``row``.
  private let values: UnsafeMutablePointer<BoundValue>
  private let columnCount: Int
  /// How many rows one statement takes.
  package let rowCapacity: Int
  private let connection: Connection
  /// The statement up to the rows.
  private let head: String
  private let single: Statement
  private var several: Statement?
  /// How many rows wait; behind a pointer, so that no access to it is checked.
  private let waiting: UnsafeMutablePointer<Int>

  /// Prepares inserts into a table.
  ///
  /// - Parameters:
  ///   - table: The table's name as SQL writes it.
  ///   - columns: The columns' names as SQL writes them; every row has a value for each.
  ///   - rowCapacity: How many rows go into one statement.
  ///   - connection: The database.
  /// - Throws: ``SQLiteError``, when there is no such table.
  package init(
    into table: String, columns: [String], rowCapacity: Int, connection: Connection
  ) throws(SQLiteError) {
    precondition(!columns.isEmpty && rowCapacity > 0)
    self.connection = connection
    head = "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ","))) VALUES "
    columnCount = columns.count
    self.rowCapacity = rowCapacity
    single = try connection.prepare(head + Self.rows(1, columnCount: columnCount))
    values = .allocate(capacity: columnCount * rowCapacity)
    values.initialize(repeating: BoundValue(kind: .null), count: columnCount * rowCapacity)
    waiting = .allocate(capacity: 1)
    waiting.initialize(to: 0)
  }

  deinit {
    values.deallocate()
    waiting.deallocate()
  }

  private static func rows(_ rowCount: Int, columnCount: Int) -> String {
    let row = "(" + Array(repeating: "?", count: columnCount).joined(separator: ",") + ")"
    return Array(repeating: row, count: rowCount).joined(separator: ",")
  }

  /// Where the next row's values go; ``add()`` takes them.
  package var row: UnsafeMutablePointer<BoundValue> { values + waiting.pointee * columnCount }

  /// How many rows wait to be inserted.
  package var waitingCount: Int { waiting.pointee }

  /// Adds the row that was filled at ``row``; it is inserted at once, or with later ones.
  ///
  /// - Returns: False when a row was not inserted because its key was taken.
  /// - Throws: ``SQLiteError``.
  package func add() throws(SQLiteError) -> Bool {
    waiting.pointee += 1
    return waiting.pointee < rowCapacity ? true : try flush()
  }

  /// Inserts all rows that wait; their texts need not stay afterwards.
  ///
  /// - Returns: False when a row was not inserted because its key was taken.
  /// - Throws: ``SQLiteError``.
  package func flush() throws(SQLiteError) -> Bool {
    let count = waiting.pointee
    guard count > 0 else { return true }
    waiting.pointee = 0
    if count == rowCapacity, count > 1 {
      return try insert(0, count, with: preparedForSeveral())
    }
    var hasInserted = true
    for row in 0..<count {
      if try !insert(row, 1, with: single) { hasInserted = false }
    }
    return hasInserted
  }

  /// Prepared when it is first needed: most tables of a document have few rows.
  private func preparedForSeveral() throws(SQLiteError) -> Statement {
    if let several { return several }
    let statement = try connection.prepare(
      head + Self.rows(rowCapacity, columnCount: columnCount))
    several = statement
    return statement
  }

  private func insert(
    _ row: Int, _ count: Int, with statement: Statement
  ) throws(SQLiteError) -> Bool {
    let handle = statement.handle
    let first = values + row * columnCount
    for index in 0..<count * columnCount {
      let value = first + index
      let parameter = Int32(truncatingIfNeeded: index + 1)
      let code: Int32
      switch value.pointee.kind {
      case .null: code = sqlite3_bind_null(handle, parameter)
      case .integer:
        code = sqlite3_bind_int64(handle, parameter, Int64(bitPattern: value.pointee.bits))
      case .real:
        code = sqlite3_bind_double(handle, parameter, Double(bitPattern: value.pointee.bits))
      case .text:
        code = seed_sqlite3_bind_text_static(
          handle, parameter,
          UnsafeRawPointer(value.pointee.bytes)?.assumingMemoryBound(to: CChar.self),
          value.pointee.count)
      case .blob:
        code = seed_sqlite3_bind_blob_static(
          handle, parameter, UnsafeRawPointer(value.pointee.bytes), value.pointee.count)
      }
      if code != SQLITE_OK { throw statement.failure(code) }
    }
    try statement.run()
    return connection.changes == Int64(count)
  }
}
