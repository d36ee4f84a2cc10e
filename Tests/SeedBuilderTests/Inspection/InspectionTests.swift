import Foundation
import SeedFiles
import SeedFormat
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct InspectionTests {
  private func report(on database: SampleDatabase) throws -> DatabaseReport {
    try Inspection.report(onDatabaseAt: database.path)
  }

  @Test func `the file's own properties are reported`() throws {
    let database = try SampleDatabase(
      "PRAGMA page_size = 1024; PRAGMA user_version = 7; PRAGMA application_id = -3;"
        + SampleDatabase.schema)
    let report = try report(on: database)
    #expect(report.pageSize == 1024)
    #expect(report.userVersion == 7)
    #expect(report.applicationID == -3)
    #expect(report.textEncoding == "UTF-8")
    #expect(report.byteCount == report.pageCount * 1024)
    #expect(!report.isWriteAheadLogging)
    #expect(report.notes.isEmpty)
    #expect(report.views == ["recent"])
    #expect(report.triggers == [.init(name: "guard", table: "event")])
  }

  @Test func `a virtual table whose module is the app's is shown without columns`() throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES
        ('table', 'vector', 'vector', 0, 'CREATE VIRTUAL TABLE vector USING vec0(e float[3])');
      """)
    let report = try report(on: database)
    let table = try #require(report.tables.first { $0.name == "vector" })
    #expect(table.kind == .virtual)
    #expect(table.columns.isEmpty)
    #expect(table.rowCount == nil)
    #expect(report.notes.first == "the columns of \"vector\" cannot be told: no such module: vec0")
    _ = try Inspection.contents(ofDatabaseAt: database.path)
  }

  @Test func `tables come by name and the stamp's table last`() throws {
    let report = try report(on: try SampleDatabase())
    #expect(report.tables.map(\.name) == ["category", "event", "pair", "_seed"])
    #expect(report.tables.map(\.kind) == [.table, .table, .table, .internal])
    #expect(report.tables.map(\.rowCount) == [2, 3, 1, 1])
  }

  @Test func `all tables of the tool are internal and last`() throws {
    let names = ["_seed_base", "_seed_owned", "_seed_rows", "_seed_stream", "_seed_stream_table"]
    let report = try report(
      on: try SampleDatabase(
        (names + ["_seeds", "zone"]).map { "CREATE TABLE \($0)(a)" }.joined(separator: ";")))
    #expect(report.tables.map(\.name) == ["_seeds", "zone", "_seed"] + names)
    #expect(
      report.tables.map(\.kind) == [.table, .table] + (0...names.count).map { _ in .internal })
  }

  @Test func `columns have type, key, default and constraint`() throws {
    let tables = try report(on: try SampleDatabase()).tables
    let id = TableReport.Column(
      name: "id", declaredType: "INTEGER", isNotNull: false, primaryKeyPosition: 1,
      defaultValue: nil, isGenerated: false)
    let name = TableReport.Column(
      name: "name", declaredType: "TEXT", isNotNull: true, primaryKeyPosition: nil,
      defaultValue: "'none'", isGenerated: false)
    #expect(tables[0].columns == [id, name])
    #expect(tables[1].columns.map(\.isGenerated) == [false, false, false, true])
    #expect(tables[2].columns.map(\.primaryKeyPosition) == [2, 1, nil])
    #expect(tables[2].isStrict)
    #expect(tables[2].isWithoutRowID)
  }

  @Test func `indexes and foreign keys name their columns`() throws {
    let event = try report(on: try SampleDatabase()).tables[1]
    #expect(event.indexes.map(\.name) == ["event_category", "event_time"])
    #expect(event.indexes.map(\.columns) == [["category_id", nil], ["time"]])
    #expect(event.indexes.map(\.isUnique) == [false, true])
    #expect(event.indexes.map(\.isPartial) == [false, true])
    let key = TableReport.ForeignKey(
      columns: ["category_id"], parentTable: "category", parentColumns: ["id"],
      onDelete: "CASCADE", onUpdate: "NO ACTION")
    #expect(event.foreignKeys == [key])
  }

  @Test func `a foreign key without parent columns refers to the primary key`() throws {
    let database = try SampleDatabase(
      """
      CREATE TABLE parent(x, b, a, PRIMARY KEY(a, b));
      CREATE TABLE child(p, q, r REFERENCES other, FOREIGN KEY(p, q) REFERENCES parent);
      """)
    let keys = try report(on: database).tables[0].foreignKeys
    #expect(keys.map(\.columns) == [["r"], ["p", "q"]])
    #expect(keys.map(\.parentColumns) == [[], ["a", "b"]])
  }

  @Test func `the bytes of tables, indexes, schema and free pages make up the file`() throws {
    let database = try SampleDatabase()
    let report = try report(on: database)
    let tables = report.tables.map { $0.byteCount ?? 0 }
    let indexes = report.tables.flatMap(\.indexes).map { $0.byteCount ?? 0 }
    // One page more: the schema.
    let sum = (tables + indexes).reduce(0, +) + Int64(report.pageSize)
    #expect(sum == report.byteCount)
  }

  @Test func `virtual tables and their shadows are told apart`() throws {
    let database = try SampleDatabase("CREATE VIRTUAL TABLE note USING fts5(body)")
    let kinds = Set(try report(on: database).tables.map(\.kind))
    #expect(kinds == [.virtual, .shadow, .internal])
  }

  @Test func `a stamp is reported`() throws {
    let stamp = try #require(try report(on: try SampleDatabase()).stamp)
    #expect(stamp.name == "sample")
    #expect(stamp.version == "7")
    #expect(stamp.tool == "seed test")
    #expect(stamp.contentSHA256.utf8.count == 64)
  }

  @Test func `a database in WAL mode is read without leaving a file beside it`() throws {
    let database = try SampleDatabase()
    try database.change("PRAGMA journal_mode = WAL")
    let report = try report(on: database)
    #expect(report.isWriteAheadLogging)
    #expect(report.tables.count == 4)
    #expect(try database.directory.names == ["sample.sqlite"])
  }

  @Test func `changes in a log are seen and a note says where they are`() throws {
    let database = try SampleDatabase()
    let writer = try Connection(path: database.path, mode: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL; INSERT INTO category VALUES (9, 'new')")
    let report = try report(on: database)
    #expect(report.tables[0].rowCount == 3)
    #expect(report.notes.count == 1)
    #expect(report.notes.first?.contains("sample.sqlite-wal") == true)
    try writer.close()
  }

  @Test func `a table that cannot be counted becomes a note`() throws {
    let database = try SampleDatabase()
    let connection = try Connection(path: database.path, mode: .readOnly)
    let page = try #require(
      try connection.scalarInteger("SELECT rootpage FROM sqlite_schema WHERE name = 'category'"))
    try connection.close()
    try database.damage { bytes in
      for index in (page - 1) * 4096..<page * 4096 { bytes[Int(index)] = 0 }
    }
    let report = try report(on: database)
    #expect(report.tables[0].rowCount == nil)
    #expect(report.tables[1].rowCount == 3)
    #expect(report.notes.contains { $0.contains("\"category\"") })
  }

  @Test func `names with quotes and line breaks are read`() throws {
    let database = try SampleDatabase("CREATE TABLE \"a\"\"b\nc\"(\"d'e\" TEXT)")
    let table = try report(on: database).tables[0]
    #expect(table.name == "a\"b\nc")
    #expect(table.columns.map(\.name) == ["d'e"])
    #expect(table.rowCount == 0)
  }

  @Test func `a missing file, a directory and a pipe through a file are refused`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("x", to: "file")
    #expect(reason(at: directory.path("none")) == "no such file")
    #expect(reason(at: directory.path("file/none")) == "no such file")
    #expect(reason(at: directory.path)?.contains("directory") == true)
    #expect(reason(at: "/dev/null")?.contains("regular") == true)
  }

  @Test(arguments: [
    ("", "an empty file"),
    ("\u{FEFF}<?xml version='1.0'?><a/>", "XML"),
    ("\u{1F}\u{0}\u{0}x", "encrypted or unknown data"),
    ("SQLite format 3\u{0}", "the beginning of one that was cut off"),
    ("CREATE TABLE a(b);", "SQL text"),
    (" {\"a\": 1}", "JSON"),
    ("hello", "plain text"),
    ("\u{0}\u{0}", "a file of zeros only"),
  ])
  func `a file that is no database is named for what it is`(text: String, kind: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "other")
    #expect(reason(at: path) == "this is not an SQLite database; it looks like \(kind)")
  }

  @Test func `text in an encoding of one byte a letter is text`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Array("Stra".utf8) + [0xDF] + Array("e 7\n".utf8), to: "other")
    #expect(reason(at: path)?.hasSuffix("plain text") == true)
  }

  @Test func `gzip data is recognised`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([0x1F, 0x8B, 8, 0], to: "a.gz")
    #expect(reason(at: path)?.hasSuffix("gzip data") == true)
  }

  private func reason(at path: String) -> String? {
    do {
      _ = try Inspection.report(onDatabaseAt: path)
      return nil
    } catch {
      #expect(error.path == path)
      #expect(error.diagnostic.location == SourceLocation(file: path))
      #expect(error.diagnostic.hint != nil)
      return error.diagnostic.message
    }
  }

  @Test(arguments: [1, 100, 4096, 5000])
  func `a database without its end is refused, however little is missing`(missing: Int) throws {
    let database = try SampleDatabase()
    let bytes = try FileSystem.live.bytes(of: database.path, limit: .max)
    try truncate(database.path, to: bytes.count - missing)
    let error = #expect(throws: InspectionError.self) { try report(on: database) }
    guard case .cutOff(Int64(bytes.count - missing), Int64(bytes.count))? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      error?.diagnostic.message
        == "the database is cut off: it has \(bytes.count - missing) of \(bytes.count) bytes")
  }

  private func truncate(_ path: String, to byteCount: Int) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64(byteCount))
    try handle.close()
  }
}
