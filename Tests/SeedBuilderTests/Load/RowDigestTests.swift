import SeedFormat
import SeedSQLite
import Testing

@testable import SeedBuilder

@Suite struct RowDigestTests {
  private static let values: [SQLiteValue] = [
    .integer(-7), .real(0.5), .text("é"), .text(""), .text(String(repeating: "x", count: 511)),
    .text(String(repeating: "y", count: 100_000)), .null, .integer(.max),
  ]

  /// What a table with these rows has for a digest when it is read.
  private func digestOfTable(_ rows: [[SQLiteValue]]) throws -> (count: Int64, sha256: [UInt8]) {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c)")
    for (number, row) in rows.enumerated() {
      try connection.run(
        "INSERT INTO t VALUES (?, ?, ?, ?)", .integer(Int64(number) * 3), row[0], row[1], row[2])
    }
    return try TableContent(name: "t", isWithoutRowID: false, connection: connection).digest()
  }

  private func feed(_ value: SQLiteValue, _ column: Int, to digest: inout RowDigest) {
    switch value {
    case .integer(let number):
      digest.number(column, UInt8(ascii: "i"), UInt64(bitPattern: number))
    case .real(let number): digest.number(column, UInt8(ascii: "d"), number.bitPattern)
    case .text(let text):
      var text = text
      text.withUTF8 { bytes in
        // An empty text may lie anywhere.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { empty in
          guard let base = bytes.baseAddress ?? UnsafePointer(empty.baseAddress) else { return }
          digest.bytes(column, UInt8(ascii: "t"), base, count: bytes.count)
        }
      }
    case .blob(let blob):
      (blob + [0]).withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        digest.bytes(column, UInt8(ascii: "b"), base, count: blob.count)
      }
    case .null: break
    }
  }

  @Test(arguments: [true, false])
  func `rows that are digested as they come have the digest of the table`(hasThread: Bool) throws {
    let rows = (0..<Self.values.count * 20).map { number in
      (0..<3).map { Self.values[(number * 5 + $0 * 3) % Self.values.count] }
    }
    let hasher = RowHasher()
    var digest = RowDigest(hasher: hasThread ? hasher : nil)
    defer { digest.deallocate() }
    for (number, row) in rows.enumerated() {
      let id = Int64(number) * 3
      digest.startRow(id: id)
      digest.number(0, UInt8(ascii: "i"), UInt64(bitPattern: id))
      for (column, value) in row.enumerated() { feed(value, column + 1, to: &digest) }
    }
    hasher.finish()
    #expect(digest.finalize() == (try digestOfTable(rows).sha256))
  }

  @Test(arguments: [
    "<r><v a='1'/><v a='2'/></r>", "<r><v id='9' a='1'/><v id='3' a='2'/></r>",
    "<r><v a='1'><v a='2'/></v><v a='3'/></r>",
    "<r><v><c n='1'/><id>7</id></v><v><c n='2'/><id>5</id></v></r>",
    "<r><v rowid='1' _rowid_='2' oid='3'/><v rowid='4' _rowid_='5' oid='6'/></r>",
    "<r><v/><v/></r>", "<r/>",
  ])
  func `the stamp has the digest that is found when all is read again`(document: String) throws {
    for pacing in [Pacing(), Pacing(batchWordCount: 1, sampleBatchCount: 1)] {
      let database = try BuiltDocument(document, pacing: pacing)
      #expect(try database.stampedDigest == database.computedDigest)
    }
  }
}
