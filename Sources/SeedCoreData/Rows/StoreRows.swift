internal import SeedSQLite

/// Inserts the rows of a store.
///
/// Rows wait until there are enough for one statement; their texts stay where they are until then.
struct StoreRows {
  /// One table with the rows that wait.
  struct Table {
    let insert: BulkInsert
    let columnCount: Int
    /// Room for the converted values of the rows that wait.
    let scratch: UnsafeMutablePointer<UInt8>
    var rowCount: Int64 = 0
  }

  private let tables: UnsafeMutablePointer<Table>
  private let tableCount: Int
  private let joins: [BulkInsert]

  /// How many bytes a converted value takes at most.
  private static let scratchSize = AttributeConversion.scratchSize

  init(_ plan: StorePlan, _ connection: Connection) throws(SQLiteError) {
    tableCount = plan.tables.count
    tables = .allocate(capacity: max(1, tableCount))
    for (number, table) in plan.tables.enumerated() {
      let capacity = max(1, min(32, 256 / table.columns.count))
      (tables + number).initialize(
        to: Table(
          insert: try BulkInsert(
            into: SQLiteName.quotedIfNeeded(table.name),
            columns: table.columns.map(SQLiteName.quotedIfNeeded), rowCapacity: capacity,
            connection: connection),
          columnCount: table.columns.count,
          scratch: .allocate(capacity: capacity * table.columns.count * Self.scratchSize)))
    }
    var joins: [BulkInsert] = []
    for join in plan.joins {
      joins.append(
        try BulkInsert(
          into: SQLiteName.quotedIfNeeded(join.name),
          columns: join.columns.map(SQLiteName.quotedIfNeeded), rowCapacity: 32,
          connection: connection))
    }
    self.joins = joins
  }

  func deallocate() {
    for number in 0..<tableCount { tables[number].scratch.deallocate() }
    tables.deinitialize(count: tableCount)
    tables.deallocate()
  }

  /// How many rows a table has got.
  func rowCount(of table: Int) -> Int64 { tables[table].rowCount }

  /// Adds the row of an object.
  @inline(__always)
  func insert(_ object: UnsafeMutablePointer<OpenObject>, into number: Int) throws(SQLiteError) {
    let table = tables + number
    let count = table.pointee.columnCount
    let row = table.pointee.insert.row
    let cells = object.pointee.cells
    row.update(from: cells, count: count)
    let start = UnsafePointer(object.pointee.scratch)
    let end = start + count * Self.scratchSize
    for column in 0..<count {
      guard let bytes = cells[column].bytes, bytes >= start, bytes < end else { continue }
      // The object's memory serves the next one before the row goes in.
      let room =
        table.pointee.scratch
        + (table.pointee.insert.waitingCount * count + column) * Self.scratchSize
      room.update(from: bytes, count: Int(cells[column].count))
      row[column].bytes = UnsafePointer(room)
    }
    table.pointee.rowCount += 1
    guard try table.pointee.insert.add() else { preconditionFailure("a key was used twice") }
    if object.pointee.ownsBytes { try flush(number) }
  }

  private func flush(_ number: Int) throws(SQLiteError) {
    let insert = tables[number].insert
    guard insert.waitingCount > 0 else { return }
    guard try insert.flush() else { preconditionFailure("a key was used twice") }
  }

  /// Adds a row of a many-to-many relationship; orders that are 0 have no column.
  func join(
    _ number: Int, _ first: Int64, _ second: Int64, _ order: Int64, _ otherOrder: Int64
  ) throws(SQLiteError) {
    let row = joins[number].row
    var index = 0
    for value in [first, second, order, otherOrder] where value != 0 {
      row[index] = BoundValue(kind: .integer, bits: UInt64(bitPattern: value))
      index += 1
    }
    guard try joins[number].add() else { preconditionFailure("a link was made twice") }
  }

  /// Inserts all rows that wait.
  func flush() throws(SQLiteError) {
    for number in 0..<tableCount { try flush(number) }
    for join in joins where join.waitingCount > 0 {
      guard try join.flush() else { preconditionFailure("a link was made twice") }
    }
  }
}
