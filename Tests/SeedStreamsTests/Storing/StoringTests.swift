import SeedModel
import SeedSQLite
import SeedStreams
import SeedTransport
import TestSupport
import Testing

/// Storing answers in databases that have tables already.
@Suite struct StoringTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("app.sqlite")
  }

  private func answer(_ text: String) throws -> JSONAnswer<NoResponse> {
    JSONAnswer(
      value: NoResponse(), document: try LocatedJSON(answer: Array(text.utf8)), envelope: nil,
      name: "answer", url: "")
  }

  @discardableResult
  private func store(
    _ text: String, _ tables: [String: StoreOptions.Writing] = [:], notNull: Bool = true
  ) throws -> StoreResult {
    var options = StoreOptions(tables: tables)
    options.declaresNotNull = notNull
    return try answer(text).store(into: path, options: options)
  }

  private func failure(
    _ text: String, _ tables: [String: StoreOptions.Writing] = [:]
  ) throws -> StoringError? {
    let before = try content()
    do {
      try store(text, tables)
      return nil
    } catch let error as StoringError {
      // Nothing was written unless all was.
      #expect(try content() == before)
      return error
    }
  }

  private func execute(_ sql: String) throws {
    try Connection(path: path, mode: .create).execute(sql)
  }

  private func rows(_ query: String) throws -> [[SQLiteValue]] {
    try Connection(path: path, mode: .readOnly).rows(query)
  }

  /// The schema and all rows.
  private func content() throws -> [[SQLiteValue]] {
    let connection = try Connection(path: path, mode: .create)
    var result = try connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
    for object in result where object[0] == .text("table") {
      guard case .text(let name) = object[1] else { continue }
      result += try connection.rows("SELECT * FROM \(SQLiteName.quoted(name))")
    }
    return result
  }

  // MARK: What becomes of rows

  @Test func `without a key, rows come behind those that are there`() throws {
    let first = try store(#"{"notes":[{"title":"a"}],"stat":{"count":1}}"#)
    #expect(first.tables["notes"]?.inserted == 1)
    try store(#"{"notes":[{"title":"b"},{"title":"c"}],"stat":{"count":2}}"#)
    #expect(
      try rows("SELECT id, title FROM notes") == [
        [.integer(1), .text("a")], [.integer(2), .text("b")], [.integer(3), .text("c")],
      ])
    #expect(try rows("SELECT count FROM stat") == [[.integer(1)], [.integer(2)]])
  }

  @Test func `replaced tables have the answer's rows alone`() throws {
    try store(#"{"notes":[{"title":"a","tags":["x","y"]}],"stat":{"count":1}}"#)
    let result = try store(
      #"{"notes":[{"title":"b","tags":["z"]}],"stat":{"count":2}}"#,
      ["notes": .replace, "stat": .replace])
    #expect(try rows("SELECT title FROM notes") == [[.text("b")]])
    #expect(try rows("SELECT text, notes_id FROM tags") == [[.text("z"), .integer(1)]])
    #expect(try rows("SELECT count FROM stat") == [[.integer(2)]])
    #expect(result.tables["notes"]?.deleted == 1)
    #expect(result.tables["tags"]?.deleted == 2)
  }

  @Test func `with a key, rows are updated in place`() throws {
    try store(
      #"{"notes":[{"id":7,"title":"a"},{"id":8,"title":"b"}]}"#, ["notes": .upsert(by: "id")])
    try execute("ALTER TABLE notes ADD COLUMN favourite INTEGER")
    try execute("UPDATE notes SET favourite = 1 WHERE id = 7")
    let result = try store(
      #"{"notes":[{"id":7,"title":"A"},{"id":8,"title":"b"},{"id":9,"title":"c"}]}"#,
      ["notes": .upsert(by: "ID")])
    #expect(
      try rows("SELECT id, title, favourite FROM notes ORDER BY id") == [
        [.integer(7), .text("A"), .integer(1)], [.integer(8), .text("b"), .null],
        [.integer(9), .text("c"), .null],
      ])
    let counts = try #require(result.tables["notes"])
    #expect([counts.inserted, counts.updated, counts.unchanged, counts.deleted] == [1, 1, 1, 0])
  }

  @Test func `a key of other columns gets a unique index, once`() throws {
    let key = StoreOptions.Writing.upsert(key: ["code", "lang"])
    try store(#"[{"code":"a","lang":"de","n":1},{"code":"a","lang":"en","n":2}]"#, ["answer": key])
    try store(#"[{"code":"a","lang":"en","n":3}]"#, ["answer": key])
    #expect(
      try rows("SELECT id, lang, n FROM answer") == [
        [.integer(1), .text("de"), .integer(1)], [.integer(2), .text("en"), .integer(3)],
      ])
    #expect(
      try rows("SELECT name FROM sqlite_schema WHERE type = 'index'") == [
        [.text("answer_code_lang")]
      ])
  }

  @Test func `what is nested in an updated row is that of the answer`() throws {
    let writing = ["notes": StoreOptions.Writing.upsert(by: "id")]
    try store(
      #"{"notes":[{"id":1,"parts":[{"name":"p","tags":["x","y"]}]},{"id":2,"parts":[{"name":"q","tags":["z"]}]}]}"#,
      writing)
    try store(#"{"notes":[{"id":1,"parts":[{"name":"r","tags":["w"]}]}]}"#, writing)
    #expect(
      try rows("SELECT notes_id, name FROM parts ORDER BY 1") == [
        [.integer(1), .text("r")], [.integer(2), .text("q")],
      ])
    #expect(
      try rows("SELECT parts.name, text FROM tags JOIN parts ON parts.id = parts_id ORDER BY 1")
        == [[.text("q"), .text("z")], [.text("r"), .text("w")]])
    #expect(try rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `nested rows with a key of their own stay as they are`() throws {
    let writing: [String: StoreOptions.Writing] = [
      "notes": .upsert(by: "id"), "parts": .upsert(by: "id"),
    ]
    try store(#"{"notes":[{"id":1,"parts":[{"id":5,"n":1},{"id":6,"n":2}]}]}"#, writing)
    let result = try store(#"{"notes":[{"id":1,"parts":[{"id":6,"n":3}]}]}"#, writing)
    #expect(
      try rows("SELECT id, n FROM parts ORDER BY 1") == [
        [.integer(5), .integer(1)], [.integer(6), .integer(3)],
      ])
    #expect(result.tables["notes"]?.unchanged == 1)
  }

  @Test func `an unchanged answer writes no row`() throws {
    let text = #"{"notes":[{"id":1,"a":"x","b":1.5,"c":true,"d":"16.01.2010"}]}"#
    try store(text, ["notes": .upsert(by: "id")])
    try execute("CREATE TRIGGER t BEFORE UPDATE ON notes BEGIN SELECT RAISE(ABORT, 'written'); END")
    let result = try store(text, ["notes": .upsert(by: "id")])
    #expect(result.tables["notes"]?.unchanged == 1)
  }

  // MARK: What becomes of tables

  @Test func `a new member becomes a column that is NULL in older rows`() throws {
    try store(#"{"notes":[{"title":"a"}]}"#)
    try store(#"{"notes":[{"title":"b","date":"16.01.2010","tags":["x"]}]}"#)
    #expect(
      try rows("SELECT name, type, \"notnull\" FROM pragma_table_info('notes')") == [
        [.text("id"), .text("INTEGER"), .integer(0)],
        [.text("title"), .text("TEXT"), .integer(1)],
        [.text("date"), .text("DATE"), .integer(0)],
      ])
    #expect(try rows("SELECT date FROM notes") == [[.null], [.text("2010-01-16")]])
    #expect(try rows("SELECT notes_id, text FROM tags") == [[.integer(2), .text("x")]])
  }

  @Test func `a member that is gone is NULL`() throws {
    try store(#"{"notes":[{"id":1,"a":1,"b":2},{"id":2,"a":1}]}"#)
    try store(#"{"notes":[{"id":3,"a":1}]}"#)
    #expect(try rows("SELECT b FROM notes ORDER BY id") == [[.integer(2)], [.null], [.null]])
  }

  @Test func `a record that is nested elsewhere gets another reference`() throws {
    try store(#"{"notes":[{"id":1,"tags":["x"]}]}"#, notNull: false)
    try store(#"{"lists":[{"id":4,"tags":["y"]}]}"#, notNull: false)
    #expect(
      try rows("SELECT notes_id, lists_id, text FROM tags") == [
        [.integer(1), .null, .text("x")], [.null, .integer(4), .text("y")],
      ])
    #expect(
      try rows("SELECT \"table\" FROM pragma_foreign_key_list('tags') ORDER BY 1") == [
        [.text("lists")], [.text("notes")],
      ])
  }

  @Test(
    arguments: [
      ("INTEGER", "x", nil), ("INTEGER", 1.5, nil), ("INTEGER", true, nil), ("INTEGER", 7, "7"),
      ("REAL", 7, "7.0"), ("REAL", "x", nil), ("TEXT", 7, "'7'"), ("TEXT", true, "'true'"),
      ("TEXT", "16.01.2010", "'16.01.2010'"), ("DATE", "16.01.2010", "'2010-01-16'"),
      ("DATE", "2010-01-16T10:00", nil), ("DATETIME", "16.01.2010 10:00", "'2010-01-16T10:00'"),
      ("BOOLEAN", true, "1"), ("BOOLEAN", 1, nil), ("VARCHAR(20)", 7, "'7'"), ("BIGINT", 7, "7"),
      ("BIGINT", "x", nil), ("DOUBLE PRECISION", 7, "7.0"), ("NUMERIC", 7, "7"), ("", "x", "'x'"),
      ("BLOB", "x", nil), ("INTEGER", "", "NULL"), ("TEXT", "", "''"),
    ] as [(String, any Sendable & CustomStringConvertible, String?)])
  func `values go by the declared type, or are refused`(
    type: String, value: any Sendable & CustomStringConvertible, stored: String?
  ) throws {
    try execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, v \(type))")
    let text = value is String ? "\"\(value)\"" : "\(value)"
    let found = try failure(#"{"notes":[{"v":\#(text)}]}"#)
    if let stored {
      #expect(found == nil)
      #expect(try rows("SELECT quote(v) FROM notes") == [[.text(stored)]])
    } else if case .typeConflict(column: "v", _, value: let shown)? = found?.reason {
      #expect(shown == "\(value)")
      #expect(found?.table == "notes")
    } else {
      Issue.record("\(String(describing: found))")
    }
  }

  @Test func `the value that does not fit is named`() throws {
    try store(#"{"notes":[{"n":1},{"n":2}]}"#)
    let error = try failure(#"{"notes":[{"n":3},{"n":"three"},{"n":4}]}"#)
    #expect(error?.reason == .typeConflict(column: "n", declared: "INTEGER", value: "three"))
    #expect(
      error?.description
        == path
        + ": table \"notes\": \"three\" does not fit column \"n\", which is declared INTEGER")
  }

  @Test func `a value that is missing where it must not be is named`() throws {
    try store(#"{"notes":[{"id":1,"n":1}]}"#)
    #expect(try failure(#"{"notes":[{"id":2,"n":null}]}"#)?.reason == .missingValue(column: "n"))
    #expect(
      try failure(#"{"notes":[{"n":2},{"id":3,"n":2}]}"#)?.reason == .missingValue(column: "id"))
  }

  @Test func `tables without NOT NULL take what is missing later`() throws {
    try store(#"{"notes":[{"id":1,"n":1}]}"#, notNull: false)
    try store(#"{"notes":[{"id":2,"n":null}]}"#, notNull: false)
    #expect(try rows("SELECT n FROM notes") == [[.integer(1)], [.null]])
  }

  @Test func `a table without rowid takes rows by a key of two columns`() throws {
    try execute("CREATE TABLE notes (a TEXT, b TEXT, n INTEGER, PRIMARY KEY (b, a)) WITHOUT ROWID")
    let writing = ["notes": StoreOptions.Writing.upsert(key: ["a", "b"])]
    try store(#"{"notes":[{"a":"x","b":"y","n":1},{"a":"x","b":"z","n":2}]}"#, writing)
    try store(#"{"notes":[{"a":"x","b":"y","n":3}]}"#, writing)
    #expect(try rows("SELECT n FROM notes ORDER BY b") == [[.integer(3)], [.integer(2)]])
    try store(#"{"notes":[{"a":"q","b":"q","n":4}]}"#, ["notes": .replace])
    #expect(try rows("SELECT n FROM notes") == [[.integer(4)]])
  }

  // MARK: Refusals

  @Test func `a key that is taken is an error that says how to update`() throws {
    try store(#"{"notes":[{"id":1}]}"#)
    let error = try failure(#"{"notes":[{"id":1}]}"#)
    guard case .constraint? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.hint?.contains("key") == true)
  }

  @Test func `all of an answer is written or nothing`() throws {
    try store(#"{"notes":[{"id":1,"tags":["x"]}],"stat":{"n":1}}"#)
    try execute("CREATE TRIGGER t BEFORE INSERT ON stat BEGIN SELECT RAISE(ABORT, 'no more'); END")
    let error = try failure(
      #"{"notes":[{"id":1,"new":2,"tags":["y"]},{"id":2}],"other":[1],"stat":{"n":2}}"#,
      ["notes": .upsert(by: "id"), "tags": .replace])
    #expect(error?.reason == .constraint("no more"))
    #expect(error?.table == "stat")
  }

  @Test func `an answer without records needs no key`() throws {
    let writing: [String: StoreOptions.Writing] = [
      "notes": .upsert(by: "id"), "parts": .upsert(by: "code"),
    ]
    try store(#"{"notes":[],"stat":{"n":1}}"#, ["notes": .upsert(by: "id")])
    try store(#"{"notes":[{"id":7,"title":"t","parts":[{"code":"a"}]}],"stat":{"n":1}}"#, writing)
    try store(#"{"notes":[{"id":7,"title":"t","parts":[]}],"stat":{"n":1}}"#, writing)
    let result = try store(#"{"notes":[],"stat":{"n":2}}"#, ["notes": .upsert(by: "id")])
    #expect(result.tables["stat"]?.inserted == 1)
    #expect(try rows("SELECT id FROM notes") == [[.integer(7)]])
    #expect(try rows("SELECT code FROM parts") == [[.text("a")]])
  }

  @Test func `names that nobody has are errors`() throws {
    #expect(
      try failure(#"{"notes":[{"id":1}]}"#, ["note": .replace])?.reason == .noSuchTable)
    #expect(
      try failure(#"{"notes":[{"id":1}]}"#, ["notes": .upsert(by: "code")])?.reason
        == .noSuchKey(column: "code"))
    #expect(
      try failure(#"{"notes":[{"id":1}]}"#, ["notes": .upsert(key: [])])?.reason
        == .noSuchKey(column: ""))
  }

  @Test func `a table of the database that the answer lacks is no error`() throws {
    try store(#"{"notes":[{"id":1}],"stat":{"n":1}}"#)
    let result = try store(
      #"{"stat":{"n":2}}"#, ["notes": .upsert(by: "id"), "stat": .replace])
    #expect(result.tables.keys.sorted() == ["stat"])
  }

  @Test func `views and virtual tables take no records`() throws {
    try execute("CREATE VIEW notes AS SELECT 1; CREATE VIRTUAL TABLE words USING fts5(a)")
    #expect(try failure(#"{"notes":[{"id":1}]}"#)?.reason == .notATable)
    #expect(try failure(#"{"words":[{"a":"x"}]}"#)?.reason == .notATable)
  }

  @Test func `a record without its key is an error`() throws {
    try execute("CREATE TABLE notes (code TEXT UNIQUE, n INTEGER)")
    let error = try failure(
      #"{"notes":[{"code":"a","n":1},{"n":2}]}"#, ["notes": .upsert(by: "code")])
    #expect(error?.reason == .missingValue(column: "code"))
  }

  @Test func `rows of the app that refer to replaced ones keep them from going`() throws {
    try store(#"{"notes":[{"id":1}]}"#)
    try execute(
      "CREATE TABLE favourite (notes_id REFERENCES notes); INSERT INTO favourite VALUES (1)")
    let error = try failure(#"{"notes":[{"id":2}]}"#, ["notes": .replace])
    guard case .constraint? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    try store(#"{"notes":[{"id":1},{"id":2}]}"#, ["notes": .replace])
    #expect(try rows("SELECT id FROM notes") == [[.integer(1)], [.integer(2)]])
  }

  @Test func `a database that another connection writes is busy`() throws {
    try store(#"{"notes":[{"id":1}]}"#)
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(10)
    let error = #expect(throws: StoringError.self) {
      try answer(#"{"notes":[{"id":2}]}"#).store(into: path, options: options)
    }
    #expect(error?.reason == .busy)
  }

  @Test func `what is no database stays as it is`() throws {
    try directory.write("hello, this is a text and no database, is it", to: "app.sqlite")
    let error = #expect(throws: StoringError.self) { try store(#"[1]"#) }
    guard case .database(_, code: 26)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try directory.text(of: "app.sqlite").hasPrefix("hello"))
  }

  @Test func `a folder that is missing is an error`() throws {
    let error = #expect(throws: StoringError.self) {
      try answer("[1]").store(into: directory.path("none/app.sqlite"))
    }
    guard case .database(_, code: 14)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a NUL, and what is no record, is refused`() throws {
    #expect(try failure(#"["a\u0000b"]"#)?.reason == .nulCharacter)
    #expect(try failure("5")?.reason == .noRecords)
    #expect(try store("null").tables.isEmpty)
  }

  @Test func `stored by a task as by a thread`() async throws {
    let result = try await answer(#"{"notes":[{"id":1}]}"#).store(into: path)
    #expect(result.tables["notes"]?.inserted == 1)
    await #expect(throws: StoringError.self) {
      try await answer(#"{"notes":[{"id":1}]}"#).store(into: path)
    }
  }
}
