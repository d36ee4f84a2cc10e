import SeedMerge
import SeedSQLite
import Testing

/// What a merge does to the rest of the database, and what it refuses.
@Suite struct RowMergeTests {
  private static let shop = """
    CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
    CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT,
      category INTEGER REFERENCES category(id) ON DELETE CASCADE, favourite INTEGER DEFAULT 0);
    CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT,
      product INTEGER REFERENCES product(id) ON DELETE CASCADE,
      category INTEGER REFERENCES category(id) ON DELETE SET NULL);
    """
  private static let rows = """
    INSERT INTO category VALUES (1,'a'),(2,'b'),(3,'c');
    INSERT INTO product VALUES (1,'p',1,1),(2,'q',2,1),(3,'r',3,1);
    INSERT INTO note VALUES (1,'n',1,1),(2,'o',2,2),(3,'s',3,3);
    """
  private static let category = DeclaredTable(
    name: "category", key: ["id"], columns: ["id", "title"])
  private static let product = DeclaredTable(
    name: "product", key: ["id"], columns: ["id", "name", "category"])
  private static let tables = [category, product]

  private func bench() throws -> MergeBench {
    try MergeBench(Self.shop, rows: Self.rows)
  }

  @Test func `a parent whose unique value moves keeps its children`() throws {
    let bench = try bench()
    try bench.merge(Self.tables) { merge in
      let deletion = try merge.deletion(from: "category", columns: ["id"])
      for id in 1...3 as ClosedRange<Int64> { try deletion.add([.integer(id)]) }
      let upsert = try merge.upsert(into: "category", columns: ["id", "title"])
      try upsert.add([.integer(1), .text("b")])
      try upsert.add([.integer(2), .text("a")])
    }
    #expect(try bench.rows("SELECT * FROM category") == ["1 'b'", "2 'a'"])
    #expect(try bench.rows("SELECT id, favourite FROM product") == ["1 1", "2 1"])
    #expect(try bench.rows("SELECT * FROM note") == ["1 'n' 1 1", "2 'o' 2 2"])
    try bench.expectSound()
  }

