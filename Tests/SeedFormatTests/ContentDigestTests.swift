import SeedFiles
import SeedFormat
import SeedSQLite
import Testing

@Suite struct ContentDigestTests {
  private func digest(of sql: String) throws -> String {
    let connection = try Connection.inMemory()
    try connection.execute(sql)
    return try ContentDigest.compute(connection)
  }

  private func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finalize()
  }

  private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private func text(_ text: String) -> [UInt8] {
    littleEndian(UInt64(text.utf8.count)) + Array(text.utf8)
  }

  @Test func `the digest is the one that its definition gives`() throws {
    let sql = ["CREATE TABLE b(x, y)", "CREATE TABLE a(k TEXT PRIMARY KEY) WITHOUT ROWID"]
    let rowB =
      [UInt8(ascii: "R")] + littleEndian(Int64(-5))
      + littleEndian(UInt16(0)) + [UInt8(ascii: "i")] + littleEndian(Int64(7))
      + littleEndian(UInt16(1)) + [UInt8(ascii: "d")] + littleEndian((0.5).bitPattern)
      + [UInt8(ascii: "R")] + littleEndian(Int64(2))
      + littleEndian(UInt16(1)) + [UInt8(ascii: "b")] + littleEndian(UInt64(2)) + [0, 255]
    let rowA =
      [UInt8(ascii: "R")] + littleEndian(UInt16(0)) + [UInt8(ascii: "t")] + text("é\0")
    var expected: [UInt8] = []
    for (name, sql) in [("a", sql[1]), ("b", sql[0])] {
      expected += text("table") + text(name) + text(name) + text(sql)
    }
    expected += text("a") + littleEndian(Int64(1)) + sha256(rowA)
    expected += text("b") + littleEndian(Int64(2)) + sha256(rowB)
    let computed = try digest(
      of: """
        \(sql[0]); \(sql[1]);
        INSERT INTO b(rowid, x, y) VALUES (2, NULL, x'00ff'), (-5, 7, 0.5);
        INSERT INTO a VALUES ('é' || char(0));
        """)
    #expect(computed == SHA256Digest.hexadecimal(sha256(expected)))
  }

  @Test func `the layout of the pages and the encoding do not count`() throws {
    let rows = "CREATE TABLE a(b); INSERT INTO a VALUES (1), ('é')"
    #expect(try digest(of: rows) == digest(of: "PRAGMA encoding = 'UTF-16be'; \(rows)"))
    #expect(
      try digest(of: rows)
        == digest(of: "PRAGMA page_size = 512; CREATE TABLE z(y); \(rows); DROP TABLE z"))
  }

  @Test func `the stamp and the statistics of SQLite do not count`() throws {
    let rows = "CREATE TABLE a(b PRIMARY KEY); INSERT INTO a VALUES (1)"
    #expect(
      try digest(of: rows) == digest(of: "\(rows); ANALYZE; \(SeedStamp.createSQL)"))
  }

  @Test(arguments: [
    ("INSERT INTO a VALUES (1)", "INSERT INTO a VALUES ('1')"),
    ("INSERT INTO a VALUES (1)", "INSERT INTO a VALUES (1.0)"),
    ("INSERT INTO a VALUES ('x')", "INSERT INTO a VALUES (x'78')"),
    ("INSERT INTO a VALUES ('')", "INSERT INTO a VALUES (NULL)"),
    ("INSERT INTO a VALUES (1)", "INSERT INTO a(rowid, b) VALUES (2, 1)"),
    ("INSERT INTO a VALUES (1), (2)", "INSERT INTO a VALUES (2), (1)"),
    ("", "CREATE VIEW v AS SELECT 1"), ("", "CREATE INDEX i ON a(b)"),
    ("", "CREATE TABLE c(d)"),
  ])
  func `different content has different digests`(first: String, second: String) throws {
    let table = "CREATE TABLE a(b);"
    #expect(try digest(of: table + first) != digest(of: table + second))
  }

  @Test func `columns may take the names of the rowid`() throws {
    let table = "CREATE TABLE a(rowid TEXT, _rowid_ TEXT, oid TEXT); INSERT INTO a VALUES "
    #expect(try digest(of: table + "('1', '2', '3')") != digest(of: table + "('1', '2', '4')"))
  }

  @Test func `rows without rowid come in the order of their key whatever its collation`() throws {
    let table = "CREATE TABLE a(k TEXT COLLATE NOCASE, PRIMARY KEY(k DESC)) WITHOUT ROWID;"
    #expect(
      try digest(of: "\(table) INSERT INTO a VALUES ('A'), ('b')")
        == digest(of: "\(table) INSERT INTO a VALUES ('b'), ('A')"))
  }

  @Test func `of a virtual table only the schema counts`() throws {
    let table = "CREATE VIRTUAL TABLE f USING fts5(body);"
    #expect(try digest(of: table) == digest(of: "\(table) INSERT INTO f VALUES ('x')"))
    #expect(try digest(of: table) != digest(of: "CREATE VIRTUAL TABLE f USING fts5(text)"))
  }

  @Test func `values larger than the buffer are digested whole`() throws {
    let table = "CREATE TABLE a(b); INSERT INTO a VALUES (zeroblob(200000)), "
    #expect(try digest(of: "\(table) (x'01')") != digest(of: "\(table) (x'02')"))
  }
}
