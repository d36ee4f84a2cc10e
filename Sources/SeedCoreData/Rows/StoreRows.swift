internal import SeedBuilder
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Inserts the rows of a store, on a thread of their own.
///
/// Rows wait until there are enough for one statement; the memory that their texts lie in goes with
/// them. Until ``drain()`` returns, the connection belongs to the other thread.
final class StoreRows {
  private let inserter = RowInserter()
  /// The tables of entities, those of many-to-many relationships behind them, and that of natural
  /// keys last.
  private let buffers: UnsafeMutablePointer<RowBuffer>
  private let bufferCount: Int
  private let columnCounts: [Int]
  private let tableCount: Int
  /// What was copied for the next natural key.
  private var copies: [UnsafeMutablePointer<UInt8>] = []
  private var copiedByteCount = 0

  /// Prepares the inserting.
  ///
  /// - Parameters:
  ///   - plan: The tables.
  ///   - keyTable: The table for natural keys, if there are any.
  ///   - connection: The store.
  /// - Throws: ``SQLiteError``.
  init(
    _ plan: StorePlan, keyTable: (name: String, columns: [String])?, _ connection: Connection
  ) throws(SQLiteError) {
    var tables = plan.tables.map {
      (name: SQLiteName.quotedIfNeeded($0.name), columns: $0.columns)
    }
    tableCount = tables.count
    tables += plan.joins.map { (SQLiteName.quotedIfNeeded($0.name), $0.columns) }
    if let keyTable { tables.append(keyTable) }
    var inserts: [BulkInsert] = []
    for table in tables {
      inserts.append(
        try BulkInsert(
          into: table.name, columns: table.columns.map(SQLiteName.quotedIfNeeded),
          rowCapacity: max(1, min(32, 256 / table.columns.count)), connection: connection))
    }
    columnCounts = tables.map(\.columns.count)
    bufferCount = tables.count
    buffers = .allocate(capacity: max(1, bufferCount))
    for (number, insert) in inserts.enumerated() {
      (buffers + number).initialize(to: RowBuffer(insert: insert))
    }
  }

  deinit {
    inserter.stop()
    for copy in copies { copy.deallocate() }
    for number in 0..<bufferCount { buffers[number].deallocate() }
    buffers.deinitialize(count: bufferCount)
    buffers.deallocate()
  }

  /// Adds the row of an object.
  func insert(_ object: UnsafeMutablePointer<OpenObject>, into number: Int) throws(SQLiteError) {
    let count = object.pointee.columnCount
    let buffer = buffers + number
    buffer.pointee.open(inserter)
    guard var block = buffer.pointee.block else { return }
    let row = block.values + block.rowCount * count
    let cells = object.pointee.cells
    row.update(from: cells, count: count)
    // The object's memory serves the next one before the row goes in.
    for column in object.pointee.scratchColumns {
      guard let bytes = cells[column].bytes else { continue }
      let length = Int(cells[column].count)
      block.freeScratch.update(from: bytes, count: length)
      row[column] = .blob(UnsafePointer(block.freeScratch), count: length)
      block.keepScratch(length)
    }
    block.rowCount += 1
    buffer.pointee.block = block
    guard buffer.pointee.isFull || object.pointee.ownsBytes else { return }
    try buffer.pointee.flush(to: inserter, table: number)
    // Behind the row: what goes before it may be let go of before it.
    if object.pointee.ownsBytes {
      try inserter.keep(object.pointee.takeOwned(), byteCount: object.pointee.byteCount)
    }
  }

  /// Adds a row of a many-to-many relationship; orders that are 0 have no column.
  func join(
    _ number: Int, _ first: Int64, _ second: Int64, _ order: Int64, _ otherOrder: Int64
  ) throws(SQLiteError) {
    try add(to: tableCount + number) { row in
      row[0] = .integer(first)
      row[1] = .integer(second)
      var index = 2
      if order != 0 {
        row[index] = .integer(order)
        index += 1
      }
      if otherOrder != 0 { row[index] = .integer(otherOrder) }
    }
  }

  /// Adds a natural key, with the copies that were made for it.
  func note(_ fill: (UnsafeMutablePointer<BoundValue>) -> Void) throws(SQLiteError) {
    try add(to: bufferCount - 1, fill)
    guard !copies.isEmpty else { return }
    try buffers[bufferCount - 1].flush(to: inserter, table: bufferCount - 1)
    try inserter.keep(copies, byteCount: copiedByteCount)
    copies = []
    copiedByteCount = 0
  }

  private func add(
    to number: Int, _ fill: (UnsafeMutablePointer<BoundValue>) -> Void
  ) throws(SQLiteError) {
    let buffer = buffers + number
    buffer.pointee.open(inserter)
    guard var block = buffer.pointee.block else { return }
    fill(block.values + block.rowCount * columnCounts[number])
    block.rowCount += 1
    buffer.pointee.block = block
    if buffer.pointee.isFull { try buffer.pointee.flush(to: inserter, table: number) }
  }

  /// A copy of some bytes for the natural key that is added next.
  func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8> {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
    if let base = bytes.baseAddress { copy.update(from: base, count: bytes.count) }
    copies.append(copy)
    copiedByteCount += bytes.count
    return UnsafePointer(copy)
  }

  // MARK: Batches

  /// Hands on all rows that wait, and the batch that they came in, which goes back to its channel.
  func endBatch(_ batch: TokenBatch, of channel: HandoffChannel<TokenBatch>) throws(SQLiteError) {
    for number in 0..<bufferCount {
      try buffers[number].flush(to: inserter, table: number)
    }
    try inserter.keep(batch, of: channel)
  }

  /// Waits until all rows are in; the connection is free then.
  func drain() throws(SQLiteError) {
    for number in 0..<bufferCount { try buffers[number].flush(to: inserter, table: number) }
    try inserter.drain()
    precondition(inserter.takeRefusedTables().isEmpty, "a key was used twice")
  }

  /// Ends the thread, whatever is in.
  func stop() { inserter.stop() }
}
