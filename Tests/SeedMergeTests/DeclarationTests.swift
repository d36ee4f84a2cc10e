import SeedMerge
import SeedSQLite
import Testing

/// Tables that are not as they were declared: typed errors before anything is written.
@Suite struct DeclarationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var table: DeclaredTable
    var reason: MergeError.Reason

    init(
      _ name: String, _ table: String, key: [String], _ columns: [String],
      _ reason: MergeError.Reason
    ) {
      testDescription = name
      self.table = DeclaredTable(name: table, key: key, columns: columns)
      self.reason = reason
    }
  }

  static let schema = """
    CREATE TABLE item(id INTEGER PRIMARY KEY, a TEXT, b TEXT, c, g AS (a || b), UNIQUE(b, c));
    CREATE UNIQUE INDEX part ON item(a) WHERE b;
    CREATE UNIQUE INDEX behind ON item(a, lower(c));
    CREATE VIEW seen AS SELECT 1 AS id;
    CREATE VIRTUAL TABLE words USING fts5(text);
    CREATE TABLE copy(id, v, a TEXT);
    CREATE UNIQUE INDEX by_id ON copy(id);
    """

  static let cases = [
    Case("no table", "nothing", key: ["id"], ["id"], .noSuchTable),
    Case("view", "seen", key: ["id"], ["id"], .notAnOrdinaryTable(kind: "view")),
    Case("virtual table", "words", key: ["text"], ["text"], .notAnOrdinaryTable(kind: "virtual")),
    Case("shadow", "words_data", key: ["id"], ["id"], .notAnOrdinaryTable(kind: "shadow")),
    Case("no column", "item", key: ["id"], ["id", "x"], .noSuchColumn("x")),
    Case("no key column", "item", key: ["x"], ["id"], .noSuchColumn("x")),
    Case("generated", "item", key: ["id"], ["id", "g"], .generatedColumn("g")),
    Case("key not declared", "item", key: ["id"], ["a"], .keyColumnNotGiven("id")),
    Case("no key", "item", key: [], ["id"], .keyIsNotUnique([])),
    Case("not unique", "item", key: ["c"], ["c"], .keyIsNotUnique(["c"])),
    Case("partial index", "item", key: ["a"], ["a"], .keyIsNotUnique(["a"])),
    Case("part of an index", "item", key: ["b"], ["b"], .keyIsNotUnique(["b"])),
    Case(
      "more than an index", "item", key: ["b", "c", "a"], ["a", "b", "c"],
      .keyIsNotUnique(["b", "c", "a"])),
  ]

  @Test(arguments: cases)
  func `a table that is not as declared is refused`(refusal: Case) throws {
    let bench = try MergeBench(Self.schema)
    let error = #expect(throws: MergeError.self) {
      try bench.merge([refusal.table]) { _ in Issue.record("it began") }
    }
    #expect(error?.reason == refusal.reason)
    #expect(error?.isBeforeWriting == true)
    #expect(error?.table == refusal.table.name)
    #expect(error?.description.contains(refusal.table.name) == true)
  }

  @Test func `a table that is declared twice, or not at all, is refused`() throws {
    let bench = try MergeBench(Self.schema)
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id"])
    let twice = DeclaredTable(name: "ITEM", key: ["id"], columns: ["id"])
    let error = #expect(throws: MergeError.self) { try bench.merge([table, twice]) { _ in } }
    #expect(error?.reason == .tableNotDeclared)
    let other = #expect(throws: MergeError.self) {
      try bench.merge([table]) { _ = try $0.upsert(into: "copy", columns: ["id"]) }
    }
    #expect(other?.reason == .tableNotDeclared)
  }

  @Test func `columns of a section must be declared, the key among them`() throws {
    let bench = try MergeBench(Self.schema)
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "a"])
    let cases: [([String], MergeError.Reason)] = [
      (["id", "c"], .columnNotDeclared("c")), (["a"], .keyColumnNotGiven("id")),
      (["id", "ID"], .columnNotDeclared("ID")),
    ]
    for (columns, reason) in cases {
      let error = #expect(throws: MergeError.self) {
        try bench.merge([table]) { _ = try $0.upsert(into: "item", columns: columns) }
      }
      #expect(error?.reason == reason)
      let deletion = #expect(throws: MergeError.self) {
        try bench.merge([table]) { _ = try $0.deletion(from: "item", columns: columns) }
      }
      #expect(deletion?.reason == reason)
    }
  }

  @Test func `a snapshot without a table, a column or the key is refused before it begins`() throws
  {
    let bench = try MergeBench(Self.schema, rows: "INSERT INTO copy VALUES (1, 2, 'a')")
    let table = DeclaredTable(name: "copy", key: ["id"], columns: ["id", "v"])
    let cases: [(String, MergeError.Reason)] = [
      ("CREATE TABLE other(id PRIMARY KEY)", .noSuchTable),
      ("CREATE TABLE copy(id PRIMARY KEY)", .noSuchColumn("v")),
      ("CREATE TABLE copy(id, v)", .keyIsNotUnique(["id"])),
    ]
    for (schema, reason) in cases {
      let error = #expect(throws: MergeError.self) {
        try bench.merge([table], snapshot: bench.snapshot("", schema: schema))
      }
      #expect(error?.reason == reason)
      #expect(error?.schema == "snap")
      #expect(error?.isBeforeWriting == true)
    }
    #expect(try bench.rows("SELECT * FROM copy") == ["1 2 'a'"])
  }

  @Test func `names are found without regard to the case of their letters`() throws {
    let bench = try MergeBench(Self.schema)
    let table = DeclaredTable(name: "COPY", key: ["ID"], columns: ["Id", "V"])
    try bench.merge([table]) {
      try $0.upsert(into: "Copy", columns: ["v", "iD"]).add([.integer(2), .integer(1)])
    }
    #expect(try bench.rows("SELECT * FROM copy") == ["1 2 NULL"])
  }
}
