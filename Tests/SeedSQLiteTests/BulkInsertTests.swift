import SeedSQLite
import Testing

@Suite struct BulkInsertTests {
  private func rows(
    fixed: [Int: BulkInsert.Fixed], _ count: Int
  ) throws -> [[SQLiteValue]] {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, c INTEGER, v INTEGER)")
    let insert = try BulkInsert(
      into: "t", columns: ["k", "c", "v"], fixedColumns: fixed, rowCapacity: 2,
      connection: connection)
    let values = (0..<count).flatMap { row in
      [
        BoundValue.integer(Int64(10 * (row + 1))), .integer(7), .integer(Int64(row)),
      ]
    }
    try values.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      var row = 0
      while row < count {
        let some = min(2, count - row)
        let isWhole = try insert.insert(first + row * 3, rowCount: some)
        #expect(isWhole)
        row += some
      }
    }
    return try connection.rows("SELECT * FROM t ORDER BY v")
  }

  @Test func `values are bound row by row`() throws {
    #expect(
      try rows(fixed: [:], 3) == [
        [.integer(10), .integer(7), .integer(0)], [.integer(20), .integer(7), .integer(1)],
        [.integer(30), .integer(7), .integer(2)],
      ])
  }

  @Test func `what is fixed stands in the statement, and what is left out SQLite numbers`() throws {
    #expect(
      try rows(fixed: [0: .left, 1: .integer(-3)], 3) == [
        [.integer(1), .integer(-3), .integer(0)], [.integer(2), .integer(-3), .integer(1)],
        [.integer(3), .integer(-3), .integer(2)],
      ])
  }
}
