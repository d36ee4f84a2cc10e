import SeedMerge
import SeedSQLite
import Testing

/// UNIQUE indexes over columns of the key, in which no row can be parked.
@Suite struct KeyIndexTests {
  /// A schema of the table `t(cat, prod, mine)` whose key is `(cat, prod)`.
  private static let schemas = [
    "CREATE TABLE t(cat TEXT NOT NULL, prod TEXT NOT NULL, mine, PRIMARY KEY(cat, prod), "
      + "UNIQUE(prod))",
    "CREATE TABLE t(cat TEXT NOT NULL, prod TEXT NOT NULL, mine, PRIMARY KEY(cat, prod), "
      + "UNIQUE(prod)) WITHOUT ROWID",
    "CREATE TABLE t(cat TEXT NOT NULL, prod TEXT NOT NULL, mine, PRIMARY KEY(cat, prod));"
      + "CREATE UNIQUE INDEX i ON t(lower(prod))",
    "CREATE TABLE t(cat TEXT NOT NULL, prod TEXT NOT NULL, mine DEFAULT 1, "
      + "PRIMARY KEY(cat, prod), UNIQUE(prod, mine))",
    "CREATE TABLE t(cat TEXT NOT NULL, prod TEXT NOT NULL, mine, code TEXT, "
      + "PRIMARY KEY(cat, prod), UNIQUE(prod), UNIQUE(code))",
  ]
  private static let table = DeclaredTable(
    name: "t", key: ["cat", "prod"], columns: ["cat", "prod"])

  private static func insert(_ rows: [(String, Int64)]) -> String {
    rows.map { "INSERT INTO t(cat, prod) VALUES ('\($0.0)', \($0.1));" }.joined()
  }

  private static let old: [(String, Int64)] = [("1", 1), ("2", 2), ("3", 3), ("5", 5)]
  private static let new: [(String, Int64)] = [("2", 1), ("1", 2), ("3", 3), ("4", 4)]

  private static func content(_ bench: MergeBench) throws -> [String] {
    try bench.rows("SELECT cat, CAST(prod AS INTEGER) FROM t ORDER BY cat")
  }

  @Test(arguments: schemas)
  func `part of a gone row's key goes to another row, row by row`(schema: String) throws {
    let bench = try MergeBench(schema, rows: Self.insert(Self.old))
    let counts = try bench.merge([Self.table]) { merge in
      let deletion = try merge.deletion(from: "t", columns: ["cat", "prod"])
      for (cat, prod) in Self.old where cat != "3" {
        try deletion.add([.text(cat), .integer(prod)])
      }
      let upsert = try merge.upsert(into: "t", columns: ["cat", "prod"])
      for (cat, prod) in Self.new { try upsert.add([.text(cat), .integer(prod)]) }
    }
    #expect(try Self.content(bench) == ["'1' 2", "'2' 1", "'3' 3", "'4' 4"])
    #expect(counts.deleted == 3)
    try bench.expectSound()
  }

  @Test(arguments: schemas)
  func `part of a gone row's key goes to another row of a snapshot`(schema: String) throws {
    let bench = try MergeBench(schema, rows: Self.insert(Self.old))
    let snapshot = try bench.snapshot(Self.insert(Self.new))
    let counts = try bench.merge([Self.table], snapshot: snapshot)
    #expect(try Self.content(bench) == ["'1' 2", "'2' 1", "'3' 3", "'4' 4"])
    #expect(counts.deleted == 3)
    #expect(counts.written == 3)
    try bench.expectSound()
  }