  @Test(arguments: ["REPLACE", "IGNORE"])
  func `a conflict clause of the table takes no row away and leaves none out`(clause: String) throws
  {
    let bench = try MergeBench(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT \(clause));",
      rows: "INSERT INTO t VALUES (1,'a'),(100,'mine')")
    let table = DeclaredTable(name: "t", key: ["id"], columns: ["id", "code"])
    for id in [1, 3] as [Int64] {
      let error = #expect(throws: MergeError.self) {
        try bench.merge([table]) { merge in
          try merge.upsert(into: "t", columns: ["id", "code"]).add([.integer(id), .text("mine")])
        }
      }
      guard case .constraint(.unique, _)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try bench.rows("SELECT * FROM t") == ["1 'a'", "100 'mine'"])
  }

  @Test func `a child that moves away from a parent that is deleted stays`() throws {
    for byRow in [true, false] {
      let bench = try bench()
      if byRow {
        try bench.merge(Self.tables) { merge in
          try merge.deletion(from: "category", columns: ["id"]).add([.integer(3)])
          try merge.upsert(into: "product", columns: ["id", "name", "category"])
            .add([.integer(3), .text("r"), .integer(1)])
        }
      } else {
        let snapshot = try bench.snapshot(
          """
          INSERT INTO category VALUES (1,'a'),(2,'b');
          INSERT INTO product VALUES (1,'p',1,0),(2,'q',2,0),(3,'r',1,0);
          """)
        let counts = try bench.merge(Self.tables, snapshot: snapshot)
        #expect(counts.deleted == 1 && counts.written == 1 && counts.inserted == 0)
      }
      #expect(
        try bench.rows("SELECT id, category, favourite FROM product") == [
          "1 1 1", "2 2 1", "3 1 1",
        ])
      #expect(try bench.rows("SELECT product, category FROM note") == ["1 1", "2 2", "3 NULL"])
      try bench.expectSound()
    }
  }

  @Test func `children may come before their parents, and tables in any order`() throws {
    let bench = try bench()
    try bench.merge(Self.tables) { merge in
      let product = try merge.upsert(into: "product", columns: ["id", "name", "category"])
      try product.add([.integer(9), .text("x"), .integer(9)])
      try merge.upsert(into: "category", columns: ["id", "title"])
        .add([.integer(9), .text("z")])
    }
    #expect(try bench.rows("SELECT id, favourite FROM product WHERE id = 9") == ["9 0"])
  }

  @Test func `a dangling reference names the rows, and nothing is applied`() throws {
    let bench = try bench()
    let error = #expect(throws: MergeError.self) {
      try bench.merge(Self.tables) { merge in
        let product = try merge.upsert(into: "product", columns: ["id", "name", "category"])
        try product.add([.integer(9), .text("x"), .integer(77)])
        try product.add([.integer(1), .text("changed"), .integer(1)])
      }
    }
    #expect(
      error?.reason
        == .foreignKeys([
          ForeignKeyViolation(
            table: "product", rowID: 9, parent: "category", columns: ["category"])
        ]))
    #expect(
      error?.description
        == "row 9 of \"product\" refers by \"category\" to no row of \"category\"")
    #expect(try bench.rows("SELECT name FROM product") == ["'p'", "'q'", "'r'"])
  }

  @Test func `a row of the app's that refers without an action stops a deletion, by name`() throws {
    let schema = """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code UNIQUE);
      CREATE TABLE mine(a, b, item REFERENCES item(id) ON DELETE RESTRICT, PRIMARY KEY(a, b))
        WITHOUT ROWID;
      """
    let bench = try MergeBench(
      schema, rows: "INSERT INTO item VALUES (1, 1), (2, 2); INSERT INTO mine VALUES (1, 1, 2)")
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "code"])
    let error = #expect(throws: MergeError.self) {
      try bench.merge([table], snapshot: try bench.snapshot("INSERT INTO item VALUES (1, 1)"))
    }
    #expect(
      error?.reason
        == .foreignKeys([
          ForeignKeyViolation(table: "mine", rowID: nil, parent: "item", columns: ["item"])
        ]))
    #expect(error?.hint != nil)
    // The row is there, with its value: it was parked before.
    #expect(try bench.rows("SELECT * FROM item") == ["1 1", "2 2"])
    // Coming back in the tail, it is no violation.
    try bench.merge([table], snapshot: try bench.snapshot("INSERT INTO item VALUES (1, 2)")) {
      try $0.upsert(into: "item", columns: ["id", "code"]).add([.integer(2), .integer(1)])
    }
    #expect(try bench.rows("SELECT * FROM item") == ["1 2", "2 1"])
    try bench.expectSound()
  }

  @Test func `a referenced unique value may move, and those that follow it come back`() throws {
    let schema = """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE mine(id INTEGER PRIMARY KEY, code REFERENCES item(code) ON UPDATE CASCADE);
      """
    let bench = try MergeBench(
      schema,
      rows: "INSERT INTO item VALUES (1,'a'),(2,'b'); INSERT INTO mine VALUES (1,'a'),(2,'b')")
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "code"])
    try bench.merge(
      [table], snapshot: try bench.snapshot("INSERT INTO item VALUES (1,'b'),(2,'a')"))
    // The rows follow their parents, as ON UPDATE CASCADE has it.
    #expect(try bench.rows("SELECT * FROM mine") == ["1 'b'", "2 'a'"])
  }

  @Test func `a deleted row whose key differs in case stays with its new key`() throws {
    let bench = try MergeBench(
      "CREATE TABLE item(id TEXT COLLATE NOCASE PRIMARY KEY, code UNIQUE, mine)",
      rows: "INSERT INTO item VALUES ('abc', 1, 'm')")
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "code"])
    let counts = try bench.merge([table]) { merge in
      try merge.deletion(from: "item", columns: ["id"]).add([.text("abc")])
      try merge.upsert(into: "item", columns: ["id", "code"]).add([.text("ABC"), .integer(1)])
    }
    #expect(counts.deleted == 0)
    #expect(try bench.rows("SELECT * FROM item") == ["'ABC' 1 'm'"])
    // A key in another case is another key.
    try bench.merge([table]) {
      try $0.deletion(from: "item", columns: ["id"]).add([.text("abc")])
    }
    #expect(try bench.rows("SELECT id FROM item") == ["'ABC'"])
  }

  @Test func `a row that goes and comes back over several sections is itself in the end`() throws {
    let bench = try bench()
    let counts = try bench.merge(Self.tables) { merge in
      for title in ["x", "y", "a"] {
        let deletion = try merge.deletion(from: "category", columns: ["id"])
        try deletion.add([.integer(1)])
        try deletion.add([.integer(1)])
        try merge.upsert(into: "category", columns: ["title", "id"])
          .add([.text(title), .integer(1)])
      }
      // Born and gone within the range: there never was one.
      try merge.deletion(from: "category", columns: ["id"]).add([.integer(50)])
    }
    #expect(counts.deleted == 0)
    #expect(try bench.rows("SELECT * FROM category") == ["1 'a'", "2 'b'", "3 'c'"])
    #expect(try bench.rows("SELECT count(*) FROM note WHERE product = 1") == ["1"])
    try bench.expectSound()
  }

  @Test func `values of any type take the column's affinity and do not differ by it`() throws {
    let bench = try MergeBench(
      "CREATE TABLE item(id INTEGER PRIMARY KEY, t TEXT, r REAL, n NUMERIC, i INTEGER)",
      rows: "INSERT INTO item VALUES (1, '5', 4.0, 7, 8)")
    let table = DeclaredTable(
      name: "item", key: ["id"], columns: ["id", "t", "r", "n", "i"])
    let counts = try bench.merge([table]) {
      try $0.upsert(into: "item", columns: table.columns)
        .add([.text("1"), .integer(5), .integer(4), .real(7), .text("8")])
    }
    #expect(counts.unchanged == 1)
  }

  @Test func `empty texts and blobs, and texts with NUL, are kept`() throws {
    let bench = try MergeBench("CREATE TABLE item(id INTEGER PRIMARY KEY, a, b)")
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "a", "b"])
    try bench.merge([table]) {
      let upsert = try $0.upsert(into: "item", columns: table.columns)
      try upsert.add([.integer(1), .text(""), .blob([])])
      try upsert.add([.integer(2), .text("a\0b"), .blob([0])])
    }
    #expect(
      try bench.rows("SELECT typeof(a), typeof(b), length(CAST(a AS BLOB)) FROM item")
        == ["'text' 'blob' 0", "'text' 'blob' 3"])
  }

  @Test func `triggers fire, and one that refuses stops all with its words`() throws {
    let bench = try bench()
    try bench.live.execute(
      """
      CREATE TRIGGER refuse BEFORE UPDATE ON product WHEN new.name = 'bad'
      BEGIN SELECT RAISE(ABORT, 'no such name'); END;
      CREATE TABLE audit(x);
      CREATE TRIGGER log AFTER INSERT ON product BEGIN INSERT INTO audit VALUES (new.id); END;
      """)
    let error = #expect(throws: MergeError.self) {
      try bench.merge(Self.tables) {
        let upsert = try $0.upsert(into: "product", columns: ["id", "name"])
        try upsert.add([.integer(7), .text("good")])
        try upsert.add([.integer(1), .text("bad")])
      }
    }
    #expect(error?.reason == .constraint(.trigger, message: "no such name"))
    #expect(error?.table == "product")
    #expect(try bench.rows("SELECT * FROM audit") == [])
    try bench.merge(Self.tables) {
      try $0.upsert(into: "product", columns: ["id", "name"]).add([.integer(7), .text("good")])
    }
    #expect(try bench.rows("SELECT * FROM audit") == ["7"])
  }

  @Test func `a row of the app's that has a unique value already is an error that names it`()
    throws
  {
    let bench = try bench()
    try bench.live.execute("INSERT INTO category VALUES (100, 'mine')")
    let snapshot = try bench.snapshot(
      "INSERT INTO category VALUES (1,'a'),(2,'b'),(3,'c'),(4,'mine');"
        + "INSERT INTO product VALUES (1,'p',1,0)")
    let error = #expect(throws: MergeError.self) {
      try bench.merge(Self.tables, snapshot: snapshot, removable: ["category": "t.id < 100"])
    }
    #expect(
      error?.description
        == "table \"category\": UNIQUE constraint failed: category.title")
    #expect(error?.hint != nil)
    #expect(try bench.rows("SELECT count(*) FROM category") == ["4"])
    #expect(try bench.live.scalarInteger("PRAGMA ignore_check_constraints") == 0)
  }

  @Test func `a value that no row may have is an error, also in a row that was parked`() throws {
    let bench = try MergeBench(
      "CREATE TABLE item(id INTEGER PRIMARY KEY, n UNIQUE CHECK(n < 10))",
      rows: "INSERT INTO item VALUES (1, 1)")
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "n"])
    let error = #expect(throws: MergeError.self) {
      try bench.merge([table]) { merge in
        try merge.deletion(from: "item", columns: ["id"]).add([.integer(1)])
        try merge.upsert(into: "item", columns: ["id", "n"]).add([.integer(1), .integer(10)])
      }
    }
    #expect(error?.reason == .constraint(.check, message: "CHECK constraint failed: n < 10"))
    #expect(try bench.rows("SELECT * FROM item") == ["1 1"])
    try bench.expectSound()
  }

  @Test func `rows that must not be removed stay as they are`() throws {
    let bench = try bench()
    let snapshot = try bench.snapshot("INSERT INTO category VALUES (2,'B')")
    let counts = try bench.merge(
      [Self.category], snapshot: snapshot, removable: ["Category": "t.id IN (SELECT 3)"])
    #expect(counts.deleted == 1 && counts.updated == 1 && counts.inserted == 0)
    #expect(try bench.rows("SELECT * FROM category") == ["1 'a'", "2 'B'"])
    #expect(try bench.rows("SELECT id FROM product") == ["1", "2"])
  }

  @Test func `NULL in a key is an error`() throws {
    let bench = try MergeBench(
      "CREATE TABLE item(id TEXT PRIMARY KEY, v)", rows: "INSERT INTO item VALUES (NULL, 1)")
    let table = DeclaredTable(name: "item", key: ["id"], columns: ["id", "v"])
    for deletes in [true, false] {
      let error = #expect(throws: MergeError.self) {
        try bench.merge([table]) { merge in
          if deletes {
            try merge.deletion(from: "item", columns: ["id"]).add([.null])
          } else {
            try merge.upsert(into: "item", columns: ["id", "v"]).add([.null, .null])
          }
        }
      }
      #expect(error?.reason == .nullInKey(column: "id"))
    }
    let error = #expect(throws: MergeError.self) {
      try bench.merge([table], snapshot: bench.snapshot("INSERT INTO item VALUES (NULL, 2)"))
    }
    #expect(
      error?.description == "table \"item\" of \"snap\": a row has NULL in column \"id\" of its key"
    )
    // One of the app's own is nobody's business.
    try bench.merge([table], snapshot: bench.snapshot("INSERT INTO item VALUES ('a', 2)"))
    #expect(try bench.rows("SELECT * FROM item ORDER BY v") == ["NULL 1", "'a' 2"])
  }

  @Test func `a section must have the columns in which rows were parked`() throws {
    let bench = try bench()
    let error = #expect(throws: MergeError.self) {
      try bench.merge(Self.tables) { merge in
        try merge.deletion(from: "category", columns: ["id"]).add([.integer(1)])
        _ = try merge.upsert(into: "category", columns: ["id"])
      }
    }
    #expect(error?.reason == .columnNotGiven("title"))
  }
}
