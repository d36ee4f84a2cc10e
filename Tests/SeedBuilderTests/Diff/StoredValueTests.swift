import SeedSQLite
import Testing

@testable import SeedBuilder

/// The order of values here is the one that SQLite itself gives them.
@Suite struct StoredValueTests {
  private static let values = [
    "NULL", "0", "-1", "1", "1.0", "1.5", "-0.0", "9007199254740993", "9007199254740992",
    "9007199254740992.0", "9007199254740994.0", "9223372036854775807", "9.3e18", "-9.3e18",
    "(-9223372036854775807 - 1)", "-9223372036854775808.0", "9223372036854774784.0", "9e999",
    "-9e999", "''", "'a'", "'A'", "'b'", "'a '", "'a  b'", "' '", "'ab'", "'aB'", "'é'", "'É'",
    "'\u{FFFC}'", "'\u{1F600}'", "'[a'", "'`a'", "'{'", "'1'", "'a' || char(0) || 'b'",
    "'A' || char(0) || 'c'", "'a' || char(0)", "x''", "x'00'", "x'61'", "x'61ff'", "x'80'",
  ]

  @Test(arguments: ["BINARY", "NOCASE", "RTRIM"], ["UTF-8", "UTF-16le"])
  func `values are ordered as SQLite orders them`(collation: String, encoding: String) throws {
    let connection = try Connection.inMemory()
    try connection.execute("PRAGMA encoding = '\(encoding)'; CREATE TABLE t(v)")
    try connection.addByteOrderCollation()
    for value in Self.values { try connection.execute("INSERT INTO t VALUES (\(value))") }
    let column = KeyColumn(name: "v", collation: try #require(TextCollation(named: collation)))
    let term = column.orderTerm(isUTF8: encoding == "UTF-8")
    let ranks = try connection.rows(
      "SELECT dense_rank() OVER (ORDER BY \(term)) FROM t ORDER BY rowid"
    ).map { if case .integer(let rank) = $0[0] { rank } else { Int64.min } }
    try #require(ranks.count == Self.values.count)
    // Two statements for each row, since a value is compared with itself, too.
    let left = try Self.values.indices.map { try row($0, connection) }
    let right = try Self.values.indices.map { try row($0, connection) }
    for (i, first) in Self.values.enumerated() {
      for (j, second) in Self.values.enumerated() {
        let order = StoredValue.order(left[i], right[j], 0, column.collation)
        #expect(order.signum() == (ranks[i] - ranks[j]).signum(), "\(first) and \(second)")
      }
    }
  }

  private func row(_ index: Int, _ connection: Connection) throws -> Statement {
    let statement = try connection.prepare("SELECT v FROM t WHERE rowid = \(index + 1)")
    _ = try statement.step()
    return statement
  }
}
