import SeedBuilder
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@Suite struct VerificationTests {
  @Test func `a sound database has no findings and nothing is left beside it`() throws {
    let database = try SampleDatabase()
    #expect(try Verification.findings(inDatabaseAt: database.path).isEmpty)
    #expect(try database.directory.names == ["sample.sqlite"])
  }

  @Test func `a missing stamp is found`() throws {
    #expect(try SampleDatabase(isStamped: false).codes() == [.stampMissing])
  }

  @Test(arguments: [
    "UPDATE event SET time = 't9' WHERE id = 1", "DELETE FROM pair",
    "CREATE INDEX extra ON event(id)", "UPDATE _seed SET content_sha256 = 'abc'",
  ])
  func `a change after the build is found`(sql: String) throws {
    let database = try SampleDatabase()
    try database.change(sql)
    #expect(try database.codes() == [.contentChanged])
  }

  @Test(arguments: [
    "DELETE FROM _seed", "INSERT INTO _seed SELECT * FROM _seed", "UPDATE _seed SET format = 2",
    "UPDATE _seed SET name = x'00'", "DROP TABLE _seed; CREATE TABLE _seed(a)",
    "DROP TABLE _seed; CREATE VIEW _seed AS SELECT 1", "UPDATE _seed SET version = x'00'",
  ])
  func `a stamp that cannot be read is found`(sql: String) throws {
    let database = try SampleDatabase()
    try database.change(sql)
    #expect(try database.codes() == [.stampMalformed])
  }

  @Test func `a row that refers to a missing row is found with table, row and parent`() throws {
    let database = try SampleDatabase(
      SampleDatabase.schema + ";INSERT INTO event(id, category_id) VALUES (41, 9)")
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.map(\.code) == [.foreignKey])
    let finding = try #require(findings.first)
    #expect(finding.table == "event")
    #expect(finding.rowID == 41)
    #expect(finding.parentTable == "category")
    #expect(
      finding.message
        == "row 41 of \"event\" refers to a missing row of \"category\" by \"category_id\"")
  }

  @Test func `of many missing references a hundred are listed and the rest is counted`() throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE parent(id INTEGER PRIMARY KEY); CREATE TABLE child(p REFERENCES parent);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
      INSERT INTO child SELECT i FROM n
      """)
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.count == 101)
    #expect(findings.last?.message.hasPrefix("30 more rows of \"child\"") == true)
  }

  @Test func `a foreign key to columns that are no key is found`() throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE parent(a); CREATE TABLE child(p REFERENCES parent(a));
      INSERT INTO child VALUES (1);
      """)
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.map(\.code) == [.foreignKeyDefinition])
    #expect(findings.first?.table == "child")
  }

  @Test func `a file in WAL mode is found`() throws {
    let database = try SampleDatabase()
    try database.change("PRAGMA journal_mode = WAL")
    #expect(try database.codes() == [.walMode])
    #expect(try database.directory.names == ["sample.sqlite"])
  }

  @Test(arguments: [0, 1_767_225_600_000])
  func `WAL mode is a note in a database that stands in a stream, changed or not`(
    appliedAt: Int64
  ) throws {
    let database = try SampleDatabase()
    try database.change(
      """
      CREATE TABLE _seed_stream(
        stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
        cursor TEXT, schema TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO _seed_stream VALUES('main', 1767225600, 7, 'x', NULL, '', \(appliedAt));
      PRAGMA journal_mode = WAL
      """)
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.map(\.code) == [.walMode])
    #expect(findings.map(\.severity) == [.note])
    #expect(findings.first?.hint.contains("\"seed publish\"") == true)
    // A changed row is what streams are for only once one has come.
    try database.change("UPDATE event SET time = 't9' WHERE id = 1")
    #expect(
      try Verification.findings(inDatabaseAt: database.path).last?.severity
        == (appliedAt == 0 ? .error : .note))
  }

  @Test func `changes that are only in a log are found`() throws {
    let database = try SampleDatabase()
    let writer = try Connection(path: database.path, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL; UPDATE category SET name = 'z' WHERE id = 1")
    #expect(try database.codes() == [.walMode, .walFile, .contentChanged])
    try writer.close()
  }

  @Test(arguments: [("-wal", Finding.Code.walFile), ("-journal", .journalFile)])
  func `a leftover file beside the database is found`(
    suffix: String, code: Finding.Code
  ) throws {
    for content in ["", "left over"] {
      let database = try SampleDatabase()
      try database.directory.write(content, to: "sample.sqlite\(suffix)")
      #expect(try database.codes().first == code)
    }
  }

  @Test func `a file that is cut off is found`() throws {
    let database = try SampleDatabase()
    try database.damage { $0.removeLast(100) }
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.first?.code == .truncated)
    #expect(findings.first?.message.contains("cut off") == true)
  }

  @Test func `bytes after the last page are found`() throws {
    let database = try SampleDatabase()
    try database.damage { $0 += [1, 2, 3] }
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.map(\.code) == [.trailingBytes])
    #expect(findings.first?.message.hasPrefix("the file has 3 bytes after its last page") == true)
  }

  @Test func `a zeroed page is found by the integrity check`() throws {
    let database = try SampleDatabase()
    try database.damage { bytes in
      for index in 4096..<8192 { bytes[index] = 0 }
    }
    let codes = try database.codes()
    #expect(!codes.isEmpty)
    #expect(codes.allSatisfy { $0 == .integrity || $0 == .unreadable })
  }

  @Test func `a value that breaks a constraint is found by the integrity check`() throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE a(b TEXT); INSERT INTO a VALUES (NULL); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE a(b TEXT NOT NULL)' WHERE name = 'a'
      """)
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.map(\.code) == [.integrity])
    #expect(findings.first?.message == "NULL value in a.b")
  }

  @Test func `a file that is no database is a finding`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("<a/>", to: "a.xml")
    let findings = try Verification.findings(inDatabaseAt: path)
    #expect(findings.map(\.code) == [.notADatabase])
    #expect(findings.first?.message.hasSuffix("XML") == true)
  }

  @Test func `an invalid page size is found`() throws {
    let database = try SampleDatabase()
    try database.damage { $0[16...17] = [3, 7] }
    #expect(try database.codes().first == .damagedHeader)
  }

  @Test func `a missing file is an error`() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: InspectionError.self) {
      try Verification.findings(inDatabaseAt: directory.path("none"))
    }
  }

  @Test(arguments: 0..<64)
  func `flipped bytes are reported and never crash`(step: Int) throws {
    let database = try SampleDatabase()
    try database.damage { bytes in
      // A spread of places in headers, cells and content; the same in every run.
      for index in stride(from: step * 7, to: bytes.count, by: 97 + step) {
        bytes[index] ^= UInt8(truncatingIfNeeded: step &* 37 | 1)
      }
    }
    #expect(try !Verification.findings(inDatabaseAt: database.path).isEmpty)
    do {
      _ = try Inspection.report(onDatabaseAt: database.path)
    } catch {
      #expect(error.path == database.path)
    }
  }

  @Test func `every finding says what to do and has a name for programs`() throws {
    let database = try SampleDatabase(isStamped: false)
    let finding = try #require(try Verification.findings(inDatabaseAt: database.path).first)
    #expect(
      finding.json == [
        "code": "stamp-missing", "severity": "error", "message": "the database has no stamp",
        "hint": "build the database with \"seed build\"", "table": nil, "rowid": nil,
        "parent": nil,
      ])
  }

  /// A database whose schema uses parts that no SQLite has, as an app adds them.
  private func foreign(_ sql: String) throws -> SampleDatabase {
    let database = try SampleDatabase(
      "CREATE TABLE plain(id INTEGER PRIMARY KEY); " + sql)
    try database.change(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'lower(', 'app_fold('), 'RTRIM', 'app_order')
      """)
    return database
  }

  @Test(arguments: [
    ("CREATE TABLE t(a); CREATE INDEX i ON t(lower(a))", "the function \"app_fold\""),
    ("CREATE TABLE t(a); CREATE INDEX i ON t(a) WHERE lower(a) = 'x'", "the function \"app_fold\""),
    ("CREATE TABLE t(a, b AS (lower(a))); CREATE INDEX i ON t(b)", "the function \"app_fold\""),
    ("CREATE TABLE t(a COLLATE RTRIM); CREATE INDEX i ON t(a)", "the collation \"app_order\""),
  ])
  func `a function or a collation that an app adds is no damage, and named`(
    schema: String, part: String
  ) throws {
    let database = try foreign(schema + "; INSERT INTO t(a) VALUES ('A')")
    let findings = try Verification.findings(inDatabaseAt: database.path)
    let missing = findings.filter { $0.code == .missingPart }
    #expect(missing.contains { $0.table == "t" && $0.message.contains(part) }, "\(findings)")
    #expect(missing.allSatisfy { $0.severity == .warning })
    #expect(!findings.contains { [.unreadable, .integrity].contains($0.code) }, "\(findings)")
    // Other tables are checked all the same.
    #expect(try Inspection.report(onDatabaseAt: database.path).tables.contains { $0.name == "t" })
  }

  @Test func `damage of another table is found all the same`() throws {
    let database = try foreign(
      """
      CREATE TABLE t(a); CREATE INDEX i ON t(lower(a)); CREATE TABLE other(a); CREATE INDEX o ON other(a);
      INSERT INTO other VALUES (1), (2)
      """)
    let connection = try Connection(path: database.path, mode: .readWrite)
    try connection.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX o ON other(a) WHERE a > 1' WHERE name = 'o'
      """)
    try connection.close()
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.contains { $0.code == .integrity }, "\(findings)")
    #expect(findings.contains { $0.code == .missingPart }, "\(findings)")
  }

  @Test func `functions for JSON are no damage, whether this SQLite trusts them or not`() throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE t(a); INSERT INTO t VALUES ('{"b":1}');
      CREATE INDEX i ON t(json_extract(a, '$.b'))
      """)
    let findings = try Verification.findings(inDatabaseAt: database.path)
    #expect(findings.allSatisfy { $0.code == .untrustedFunction && $0.severity == .warning })
    for finding in findings { #expect(finding.message.contains("\"json_extract\"")) }
    #expect(try Inspection.report(onDatabaseAt: database.path).tables.contains { $0.rowCount == 1 })
  }
}