  @Test func `a key in other letters takes the place of one that an index takes for the same`()
    throws
  {
    let schema = "CREATE TABLE t(k TEXT PRIMARY KEY); CREATE UNIQUE INDEX i ON t(k COLLATE NOCASE)"
    let table = DeclaredTable(name: "t", key: ["k"], columns: ["k"])
    let bench = try MergeBench(schema, rows: "INSERT INTO t VALUES ('A')")
    try bench.merge([table], snapshot: try bench.snapshot("INSERT INTO t VALUES ('a')"))
    #expect(try bench.rows("SELECT k FROM t") == ["'a'"])
    try bench.merge([table]) { merge in
      try merge.deletion(from: "t", columns: ["k"]).add([.text("a")])
      try merge.upsert(into: "t", columns: ["k"]).add([.text("A")])
    }
    #expect(try bench.rows("SELECT k FROM t") == ["'A'"])
    try bench.expectSound()
  }

  @Test func `only the row in the way goes early: one that comes back keeps what hangs on it`()
    throws
  {
    let bench = try MergeBench(
      """
      CREATE TABLE t(cat TEXT, prod INTEGER, mine, PRIMARY KEY(cat, prod), UNIQUE(prod));
      CREATE TABLE note(cat TEXT, prod INTEGER,
        FOREIGN KEY(cat, prod) REFERENCES t(cat, prod) ON DELETE CASCADE);
      """,
      rows: """
        INSERT INTO t VALUES ('1', 1, 'x'), ('3', 3, 'y');
        INSERT INTO note VALUES ('1', 1), ('3', 3);
        """)
    try bench.merge([Self.table]) { merge in
      let deletion = try merge.deletion(from: "t", columns: ["cat", "prod"])
      try deletion.add([.text("1"), .integer(1)])
      try deletion.add([.text("3"), .integer(3)])
      let upsert = try merge.upsert(into: "t", columns: ["cat", "prod"])
      try upsert.add([.text("2"), .integer(1)])
      try upsert.add([.text("3"), .integer(3)])
    }
    #expect(try bench.rows("SELECT * FROM t ORDER BY cat") == ["'2' 1 NULL", "'3' 3 'y'"])
    #expect(try bench.rows("SELECT * FROM note") == ["'3' 3"])
    try bench.expectSound()
  }

  @Test func `a row that gives way comes back when its place is free again`() throws {
    let bench = try MergeBench(Self.schemas[0], rows: Self.insert([("1", 1)]))
    let snapshot = try bench.snapshot(Self.insert([("2", 1)]))
    try bench.merge([Self.table], snapshot: snapshot) { merge in
      try merge.deletion(from: "t", columns: ["cat", "prod"]).add([.text("2"), .integer(1)])
      try merge.upsert(into: "t", columns: ["cat", "prod"]).add([.text("1"), .integer(1)])
    }
    #expect(try Self.content(bench) == ["'1' 1"])
    try bench.expectSound()
  }

