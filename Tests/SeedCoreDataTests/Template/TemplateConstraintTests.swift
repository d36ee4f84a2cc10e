import SeedBuilder
import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedCoreData

/// Templates whose tables demand something else than those that Core Data makes.
@Suite struct TemplateConstraintTests {
  private let directory: TemporaryDirectory
  private let model: String
  private let template: String
  private let output: String

  private static let body = """
    <entity name="Author"><attribute name="age" optional="YES" attributeType="Integer 32"/>
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/></entity>
    <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
    <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/></entity>
    <entity name="Tag"><attribute name="label" optional="YES" attributeType="String"/>
    <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/></entity>
    """

  private static let people = """
    <R>
    <Author name="Ann" age="3"/>
    <Author name="ann" age="7"/>
    <Author name="Bea"/>
    <Author name="Ann" age="4"/>
    </R>
    """

  init() throws {
    directory = try TemporaryDirectory()
    output = directory.path("output.sqlite")
    template = directory.path("Empty.sqlite")
    let model = try directory.write(ModelText.contents(Self.body), to: "contents")
    self.model = model
    _ = try Build.run(BuildOptions(inputs: [], output: template)) {
      try StoreBuild($0, StoreOptions(model: model))
    }
  }

  private func change(_ sql: String) throws {
    let connection = try Connection(path: template, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// Declares the last two columns of the authors' table otherwise.
  private func declare(_ columns: String) throws {
    try change(
      """
      DROP TABLE ZAUTHOR;
      CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns) );
      """)
  }

  private func build(_ xml: String, withModel: Bool) throws {
    let input = BuildInput(.file(try directory.write(xml, to: "input.xml")), name: "input.xml")
    _ = try Build.run(BuildOptions(inputs: [input], output: output)) {
      try TemplateBuild(
        $0, template: template, model: withModel ? StoreOptions(model: model) : nil)
    }
  }

  private func failure(_ xml: String = people, withModel: Bool = false) throws -> [String] {
    do {
      try build(xml, withModel: withModel)
      return []
    } catch let error as BuildError {
      #expect(error.reason == .input)
      #expect(try directory.names.filter { $0.contains("output") }.isEmpty)
      return error.diagnostics.map { diagnostic in
        let place = diagnostic.location.map { $0.line > 0 ? "\($0.file):\($0.line)" : $0.file }
        return "\(place ?? ""): \(diagnostic.message)".replacing(directory.path + "/", with: "")
      }
    }
  }

  private func rows(_ query: String) throws -> [[SQLiteValue]] {
    try Connection(path: output, mode: .immutable).rows(query)
  }

  private static func refused(_ line: Int, _ what: String, table: String = "ZAUTHOR") -> String {
    "input.xml:\(line): the record does not fit into table \"\(table)\" of the template "
      + "\"Empty.sqlite\": \(what)"
  }

  // MARK: Constraints

  @Test(arguments: [
    (
      "ZAGE INTEGER CONSTRAINT young CHECK (ZAGE < 5), ZNAME VARCHAR", 3,
      "CHECK constraint failed: young"
    ),
    ("ZAGE INTEGER NOT NULL, ZNAME VARCHAR", 4, "NOT NULL constraint failed: ZAUTHOR.ZAGE"),
    (
      "ZAGE INTEGER NOT NULL ON CONFLICT IGNORE, ZNAME VARCHAR", 4,
      "NOT NULL constraint failed: ZAUTHOR.ZAGE"
    ),
    (
      "ZAGE INTEGER NOT NULL DEFAULT 1, ZNAME VARCHAR", 4,
      "NOT NULL constraint failed: ZAUTHOR.ZAGE"
    ),
    ("ZAGE INTEGER, ZNAME VARCHAR UNIQUE", 5, "UNIQUE constraint failed: ZAUTHOR.ZNAME"),
    (
      "ZAGE INTEGER, ZNAME VARCHAR UNIQUE ON CONFLICT REPLACE", 5,
      "UNIQUE constraint failed: ZAUTHOR.ZNAME"
    ),
  ])
  func `a record that breaks a constraint is refused at its place`(
    columns: String, line: Int, what: String
  ) throws {
    try declare(columns)
    for withModel in [false, true] {
      #expect(try failure(withModel: withModel) == [Self.refused(line, what)])
    }
  }

  @Test(arguments: [
    ("ON ZAUTHOR (ZNAME COLLATE NOCASE)", "ZAUTHOR.ZNAME", [3, 5]),
    ("ON ZAUTHOR (lower(ZNAME)) WHERE ZAGE > 3", "index 'once'", [5]),
    ("ON ZAUTHOR (ZNAME) WHERE ZAGE < 5", "ZAUTHOR.ZNAME", [5]),
  ])
  func `a record that breaks a unique index is refused at its place`(
    index: String, what: String, lines: [Int]
  ) throws {
    try change("CREATE UNIQUE INDEX once \(index)")
    for withModel in [false, true] {
      #expect(
        try failure(withModel: withModel)
          == lines.map { Self.refused($0, "UNIQUE constraint failed: \(what)") })
    }
  }

  @Test func `records that keep to the constraints go in, and these stay`() throws {
    try declare("ZAGE INTEGER NOT NULL CHECK (ZAGE < 5), ZNAME VARCHAR UNIQUE")
    try change("CREATE UNIQUE INDEX once ON ZAUTHOR (ZNAME COLLATE NOCASE)")
    try build(
      "<R><Author name=\"A\" age=\"1\"/><Author name=\"B\" age=\"2\"/></R>", withModel: true)
    #expect(
      try rows("SELECT Z_PK, Z_ENT, ZAGE, ZNAME FROM ZAUTHOR") == [
        [.integer(1), .integer(1), .integer(1), .text("A")],
        [.integer(2), .integer(1), .integer(2), .text("B")],
      ])
    let schema = "SELECT sql FROM sqlite_schema ORDER BY name"
    let before = try Connection(path: template, mode: .immutable).rows(schema)
    #expect(try rows(schema) == before)
    #expect(try rows("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test func `a key that must not be NULL may come from a record around`() throws {
    try change(
      """
      DROP TABLE ZBOOK;
      CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZAUTHOR INTEGER NOT NULL, ZTITLE VARCHAR );
      """)
    #expect(
      try failure("<R>\n<Book title=\"x\"/></R>", withModel: true)
        == [Self.refused(2, "NOT NULL constraint failed: ZBOOK.ZAUTHOR", table: "ZBOOK")])
    try build(
      "<R><Author><books><Book title=\"x\"/></books></Author></R>", withModel: true)
    #expect(try rows("SELECT ZAUTHOR, ZTITLE FROM ZBOOK") == [[.integer(1), .text("x")]])
  }

  @Test(arguments: ["rtree(Z_PK, low, high)", "fts5(title)"])
  func `a template with a table that only the app can fill is refused`(module: String) throws {
    try change("CREATE VIRTUAL TABLE Z_Author_place USING \(module)")
    #expect(
      try failure() == [
        "Empty.sqlite: the template has the virtual table \"Z_Author_place\", which only the app can fill"
      ])
  }

  @Test func `a record whose foreign key leads nowhere is refused at its place`() throws {
    try change("ALTER TABLE ZAUTHOR RENAME COLUMN ZAGE TO old; ALTER TABLE ZAUTHOR DROP COLUMN old")
    try change("ALTER TABLE ZAUTHOR ADD COLUMN ZAGE INTEGER REFERENCES ZTAG(Z_PK)")
    #expect(
      try failure("<R><Tag label=\"a\"/>\n<Author age=\"1\"/>\n<Author age=\"5\"/></R>")
        == [Self.refused(3, "it refers to no row of \"ZTAG\"")])
  }

  @Test func `a link that breaks a constraint is refused at its record`() throws {
    try change(
      """
      DROP TABLE Z_2TAGS;
      CREATE TABLE Z_2TAGS ( Z_2BOOKS INTEGER, Z_3TAGS INTEGER CHECK (Z_3TAGS < 2),
        PRIMARY KEY (Z_2BOOKS, Z_3TAGS) );
      """)
    #expect(
      try failure(
        "<R>\n<Book><tags><Tag label=\"a\"/><Tag label=\"b\"/></tags></Book></R>", withModel: true)
        == [Self.refused(2, "CHECK constraint failed: Z_3TAGS < 2", table: "Z_2TAGS")])
  }

  @Test func `an index that needs what only the app has is refused`() throws {
    try change(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '(ZAUTHOR)', '(ZAUTHOR COLLATE POLISH)')
        WHERE name = 'ZBOOK_ZAUTHOR_INDEX';
      """)
    #expect(
      try failure(withModel: true) == [
        "Empty.sqlite: the template cannot be read: no such collation sequence: POLISH"
      ])
  }

  // MARK: The model

  @Test(arguments: [
    ("ZAGE INTEGER, ZNAME INTEGER", "ZNAME", "INTEGER", "VARCHAR"),
    ("ZAGE VARCHAR, ZNAME VARCHAR", "ZAGE", "VARCHAR", "INTEGER"),
    ("ZAGE INTEGER, ZNAME", "ZNAME", "without a type", "VARCHAR"),
  ])
  func `a column of another type than the model's is refused`(
    columns: String, column: String, declared: String, expected: String
  ) throws {
    try declare(columns)
    let message =
      "column \"\(column)\" of \"ZAUTHOR\" is declared \(declared), and \(expected) is expected"
    #expect(
      try failure(withModel: true)
        == ["Empty.sqlite: the template is not as the model has it: \(message)"])
    let store = try StoreModel(StoreOptions(model: model))
    let found = try Verification.findings(
      inDatabaseAt: template, with: StoreVerification(model: store, now: 0)
    ).filter { $0.code == .storeTables }
    #expect(found.map(\.message) == [message])
  }

  @Test(arguments: [
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = 4 - Z_ENT WHERE Z_ENT <> 2", "entity 1 has to be \"Author\""),
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 10", "entity 1 has to be \"Author\""),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 2", "entity 2 has to be \"Book\""),
  ])
  func `numbers and parents of entities other than the model's are refused`(
    sql: String, message: String
  ) throws {
    try change(
      """
      CREATE TEMP TABLE e AS SELECT * FROM Z_PRIMARYKEY;
      \(sql.replacing("Z_PRIMARYKEY", with: "e"));
      DELETE FROM Z_PRIMARYKEY;
      INSERT INTO Z_PRIMARYKEY SELECT * FROM e;
      """)
    let faults = try failure(withModel: true)
    #expect(
      faults == [
        "Empty.sqlite: the template is not as the model has it: \(message), with no parent, "
          + "and \"Z_PRIMARYKEY\" says otherwise"
      ])
  }
}
