import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport
import Testing

@testable import SeedStore

/// A newer seed's rows in a database with the user's own.
@Suite struct MergePolicyTests {
  /// What an app adds: a table, a column, rows in the seed's tables, changes.
  private static let own = """
    ALTER TABLE category ADD COLUMN color TEXT DEFAULT 'none';
    UPDATE category SET color = 'color ' || id;
    UPDATE product SET favourite = 1 WHERE code IN ('a', 'b');
    UPDATE product SET name = 'renamed' WHERE code = 'a';
    INSERT INTO category VALUES (100, 'my things', 'mine');
    INSERT INTO product VALUES ('x', 'My own', 100, 1);
    CREATE TABLE note(id INTEGER PRIMARY KEY, product TEXT, text TEXT);
    INSERT INTO note VALUES (1, 'a', 'heavy'), (2, 'c', 'sweet');
    """

  @Test(arguments: [JournalMode.delete, .wal])
  func `the seed's rows become the new ones, and all that is the user's stays`(
    mode: JournalMode
  ) throws {
    let seed = try MergeSeed(mode: mode)
    try seed.bench.write(Self.own)
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    let other = try Connection(path: seed.bench.destination, mode: .readWrite)
    #expect(try other.scalarInteger("SELECT count(*) FROM category") == 4)
    let rows = try seed.merge()
    #expect(rows == MergedRows(inserted: 2, updated: 4, deleted: 2, unchanged: 0))
    #expect(try other.scalarInteger("SELECT count(*) FROM category") == 4)
    #expect(
      try seed.rows("SELECT * FROM category") == [
        "1 toys color 1", "2 tools color 2", "4 books none", "100 my things mine",
      ])
    #expect(
      try seed.rows("SELECT * FROM product ORDER BY code") == [
        "a Anvil 1 1", "b Blue ball 2 1", "d Dictionary 4 0", "x My own 100 1",
      ])
    #expect(try seed.rows("SELECT * FROM note") == ["1 a heavy", "2 c sweet"])
    #expect(try seed.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try seed.rows("SELECT version FROM _seed") == ["2"])
    #expect(try seed.bench.litter == [])
    #expect(try seed.bench.install(InstallOptions(policy: .merge)).outcome == .alreadyCurrent)
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func `an index of the app's on a function for JSON is no damage`(mode: JournalMode) throws {
    let seed = try MergeSeed(mode: mode)
    try seed.bench.write(
      "UPDATE product SET name = '{}'; CREATE INDEX byJSON ON product(json_extract(name, '$.a'))")
    #expect(try seed.bench.install().outcome == .alreadyCurrent)
    try seed.write(
      MergeSeed.shop
        + MergeSeed.newRows.replacing("Blue ball", with: "[1]")
        .replacing("Anvil", with: "[2]").replacing("Dictionary", with: "[3]"), version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT name FROM product ORDER BY code") == ["[2]", "[1]", "[3]"])
    try SeedDatabase.rollback(at: seed.bench.destination)
    #expect(try seed.rows("SELECT name FROM product ORDER BY code") == ["{}", "{}", "{}"])
  }

  @Test func `the key of a table without a primary key is the first that was declared`() throws {
    let table = "CREATE TABLE place(id INT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE);"
    let owned = [("place", [String]())]
    let seed = try MergeSeed(
      table + "INSERT INTO place VALUES (1,'a'),(2,'b'),(3,'c');", owned: owned)
    try seed.bench.write("ALTER TABLE place ADD mark; UPDATE place SET mark = 'of ' || id")
    try seed.write(
      table + "INSERT INTO place VALUES (1,'b'),(2,'c'),(3,'d');"
        + "CREATE UNIQUE INDEX late ON place(name, id);", owned: owned, version: "2")
    try seed.merge()
    #expect(
      try seed.rows("SELECT * FROM place ORDER BY id") == ["1 b of 1", "2 c of 2", "3 d of 3"])
  }

  @Test func `a row that goes has its values until then where no other one wants them`() throws {
    let table = "CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    let owned = [("place", [String]())]
    let seed = try MergeSeed(
      table + "INSERT INTO place VALUES (1,'a'),(2,'b'),(3,'c');", owned: owned)
    try seed.bench.write(
      """
      CREATE TABLE grave(name); ALTER TABLE place ADD mark; UPDATE place SET mark = 1 WHERE id = 3;
      CREATE TABLE own(name REFERENCES place(name) ON DELETE CASCADE);
      PRAGMA foreign_keys = ON; INSERT INTO own VALUES ('a'), ('b');
      CREATE TRIGGER dig BEFORE DELETE ON place WHEN old.mark IS NULL
      BEGIN INSERT INTO grave VALUES (old.name); END;
      CREATE TRIGGER spare BEFORE DELETE ON place WHEN old.mark BEGIN SELECT RAISE(IGNORE); END;
      """)
    try seed.write(table + "INSERT INTO place VALUES (1,'a'),(4,'d');", owned: owned, version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT id, name FROM place ORDER BY id") == ["1 a", "3 c", "4 d"])
    #expect(try seed.rows("SELECT name FROM grave") == ["b"])
    #expect(try seed.rows("SELECT name FROM own") == ["a"])
  }

  @Test func `rows that a merge has brought are the seed's at the next one`() throws {
    let seed = try MergeSeed()
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    try seed.merge()
    try seed.bench.write("INSERT INTO category VALUES (5, 'mine'); DELETE FROM product")
    try seed.write(MergeSeed.shop + "INSERT INTO category VALUES (1,'toys')", version: "3")
    let rows = try seed.merge()
    #expect(rows == MergedRows(inserted: 0, updated: 0, deleted: 2, unchanged: 1))
    #expect(try seed.rows("SELECT * FROM category") == ["1 toys", "5 mine"])
    // A row of the app's whose key the seed takes is the seed's then.
    try seed.write(MergeSeed.shop + "INSERT INTO category VALUES (5,'books')", version: "4")
    var options = InstallOptions(policy: .merge)
    options.takenKeys = .seed
    guard case .merged(let taken, _) = try seed.bench.install(options).outcome else {
      Issue.record("not merged")
      return
    }
    #expect(taken == MergedRows(inserted: 0, updated: 1, deleted: 1, unchanged: 0))
    try seed.write(MergeSeed.shop, version: "5")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM category") == [])
  }

  @Test func `keys of any kind are remembered`() throws {
    let schema = """
      CREATE TABLE pair(a TEXT, b INTEGER, v, PRIMARY KEY(a, b)) WITHOUT ROWID;
      CREATE TABLE folded(k TEXT COLLATE NOCASE NOT NULL UNIQUE, v);
      CREATE TABLE any(k PRIMARY KEY, v);
      CREATE TABLE runs(k INTEGER PRIMARY KEY);
      """
    let owned: [(String, [String])] = [("pair", []), ("folded", []), ("any", []), ("runs", [])]
    let seed = try MergeSeed(
      schema + """
        INSERT INTO pair VALUES ('a', 1, 1), ('a', 2, 1), (',''', 1, 1);
        INSERT INTO folded VALUES ('a', 1), ('B', 1), ('c', 1);
        INSERT INTO any VALUES (1, 1), (2.5, 1), ('1', 1), (x'31', 1);
        INSERT INTO runs VALUES (-9223372036854775808), (-1), (0), (1), (5), (9223372036854775807);
        """, owned: owned)
    #expect(
      try seed.rows("SELECT first, last FROM _seed_rows WHERE name = 'runs'") == [
        "-9223372036854775808 -9223372036854775808", "-1 1", "5 5",
        "9223372036854775807 9223372036854775807",
      ])
    try seed.bench.write(
      """
      INSERT INTO pair VALUES ('a', 3, 1), ('b', 1, 1); INSERT INTO folded VALUES ('d', 1);
      INSERT INTO any VALUES (2, 1), ('2.5', 1); INSERT INTO runs VALUES (-2), (2), (6);
      """)
    try seed.write(schema, owned: owned, version: "2")
    #expect(try seed.merge().deleted == 16)
    #expect(try seed.rows("SELECT a, b FROM pair") == ["a 3", "b 1"])
    #expect(try seed.rows("SELECT k FROM folded") == ["d"])
    #expect(try seed.rows("SELECT k FROM any ORDER BY 1") == ["2", "2.5"])
    #expect(try seed.rows("SELECT k FROM runs") == ["-2", "2", "6"])
  }

  @Test func `without a note of the old seed's rows none is deleted`() throws {
    let seed = try MergeSeed(owned: nil)
    #expect(try seed.rows("SELECT name FROM sqlite_schema WHERE name LIKE '_seed_%'") == [])
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    #expect(try seed.merge().deleted == 0)
    #expect(try seed.rows("SELECT code FROM product ORDER BY 1") == ["a", "b", "c", "d"])
  }

  @Test func `rows that the preparation adds are the app's`() throws {
    let seed = try MergeSeed()
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    var options = InstallOptions(policy: .replace)
    options.prepare = { path in
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("INSERT INTO category VALUES (50, 'prepared')")
      try connection.close()
    }
    try seed.bench.install(options)
    try seed.write(MergeSeed.shop, version: "3")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM category") == ["50 prepared"])
  }

  @Test func `of a seed with other rows alone only the differing rows and the stamp are written`()
    throws
  {
    let rows = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO category SELECT i, 'a title that takes some room ' || i FROM n;
      """
    let seed = try MergeSeed(MergeSeed.shop + rows, mode: .wal)
    // A reader keeps the log, so that its size can be seen.
    let reader = try Connection(path: seed.bench.destination, mode: .readWrite)
    try reader.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try seed.write(MergeSeed.shop + rows, version: "2")
    #expect(
      try seed.merge() == MergedRows(inserted: 0, updated: 0, deleted: 0, unchanged: 5000))
    let log = seed.bench.destination + "-wal"
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    // The page of the stamp and the first one, of some hundred.
    #expect(size ?? .max <= 32 + 3 * (24 + 4096))
    #expect(try reader.scalarInteger("PRAGMA page_count") ?? 0 > 50)
  }

  @Test func `tables, columns and indexes of the newer seed are added`() throws {
    let seed = try MergeSeed()
    try seed.bench.write(Self.own)
    let schema = """
      CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE, up AS (upper(title)));
      CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
        category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0,
        "price, net" REAL NOT NULL DEFAULT 1.5 CHECK("price, net" > 0),
        maker TEXT COLLATE NOCASE REFERENCES maker(name));
      CREATE TABLE maker(name TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE setting(key TEXT PRIMARY KEY, value);
      CREATE INDEX product_name ON product(name);
      CREATE UNIQUE INDEX setting_value ON setting(value);
      """
    let rows = """
      INSERT INTO category VALUES (1,'tools'); INSERT INTO setting VALUES ('theme', 'dark');
      INSERT INTO maker VALUES ('Acme');
      INSERT INTO product VALUES ('a','Anvil',1,0,19.5,'acme');
      """
    let owned: [(String, [String])] = [
      ("category", []), ("product", ["name", "category", "price, net", "maker"]), ("maker", []),
    ]
    try seed.write(schema + rows, owned: owned, version: "2")
    try seed.merge()
    #expect(
      try seed.rows("SELECT * FROM product ORDER BY code") == [
        "a Anvil 1 1 19.5 acme", "x My own 100 1 1.5 -",
      ])
    #expect(
      try seed.rows("SELECT id, color, up FROM category") == [
        "1 color 1 TOOLS", "100 mine MY THINGS",
      ])
    #expect(try seed.rows("SELECT * FROM maker") == ["Acme"])
    #expect(try seed.rows("SELECT * FROM setting") == ["theme dark"])
    #expect(
      try seed.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL ORDER BY 1")
        == ["product_name", "setting_value"])
    #expect(throws: SQLiteError.self) {
      try seed.bench.write("UPDATE product SET \"price, net\" = 0")
    }
    // What is not the seed's own is there once; the app's from then on.
    try seed.bench.write("UPDATE setting SET value = 'light'")
    try seed.write(schema + rows, owned: owned, version: "3")
    try seed.merge()
    #expect(try seed.rows("SELECT * FROM setting") == ["theme light"])
    try SeedDatabase.rollback(at: seed.bench.destination)
    #expect(try seed.rows("SELECT version FROM _seed") == ["2"])
  }

  @Test func `new tables of the app's may refer to rows that come with the merge`() throws {
    let seed = try MergeSeed()
    let schema = """
      CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
      CREATE TABLE "PRODUCT"(code TEXT PRIMARY KEY, name TEXT NOT NULL,
        category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0);
      CREATE TABLE list(id INTEGER PRIMARY KEY, item INTEGER REFERENCES category(id));
      """
    let owned: [(String, [String])] = [("category", []), ("PRODUCT", [])]
    let rows = "INSERT INTO category VALUES (7, 'new');"
    try seed.write(
      schema + rows + "INSERT INTO list VALUES (1, 8)", owned: owned, version: "2")
    #expect(
      try seed.refusal() == ["row 1 of \"list\" refers by \"item\" to no row of \"category\""])
    try seed.write(
      schema + rows + "INSERT INTO list VALUES (1, 7)", owned: owned, version: "2")
    // The spelling of a table's name does not matter: its rows are still the seed's.
    #expect(try seed.merge().deleted == 6)
    #expect(try seed.rows("SELECT * FROM list") == ["1 7"])
    #expect(try seed.rows("SELECT DISTINCT name FROM _seed_rows") == ["category"])
  }

  @Test func `a packed seed is merged as a plain one`() throws {
    let seed = try MergeSeed()
    try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
    let plain = try FileSystem.live.bytes(of: seed.bench.seedPath, limit: 1 << 20)
    let connection = try Connection(path: seed.bench.seedPath, mode: .immutable)
    let digest = try ContentDigest.compute(connection)
    let facts = ArchiveFacts(
      sha256: try requireDigest(seed.bench.seedPath).hexadecimal, byteCount: Int64(plain.count),
      name: "shop", version: "2", contentSHA256: digest, userVersion: 1, applicationID: 0)
    let deflation = GzipDeflation(name: "new.sqlite", extraField: facts.extraField)
    var archive: [UInt8] = []
    plain.withUnsafeBytes { deflation.deflate($0, isLast: true) { archive += Array($0) } }
    try seed.bench.directory.write(archive, to: "bundle/new.sqlite.gz")
    let result = try SeedDatabase.install(
      Seed(path: seed.bench.directory.path("bundle/new.sqlite.gz")), at: seed.bench.destination,
      options: InstallOptions(policy: .merge))
    guard case .merged(let rows, _) = result.outcome else {
      Issue.record("\(result.outcome)")
      return
    }
    #expect(rows.inserted == 2)
  }

  @Test func `user_version follows the seed unless the app counts it up`() throws {
    for (own, expected) in [(nil, "7"), (4, "4")] as [(Int?, String)] {
      let seed = try MergeSeed(userVersion: 3)
      if let own { try seed.bench.write("PRAGMA user_version = \(own)") }
      try seed.write(MergeSeed.shop, version: "2", userVersion: 7)
      try seed.merge()
      #expect(try seed.rows("PRAGMA user_version") == [expected])
      try seed.write(MergeSeed.shop, version: "3", userVersion: 8)
      try seed.merge()
      #expect(try seed.rows("PRAGMA user_version") == [own == nil ? "8" : "4"])
    }
  }

  @Test func `a merged database is pristine only if it has the seed's content alone`() throws {
    for isModified in [true, false] {
      let seed = try MergeSeed()
      if isModified { try seed.bench.write("UPDATE product SET favourite = 1") }
      try seed.write(MergeSeed.shop + MergeSeed.newRows, version: "2")
      try seed.merge()
      try seed.write(MergeSeed.shop, version: "3")
      let outcome = try seed.bench.install(InstallOptions(policy: .replaceIfPristine)).outcome
      if isModified {
        guard case .kept = outcome else {
          Issue.record("\(outcome)")
          continue
        }
      }
      #expect(try seed.rows("SELECT install_counter FROM _seed") != ["-"])
    }
  }

  @Test func `tables that a stream keeps are left to it`() throws {
    let seed = try MergeSeed()
    try seed.bench.write(
      """
      CREATE TABLE _seed_stream_table(stream, "table", key, columns);
      INSERT INTO _seed_stream_table VALUES ('main', 'Category', '["id"]', '["id","title"]');
      CREATE TABLE _seed_stream(stream, seq); INSERT INTO _seed_stream VALUES ('main', 1);
      """)
    try seed.write(
      MergeSeed.shop
        + "INSERT INTO category VALUES (9,'x'); INSERT INTO product VALUES ('a','A',1,0)",
      version: "2")
    try seed.merge()
    #expect(try seed.rows("SELECT id FROM category") == ["1", "2", "3"])
    #expect(try seed.rows("SELECT code, name FROM product") == ["a A"])
  }
}
