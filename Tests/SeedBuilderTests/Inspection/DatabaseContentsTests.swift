import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct DatabaseContentsTests {
  private func contents(of database: SampleDatabase) throws -> DatabaseContents {
    try Inspection.contents(ofDatabaseAt: database.path)
  }

  private func contents(of sql: String) throws -> DatabaseContents {
    try contents(of: SampleDatabase(sql, isStamped: false))
  }

  private func sample(of sql: String) throws -> TableSample {
    try #require(try contents(of: sql).samples.first)
  }

  private static let numbers =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) "

  @Test func `the report is the one without samples`() throws {
    let database = try SampleDatabase()
    let contents = try contents(of: database)
    #expect(contents.report == (try Inspection.report(onDatabaseAt: database.path)))
    #expect(contents.samples.count == contents.report.tables.count)
  }

  @Test func `the first ten rows come in the table's order, whatever index covers them`() throws {
    let sample = try sample(
      of: "CREATE TABLE a(id INTEGER PRIMARY KEY, b INT); CREATE INDEX c ON a(b);"
        + Self.numbers + "INSERT INTO a SELECT i, -i FROM n")
    #expect(sample.columns == ["id", "b"])
    #expect(sample.rows == (1...10).map { [.integer($0), .integer(-$0)] })
    #expect(sample.gap == nil)
  }

  @Test func `values keep their types and a blob is its size`() throws {
    let sample = try sample(
      of: "CREATE TABLE a(b, c, d, e, f, g);"
        + "INSERT INTO a VALUES (NULL, '', 'NULL', 1.5, x'0102', zeroblob(100000000))")
    #expect(
      sample.rows == [
        [
          .null, .text("", isCut: false, byteCount: 0),
          .text("NULL", isCut: false, byteCount: 4), .real(1.5), .blob(byteCount: 2),
          .blob(byteCount: 100_000_000),
        ]
      ])
  }

  @Test(arguments: [("x", 1), ("é", 2), ("😀", 4)])
  func `a text is cut after eighty characters and keeps its size`(
    character: String, size: Int64
  ) throws {
    let whole = String(repeating: character, count: 80)
    let sample = try sample(
      of: "CREATE TABLE a(b); INSERT INTO a VALUES ('\(whole)'), ('\(whole)\(character)')")
    #expect(
      sample.rows == [
        [.text(whole, isCut: false, byteCount: 80 * size)],
        [.text(whole, isCut: true, byteCount: 81 * size)],
      ])
  }

  @Test func `a text with a NUL inside is shown beyond it`() throws {
    let sample = try sample(of: "CREATE TABLE a(b); INSERT INTO a VALUES ('x' || char(0) || 'y')")
    #expect(sample.rows == [[.text("x\0y", isCut: false, byteCount: 3)]])
  }

  @Test func `the first forty columns are shown`() throws {
    let columns = (1...50).map { "c\($0)" }
    let sample = try sample(
      of: "CREATE TABLE a(\(columns.joined(separator: ", "))); INSERT INTO a(c1) VALUES (1)")
    #expect(sample.columns == Array(columns.prefix(40)))
    #expect(sample.rows.first?.count == 40)
  }

  @Test func `without rowid, generated and virtual tables are read, too`() throws {
    let samples = try contents(
      of: """
        CREATE TABLE a(k TEXT PRIMARY KEY, double AS (k || k)) WITHOUT ROWID;
        INSERT INTO a VALUES ('z'), ('y');
        CREATE VIRTUAL TABLE b USING fts5(body); INSERT INTO b VALUES ('hello');
        """
    ).samples
    #expect(
      samples[0].rows == [
        [.text("y", isCut: false, byteCount: 1), .text("yy", isCut: false, byteCount: 2)],
        [.text("z", isCut: false, byteCount: 1), .text("zz", isCut: false, byteCount: 2)],
      ])
    #expect(samples[1].rows == [[.text("hello", isCut: false, byteCount: 5)]])
  }

  @Test func `a table that cannot be read says why`() throws {
    let database = try SampleDatabase("CREATE TABLE a(b); INSERT INTO a VALUES (1)")
    // The second page is the table's.
    try database.damage { bytes in
      for index in 4096..<8192 { bytes[index] = 0 }
    }
    let sample = try contents(of: database).samples.first
    guard case .unreadable(let problem)? = sample?.gap else {
      Issue.record("\(String(describing: sample))")
      return
    }
    #expect(problem.contains("malformed"))
  }

  @Test func `a hundred wide tables fill the room there is`() throws {
    let columns = (1...40).map { "c\($0)" }.joined(separator: ", ")
    let tables = (100...220).map {
      "CREATE TABLE t\($0)(\(columns)); \(Self.numbers) INSERT INTO t\($0)(c1) SELECT i FROM n;"
    }
    let samples = try contents(of: tables.joined()).samples
    #expect(samples.prefix(100).allSatisfy { $0.gap == nil && $0.rows.count == 10 })
    #expect(samples.dropFirst(100).allSatisfy { $0.gap == .noRoom && $0.rows.isEmpty })
    #expect(samples.count == 121)
  }

  @Test func `views come before triggers, each with its SQL`() throws {
    let definitions = try contents(
      of: """
        CREATE TABLE a(b);
        CREATE TRIGGER c AFTER INSERT ON a BEGIN SELECT 1; END;
        CREATE VIEW z AS SELECT 1; CREATE VIEW y AS SELECT '\(String(repeating: "x", count: 5000))'
        """
    ).definitions
    #expect(definitions.map(\.name) == ["y", "z", "c"])
    #expect(definitions.map(\.kind) == [.view, .view, .trigger])
    #expect(definitions.map(\.isCut) == [true, false, false])
    #expect(definitions[0].sql.utf8.count == 4000)
    #expect(definitions[1].sql == "CREATE VIEW z AS SELECT 1")
    #expect(definitions[2].table == "a")
  }
}
