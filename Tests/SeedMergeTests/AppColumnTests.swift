import SeedMerge
import SeedSQLite
import Testing

/// Columns of the app's that a new row would have to have a value for.
@Suite struct AppColumnTests {
  private static let schemas = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, price INTEGER, mine INTEGER NOT NULL)",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, price INTEGER, mine INTEGER CHECK(mine IS NOT NULL))",
    "CREATE TABLE t(id TEXT PRIMARY KEY, price INTEGER UNIQUE, mine INTEGER NOT NULL) "
      + "WITHOUT ROWID",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, price INTEGER, mine INTEGER, "
      + "twice INTEGER NOT NULL AS (mine * 2))",
  ]
  private static let rows =
    "INSERT INTO t(id, price, mine) VALUES (1, 10, 7), (2, 20, 8), (3, 30, 9)"
  private static let table = DeclaredTable(name: "t", key: ["id"], columns: ["id", "price"])

  private static func content(_ bench: MergeBench) throws -> [String] {
    try bench.rows("SELECT CAST(id AS INTEGER), price, mine FROM t ORDER BY id")
  }

  @Test(arguments: schemas)
  func `rows that are there change, whatever a new one would lack`(schema: String) throws {
    let bench = try MergeBench(schema, rows: Self.rows)
    let counts = try bench.merge([Self.table]) { merge in
      try merge.deletion(from: "t", columns: ["id"]).add([.integer(3)])
      let upsert = try merge.upsert(into: "t", columns: ["id", "price"])
      let first = try upsert.add([.integer(1), .integer(11)])
      let second = try upsert.add([.integer(2), .integer(20)])
      #expect(first)
      #expect(!second)
    }
    #expect(try Self.content(bench) == ["1 11 7", "2 20 8"])
    #expect(counts.written == 1)
    #expect(counts.unchanged == 1)
    try bench.expectSound()
  }

  @Test(arguments: schemas)
  func `rows that are there become a snapshot's, whatever a new one would lack`(schema: String)
    throws
  {
    let bench = try MergeBench(schema, rows: Self.rows)
    let snapshot = try bench.snapshot(
      "INSERT INTO t(id, price, mine) VALUES (1, 20, 0), (2, 10, 0), (3, 30, 0)")
    let counts = try bench.merge([Self.table], snapshot: snapshot)
    #expect(try Self.content(bench) == ["1 20 7", "2 10 8", "3 30 9"])
    #expect(counts.written == 2)
    #expect(counts.inserted == 0)
    try bench.expectSound()
  }

  @Test(arguments: schemas)
  func `a new row that lacks a value is an error, and nothing is applied`(schema: String) throws {
    let bench = try MergeBench(schema, rows: Self.rows)
    let snapshot = try bench.snapshot(
      "INSERT INTO t(id, price, mine) VALUES (1, 11, 0), (4, 40, 0)")
    let whole = #expect(throws: MergeError.self) {
      try bench.merge([Self.table], snapshot: snapshot)
    }
    let byRow = #expect(throws: MergeError.self) {
      try bench.merge([Self.table]) { merge in
        let upsert = try merge.upsert(into: "t", columns: ["id", "price"])
        try upsert.add([.integer(1), .integer(11)])
        try upsert.add([.integer(4), .integer(40)])
      }
    }
    for error in [whole, byRow] {
      switch error?.reason {
      case .constraint(.notNull, _)?, .constraint(.check, _)?: break
      default: Issue.record("\(String(describing: error))")
      }
    }
    #expect(try Self.content(bench) == ["1 10 7", "2 20 8", "3 30 9"])
  }

  @Test func `a value that the table does not take is an error in a row that is there, too`() throws
  {
    let bench = try MergeBench(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, price INTEGER NOT NULL, mine INTEGER NOT NULL)",
      rows: Self.rows)
    let error = #expect(throws: MergeError.self) {
      try bench.merge([Self.table]) { merge in
        try merge.upsert(into: "t", columns: ["id", "price"]).add([.integer(1), .null])
      }
    }
    #expect(error?.reason == .constraint(.notNull, message: "NOT NULL constraint failed: t.price"))
    #expect(try Self.content(bench) == ["1 10 7", "2 20 8", "3 30 9"])
  }
}
