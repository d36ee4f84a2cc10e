import SeedModel
import SeedSQLite
import Testing

@testable import SeedBuilder

/// Natural keys whose column stores something else than the text of the source.
@Suite struct NaturalKeyTests {
  private let reference = ReferenceRule(
    table: "item", column: "key_id", from: Located("@k"), targetTable: "target",
    targetColumn: "name")

  private func items(_ keys: [String]) -> (name: String, text: String) {
    ("items.xml", "<r>\n" + keys.map { "<item k='\($0)'/>\n" }.joined() + "</r>")
  }

  private func targets(_ names: [String]) -> (name: String, text: String) {
    ("targets.xml", "<r>\n" + names.map { "<target name='\($0)'/>\n" }.joined() + "</r>")
  }

  private static func column(
    _ type: DeclaredType? = nil, format: String? = nil, null: [String] = [], trim: Bool = false
  ) -> ColumnRule {
    var rule = ColumnRule("name", from: "@name", type: type, format: format)
    rule.nullTexts = null
    rule.isTrimmed = trim
    return rule
  }

  /// The numbers of the targets that the items refer to; the numbers are those of their order.
  private func found(
    _ keys: [String], in names: [String], column: ColumnRule? = nil, schema: String? = nil,
    own: [ColumnRule] = []
  ) throws -> [Int64?] {
    let built = try BuiltProject(
      [items(keys), targets(names)], schema: schema,
      records: [
        "targets.xml": column.map { [RecordRule("r/target", columns: [$0])] } ?? [],
        "items.xml": own.isEmpty ? [] : [RecordRule("r/item", columns: own)],
      ]
    ) { $0.mapping.references = [reference] }
    return try built.rows("SELECT key_id FROM item ORDER BY id").map {
      if case .integer(let key) = $0[0] { key } else { nil }
    }
  }

  @Test(arguments: [
    ["16.01.2010", "01.02.2010"], ["true", "false"], ["YES", "NO"], ["1.50", "2.25"],
    ["2.0", "12.5"], ["5E0", ".5"], ["7", "12"], ["007", "7"], ["1.5", "1.50"],
    ["2010-01-16T10:00:00Z", "2010-01-16T11:00:00+01:00"],
    ["16.01.2010 10:00", "17.01.2010 10:00"],
    [" x ", "x"], ["18446744073709551616", "1"],
  ])
  func `equal texts match, whatever the inference makes of the column`(names: [String]) throws {
    #expect(try found([names[1], names[0], names[1]], in: names) == [2, 1, 2])
  }

  @Test(arguments: [
    (column(.date, format: "dd.MM.yyyy"), ["16.01.2010", "01.02.2010"]),
    (column(format: "MM/dd/yyyy"), ["05/03/2010", "03/05/2010"]),
    (column(.datetime, format: "dd.MM.yyyy HH:mm"), ["16.01.2010 10:00", "16.01.2010 10:01"]),
    (column(.boolean), ["yes", "off"]), (column(.decimal), ["1.50", "2"]),
    (column(.real), ["1.50", "2"]), (column(.integer), ["12", "13"]),
    (column(.real, format: "decimal-comma"), ["1,50", "1.234"]),
    (column(.blob, format: "hex"), ["0AFF", "0B"]), (column(.blob), ["SGk=", "SG8="]),
    (column(.text, trim: true), [" x ", "y"]), (column(trim: true), [" 7 ", "8"]),
    (column(.text), [" 1.50", "1.5"]),
  ])
  func `equal texts match, whatever type the column is declared as`(
    column: ColumnRule, names: [String]
  ) throws {
    #expect(try found([names[1], names[0], names[1]], in: names, column: column) == [2, 1, 2])
  }

  @Test(arguments: [
    ("TEXT", ["1.50", "1.5"]), ("DATE", ["16.01.2010", "17.01.2010"]), ("BOOLEAN", ["yes", "no"]),
    ("REAL", ["1.50", "2"]), ("NUMERIC", ["1.50", "2"]), ("DECIMAL", ["1.50", "2"]),
    ("TEXT COLLATE NOCASE", ["Fruit", "fruit"]), ("BLOB", ["SGk=", "SG8="]),
  ])
  func `equal texts match, whatever a schema declares the column as`(
    type: String, names: [String]
  ) throws {
    let schema = """
      CREATE TABLE item(id INTEGER PRIMARY KEY, key_id INTEGER REFERENCES target);
      CREATE TABLE target(id INTEGER PRIMARY KEY, name \(type));
      """
    #expect(try found([names[1], names[0]], in: names, schema: schema) == [2, 1])
  }

  @Test(arguments: [
    ("2.50", "2.5", "write both alike, or declare the column a number"),
    ("hammer ", "Hammer", "write both alike"), ("hamer", "hammer", "did you mean \"hammer\"?"),
    ("saw", "hammer", "add it to items"),
  ])
  func `the hint tells another spelling from another key`(key: String, known: String, hint: String)
  {
    let said = UnknownKey.hint(for: key, known: ["rope", known], table: "items")
    #expect(said.hasSuffix(hint), "\(said)")
  }

