internal import SeedBuilder
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Inserts the rows of a store, on a thread of their own.
///
/// Rows wait until there are enough for one statement; the memory that their texts lie in goes with
/// them. Until ``drain()`` returns, the connection belongs to the other thread.
final class StoreRows {
  /// A column of an entity's objects.
  struct KeyColumn: Hashable {
    /// The entity's id.
    var entity: Int64
    var column: Int
  }

  private let plan: StorePlan
  private let connection: Connection
  private let inserter = RowInserter()
  /// The tables of entities, those of many-to-many relationships behind them, and that of natural
  /// keys last.
  private let buffers: UnsafeMutablePointer<RowBuffer>
  private let bufferCount: Int
  private let columnCounts: [Int]
  private let tableCount: Int
  /// What is noted of the tables, in the order of the buffers; of natural keys nothing is.
  private let tallies: UnsafeMutablePointer<TableTally>
  private let tallyCount: Int
  private let hasher = RowHasher()
  /// The number of the objects of each entity, by its id.
  private let objectCounts: UnsafeMutablePointer<Int64>
  /// More tables than these are not expected to have many rows each, and are read at the end.
  private static let mostDigests = 64
  /// Which tables of entities SQLite numbers the rows of, which is faster than to tell it: as long as
  /// the objects come in the order of their keys.
  private let numberItselves: UnsafeMutablePointer<Bool>
  /// The columns of required keys in which a row had nothing.
  private(set) var missingKeys: Set<KeyColumn> = []
  /// What was copied for the next natural key.
  private var copies: [UnsafeMutablePointer<UInt8>] = []
  private var copiedByteCount = 0

  /// Prepares the inserting.
  ///
  /// - Parameters:
  ///   - plan: The tables.
  ///   - keyTable: The table for natural keys, if there are any.
  ///   - connection: The store.
  ///   - hasPlannedColumns: Whether the tables have just the columns of the plan, in its order.
  /// - Throws: ``SQLiteError``.
  init(
    _ plan: StorePlan, keyTable: (name: String, columns: [String])?, _ connection: Connection,
    hasPlannedColumns: Bool
  ) throws(SQLiteError) {
    self.plan = plan
    self.connection = connection
    tableCount = plan.tables.count
    numberItselves = .allocate(capacity: max(1, tableCount))
    var inserts: [BulkInsert] = []
    for number in 0..<tableCount {
      numberItselves[number] = plan.tables[number].columns.count > Self.fixedColumnCount
      inserts.append(
        try Self.insert(number, plan, connection, numbersItself: numberItselves[number]))
    }
    var others = plan.joins.map { (name: SQLiteName.quotedIfNeeded($0.name), columns: $0.columns) }
    if let keyTable { others.append(keyTable) }
    for table in others {
      inserts.append(
        try BulkInsert(
          into: table.name, columns: table.columns.map(SQLiteName.quotedIfNeeded),
          rowCapacity: Self.rowCapacity(table.columns.count), connection: connection))
    }
    columnCounts = inserts.map(\.columnCount)
    bufferCount = inserts.count
    buffers = .allocate(capacity: max(1, bufferCount))
    for (number, insert) in inserts.enumerated() {
      (buffers + number).initialize(to: RowBuffer(insert: insert))
    }
    let affinities =
      plan.tables.map(\.affinities) + plan.joins.map { $0.columns.map { _ in .number } }
    tallyCount = affinities.count
    tallies = .allocate(capacity: max(1, tallyCount))
    for (number, affinities) in affinities.enumerated() {
      let isDigested = hasPlannedColumns && number < Self.mostDigests
      (tallies + number).initialize(
        to: TableTally(affinities, hasher: isDigested ? hasher : nil, isDigested: isDigested))
    }
    let idCount = (plan.layout.entities.map(\.id).max() ?? 0) + 1
    objectCounts = .allocate(capacity: idCount)
    objectCounts.initialize(repeating: 0, count: idCount)
  }

