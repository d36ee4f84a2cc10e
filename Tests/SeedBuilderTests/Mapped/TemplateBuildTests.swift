import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Builds whose schema is that of an existing database.
@Suite struct TemplateBuildTests {
  private let notes = (
    "notes.xml", "<r><note title='a' body='quick fox'/><note title='b' body='dog'/></r>"
  )

  /// A template as an app with GRDB leaves it.
  private func template(in directory: TemporaryDirectory, _ more: String = "") throws -> String {
    let path = directory.path + "/template.sqlite"
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('v1'), ('v2');
      CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, body TEXT);
      CREATE INDEX note_title ON note(title);
      CREATE VIRTUAL TABLE note_ft USING fts5(body, content='note', content_rowid='id');
      CREATE TRIGGER __note_ft_ai AFTER INSERT ON note BEGIN
        INSERT INTO note_ft(rowid, body) VALUES (new.id, new.body);
      END;
      CREATE VIEW titles AS SELECT title FROM note;
      PRAGMA user_version = 3;
      \(more)
      """)
    try connection.close()
    return path
  }

  @Test func `everything of the template is there, and its migrations`() throws {
    let directory = try TemporaryDirectory()
    let path = try template(in: directory, "INSERT INTO note(title) VALUES ('test row');")
    let built = try BuiltProject([notes]) { $0.mapping.schema = Located(path) }
    #expect(
      try built.rows("SELECT identifier FROM grdb_migrations") == [[.text("v1")], [.text("v2")]])
    #expect(
      try built.rows("SELECT id, title FROM note") == [
        [.integer(1), .text("a")], [.integer(2), .text("b")],
      ])
    #expect(
      try built.rows("SELECT rowid FROM note_ft WHERE note_ft MATCH 'fox'") == [[.integer(1)]])
    #expect(try built.rows("SELECT title FROM titles ORDER BY 1") == [[.text("a")], [.text("b")]])
    #expect(try built.rows("PRAGMA user_version") == [[.integer(3)]])
    #expect(try built.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try built.rows("SELECT seq FROM sqlite_sequence WHERE name = 'note'") == [[.integer(2)]])
    #expect(
      Set(try built.objects).isSuperset(of: ["note", "note_title", "__note_ft_ai", "titles"]))
  }

  @Test(arguments: [512, 8_192])
  func `the pages of the database are those of the template`(size: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/template.sqlite"
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(
      """
      PRAGMA page_size = \(size); PRAGMA auto_vacuum = INCREMENTAL;
      CREATE TABLE note (title TEXT, body TEXT);
      """)
    try connection.close()
    let built = try BuiltProject([notes]) { $0.mapping.schema = Located(path) }
    #expect(try built.rows("PRAGMA page_size") == [[.integer(Int64(size))]])
    #expect(try built.rows("PRAGMA auto_vacuum") == [[.integer(2)]])
    let told = try BuiltProject([notes]) {
      $0.mapping.schema = Located(path)
      $0.pageSize = 1_024
      $0.autoVacuum = AutoVacuum.none
    }
    #expect(try told.rows("PRAGMA page_size") == [[.integer(1_024)]])
    #expect(try told.rows("PRAGMA auto_vacuum") == [[.integer(0)]])
  }

  @Test func `a script says how large pages are, or they are as always`() throws {
    let table = "CREATE TABLE note (title TEXT, body TEXT);"
    let told = try BuiltProject([notes], schema: "PRAGMA page_size = 1024; \(table)")
    #expect(try told.rows("PRAGMA page_size") == [[.integer(1_024)]])
    let silent = try BuiltProject([notes], schema: table)
    #expect(try silent.rows("PRAGMA page_size") == [[.integer(4_096)]])
  }

  @Test func `the next row that the app inserts is found too`() throws {
    let directory = try TemporaryDirectory()
    let path = try template(in: directory)
    let built = try BuiltProject([notes]) { $0.mapping.schema = Located(path) }
    let connection = try Connection(path: built.path, mode: .readWrite)
    try connection.execute("INSERT INTO note(title, body) VALUES ('c', 'brown bear')")
    #expect(
      try connection.rows("SELECT rowid FROM note_ft WHERE note_ft MATCH 'bear'") == [[.integer(3)]]
    )
  }

  @Test(arguments: ["-wal", "-journal"])
  func `a template with unfinished work beside it is refused with the remedy`(
    companion: String
  ) throws {
    let directory = try TemporaryDirectory()
    let path = try template(in: directory)
    _ = try directory.write("unfinished", to: "template.sqlite" + companion)
    let said = try BuiltProject.failure([notes]) { $0.mapping.schema = Located(path) }
    #expect(said.count == 1)
    #expect(said.first?.contains("has unfinished work in") == true)
    #expect(said.first?.contains("wal_checkpoint") == true)
  }

  @Test func `a database that seed built serves as a template`() throws {
    let first = try BuiltProject([notes])
    let second = try BuiltProject([notes]) { $0.mapping.schema = Located(first.path) }
    #expect(try first.rows("SELECT * FROM note") == second.rows("SELECT * FROM note"))
    #expect(
      try first.rows("SELECT sql FROM sqlite_schema WHERE name = 'note'")
        == second.rows("SELECT sql FROM sqlite_schema WHERE name = 'note'"))
  }

  @Test func `a missing schema is an error`() throws {
    let said = try BuiltProject.failure([notes]) { $0.mapping.schema = Located("/nowhere/x.sql") }
    #expect(said == ["x.sql: no such file [check the path]"])
  }

  @Test func `a template without its end is refused`() throws {
    let directory = try TemporaryDirectory()
    let path = try template(in: directory)
    let bytes = try directory.bytes(of: "template.sqlite")
    try directory.write(Array(bytes.dropLast(100)), to: "template.sqlite")
    let error = #expect(throws: InspectionError.self) {
      try BuiltProject([notes]) { $0.mapping.schema = Located(path) }
    }
    guard case .cutOff? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a packed schema is told for what it is`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([0x1F, 0x8B, 8, 0], to: "schema.sql.gz")
    let error = #expect(throws: BuildError.self) {
      try BuiltProject([notes]) { $0.mapping.schema = Located(path) }
    }
    #expect(error?.diagnostics.map(\.message) == ["this looks like gzip data and is no schema"])
  }

  @Test func `a second statement that was put into the schema table is refused and not run`() throws
  {
    let directory = try TemporaryDirectory()
    let path = try template(
      in: directory,
      """
      CREATE TABLE evil(x);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE evil(x); CREATE TABLE worse(x)'
      WHERE name = 'evil';
      """)
    let error = #expect(throws: BuildError.self) {
      try BuiltProject([notes]) { $0.mapping.schema = Located(path) }
    }
    #expect(
      error?.diagnostics.first?.message
        == "the schema has more than one statement for the table \"evil\"")
    #expect(error?.diagnostics.first?.location?.file == path)
  }
}