  @Test func `a text that stands for NULL refers to nothing`() throws {
    let column = NaturalKeyTests.column(.text, null: ["n/a"], trim: true)
    #expect(
      try found(["b", "n/a", "  ", ""], in: ["a", "n/a", "b"], column: column)
        == [3, nil, nil, nil])
  }

  @Test func `equal texts match within a table too`() throws {
    let built = try BuiltProject([
      ("a.xml", "<r><p day='17.01.2010' after='16.01.2010'/><p day='16.01.2010'/></r>")
    ]) {
      $0.mapping.references = [
        ReferenceRule(
          table: "p", column: "after_id", from: Located("@after"), targetTable: "p",
          targetColumn: "day")
      ]
    }
    #expect(
      try built.rows("SELECT day, after_id FROM p ORDER BY id") == [
        [.text("2010-01-17"), .integer(2)], [.text("2010-01-16"), .null],
      ])
  }

  @Test func `a text in another form than the column's own is read as one of its type`() throws {
    #expect(try found(["2010-01-16"], in: ["16.01.2010", "15.01.2010"]) == [1])
    #expect(try found(["16.01.2010"], in: ["2010-01-15", "2010-01-16"]) == [2])
    #expect(try found(["2.5"], in: ["1.50", "2.50"]) == [2])
    #expect(
      try found(
        ["2010-01-16"], in: ["16.01.2010"],
        column: NaturalKeyTests.column(.date, format: "dd.MM.yyyy")) == [1])
  }

  @Test func `the format of the record's own column reads its keys`() throws {
    var own = ColumnRule("day", from: "@k", type: .date, format: "MM.dd.yyyy")
    own.isTrimmed = true
    #expect(
      try found(
        [" 05.03.2010"], in: ["05.03.2010", "03.05.2010"],
        column: NaturalKeyTests.column(.date, format: "dd.MM.yyyy"), own: [own]) == [2])
  }

  @Test func `what the record's own column drops is no part of a key`() throws {
    var own = ColumnRule("k", from: "@k")
    own.isTrimmed = true
    #expect(try found([" a ", "b"], in: ["a", "b"], own: [own]) == [1, 2])
  }

  @Test func `rows that come with a schema are found as they are stored`() throws {
    let schema = """
      CREATE TABLE item(id INTEGER PRIMARY KEY, key_id INTEGER REFERENCES target);
      CREATE TABLE target(id INTEGER PRIMARY KEY, name DATE);
      INSERT INTO target VALUES (41, 'never'), (42, '2010-01-16'), (43, '17.01.2010');
      """
    let keys = ["16.01.2010", "never", "2010-01-16", "17.01.2010"]
    let built = try BuiltProject([items(keys)], schema: schema) {
      $0.mapping.references = [reference]
    }
    #expect(
      try built.rows("SELECT key_id FROM item ORDER BY id")
        == [42, 41, 42, 43].map { [.integer($0)] })
  }

  @Test func `an unknown key of a converted column is an error with its place`() throws {
    let said = try BuiltProject.failure([
      items(["16.01.2010", "18.01.2010"]), targets(["16.01.2010", "17.01.2010"]),
    ]) { $0.mapping.references = [reference] }
    #expect(said.count == 1)
    #expect(
      said.first?.hasPrefix("items.xml:3:10: no row of \"target\" has name \"18.01.2010\"") == true)
  }

  @Test func `texts that two formats read as different rows stand for several`() throws {
    let said = try BuiltProject.failure(
      [
        items(["05/03/2010"]), targets(["05/03/2010"]),
        ("more.xml", "<r><target name='05/03/2010'/></r>"),
      ],
      records: [
        "targets.xml": [
          RecordRule("r/target", columns: [NaturalKeyTests.column(.date, format: "dd/MM/yyyy")])
        ],
        "more.xml": [
          RecordRule("r/target", columns: [NaturalKeyTests.column(.date, format: "MM/dd/yyyy")])
        ],
      ]
    ) { $0.mapping.references = [reference] }
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("items.xml:2:10: \"05/03/2010\" stands for several rows") == true)
  }

  @Test(arguments: [
    (["a", "b", "a"], [], true), (["a", "", "b"], [], false), (["a", "-", "b"], ["-"], false),
    (["a", "b"], ["-"], true),
  ])
  func `a reference is NOT NULL if no record lacks its key`(
    keys: [String], null: [String], isNotNull: Bool
  ) throws {
    let built = try BuiltProject(
      [items(keys), targets(["a", "b"])],
      records: [
        "targets.xml": [RecordRule("r/target", columns: [Self.column(null: null)])]
      ]
    ) { $0.mapping.references = [reference] }
    let found = try built.rows(
      "SELECT \"notnull\" FROM pragma_table_info('item') WHERE name = 'key_id'")
    #expect(found == [[.integer(isNotNull ? 1 : 0)]])
    #expect(try built.rows("SELECT count(*) FROM item") == [[.integer(Int64(keys.count))]])
  }

  @Test func `an unknown key of a reference that is NOT NULL is an error at its place`() throws {
    let found = try BuiltProject.failure([items(["a", "c"]), targets(["a", "b"])]) {
      $0.mapping.references = [reference]
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("items.xml:3:10: no row of \"target\" has name \"c\"") == true)
  }

  @Test func `a reference to the own table is made after its rows, and may be NULL`() throws {
    let built = try BuiltProject([
      ("a.xml", "<r><n name='a' p='b'/><n name='b' p='a'/></r>")
    ]) {
      $0.mapping.references = [
        ReferenceRule(
          table: "n", column: "p_id", from: Located("@p"), targetTable: "n", targetColumn: "name")
      ]
    }
    #expect(
      try built.rows("SELECT name, p_id FROM n ORDER BY id") == [
        [.text("a"), .integer(2)], [.text("b"), .integer(1)],
      ])
  }
}
