import Foundation
import SeedMerge
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

/// What is not published; the head is then the one from before.
@Suite struct RefusalTests {
  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, price REAL); CREATE TABLE u(k PRIMARY KEY);
    INSERT INTO t VALUES(1, 'a', 2); INSERT INTO u VALUES(1);
    """

  private func reason(
    _ bench: PublishBench, _ body: () throws -> Void
  ) throws -> StreamPublishError.Reason? {
    let head = FileManager.default.contents(atPath: bench.folder + "/head.json")
    let error = #expect(throws: StreamPublishError.self) { try body() }
    #expect(FileManager.default.contents(atPath: bench.folder + "/head.json") == head)
    #expect(error?.message.isEmpty == false)
    return error?.reason
  }

  @Test func `data that no segment carries is named`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema + "INSERT INTO u VALUES(NULL)")
    #expect(try reason(bench) { try bench.publish(path) } == .nullInKey(table: "u", column: "k"))
    try bench.database("DELETE FROM u WHERE k IS NULL; UPDATE t SET name = CAST(x'ff' AS TEXT)")
    #expect(
      try reason(bench) { try bench.publish(path) }
        == .invalidText(table: "t", column: "name", key: "1"))
    try bench.database("UPDATE t SET name = 'fine'")
    try bench.publish(path)
    try bench.database("INSERT INTO u VALUES(NULL)")
    #expect(try reason(bench) { try bench.publish(path) } == .nullInKey(table: "u", column: "k"))
    try bench.database("DELETE FROM u WHERE k IS NULL; UPDATE t SET name = CAST(x'c328' AS TEXT)")
    #expect(
      try reason(bench) { try bench.publish(path) }
        == .invalidText(table: "t", column: "name", key: "1"))
  }

  @Test(arguments: ["", "CREATE TABLE plain(id INTEGER PRIMARY KEY);"])
  func `a store of Core Data is refused with what to do instead`(more: String) throws {
    let bench = try PublishBench()
    let path = try bench.database(
      """
      CREATE TABLE ZNOTE(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR);
      CREATE TABLE Z_PRIMARYKEY(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      CREATE TABLE Z_METADATA(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE(Z_CONTENT BLOB); \(more)
      """)
    #expect(try reason(bench) { try bench.publish(path) } == .coreDataStore)
    let hint = StreamPublishError(.coreDataStore, path: path).hint
    #expect(hint?.contains("ship a new store") == true)
  }

  @Test func `a row that no client would take is refused`() throws {
    let bench = try PublishBench()
    let path = try bench.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(5, zeroblob(16777217))")
    #expect(try reason(bench) { try bench.publish(path) } == .rowTooLong(table: "t", key: "5"))
    try bench.database("UPDATE t SET v = zeroblob(16777216)")
    try bench.publish(path)
  }

  @Test(arguments: [
    ("DROP TABLE u", StreamPublishError.Reason.tableGone("u")),
    ("ALTER TABLE t DROP COLUMN price", .columnGone(table: "t", column: "price")),
    ("ALTER TABLE t RENAME COLUMN price TO cost", .columnGone(table: "t", column: "price")),
    (
      "DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, price TEXT)",
      .columnRetyped(table: "t", column: "price", old: "REAL", new: "TEXT")
    ),
    (
      "DROP TABLE t; CREATE TABLE t(id INTEGER, name TEXT PRIMARY KEY, price REAL)",
      .keyChanged(table: "t", old: ["id"], new: ["name"])
    ),
    (
      "DROP TABLE u; CREATE TABLE u(k PRIMARY KEY COLLATE NOCASE)",
      .keyComparedOtherwise(table: "u")
    ),
    ("CREATE TABLE w(v)", .tables(.noKey(table: "w"))),
  ])
  func `what apps rely on stays`(sql: String, expected: StreamPublishError.Reason) throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.schema))
    #expect(try reason(bench) { try bench.publish(after: sql) } == expected)
  }

  @Test(arguments: [false, true])
  func `a row is refused without a value that apps in the field ask for`(isNewEpoch: Bool) throws {
    let bench = try PublishBench()
    let path = try bench.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, room TEXT NOT NULL, note TEXT);
      INSERT INTO t VALUES(1, 'r1', NULL), (2, 'r2', NULL);
      """)
    try bench.publish(path)
    #expect(try bench.head().required == ["t": ["room"]])
    // The looser declaration alone is no fault; the databases from before it are still out there.
    let looser = """
      ALTER TABLE t RENAME TO u; CREATE TABLE t(id INTEGER PRIMARY KEY, room TEXT, note TEXT);
      INSERT INTO t SELECT * FROM u; DROP TABLE u;
      """
    try bench.publish(after: looser + "UPDATE t SET note = 'x' WHERE id = 1")
    #expect(try bench.head().required == ["t": ["room"]])
    bench.options.startsEpoch = isNewEpoch
    let expected = StreamPublishError.Reason.nullInRequired(table: "t", column: "room", key: "2")
    #expect(
      try reason(bench) { try bench.publish(after: "UPDATE t SET room = NULL WHERE id = 2") }
        == expected)
    #expect(
      StreamPublishError(expected, path: "a").message
        == "column \"room\" of table \"t\" is NULL in the row with key 2, in the stream it is NOT NULL"
    )
    #expect(try bench.publish(after: "UPDATE t SET room = 'r3' WHERE id = 2").isNew)
  }

  @Test func `a database that is stricter, with the same rows, counts as well`() throws {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, room TEXT); INSERT INTO t VALUES(1, 'r1')"))
    #expect(try bench.head().required.isEmpty)
    let stricter = try bench.publish(
      after: """
        ALTER TABLE t RENAME TO u; CREATE TABLE t(id INTEGER PRIMARY KEY, room TEXT NOT NULL);
        INSERT INTO t SELECT * FROM u; DROP TABLE u;
        """)
    #expect(!stricter.isNew)
    #expect(try bench.head().required == ["t": ["room"]])
    #expect(
      try reason(bench) {
        try bench.publish(
          after: """
            DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, room TEXT);
            INSERT INTO t VALUES(1, NULL)
            """)
      } == .nullInRequired(table: "t", column: "room", key: "1"))
  }

  @Test func `a head that does not list what is required has it from its snapshot`() throws {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v NOT NULL); INSERT INTO t VALUES(1, 2)"))
    var head = try bench.head()
    head.required = [:]
    try Data(head.encoded).write(to: URL(fileURLWithPath: bench.folder + "/head.json"))
    #expect(
      try reason(bench) {
        try bench.publish(
          after: """
            DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, NULL)
            """)
      } == .nullInRequired(table: "t", column: "v", key: "1"))
  }

  @Test func `a stream that nobody names is not begun beside others`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema)
    bench.options.stream = "shop"
    try bench.publish(path)
    bench.options.stream = nil
    let copy = try bench.unpositioned("new.sqlite")
    #expect(try reason(bench) { try bench.publish(copy) } == .unnamedStream(published: ["shop"]))
    #expect(!FileManager.default.fileExists(atPath: bench.target + "/main"))
    // Where it is meant, it is begun, and gone on with.
    bench.options.stream = "main"
    #expect(try bench.publish(copy).stream == "main")
    bench.options.stream = nil
    #expect(try bench.publish(after: "INSERT INTO u VALUES(2)").stream == "main")
    // The database itself says enough.
    #expect(try bench.publish(path).stream == "shop")
  }

  private static let strict = """
    CREATE TABLE p(id INTEGER PRIMARY KEY); INSERT INTO p VALUES(1);
    CREATE TABLE c(id INTEGER PRIMARY KEY, a TEXT UNIQUE CHECK (a in ('x', 'y')),
      p INTEGER REFERENCES p, own TEXT UNIQUE) STRICT;
    CREATE UNIQUE INDEX c_lower ON c(lower(a));
    INSERT INTO c VALUES(1, 'x', 1, 'o');
    """

  /// The table made anew, with the same rows.
  private static func remade(_ columns: String, index: Bool = true) -> String {
    """
    ALTER TABLE c RENAME TO d; CREATE TABLE c(id INTEGER PRIMARY KEY, \(columns);
    INSERT INTO c SELECT * FROM d; DROP TABLE d;
    \(index ? "CREATE UNIQUE INDEX c_lower2 ON c( lower(a) );" : "")
    UPDATE c SET a = 'y';
    """
  }

  @Test(
    arguments: [
      (
        "a TEXT UNIQUE CHECK (a in ('x', 'y', 'z')), p INTEGER REFERENCES p, own TEXT) STRICT",
        true,
        "CHECK(a in ('x', 'y'))"
      ),
      (
        "a TEXT UNIQUE CHECK (a in ('x', 'y')), p INTEGER REFERENCES p, own TEXT)", true, "STRICT"
      ),
      (
        "a TEXT UNIQUE CHECK (a in ('x', 'y')), p INTEGER, own TEXT) STRICT", true,
        "FOREIGN KEY(\"p\") REFERENCES \"p\"(\"id\")"
      ),
      (
        "a TEXT CHECK (a in ('x', 'y')), p INTEGER REFERENCES p, own TEXT) STRICT", true,
        "UNIQUE(\"a\")"
      ),
      (
        "a TEXT UNIQUE CHECK (a in ('x', 'y')), p INTEGER REFERENCES p, own TEXT) STRICT", false,
        "UNIQUE(lower(a))"
      ),
    ], [false, true])
  func `a constraint that apps in the field have stays`(
    change: (columns: String, index: Bool, gone: String), isNewEpoch: Bool
  ) throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.strict)
    let connection = try Connection(path: path, mode: .readWrite)
    try CursorTables.create(on: connection)
    try CursorTables.declare(
      [
        DeclaredTable(name: "c", key: ["id"], columns: ["id", "a", "p"]),
        DeclaredTable(name: "p", key: ["id"], columns: ["id"]),
      ], for: "main", in: connection)
    try connection.close()
    try bench.publish(path)
    bench.options.startsEpoch = isNewEpoch
    try bench.database(Self.remade(change.columns, index: change.index))
    #expect(
      try reason(bench) { try bench.publish(path) }
        == .constraintGone(table: "c", constraint: change.gone))
    // Written otherwise, it is the same one; a column that the stream does not carry is the app's.
    try bench.database(
      "DROP INDEX IF EXISTS c_lower2;"
        + Self.remade(
          """
          "a" TEXT /* CHECK (1) */ UNIQUE check( "A"  IN ('x','y') ),
          p INTEGER REFERENCES p(id), own TEXT) STRICT
          """))
    #expect(try bench.publish(path).isNew)
  }

  @Test func `a constraint that was added stays from then on, even with the same rows`() throws {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database("CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 2)"))
    let tighter = try bench.publish(after: "CREATE UNIQUE INDEX v ON t(v)")
    #expect(tighter.isNew)
    #expect(tighter.rows == 0)
    #expect(
      try reason(bench) { try bench.publish(after: "DROP INDEX v; INSERT INTO t VALUES(2, 2)") }
        == .constraintGone(table: "t", constraint: "UNIQUE(\"v\")"))
  }

  @Test(arguments: [("", "'c1'" as String?), ("WITHOUT ROWID", nil)])
  func `a row that refers to nothing is refused`(kind: String, key: String?) throws {
    let bench = try PublishBench()
    let path = try bench.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY);
      CREATE TABLE c(k TEXT PRIMARY KEY NOT NULL, p REFERENCES p) \(kind);
      INSERT INTO p VALUES(1); INSERT INTO c VALUES('c0', NULL), ('c1', 2), ('c2', 1);
      """)
    let found = try reason(bench) { try bench.publish(path) }
    guard case .danglingReference("c", let shown, "p") = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect((shown == nil) == (key == nil))
    #expect(shown?.contains("c1") ?? true)
    try bench.database("INSERT INTO p VALUES(2)")
    #expect(try bench.publish(path).isNew)
    try bench.database("DELETE FROM p WHERE id = 1")
    #expect(throws: StreamPublishError.self) { try bench.publish(path) }
  }

  @Test(arguments: [
    "CREATE TABLE t(k INTEGER PRIMARY KEY, a TEXT); CREATE INDEX ix ON t(json_extract(a, '$.x'))",
    "CREATE TABLE t(k INTEGER PRIMARY KEY, a TEXT, b AS (json_extract(a, '$.x')))",
  ])
  func `a function that no app would run for the snapshot is refused at once`(sql: String) throws {
    let bench = try PublishBench()
    let path = try bench.database(sql)
    let expected = StreamPublishError.Reason.untrustedFunction("json_extract()")
    #expect(try reason(bench) { try bench.publish(path) } == expected)
    // A view is not read with the snapshot.
    try bench.database(
      """
      DROP TABLE t; CREATE TABLE t(k INTEGER PRIMARY KEY, a TEXT);
      CREATE INDEX ix ON t(lower(a)); CREATE VIEW v AS SELECT json_extract(a, '$.x') FROM t;
      """)
    #expect(try bench.publish(path).isNew)
    #expect(try bench.publish(after: "INSERT INTO t VALUES(1, '{}')").rows == 1)
  }

  @Test func `a database from elsewhere in the stream is refused`() throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.schema))
    try FileManager.default.copyItem(
      atPath: bench.directory.path("new.sqlite"), toPath: bench.directory.path("old.sqlite"))
    try bench.publish(after: "INSERT INTO u VALUES(2)")
    let old = bench.directory.path("old.sqlite")
    let position = try #require(try bench.position(of: old))
    let head = try bench.head().position
    #expect(
      try reason(bench) { try bench.publish(old) } == .otherPosition(database: position, head: head)
    )
    // Of a fork, too: the same numbers with another id.
    let connection = try Connection(path: old, mode: .readWrite)
    try connection.execute("UPDATE _seed_stream SET seq = 2, id = 'ffffffffffffffff'")
    try connection.close()
    #expect(
      try reason(bench) { try bench.publish(old) }
        == .otherPosition(
          database: StreamPosition(epoch: head.epoch, seq: 2, id: "ffffffffffffffff"), head: head))
  }

  @Test func `a position is nothing to begin a history with`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema)
    let position = try bench.publish(path).position
    try FileManager.default.removeItem(atPath: bench.target)
    #expect(try reason(bench) { try bench.publish(path) } == .unknownHistory(position))
  }

  @Test func `a new epoch goes on counting, whatever the clock says`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema)
    let first = try bench.publish(path).position
    try bench.publish(after: "INSERT INTO u VALUES(2)")
    let old = try bench.head()
    bench.time -= 1_000_000
    bench.options.startsEpoch = true
    let result = try bench.publish(path)
    #expect(result.position.epoch == first.epoch + 1)
    #expect(result.position.seq == 3)
    let head = try bench.head()
    #expect(head.segments.isEmpty)
    #expect(head.snapshot?.seq == 3)
    #expect(Set(head.retired.map(\.sha256)).count == old.segments.count + 1)
    #expect(try bench.position(of: path) == result.position)
    bench.options.startsEpoch = false
    try bench.database("INSERT INTO u VALUES(7)")
    #expect(try bench.publish(path).position.seq == 4)
  }

  @Test(arguments: [0, 1]) func `an object that is damaged or missing is named`(kind: Int) throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.schema))
    let snapshot = try #require(try bench.head().snapshot)
    if kind == 0 {
      try FileManager.default.removeItem(atPath: bench.object(snapshot.sha256))
    } else {
      var bytes = [UInt8](
        try Data(contentsOf: URL(fileURLWithPath: bench.object(snapshot.sha256))))
      bytes[bytes.count / 2] ^= 1
      try Data(bytes).write(to: URL(fileURLWithPath: bench.object(snapshot.sha256)))
    }
    let found = try reason(bench) { try bench.publish(after: "INSERT INTO u VALUES(2)") }
    #expect(
      found
        == .unusableObject(
          sha256: snapshot.sha256, kind == 0 ? "is missing" : "has another digest than its name"))
    bench.options.startsEpoch = true
    #expect(try bench.publish(after: "INSERT INTO u VALUES(3)").isNew)
  }

  @Test(arguments: ["", "{", "{\"format\":2}", "[]"])
  func `a head that cannot be read is left alone`(text: String) throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.schema))
    try Data(text.utf8).write(to: URL(fileURLWithPath: bench.folder + "/head.json"))
    let found = try reason(bench) { try bench.publish(after: "INSERT INTO u VALUES(2)") }
    guard case .unusableHead = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }

  @Test func `what is no database is an error about the file`() throws {
    let bench = try PublishBench()
    let missing = bench.directory.path("missing.sqlite")
    #expect(try reason(bench) { try bench.publish(missing) } == .noDatabase)
    let text = try bench.directory.write("no database, whatever its name says", to: "x.sqlite")
    guard case .database(let cause) = try reason(bench, { try bench.publish(text) }) else {
      Issue.record("not SQLite's error")
      return
    }
    #expect(cause.isNotADatabase)
  }

  @Test func `a stream carries what the database declares for it`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema)
    let connection = try Connection(path: path, mode: .readWrite)
    try CursorTables.create(on: connection)
    try CursorTables.declare(
      [DeclaredTable(name: "t", key: ["id"], columns: ["id", "name"])], for: "shop", in: connection)
    try connection.close()
    #expect(try bench.publish(path).stream == "shop")
    let head = try StreamHead(
      parsing: try bench.directory.bytes(of: "public/shop/v1/head.json"))
    #expect(head.tables.map(\.name) == ["t"])
    #expect(head.tables.first?.columns.map(\.name) == ["id", "name"])
    // The price is no part of it.
    try bench.database("UPDATE t SET price = 99; INSERT INTO u VALUES(4)")
    #expect(try !bench.publish(path).isNew)
  }

  @Test func `a database without its end is refused`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.schema)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    try Data(bytes.dropLast(1)).write(to: URL(fileURLWithPath: path))
    #expect(
      try reason(bench) { try bench.publish(path) }
        == .cutOff(byteCount: Int64(bytes.count) - 1, expected: Int64(bytes.count)))
  }
}