  @Test func `a row of the app's is not made to give way, nor one that is to stay`() throws {
    let bench = try MergeBench(Self.schemas[0], rows: Self.insert([("1", 1), ("9", 9)]))
    let snapshot = try bench.snapshot(Self.insert([("2", 9)]))
    let error = #expect(throws: MergeError.self) {
      try bench.merge([Self.table], snapshot: snapshot, removable: ["t": "t.cat <> '9'"])
    }
    guard case .constraint(.unique, _)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    try bench.live.execute("BEGIN")
    let merge = try RowMerge([Self.table], keeping: ["t": "t.cat = '1'"], on: bench.live)
    try merge.deletion(from: "t", columns: ["cat", "prod"]).add([.text("1"), .integer(1)])
    let upsert = try merge.upsert(into: "t", columns: ["cat", "prod"])
    #expect(throws: MergeError.self) { try upsert.add([.text("2"), .integer(1)]) }
    try bench.live.execute("ROLLBACK")
    #expect(try Self.content(bench) == ["'1' 1", "'9' 9"])
  }

  private static let parents = """
    CREATE TABLE t(cat TEXT, prod INTEGER, PRIMARY KEY(cat, prod), UNIQUE(prod));
    CREATE TABLE u(id INTEGER PRIMARY KEY, cat TEXT, prod INTEGER, mine,
      FOREIGN KEY(cat, prod) REFERENCES t(cat, prod) ON DELETE CASCADE);
    """
  private static let child = DeclaredTable(
    name: "u", key: ["id"], columns: ["id", "cat", "prod"])
  private static let moved = """
    INSERT INTO t VALUES ('1', 1), ('2', 2); INSERT INTO u VALUES (7, '1', 1, 'x'), (8, '2', 2, 'y');
    """

  @Test func `what refers to a gone row keeps its place until it refers to the next one`() throws {
    let bench = try MergeBench(Self.parents, rows: Self.moved)
    let snapshot = try bench.snapshot(
      """
      INSERT INTO t VALUES ('3', 1), ('2', 2), ('4', 4);
      INSERT INTO u VALUES (7, '3', 1, NULL), (8, '2', 2, NULL);
      """)
    let counts = try bench.merge([Self.table, Self.child], snapshot: snapshot)
    #expect(counts.written == 3 && counts.inserted == 2 && counts.deleted == 1)
    #expect(counts.unchanged == 2)
    #expect(try bench.rows("SELECT * FROM u") == ["7 '3' 1 'x'", "8 '2' 2 'y'"])
    try bench.expectSound()
  }

  @Test func `what refers to a gone row keeps its place, row by row`() throws {
    let bench = try MergeBench(Self.parents, rows: Self.moved)
    let counts = try bench.merge([Self.table, Self.child]) { merge in
      let deletion = try merge.deletion(from: "t", columns: ["cat", "prod"])
      try deletion.add([.text("1"), .integer(1)])
      let rows = try merge.upsert(into: "t", columns: ["cat", "prod"])
      try rows.add([.text("3"), .integer(1)])
      // It goes again before it was there, and comes once more.
      try merge.deletion(from: "t", columns: ["cat", "prod"]).add([.text("3"), .integer(1)])
      let again = try merge.upsert(into: "t", columns: ["cat", "prod"])
      try again.add([.text("3"), .integer(1)])
      let children = try merge.upsert(into: "u", columns: ["id", "cat", "prod"])
      try children.add([.integer(7), .text("3"), .integer(1)])
    }
    #expect(counts.written == 2 && counts.deleted == 1)
    #expect(try bench.rows("SELECT * FROM t ORDER BY cat") == ["'2' 2", "'3' 1"])
    #expect(try bench.rows("SELECT * FROM u") == ["7 '3' 1 'x'", "8 '2' 2 'y'"])
    try bench.expectSound()
  }

  @Test func `a held row that is deleted later does not come`() throws {
    let bench = try MergeBench(Self.parents, rows: Self.moved)
    let snapshot = try bench.snapshot("INSERT INTO t VALUES ('3', 1), ('2', 2);")
    try bench.merge([Self.table], snapshot: snapshot) { merge in
      try merge.deletion(from: "t", columns: ["cat", "prod"]).add([.text("3"), .integer(1)])
    }
    #expect(try bench.rows("SELECT * FROM t") == ["'2' 2"])
    #expect(try bench.rows("SELECT id FROM u") == ["8"])
    try bench.expectSound()
  }

  @Test(arguments: ["lower(ifnull(name, ''))", "coalesce(name, 0)", "substr(name, 1, 1)"])
  func `rows change places in an index over an expression`(expression: String) throws {
    let bench = try MergeBench(
      "CREATE TABLE n(id INTEGER PRIMARY KEY, name TEXT); CREATE UNIQUE INDEX i ON n(\(expression))",
      rows: "INSERT INTO n VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    let table = DeclaredTable(name: "n", key: ["id"], columns: ["id", "name"])
    let snapshot = try bench.snapshot("INSERT INTO n VALUES (1, 'b'), (2, 'a'), (4, 'c')")
    try bench.merge([table], snapshot: snapshot)
    #expect(try bench.rows("SELECT * FROM n") == ["1 'b'", "2 'a'", "4 'c'"])
    try bench.expectSound()
  }
}