  /// `Z_PK`, `Z_ENT` and `Z_OPT`.
  private static let fixedColumnCount = SystemTables.entityColumns.count

  private static func rowCapacity(_ columnCount: Int) -> Int { max(1, min(32, 256 / columnCount)) }

  /// The statement for the objects of a table; what all of them have in common stands in it.
  private static func insert(
    _ number: Int, _ plan: StorePlan, _ connection: Connection, numbersItself: Bool
  ) throws(SQLiteError) -> BulkInsert {
    let table = plan.tables[number]
    var fixed: [Int: BulkInsert.Fixed] = [:]
    if table.columns.count > fixedColumnCount {
      fixed[StorePlan.versionColumn] = .integer(1)
      let ids = plan.entities.filter { $0.table == number && !$0.layout.isAbstract }.map(
        \.layout.id)
      if ids.count == 1 { fixed[StorePlan.entityColumn] = .integer(Int64(ids[0])) }
      if numbersItself { fixed[StorePlan.keyColumn] = .left }
    }
    return try BulkInsert(
      into: SQLiteName.quotedIfNeeded(table.name),
      columns: table.columns.map(SQLiteName.quotedIfNeeded), fixedColumns: fixed,
      rowCapacity: rowCapacity(table.columns.count), connection: connection)
  }

  deinit {
    numberItselves.deallocate()
    inserter.stop()
    hasher.finish()
    for number in 0..<tallyCount { tallies[number].deallocate() }
    tallies.deinitialize(count: tallyCount)
    tallies.deallocate()
    objectCounts.deallocate()
    for copy in copies { copy.deallocate() }
    for number in 0..<bufferCount { buffers[number].deallocate() }
    buffers.deinitialize(count: bufferCount)
    buffers.deallocate()
  }

  /// Adds the row of an object.
  func insert(_ object: UnsafeMutablePointer<OpenObject>, into number: Int) throws(SQLiteError) {
    let count = object.pointee.columnCount
    if numberItselves[number], object.pointee.key != tallies[number].rowCount + 1 {
      try giveKeys(number)
    }
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
    tallies[number].add(row, key: object.pointee.key)
    objectCounts[Int(object.pointee.id)] += 1
    guard block.rowCount == block.rowCapacity || object.pointee.ownsBytes else { return }
    try buffer.pointee.flush(to: inserter, table: number)
    // Behind the row: what goes before it may be let go of before it.
    if object.pointee.ownsBytes {
      try inserter.keep(object.pointee.takeOwned(), byteCount: object.pointee.byteCount)
    }
  }

  /// Gives the further rows of a table their keys: they do not come in the order of these any more.
  @inline(never)
  private func giveKeys(_ number: Int) throws(SQLiteError) {
    numberItselves[number] = false
    try buffers[number].flush(to: inserter, table: number)
    // The connection is needed for the statement.
    try inserter.drain()
    buffers[number].insert = try Self.insert(number, plan, connection, numbersItself: false)
  }

  /// Notes that an object lacks another one at a relationship that is not optional.
  @inline(never)
  func noteMissingKey(ofEntity id: Int64, column: Int) {
    missingKeys.insert(KeyColumn(entity: id, column: column))
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
      tallies[tableCount + number].add(row)
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

  // MARK: What went in

  /// The number of rows that went into each table, with their digests where they are known.
  ///
  /// - Precondition: No row follows.
  func finishedTallies() -> [String: (count: Int64, rows: TableTally.Rows?)] {
    hasher.finish()
    let names = plan.tables.map(\.name) + plan.joins.map(\.name)
    return Dictionary(
      uniqueKeysWithValues: names.enumerated().map { number, name in
        (name, (tallies[number].rowCount, tallies[number].rows))
      })
  }

  /// The number of the objects of the entity with an id.
  func objectCount(ofEntity id: Int) -> Int64 { objectCounts[id] }

  /// Ends the thread, whatever is in.
  func stop() { inserter.stop() }
}
