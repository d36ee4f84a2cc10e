import SeedInput
import SeedModel
import SeedSQLite
import Testing

@testable import SeedBuilder

@Suite struct RowInserterTests {
  /// A database with tables of two columns, and what inserts rows into them.
  private struct Target {
    let connection: Connection
    let inserts: [BulkInsert]

    init(tableCount: Int = 1, rowCapacity: Int = 1, types: String = "a, b") throws {
      let connection = try Connection.inMemory()
      self.connection = connection
      for table in 0..<tableCount { try connection.execute("CREATE TABLE t\(table) (\(types))") }
      inserts = try (0..<tableCount).map {
        try BulkInsert(
          into: "t\($0)", columns: ["a", "b"], rowCapacity: rowCapacity, connection: connection)
      }
    }

    func numbers(_ sql: String) throws -> [[SQLiteValue]] { try connection.rows(sql) }
  }

  private func append(
    _ rows: [(Int64, Int64)], to inserter: RowInserter, _ target: Target, table: Int = 0
  ) throws {
    var buffer = RowBuffer()
    buffer.insert = target.inserts[table]
    for row in rows {
      buffer.open(inserter)
      buffer.add(row.0, row.1)
      if buffer.isFull { try buffer.flush(to: inserter, table: table) }
    }
    try buffer.flush(to: inserter, table: table)
    buffer.deallocate()
  }

  private func batchChannel() -> HandoffChannel<TokenBatch> {
    HandoffChannel(
      depth: 4, mostBytes: .max, byteCount: { $0.byteCount }, make: TokenBatch.init,
      free: { $0.deallocate() })
  }

