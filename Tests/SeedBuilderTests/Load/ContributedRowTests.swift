import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Rows that come from elsewhere, digested while they go in.
@Suite struct ContributedRowTests {
  private func digest(
    _ types: [String], key: Int?, _ rows: [[BoundValue]], isDiscarded: Bool = false
  ) -> [UInt8]? {
    let contributed = ContributedRows()
    contributed.start("t", types: types, keyColumn: key)
    for row in rows {
      row.withUnsafeBufferPointer { values in
        if let first = values.baseAddress { contributed.take(first, rowCount: 1) }
      }
    }
    if isDiscarded { contributed.discard() }
    return contributed.finish()["t"]
  }

  private func stored(_ sql: String) throws -> [UInt8] {
    let connection = try Connection.inMemory()
    try connection.execute(sql)
    return try TableContent(name: "t", isWithoutRowID: false, connection: connection).digest()
      .sha256
  }

  @Test func `rows that rise by their key have the digest of the table`() throws {
    let rows: [[BoundValue]] = [
      [.integer(3), .real(1.5), .null], [.integer(9), .real(2), .null],
    ]
    #expect(
      try digest(["INTEGER", "REAL", "TEXT"], key: 0, rows)
        == stored(
          "CREATE TABLE t(id INTEGER PRIMARY KEY, a REAL, b TEXT);"
            + "INSERT INTO t VALUES(3, 1.5, NULL), (9, 2.0, NULL)"))
  }

  @Test func `rows without such a key are numbered`() throws {
    #expect(
      try digest(
        ["INTEGER", "REAL"], key: nil, [[.integer(7), .null], [.integer(5), .real(0.5)]])
        == stored("CREATE TABLE t(a INTEGER, b REAL); INSERT INTO t VALUES(7, NULL), (5, 0.5)"))
  }

  @Test func `rows that fall, or took the place of others, are left to be read`() {
    let rows: [[BoundValue]] = [[.integer(3)], [.integer(2)]]
    #expect(digest(["INTEGER"], key: 0, rows) == nil)
    #expect(digest(["INTEGER"], key: 0, rows.reversed()) != nil)
    #expect(digest(["INTEGER"], key: 0, rows.reversed(), isDiscarded: true) == nil)
  }
}
