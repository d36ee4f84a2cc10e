import Foundation
import SeedMerge
import SeedModel
import SeedPublisher
import SeedSQLite
import SeedStreams
import TestSupport
import Testing

@Suite struct StreamPublisherTests {
  private static let shop = """
    CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, price REAL);
    INSERT INTO category VALUES(1, 'Tools'), (2, 'Ropes');
    INSERT INTO product VALUES(1, 'Anvil', 19.5), (2, 'Rope', 4), (3, 'Saw', NULL);
    """

  // MARK: The beginning

  @Test func `a first publication writes a snapshot with its own position`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.shop)
    let result = try bench.publish(path)
    #expect(result.isNew)
    #expect(result.rows == 5)
    #expect(result.position.seq == 1)
    #expect(result.position.epoch == bench.time)
    let head = try bench.head()
    #expect(head.position == result.position)
    #expect(head.segments.isEmpty)
    #expect(head.time == "2026-01-01T00:00:00Z")
    #expect(head.tables.map(\.name) == ["category", "product"])
    let snapshot = try #require(head.snapshot)
    #expect(try bench.objects() == ["head.json", StreamLayout.object(snapshot.sha256)])
    let copy = try bench.directory.write(
      try Archive.unpacked(bench.object(snapshot.sha256), size: Int(snapshot.plainSize)),
      to: "snapshot.sqlite")
    #expect(try bench.position(of: copy) == result.position)
    #expect(try bench.position(of: path) == result.position)
  }

  @Test func `the position is written even when nothing has changed, and then nothing else`() throws
  {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.shop))
    let head = try bench.directory.bytes(of: "public/main/v1/head.json")
    let objects = try bench.objects()
    bench.time += 100
    let fresh = try bench.unpositioned("new.sqlite")
    let result = try bench.publish(fresh)
    #expect(!result.isNew)
    #expect(try bench.position(of: fresh) == result.position)
    #expect(try bench.directory.bytes(of: "public/main/v1/head.json") == head)
    #expect(try bench.objects() == objects)
    let bytes = try bench.directory.bytes(of: "copy.sqlite")
    try bench.publish(fresh)
    #expect(try bench.directory.bytes(of: "copy.sqlite") == bytes)
  }

  @Test func `a database in WAL mode has the form that ships once it is published`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.shop + "PRAGMA journal_mode = WAL;")
    let result = try bench.publish(path)
    let connection = try Connection(path: path, mode: .readOnly)
    #expect(try connection.scalarText("PRAGMA journal_mode") == "delete")
    #expect(try bench.position(of: path) == result.position)
    try connection.close()
    // Also where nothing but the mode has changed.
    try bench.database("PRAGMA journal_mode = WAL")
    #expect(try !bench.publish(path).isNew)
    let again = try Connection(path: path, mode: .readOnly)
    #expect(try again.scalarText("PRAGMA journal_mode") == "delete")
    #expect(try bench.directory.names.filter { $0.hasPrefix("new.sqlite") } == ["new.sqlite"])
  }

  @Test func `a database in WAL mode that others have open is not published`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.shop + "PRAGMA journal_mode = WAL;")
    let reader = try Connection(path: path, mode: .readOnly)
    try reader.execute("BEGIN; SELECT count(*) FROM product")
    #expect(throws: StreamPublishError.self) { try bench.publish(path) }
    #expect(!FileManager.default.fileExists(atPath: bench.folder + "/head.json"))
    try reader.close()
    #expect(try bench.publish(path).isNew)
  }

  @Test func `the database that was published goes on where it is`() throws {
    let bench = try PublishBench()
    let path = try bench.database(Self.shop)
    try bench.publish(path)
    try bench.database("UPDATE product SET price = 5 WHERE id = 2")
    #expect(try bench.publish(path).position.seq == 2)
    #expect(try bench.position(of: path)?.seq == 2)
  }

  // MARK: Changes

  @Test func `a change is a segment of the rows that differ`() throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.shop))
    let first = try bench.head().position
    let result = try bench.publish(
      after: """
        DELETE FROM category WHERE id = 2; UPDATE product SET price = 20 WHERE id = 1;
        INSERT INTO product VALUES(9, 'Vise', 33); UPDATE product SET name = name WHERE id = 3;
        """)
    #expect(result.rows == 3)
    let segment = try #require(try bench.head().segments.first)
    #expect(
      try bench.text(of: segment) == """
        {"segment":1,"stream":"main","epoch":\(first.epoch),"from":1,"to":2,\
        "ids":["\(first.id)","\(result.position.id)"]}
        {"table":"category","delete":["id"]}
        [2]
        {"table":"product","upsert":["id","name","price"]}
        [1,"Anvil",20.0]
        [9,"Vise",33.0]
        {"end":{"rows":3}}

        """)
    // The chain: the id before, and what follows the header.
    var chain = CheckpointChain(after: first.id)
    let body = try bench.text(of: segment).drop { $0 != "\n" }.dropFirst()
    Array(body.utf8).withUnsafeBytes { chain.update($0) }
    #expect(chain.id() == result.position.id)
  }

  @Test func `what changed after the snapshot and went back is a change`() throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.shop))
    try bench.publish(after: "UPDATE product SET price = 1 WHERE id = 1")
    let result = try bench.publish(after: "UPDATE product SET price = 19.5 WHERE id = 1")
    #expect(result.rows == 1)
    #expect(try bench.newestChange().contains("[1,\"Anvil\",19.5]"))
  }

  @Test(arguments: [
    ("1", "1.0", true), ("0.0", "-0.0", false), ("'abc'", "'ABC'", true), ("'1'", "1", true),
    ("x'61'", "'a'", true), ("NULL", "''", true), ("x''", "''", true), ("NULL", "NULL", false),
    ("9223372036854775807", "9223372036854775806", true), ("1e999", "-1e999", true),
    ("'a' || char(0) || 'b'", "'a' || char(0) || 'c'", true),
  ])
  func `two values are the same when storage class and bytes are`(
    old: String, new: String, isChange: Bool
  ) throws {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v COLLATE NOCASE); INSERT INTO t VALUES(1, \(old))")
    )
    #expect(try bench.publish(after: "UPDATE t SET v = \(new)").isNew == isChange)
  }

  @Test func `a key that is written in another case is deleted and upserted`() throws {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database(
        """
        CREATE TABLE t(k TEXT PRIMARY KEY COLLATE NOCASE, v) WITHOUT ROWID;
        INSERT INTO t VALUES('abc', 1), ('b', 2);
        """))
    try bench.publish(after: "UPDATE t SET k = 'ABC' WHERE k = 'abc'")
    let change = try bench.newestChange()
    #expect(change.contains("\"delete\":[\"k\"]}\n[\"abc\"]\n"))
    #expect(change.contains("[\"ABC\",1]"))
    #expect(!change.contains("\"b\""))
  }

  @Test func `rows whose unique values move are listed twice`() throws {
    let bench = try PublishBench()
    try bench.publish(
      try bench.database(
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, place INTEGER UNIQUE, v);
        INSERT INTO t VALUES(1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');
        """))
    try bench.publish(
      after: """
        UPDATE t SET place = -id; UPDATE t SET place = CASE id WHEN 1 THEN 20 WHEN 2 THEN 10 ELSE 30 END;
        UPDATE t SET v = 'C' WHERE id = 3;
        """)
    #expect(
      try bench.newestChange() == """
        {"table":"t","delete":["id"]}
        [1]
        [2]
        {"table":"t","upsert":["id","place","v"]}
        [1,20,"a"]
        [2,10,"b"]
        [3,30,"C"]
        {"end":{"rows":5}}
        """)
  }

  @Test func `a row born and gone inside a merged range leaves its key`() throws {
    let bench = try PublishBench(fanOut: 4)
    try bench.publish(try bench.database(Self.shop))
    try bench.publish(after: "INSERT INTO product VALUES(7, 'Brief', 1)")
    try bench.publish(after: "DELETE FROM product WHERE id = 7; DELETE FROM category WHERE id = 1")
    try bench.publish(after: "INSERT INTO category VALUES(1, 'Again')")
    // The last step alone is listed, too.
    #expect(try bench.head().segments.map(\.from) == [1, 3])
    #expect(try bench.head().segments.map(\.to) == [4, 4])
    #expect(
      try bench.newestChange() == """
        {"table":"category","upsert":["id","title"]}
        [1,"Again"]
        {"table":"product","delete":["id"]}
        [7]
        {"end":{"rows":2}}
        """)
  }

  @Test func `a row that came back stays among the deleted where it may have to give way`() throws {
    let bench = try PublishBench(fanOut: 4)
    try bench.publish(
      try bench.database(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE); INSERT INTO t VALUES(1, 'x'), (2, 'y')"))
    try bench.publish(after: "DELETE FROM t WHERE id = 1")
    try bench.publish(after: "UPDATE t SET u = 'x' WHERE id = 2")
    try bench.publish(after: "INSERT INTO t VALUES(1, 'y')")
    #expect(
      try bench.newestChange() == """
        {"table":"t","delete":["id"]}
        [1]
        [2]
        {"table":"t","upsert":["id","u"]}
        [1,"y"]
        [2,"x"]
        {"end":{"rows":4}}
        """)
  }

  @Test func `a column that comes later is in all rows of a merged segment`() throws {
    let bench = try PublishBench(fanOut: 4)
    try bench.publish(try bench.database(Self.shop))
    try bench.publish(after: "UPDATE product SET price = 7 WHERE id = 2")
    try bench.publish(
      after: """
        ALTER TABLE product ADD COLUMN stock INTEGER; UPDATE product SET stock = 5 WHERE id = 3;
        """)
    #expect(try bench.head().snapshot?.seq == 3)
    try bench.publish(after: "UPDATE product SET stock = 6 WHERE id = 3")
    #expect(
      try bench.newestChange() == """
        {"table":"product","upsert":["id","name","price","stock"]}
        [2,"Rope",7.0,null]
        [3,"Saw",null,6]
        {"end":{"rows":2}}
        """)
  }

  @Test func `an added table is a checkpoint even when it is empty`() throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.shop))
    let result = try bench.publish(after: "CREATE TABLE later(id INTEGER PRIMARY KEY)")
    #expect(result.isNew)
    #expect(try bench.newestChange() == "{\"end\":{\"rows\":0}}")
    #expect(try bench.head().tables.map(\.name) == ["category", "later", "product"])
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `texts of any encoding are compared and ordered by their bytes in UTF-8`(
    encoding: String
  ) throws {
    let bench = try PublishBench(fanOut: 3)
    try bench.publish(
      try bench.database(
        """
        PRAGMA encoding = '\(encoding)'; CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO t VALUES('ｚ', 1), ('😀', 2), ('a', 3), ('é', 4);
        """))
    try bench.publish(after: "UPDATE t SET v = v + 1 WHERE k <> 'a'")
    try bench.publish(after: "UPDATE t SET v = v + 1")
    #expect(
      try bench.newestChange() == """
        {"table":"t","upsert":["k","v"]}
        ["a",4]
        ["é",6]
        ["ｚ",3]
        ["😀",4]
        {"end":{"rows":4}}
        """)
  }

  @Test func `the same history is published as the same bytes`() throws {
    func objects() throws -> Set<String> {
      let bench = try PublishBench(fanOut: 3)
      try bench.publish(try bench.database(Self.shop))
      for price in 1..<6 { try bench.publish(after: "UPDATE product SET price = \(price)") }
      return try bench.objects()
    }
    #expect(try objects() == objects())
  }

  @Test func `heads that follow each other differ in length, as web servers see them`() throws {
    let bench = try PublishBench()
    // Heads that would be alike: a new history each time, and nothing of the old ones.
    bench.options.startsEpoch = true
    bench.options.keepDays = 0
    var lengths: [Int] = []
    for _ in 0..<50 {
      bench.time += 1
      try bench.publish(try bench.database("CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY)"))
      lengths.append(try bench.directory.bytes(of: "public/main/v1/head.json").count)
    }
    for start in 0...lengths.count - 32 { #expect(Set(lengths[start..<start + 32]).count == 32) }
  }

  // MARK: Layout

  @Test func `many publications are few segments, and lead from the snapshot to the head`() throws {
    let bench = try PublishBench(fanOut: 4)
    try bench.publish(try bench.database(Self.large))
    for step in 2...40 {
      try bench.publish(after: "UPDATE t SET v = 'step \(step)' WHERE id = \(step)")
      let head = try bench.head()
      #expect(head.segments.count <= 12)
      #expect(head.snapshot?.seq == 1)
      #expect(head.segments.first?.from == 1)
      #expect(head.segments.last?.to == Int64(step))
      // Who has the state from before fetches the last change alone.
      #expect(head.segments.last?.from == Int64(step - 1))
    }
    #expect(try bench.head().segments.map(\.from) == [1, 16, 32, 36, 39])
    #expect(try bench.head().segments.map(\.to) == [16, 32, 36, 40, 40])
  }

  /// Large enough that small changes do not make a new snapshot worth while.
  private static let large = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO t SELECT i, hex(randomblob(20)) FROM n;
    """

  @Test func `a snapshot is written when the changes take more than half of the last one`() throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.large))
    try bench.publish(after: "UPDATE t SET v = hex(randomblob(20)) WHERE id < 1000")
    let before = try bench.head()
    #expect(before.snapshot?.seq == 1)
    try bench.publish(after: "UPDATE t SET v = hex(randomblob(20)) WHERE id < 1000")
    let after = try bench.head()
    #expect(after.snapshot?.seq == 3)
    #expect(!after.segments.isEmpty)
    try bench.publish(after: "UPDATE t SET v = hex(randomblob(20)) WHERE id < 1000")
    let last = try bench.head()
    // The oldest changes go once all are larger than the snapshot.
    #expect(last.segments.reduce(0) { $0 + $1.size } <= last.snapshot?.size ?? 0)
    let dropped = Set(before.segments.map(\.sha256)).subtracting(last.segments.map(\.sha256))
    #expect(Set(last.retired.map(\.sha256)).isSuperset(of: dropped))
  }

  @Test func `a list that would be too long makes a snapshot`() throws {
    let bench = try PublishBench(fanOut: 1000)
    bench.options.segmentLimit = 5
    try bench.publish(try bench.database(Self.large))
    for step in 2...14 {
      try bench.publish(after: "UPDATE t SET v = 'step \(step)' WHERE id = \(step)")
      #expect(try bench.head().segments.count <= 5)
    }
    #expect(try bench.head().snapshot?.seq ?? 0 > 1)
  }

  // MARK: Garbage

  @Test func `what a head drops stays for some days and goes then`() throws {
    let bench = try PublishBench(fanOut: 2)
    try bench.publish(try bench.database(Self.large))
    for step in 2...3 {
      bench.time += 86400
      try bench.publish(after: "UPDATE t SET v = 'step \(step)' WHERE id = \(step)")
    }
    let dropped = try bench.head().segments
    bench.time += 86400
    try bench.publish(after: "UPDATE t SET v = 'step 4' WHERE id = 4")
    #expect(
      Set(try bench.head().retired.map(\.sha256)) == Set(dropped.map(\.sha256)))
    #expect(try bench.head().retired.allSatisfy { $0.since == UTCTime.text(bench.time) })
    bench.time += 7 * 86400 - 1
    try bench.publish(after: "UPDATE t SET v = 'step 5' WHERE id = 5")
    for segment in dropped {
      #expect(FileManager.default.fileExists(atPath: bench.object(segment.sha256)))
    }
    bench.time += 1
    try bench.publish(after: "UPDATE t SET v = 'step 6' WHERE id = 6")
    for segment in dropped {
      #expect(!FileManager.default.fileExists(atPath: bench.object(segment.sha256)))
    }
    #expect(
      Set(try bench.head().retired.map(\.sha256)).isDisjoint(with: dropped.map(\.sha256)))
  }

  @Test func `an object that is needed again is not garbage`() throws {
    let bench = try PublishBench(fanOut: 1000)
    bench.options.keepDays = 0
    bench.options.startsEpoch = false
    try bench.publish(try bench.database(Self.shop))
    let first = try bench.head()
    let stray = try #require(first.snapshot)
    // As if it had been dropped: the same state under the same position is the same object.
    var head = first
    head.retired = [RetiredObject(sha256: stray.sha256, since: "2020-01-01T00:00:00Z")]
    try Data(head.encoded).write(to: URL(fileURLWithPath: bench.folder + "/head.json"))
    try bench.publish(after: "UPDATE product SET price = 3")
    #expect(try bench.head().retired.isEmpty)
    #expect(try bench.head().snapshot == stray)
    #expect(FileManager.default.fileExists(atPath: bench.object(stray.sha256)))
  }

  @Test func `what a killed publication left is found, listed and deleted`() throws {
    let bench = try PublishBench()
    try bench.publish(try bench.database(Self.shop))
    let name = String(repeating: "ab", count: 32)
    try FileManager.default.createDirectory(
      atPath: bench.folder + "/o/ab", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: bench.object(name)))
    let half = bench.folder + "/o/ab/.\(name).seed-1-1"
    try Data([1]).write(to: URL(fileURLWithPath: half))
    bench.time += 100
    try bench.publish(after: "UPDATE product SET price = 3")
    #expect(
      try bench.head().retired.first { $0.sha256 == name }?.since == UTCTime.text(bench.time))
    #expect(!FileManager.default.fileExists(atPath: half))
    bench.time += 8 * 86400
    try bench.publish(after: "UPDATE product SET price = 4")
    #expect(!FileManager.default.fileExists(atPath: bench.object(name)))
  }

  @Test func `a snapshot holds what the stream carries and nothing else`() throws {
    let bench = try PublishBench()
    let path = try bench.database(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, own TEXT DEFAULT 'd', pin INTEGER NOT NULL,
        code TEXT NOT NULL CHECK (code <> ''), tag TEXT NOT NULL UNIQUE);
      INSERT INTO t VALUES(1, 'a', 'SECRET1', 4711, 'SECRET2', 'tag1'),
        (2, 'b', 'SECRET1', 4712, 'SECRET2', 'tag2');
      CREATE TABLE u(id INTEGER PRIMARY KEY, pw REFERENCES t); CREATE INDEX u_pw ON u(pw);
      INSERT INTO u VALUES(1, 'SECRET3');
      CREATE VIRTUAL TABLE f USING fts5(word); INSERT INTO f VALUES('SECRET4');
      CREATE VIEW w AS SELECT 'SECRET5', pw FROM u;
      CREATE TRIGGER r AFTER UPDATE ON t BEGIN SELECT RAISE(ABORT, 'SECRET6'); END;
      """)
    let connection = try Connection(path: path, mode: .readWrite)
    try CursorTables.create(on: connection)
    try CursorTables.declare(
      [DeclaredTable(name: "t", key: ["id"], columns: ["id", "name"])], for: "main",
      in: connection)
    try connection.close()
    let result = try bench.publish(path)
    // What a constraint holds in place is told.
    #expect(
      result.uncarried == [
        PublishedColumn(table: "t", column: "code"), PublishedColumn(table: "t", column: "tag"),
      ])
    let entry = try #require(try bench.head().snapshot)
    let bytes = try Archive.unpacked(bench.object(entry.sha256), size: Int(entry.plainSize))
    let text = String(decoding: bytes, as: UTF8.self)
    for secret in [1, 3, 4, 5, 6] { #expect(!text.contains("SECRET\(secret)")) }
    let copy = try bench.directory.write("", to: "copy.sqlite")
    try Data(bytes).write(to: URL(fileURLWithPath: copy))
    let snapshot = try Connection(path: copy, mode: .readOnly)
    #expect(try snapshot.scalarText("PRAGMA integrity_check") == "ok")
    #expect(
      try snapshot.rows("SELECT id, name, own, pin FROM t") == [
        [.integer(1), .text("a"), .null, .integer(0)],
        [.integer(2), .text("b"), .null, .integer(0)],
      ])
    #expect(
      try snapshot.scalarText(
        "SELECT group_concat(name) FROM sqlite_schema WHERE name NOT LIKE '%seed%' "
          + "AND name NOT LIKE 'sqlite%'") == "t")
    // The database that ships stays whole, and later changes find their way.
    #expect(
      try Connection(path: path, mode: .readOnly).scalarText("SELECT pw FROM u") == "SECRET3")
    try bench.database("DROP TRIGGER r; UPDATE t SET name = 'c' WHERE id = 2; DELETE FROM u")
    #expect(try bench.publish(path).rows == 1)
  }
}
