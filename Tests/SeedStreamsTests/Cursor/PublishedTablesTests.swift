import SeedMerge
import SeedSQLite
import SeedStreams
import Testing

@Suite struct PublishedTablesTests {
  private func database(_ schema: String) throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(schema)
    return connection
  }

  private func tables(_ schema: String) throws -> [PublishedTable] {
    try PublishedTables.tables(of: "main", in: try database(schema))
  }

  @Test func `every ordinary table is carried, by the bytes of the names`() throws {
    let tables = try tables(
      """
      CREATE TABLE b(id INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE Z(id INTEGER PRIMARY KEY);
      CREATE TABLE _seed(format); CREATE TABLE _seed_owned(x); CREATE VIEW v AS SELECT 1;
      CREATE VIRTUAL TABLE f USING fts5(x);
      """)
    #expect(tables.map(\.table.name) == ["Z", "a", "b"])
  }

  @Test(arguments: [
    ("CREATE TABLE t(v, id INTEGER PRIMARY KEY)", ["id"], ["BINARY"]),
    (
      "CREATE TABLE t(a TEXT, b TEXT COLLATE NOCASE, PRIMARY KEY(b, a)) WITHOUT ROWID", ["b", "a"],
      ["NOCASE", "BINARY"]
    ),
    ("CREATE TABLE t(a, b NOT NULL, c NOT NULL UNIQUE, UNIQUE(a), UNIQUE(b))", ["c"], ["BINARY"]),
    (
      "CREATE TABLE t(a NOT NULL, b); CREATE UNIQUE INDEX p ON t(a) WHERE b; "
        + "CREATE UNIQUE INDEX e ON t(abs(a)); CREATE UNIQUE INDEX i ON t(a COLLATE NOCASE)", ["a"],
      ["NOCASE"]
    ),
  ])
  func `the key is the primary key, else the first UNIQUE index that is NOT NULL`(
    schema: String, key: [String], collations: [String]
  ) throws {
    let table = try #require(try tables(schema).first)
    #expect(table.table.key == key)
    #expect(table.keyCollations == collations)
    #expect(table.table.columns.prefix(key.count).map(\.name) == key)
  }

  @Test func `other UNIQUE indexes are told, with their columns if these decide alone`() throws {
    let table = try #require(
      try tables(
        """
        CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE, b, c); CREATE UNIQUE INDEX p ON t(b) WHERE c;
        CREATE UNIQUE INDEX e ON t(b, abs(c)); CREATE INDEX plain ON t(c);
        """
      ).first)
    #expect(table.uniqueIndexes.map(\.columns) == [["a"], nil, nil])
  }

  @Test func `columns come with their affinities, without those that are computed`() throws {
    let table = try #require(
      try tables(
        """
        CREATE TABLE t(a VARCHAR(10), id BIGINT PRIMARY KEY, b DOUBLE, c DECIMAL(3), d, e BLOB,
          g AS (a || 'x'), h AS (a) STORED, i "FLOATING POINT")
        """
      ).first)
    #expect(table.table.columns.map(\.name) == ["id", "a", "b", "c", "d", "e", "i"])
    #expect(
      table.table.columns.map(\.affinity)
        == ["INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "BLOB", "INTEGER"])
  }

  @Test func `a table of strict types takes any value as it is`() throws {
    let table = try #require(
      try tables("CREATE TABLE t(id INTEGER PRIMARY KEY, v ANY, w REAL) STRICT").first)
    #expect(table.table.columns.map(\.affinity) == ["INTEGER", "BLOB", "REAL"])
  }

  @Test func `declared tables are carried with the declared columns`() throws {
    let connection = try database(
      "CREATE TABLE a(id INTEGER PRIMARY KEY, u UNIQUE NOT NULL, v, w); CREATE TABLE b(x)")
    try CursorTables.create(on: connection)
    try CursorTables.declare(
      [DeclaredTable(name: "A", key: ["U"], columns: ["v", "u"])], for: "shop", in: connection)
    #expect(try PublishedTables.stream(named: nil, in: connection) == "shop")
    let tables = try PublishedTables.tables(of: "shop", in: connection)
    #expect(tables.map(\.table.name) == ["a"])
    #expect(tables.first?.table.key == ["u"])
    #expect(tables.first?.table.columns.map(\.name) == ["u", "v"])
  }

  @Test func `what cannot be published is named`() throws {
    #expect(throws: PublishedTableError.noKey(table: "t")) {
      try tables("CREATE TABLE t(a UNIQUE)")
    }
    #expect(throws: PublishedTableError.noTables) { try tables("CREATE VIEW v AS SELECT 1") }
    let connection = try database("CREATE TABLE a(id INTEGER PRIMARY KEY, v)")
    try CursorTables.create(on: connection)
    func expect(_ expected: PublishedTableError, _ declared: DeclaredTable) throws {
      try CursorTables.declare([declared], for: "main", in: connection)
      #expect(throws: expected) { try PublishedTables.tables(of: "main", in: connection) }
    }
    try expect(.missingTable("z"), DeclaredTable(name: "z", key: ["id"], columns: ["id"]))
    try expect(
      .missingColumn(table: "a", column: "w"),
      DeclaredTable(name: "a", key: ["id"], columns: ["id", "w"]))
    try expect(
      .keyWithoutIndex(table: "a", key: ["v"]),
      DeclaredTable(name: "a", key: ["v"], columns: ["v"]))
    #expect(throws: PublishedTableError.tableOfTwoStreams(table: "a", stream: "main")) {
      try PublishedTables.tables(of: "other", in: connection)
    }
    let refusal = PublishedTableError.tableOfTwoStreams(table: "a", stream: "main")
    #expect(
      refusal.hint == "publish with --stream \"main\"; for another stream, build the database anew")
  }

  @Test func `the only declared stream is meant, else main`() throws {
    let connection = try database("CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(x)")
    #expect(try PublishedTables.stream(named: nil, in: connection) == "main")
    try CursorTables.create(on: connection)
    for (stream, table) in [("s", "a"), ("r", "b")] {
      try CursorTables.declare(
        [DeclaredTable(name: table, key: ["id"], columns: ["id"])], for: stream, in: connection)
    }
    #expect(throws: PublishedTableError.severalStreams(["r", "s"])) {
      try PublishedTables.stream(named: nil, in: connection)
    }
    #expect(try PublishedTables.stream(named: "s", in: connection) == "s")
  }

  @Test(arguments: ["", "../x", "a/b", ".a", "1a", "ä", "a b", String(repeating: "a", count: 65)])
  func `a name that is no folder's is refused`(name: String) throws {
    #expect(throws: PublishedTableError.invalidName(name)) {
      try PublishedTables.stream(named: name, in: try database(""))
    }
  }
}