  @Test(arguments: [1, 2, 7, 100], [1, 3, 32])
  func `rows go in in the order in which they come`(
    parcelValueCount: Int, rowCapacity: Int
  ) throws {
    let target = try Target(tableCount: 2, rowCapacity: rowCapacity)
    let inserter = RowInserter(parcelValueCount: parcelValueCount)
    for number in Int64(0)..<500 {
      try append([(number, 2 * number)], to: inserter, target, table: Int(number % 2))
    }
    try inserter.drain()
    #expect(inserter.hasThread)
    for table in 0..<2 {
      #expect(
        try target.numbers("SELECT a, b FROM t\(table) ORDER BY rowid")
          == (Int64(0)..<250).map {
            [.integer(2 * $0 + Int64(table)), .integer(4 * $0 + 2 * Int64(table))]
          })
    }
  }

  @Test func `few rows go in without a thread`() throws {
    let target = try Target()
    let inserter = RowInserter(parcelValueCount: 7)
    try append([(1, 2), (3, 4)], to: inserter, target)
    try append([(5, 6)], to: inserter, target)
    try inserter.drain()
    #expect(!inserter.hasThread)
    #expect(try target.numbers("SELECT count(*) FROM t0") == [[.integer(3)]])
    try append([(1, 2), (3, 4), (5, 6), (7, 8)], to: inserter, target)
    #expect(inserter.hasThread)
    try inserter.drain()
    #expect(try target.numbers("SELECT count(*) FROM t0") == [[.integer(7)]])
  }

  @Test func `the connection is free after each draining`() throws {
    let target = try Target()
    let inserter = RowInserter(parcelValueCount: 2)
    for round in Int64(1)...200 {
      try append([(round, 0), (round, 1)], to: inserter, target)
      try inserter.drain()
      #expect(try target.connection.scalarInteger("SELECT count(*) FROM t0") == 2 * round)
    }
  }

  @Test(arguments: [1, 1_000])
  func `a batch and texts stay until the rows are in`(parcelValueCount: Int) throws {
    let target = try Target()
    let inserter = RowInserter(parcelValueCount: parcelValueCount)
    let channel = batchChannel()
    for number in 0..<300 {
      let batch = channel.deliver(TokenBatch()) ?? TokenBatch()
      channel.next()?.deallocate()
      let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
      batch.bytes[0] = UInt8(ascii: "a") + UInt8(number % 26)
      text[0] = UInt8(ascii: "A") + UInt8(number % 26)
      var block = inserter.takeBlock(rowCapacity: 1, columnCount: 2)
      block.values[0] = .text(UnsafePointer(batch.bytes), count: 1)
      block.values[1] = .text(UnsafePointer(text), count: 1)
      block.rowCount = 1
      try inserter.append(block, target.inserts[0])
      try inserter.keep([text], byteCount: 1)
      try inserter.keep(batch, of: channel)
    }
    try inserter.drain()
    #expect(try target.numbers("SELECT count(*) FROM t0 WHERE b = upper(a)") == [[.integer(300)]])
    #expect(
      try target.numbers("SELECT count(*) FROM t0 WHERE unicode(a) = 97 + (rowid - 1) % 26")
        == [[.integer(300)]])
  }

  @Test func `a huge row is in before the next is put together`() throws {
    let target = try Target()
    let inserter = RowInserter(parcelValueCount: 2)
    try append([(0, 0)], to: inserter, target)
    #expect(inserter.hasThread)
    for number in Int64(1)...5 {
      let count = 2 << 20
      let text = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
      text.initialize(repeating: UInt8(ascii: "x"), count: count)
      var block = inserter.takeBlock(rowCapacity: 1, columnCount: 2)
      block.values[0] = .text(UnsafePointer(text), count: count)
      block.values[1] = .null
      block.rowCount = 1
      try inserter.append(block, target.inserts[0])
      try inserter.keep([text], byteCount: count)
      // Not drained: nothing is under way all the same.
      #expect(try target.connection.scalarInteger("SELECT count(*) FROM t0") == number + 1)
    }
  }

  @Test(arguments: [1, 1_000])
  func `a taken key is known after draining`(parcelValueCount: Int) throws {
    let target = try Target(tableCount: 3, rowCapacity: 4, types: "a INTEGER PRIMARY KEY, b")
    let inserter = RowInserter(parcelValueCount: parcelValueCount)
    for table in 0..<3 {
      try append([(1, 0), (2, 0), (3, 0)], to: inserter, target, table: table)
    }
    try append([(4, 0), (2, 1), (5, 0)], to: inserter, target, table: 1)
    try inserter.drain()
    #expect(inserter.takeRefusedTables() == [1])
    #expect(inserter.takeRefusedTables() == [])
    #expect(try target.numbers("SELECT count(*) FROM t1") == [[.integer(5)]])
  }

  @Test(arguments: [1, 100, 1_000_000])
  func `a full database fails every call from then on`(parcelValueCount: Int) throws {
    let target = try Target()
    try target.connection.execute("PRAGMA max_page_count = 20")
    let inserter = RowInserter(parcelValueCount: parcelValueCount)
    var failure: SQLiteError?
    do throws(SQLiteError) {
      let channel = batchChannel()
      for number in Int64(0)..<100_000 {
        var block = inserter.takeBlock(rowCapacity: 1, columnCount: 2)
        block.values[0] = .integer(number)
        block.values[1] = .integer(number)
        block.rowCount = 1
        try inserter.append(block, target.inserts[0])
        if number % 100 == 0 { try inserter.keep(TokenBatch(), of: channel) }
      }
    } catch { failure = error }
    #expect(failure?.isDiskFull == true)
    #expect { try inserter.drain() } throws: { ($0 as? SQLiteError)?.isDiskFull == true }
    #expect { try inserter.drain() } throws: { ($0 as? SQLiteError)?.isDiskFull == true }
    inserter.stop()
  }

  @Test func `whoever gives up in the middle waits for nothing`() throws {
    for parcelCount in [0, 1, 20] {
      let target = try Target()
      do {
        let inserter = RowInserter(parcelValueCount: 2)
        for number in 0..<Int64(parcelCount) { try append([(number, 0)], to: inserter, target) }
      }
      // The thread is gone, and with it whatever used the connection.
      let count = try target.connection.scalarInteger("SELECT count(*) FROM t0")
      #expect((0...Int64(parcelCount)).contains(count ?? -1))
    }
  }
}
