import SeedMerge
import SeedSQLite
import Testing

/// What becomes of rows that refer to a unique value which moves to another row.
@Suite struct ReferenceGuardTests {
  static let actions = ["CASCADE", "SET NULL", "SET DEFAULT"]
  private static let word = DeclaredTable(name: "word", key: ["id"], columns: ["id", "text"])
  private static let line = DeclaredTable(name: "line", key: ["id"], columns: ["id", "word"])

  /// Lines that refer to words, and the app's own rows that do so, too.
  private func bench(_ action: String) throws -> MergeBench {
    try MergeBench(
      """
      CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT UNIQUE);
      CREATE TABLE line(id INTEGER PRIMARY KEY,
        word TEXT DEFAULT NULL REFERENCES word(text) ON UPDATE \(action),
        mine TEXT DEFAULT NULL REFERENCES word(text) ON UPDATE CASCADE);
      CREATE TABLE note(word TEXT REFERENCES word(text) ON UPDATE CASCADE);
      """,
      rows: """
        INSERT INTO word VALUES (1, 'a'), (2, 'b'), (3, 'c');
        INSERT INTO line VALUES (1, 'a', 'a'), (2, 'b', NULL), (3, 'c', NULL);
        INSERT INTO note VALUES ('a'), ('c');
        """)
  }

  private func swap(_ merge: RowMerge) throws {
    let deletion = try merge.deletion(from: "word", columns: ["id"])
    try deletion.add([.integer(1)])
    try deletion.add([.integer(2)])
    let words = try merge.upsert(into: "word", columns: ["id", "text"])
    try words.add([.integer(1), .text("b")])
    try words.add([.integer(2), .text("a")])
  }

  @Test(arguments: actions)
  func `declared rows stay as they are, the app's follow`(action: String) throws {
    let bench = try bench(action)
    try bench.merge([Self.line, Self.word], holdsReferences: true, swap)
    #expect(try bench.rows("SELECT id, word FROM line") == ["1 'a'", "2 'b'", "3 'c'"])
    #expect(try bench.rows("SELECT mine FROM line WHERE id = 1") == ["'b'"])
    #expect(try bench.rows("SELECT word FROM note") == ["'b'", "'c'"])
    try bench.expectSound()
  }

  @Test(arguments: actions)
  func `declared rows are written before and after those that they refer to`(action: String) throws
  {
    for isFirst in [true, false] {
      let bench = try bench(action)
      func move(_ merge: RowMerge) throws {
        let lines = try merge.upsert(into: "line", columns: ["id", "word"])
        try lines.add([.integer(1), .text("z")])
      }
      try bench.merge([Self.line, Self.word], holdsReferences: true) { merge in
        if isFirst { try move(merge) }
        try merge.upsert(into: "word", columns: ["id", "text"]).add([.integer(3), .text("z")])
        if !isFirst { try move(merge) }
        try merge.upsert(into: "word", columns: ["id", "text"]).add([.integer(4), .text("c")])
      }
      #expect(try bench.rows("SELECT id, word FROM line") == ["1 'z'", "2 'b'", "3 'c'"])
      try bench.expectSound()
    }
  }

  @Test(arguments: actions)
  func `a snapshot's rows are as it has them`(action: String) throws {
    let bench = try bench(action)
    let snapshot = try bench.snapshot(
      """
      INSERT INTO word VALUES (1, 'b'), (2, 'a'), (3, 'c');
      INSERT INTO line(id, word) VALUES (1, 'a'), (2, 'b'), (3, 'a');
      """)
    try bench.merge([Self.line, Self.word], snapshot: snapshot, holdsReferences: true)
    #expect(try bench.rows("SELECT id, word FROM line") == ["1 'a'", "2 'b'", "3 'a'"])
    try bench.expectSound()
  }

  @Test func `a reference that dangles in the end is told as ever`() throws {
    let bench = try bench("CASCADE")
    let error = #expect(throws: MergeError.self) {
      try bench.merge([Self.line, Self.word], holdsReferences: true) { merge in
        try merge.upsert(into: "word", columns: ["id", "text"]).add([.integer(3), .text("z")])
      }
    }
    #expect(
      error?.reason
        == .foreignKeys([
          ForeignKeyViolation(table: "line", rowID: 3, parent: "word", columns: ["word"])
        ]))
    #expect(try bench.rows("SELECT text FROM word WHERE id = 3") == ["'c'"])
    try bench.expectSound()
  }

  @Test func `a row that is the app's to keep follows`() throws {
    let bench = try bench("CASCADE")
    try bench.merge([Self.line, Self.word], keeping: ["line": "id = 3"], holdsReferences: true) {
      try $0.upsert(into: "word", columns: ["id", "text"]).add([.integer(3), .text("z")])
    }
    #expect(try bench.rows("SELECT word FROM line WHERE id = 3") == ["'z'"])
    try bench.expectSound()
  }
}
