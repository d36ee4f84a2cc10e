import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

/// Builds whose tables and columns are ruled as in a project file.
@Suite struct MappingRuleTests {
  private func schema(_ built: BuiltProject) throws -> [String] {
    try built.rows("SELECT sql FROM sqlite_schema WHERE name <> '_seed' ORDER BY rowid").map {
      if case .text(let sql) = $0[0] { sql } else { "" }
    }
  }

  @Test func `a rule without effect gives what a build without rules gives`() throws {
    let file = (
      "a.xml",
      """
      <orders><order id="5" date="16.01.2010"><item sku="007" price="1.50"/><item sku="8" price="2.25"/>
      <note>x</note></order><order id="7" date="17.01.2010"><note/></order></orders>
      """
    )
    let plain = try BuiltProject([file])
    let ruled = try BuiltProject([file], records: ["a.xml": [RecordRule("orders/order")]])
    #expect(try schema(plain) == schema(ruled))
    for table in ["order", "item"] {
      let query = "SELECT * FROM \"\(table)\" ORDER BY 1"
      #expect(try plain.rows(query) == ruled.rows(query))
    }
  }

  @Test func `tables and columns get the names, types and formats of the rules`() throws {
    var constant = ColumnRule("origin")
    constant.constant = Located(.string("file"))
    let built = try BuiltProject(
      [("a.xml", "<Events><Event timeStamp='16/01/2010' n='7'/></Events>")],
      records: [
        "a.xml": [
          RecordRule(
            "Events/Event", table: "event",
            columns: [
              ColumnRule("time_stamp", from: "@timeStamp", type: .date, format: "dd/MM/yyyy"),
              constant,
            ])
        ]
      ])
    #expect(
      try schema(built) == [
        "CREATE TABLE event (\n  id INTEGER PRIMARY KEY,\n  time_stamp DATE NOT NULL,\n  origin TEXT,\n"
          + "  n INTEGER NOT NULL\n)"
      ])
    #expect(
      try built.rows("SELECT * FROM event") == [
        [.integer(1), .text("2010-01-16"), .text("file"), .integer(7)]
      ])
  }

  @Test func `defaults, texts for NULL and trimming come before the type`() throws {
    var n = ColumnRule("n")
    n.nullTexts = ["n/a", "-"]
    n.isTrimmed = true
    var t = ColumnRule("t")
    t.defaultValue = Located(.string("none"))
    let built = try BuiltProject(
      [("a.xml", "<r><e n=' 1 ' t='x'/><e n='n/a'/><e n='-'/></r>")],
      records: ["a.xml": [RecordRule("r/e", columns: [n, t])]])
    #expect(
      try built.rows("SELECT n, t FROM e") == [
        [.integer(1), .text("x")], [.null, .text("none")], [.null, .text("none")],
      ])
  }

  @Test func `a column that no record has gets its default in every row`() throws {
    var rule = ColumnRule("b", from: "@nope", type: .integer)
    rule.defaultValue = Located(.integer(7))
    let built = try BuiltProject(
      [("a.xml", "<r><e a='1'/><e a='2'/></r>")],
      records: ["a.xml": [RecordRule("r/e", columns: [rule])]])
    #expect(
      try built.rows("SELECT a, b FROM e") == [
        [.integer(1), .integer(7)], [.integer(2), .integer(7)],
      ])
  }

  @Test(arguments: [
    (JSONValue.string("it's"), "b TEXT DEFAULT 'it''s'"), (.integer(-7), "b INTEGER DEFAULT -7"),
    (.number(0.5), "b REAL DEFAULT 0.5"),
  ])
  func `a default is declared by its column, whether or not a record has a value`(
    value: JSONValue, column: String
  ) throws {
    for from in ["@b", "@nope"] {
      var rule = ColumnRule("b", from: from, type: column.hasPrefix("b TEXT") ? .text : nil)
      if column.hasPrefix("b INTEGER") { rule.type = Located(.integer) }
      if column.hasPrefix("b REAL") { rule.type = Located(.real) }
      rule.defaultValue = Located(value)
      let built = try BuiltProject(
        [("a.xml", "<r><e id='1' a='1' b='3'/><e id='2' a='2'/></r>")],
        records: ["a.xml": [RecordRule("r/e", columns: [rule])]])
      #expect(try schema(built).first?.contains("  \(column)") == true)
    }
  }

  @Test func `a default of some of a table's records is none of the column`() throws {
    var rule = ColumnRule("b", from: "@b", type: .integer)
    rule.defaultValue = Located(.integer(7))
    let built = try BuiltProject(
      [("a.xml", "<r><e a='1'/><f a='2'/></r>")],
      records: [
        "a.xml": [
          RecordRule("r/e", table: "t", columns: [rule]), RecordRule("r/f", table: "t"),
        ]
      ])
    #expect(try schema(built).first?.contains("DEFAULT") == false)
    #expect(try built.rows("SELECT b FROM t WHERE a = 2") == [[.null]])
  }

  @Test(arguments: [JSONValue.string("abc"), .bool(true), .number(1.5), .array([])])
  func `a default or constant of another type is an error`(value: JSONValue) throws {
    for isConstant in [true, false] {
      var rule = ColumnRule("b", from: "@a", type: .integer)
      if isConstant { rule.constant = Located(value) } else { rule.defaultValue = Located(value) }
      let said = try BuiltProject.failure(
        [("a.xml", "<r><e a='1'/><e/></r>")],
        records: ["a.xml": [RecordRule("r/e", columns: [rule])]])
      #expect(said.first?.contains("does not fit into column \"b\" of type integer") == true)
    }
  }

  @Test(arguments: ["sqlite_x", "_seed", "_SEED_owned"])
  func `a table cannot have a reserved name`(name: String) throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><e a='1'/></r>")], records: ["a.xml": [RecordRule("r/e", table: name)]])
    #expect(
      said == [
        "a table cannot be called \"\(name)\" [names that begin with sqlite_ or _seed are reserved]"
      ])
  }

  @Test func `binary data of a property list stays binary, also where it is empty`() throws {
    let list = """
      <plist version="1.0"><array><dict><key>n</key><integer>1</integer><key>d</key><data>YWI=</data></dict>
      <dict><key>n</key><integer>2</integer><key>d</key><data></data></dict></array></plist>
      """
    let ruled = try BuiltProject(
      [("a.plist", list)], records: ["a.plist": [RecordRule("*", table: "t")]])
    #expect(try ruled.rows("SELECT d FROM t") == [[.blob([0x61, 0x62])], [.blob([])]])
    let filled = try BuiltProject(
      [("a.plist", list)], schema: "CREATE TABLE a(n INTEGER, d BLOB NOT NULL);")
    #expect(try filled.rows("SELECT d FROM a") == [[.blob([0x61, 0x62])], [.blob([])]])
  }

  @Test func `only the named columns are filled when that is wanted`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e a='1' b='2'/></r>")],
      records: ["a.xml": [RecordRule("r/e", columns: [ColumnRule("b")], only: true)]])
    #expect(try built.rows("SELECT * FROM e") == [[.integer(1), .integer(2)]])
  }

  @Test func `records are left out when that is wanted`() throws {
    var rule = RecordRule("r/x")
    rule.isSkipped = true
    let built = try BuiltProject(
      [("a.xml", "<r><e a='1'/><x b='2'/><e a='2'/><x b='3'/></r>")], records: ["a.xml": [rule]])
    #expect(try built.objects == ["e"])
  }

  @Test func `a path through a record below gives a column`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><book t='A'><author><name>N</name><born>1900</born></author></book></r>")],
      records: [
        "a.xml": [
          RecordRule(
            "r/book", columns: [ColumnRule("t"), ColumnRule("author", from: "author/name")],
            only: true),
          {
            var rule = RecordRule("r/book/author"); rule.isSkipped = true; return rule
          }(),
        ]
      ])
    #expect(try built.rows("SELECT t, author FROM book") == [[.text("A"), .text("N")]])
  }

  @Test func `a path to several values is an error`() throws {
    let said = try BuiltProject.failure(
      [
        (
          "a.xml",
          "<r><book t='A'><author><name>N</name><born>1</born></author><author><name>M</name></author></book></r>"
        )
      ],
      records: [
        "a.xml": [RecordRule("r/book", columns: [ColumnRule("author", from: "author/name")])]
      ])
    #expect(said.contains { $0.contains("\"author/name\" is no single value") })
  }

  @Test func `a path outwards gives the value of the record around`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><o code='A'><i n='1'/><i n='2'/></o></r>")],
      records: ["a.xml": [RecordRule("r/o/i", columns: [ColumnRule("owner", from: "../@code")])]])
    #expect(
      try built.rows("SELECT n, owner FROM i") == [
        [.integer(1), .text("A")], [.integer(2), .text("A")],
      ])
  }

  @Test func `records of several files go to one table`() throws {
    let built = try BuiltProject(
      [("a.xml", "<r><e n='1'/></r>"), ("b.xml", "<s><f n='2' m='x'/></s>")],
      records: [
        "a.xml": [RecordRule("r/e", table: "all")], "b.xml": [RecordRule("s/f", table: "all")],
      ])
    #expect(
      try built.rows("SELECT n, m FROM \"all\" ORDER BY n") == [
        [.integer(1), .null], [.integer(2), .text("x")],
      ])
  }

  @Test func `a rule for records that are not there names the nearest`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><e n='1'/></r>")], records: ["a.xml": [RecordRule("r/ee")]])
    #expect(said == ["a.xml has no records at \"r/ee\" [did you mean \"r/e\"?]"])
  }

  @Test func `a column whose source is misspelt names the nearest`() throws {
    let said = try BuiltProject.failure(
      [("a.xml", "<r><e name='1'/></r>")],
      records: ["a.xml": [RecordRule("r/e", columns: [ColumnRule("x", from: "@nme")])]])
    #expect(said == ["no record at \"r/e\" has a value at \"@nme\" [did you mean \"@name\"?]"])
  }

  @Test func `indexes are made`() throws {
    let built = try BuiltProject([("a.xml", "<r><e a='1' b='2'/></r>")]) {
      $0.mapping.indexes = [
        IndexRule(table: "e", columns: ["a"]),
        IndexRule(table: "E", columns: ["b", "a"], isUnique: true),
      ]
    }
    #expect(
      try schema(built).dropFirst() == [
        "CREATE UNIQUE INDEX e_b_a ON e (b, a)", "CREATE INDEX e_a ON e (a)",
      ])
  }

  // MARK: References

  private let categories = (
    "categories.xml", "<r><category name='Fruit'/><category name='Veg'/></r>"
  )
  private let items = (
    "items.xml",
    "<r>\n<item sku='1' category='Veg'/>\n<item sku='2' category='Fruit'/>\n<item sku='3'/></r>"
  )
  private let reference = ReferenceRule(
    table: "item", column: "category_id", from: Located("@category"), targetTable: "category",
    targetColumn: "name")

  @Test(arguments: [true, false])
  func `a natural key becomes a foreign key, whichever file comes first`(
    categoriesFirst: Bool
  ) throws {
    let files = categoriesFirst ? [categories, items] : [items, categories]
    let built = try BuiltProject(files) { $0.mapping.references = [reference] }
    #expect(
      try built.rows(
        "SELECT sku, name FROM item LEFT JOIN category c ON c.id = category_id ORDER BY sku")
        == [
          [.integer(1), .text("Veg")], [.integer(2), .text("Fruit")], [.integer(3), .null],
        ])
    let columns = try built.rows("SELECT name FROM pragma_table_info('item')")
    #expect(!columns.contains([.text("category")]))
    #expect(
      try built.rows("SELECT \"table\" FROM pragma_foreign_key_list('item')") == [
        [.text("category")]
      ])
  }

  @Test func `an unknown natural key is an error with place and the nearest name`() throws {
    let file = ("items.xml", items.1.replacing("'Fruit'", with: "'Friut'"))
    let said = try BuiltProject.failure([categories, file]) {
      $0.mapping.references = [reference]
    }
    #expect(
      said == [
        "items.xml:3:25: no row of \"category\" has name \"Friut\" [did you mean \"Fruit\"?]"
      ])
  }

  @Test func `a natural key that several rows have is an error`() throws {
    let twice = ("categories.xml", "<r><category name='Veg'/><category name='Veg'/></r>")
    let said = try BuiltProject.failure([twice, items]) { $0.mapping.references = [reference] }
    #expect(said.first?.contains("\"Veg\" stands for several rows") == true)
  }

  @Test func `natural keys fill the columns of a given schema`() throws {
    let built = try BuiltProject(
      [items, categories],
      schema: """
        CREATE TABLE item(sku TEXT, category_id TEXT REFERENCES category(code));
        CREATE TABLE category(code TEXT PRIMARY KEY DEFAULT 'x', name TEXT UNIQUE);
        INSERT INTO category VALUES ('f', 'Fruit'), ('v', 'Veg');
        """,
      records: [
        "categories.xml": [
          {
            var rule = RecordRule("r/category"); rule.isSkipped = true; return rule
          }()
        ]
      ]
    ) { $0.mapping.references = [reference] }
    #expect(
      try built.rows("SELECT sku, category_id FROM item ORDER BY sku") == [
        [.text("1"), .text("v")], [.text("2"), .text("f")], [.text("3"), .null],
      ])
  }

  @Test func `records may refer to others of their own table`() throws {
    let built = try BuiltProject([
      ("a.xml", "<r><p name='child' parent='root'/><p name='root'/></r>")
    ]) {
      $0.mapping.references = [
        ReferenceRule(
          table: "p", column: "parent_id", from: Located("@parent"), targetTable: "p",
          targetColumn: "name")
      ]
    }
    #expect(
      try built.rows("SELECT name, parent_id FROM p ORDER BY id") == [
        [.text("child"), .integer(2)], [.text("root"), .null],
      ])
  }

  @Test func `an unknown natural key of the own table is an error with its place`() throws {
    let said = try BuiltProject.failure([
      ("a.xml", "<r>\n<p name='a' parent='b'/><p name='bc'/></r>")
    ]) {
      $0.mapping.references = [
        ReferenceRule(
          table: "p", column: "parent_id", from: Located("@parent"), targetTable: "p",
          targetColumn: "name")
      ]
    }
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("a.xml:2:21: no row of \"p\" has name \"b\"") == true)
  }

  @Test(arguments: [
    (
      "categories", "name", "item", "@category",
      "there is no table \"categories\" [did you mean \"category\"?]"
    ),
    (
      "category", "nam", "item", "@category",
      "table \"category\" has no column \"nam\" [did you mean \"name\"?]"
    ),
    ("category", "name", "itm", "@category", "there is no table \"itm\" [did you mean \"item\"?]"),
    (
      "category", "name", "item", "@categori",
      "no record of \"item\" has a value at \"@categori\" [did you mean \"@category\"?]"
    ),
  ])
  func `a reference that is misspelt names what is wrong and the nearest`(
    target: String, column: String, table: String, from: String, expected: String
  ) throws {
    let said = try BuiltProject.failure([categories, items]) {
      $0.mapping.references = [
        ReferenceRule(
          table: table, column: "category_id", from: Located(from), targetTable: target,
          targetColumn: column)
      ]
    }
    #expect(said == [expected])
  }

  @Test func `a row that is missing for its own fault is not said to be unknown`() throws {
    let file = (
      "categories.xml", "<r>\n<category name='Fruit' tax='x'/><category name='Veg' tax='1'/></r>"
    )
    let said = try BuiltProject.failure(
      [file, items],
      records: [
        "categories.xml": [RecordRule("r/category", columns: [ColumnRule("tax", type: .integer)])]
      ]
    ) { $0.mapping.references = [reference] }
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("categories.xml:2:29: \"x\" is not an integer") == true)
  }

  @Test func `a doubled row of a unique index of a rule has its place`() throws {
    let said = try BuiltProject.failure([("a.xml", "<r>\n<e a='1'/>\n<e a='1'/></r>")]) {
      $0.mapping.indexes = [IndexRule(table: "e", columns: ["a"], isUnique: true)]
    }
    #expect(
      said == [
        "a.xml:3:1: the record does not fit into \"e\": UNIQUE constraint failed: e.a "
          + "(another record, at a.xml:2:1, has a \"1\") "
          + "[leave one of the two records out, correct it, or drop the constraint if both belong]"
      ])
  }

  @Test func `the outermost object of a document can be ruled too`() throws {
    let built = try BuiltProject(
      [("trips.json", "{\"version\": 3, \"trips\": [{\"n\": 1}]}")],
      records: ["trips.json": [RecordRule(".", table: "meta")]])
    #expect(try built.rows("SELECT version FROM meta") == [[.integer(3)]])
    #expect(try built.rows("SELECT n FROM trips") == [[.integer(1)]])
  }

  // MARK: The build

  @Test func `version, identifier and stamp are those declared`() throws {
    let built = try BuiltProject([("a.xml", "<r><e n='1'/></r>")]) {
      $0.userVersion = 4
      $0.applicationID = 99
      $0.seedName = "catalog"
      $0.seedVersion = "2.1"
    }
    #expect(try built.rows("PRAGMA user_version") == [[.integer(4)]])
    #expect(try built.rows("PRAGMA application_id") == [[.integer(99)]])
    #expect(
      try built.rows("SELECT name, version FROM _seed") == [[.text("catalog"), .text("2.1")]])
  }

  @Test func `what the seed owns stands in the database`() throws {
    let built = try BuiltProject([items, categories]) {
      $0.mapping.owned = [
        OwnedTable(table: "category", columns: []), OwnedTable(table: "item", columns: ["SKU"]),
      ]
    }
    #expect(
      try built.rows("SELECT * FROM _seed_owned") == [
        [.text("category"), .null], [.text("item"), .text("sku")],
      ])
  }

  @Test func `owning rows that are only numbered is a warning`() throws {
    func remarks(_ text: String) throws -> [String] {
      try BuiltProject([("tea.csv", text)]) {
        $0.mapping.owned = [OwnedTable(table: "tea", columns: ["name"])]
      }.remarks.map(\.message)
    }
    #expect(try remarks("id,name\n7,green\n9,black\n") == [])
    #expect(
      try remarks("name\ngreen\nblack\n") == [
        "the seed owns \"tea\", whose keys are mere numbers of the records: after an update a key "
          + "may stand for another record"
      ])
  }

  @Test func `owning what is not there is an error with the nearest name`() throws {
    let said = try BuiltProject.failure([items, categories]) {
      $0.mapping.owned = [
        OwnedTable(table: "categories", columns: []), OwnedTable(table: "item", columns: ["skus"]),
      ]
    }
    #expect(
      said == [
        "there is no table \"categories\" to own [did you mean \"category\"?]",
        "table \"item\" has no column \"skus\" to own [did you mean \"sku\"?]",
      ])
  }

  @Test func `the same rules give the same bytes`() throws {
    let records = ["items.xml": [RecordRule("r/item", table: "article")]]
    let first = try BuiltProject([items, categories], records: records)
    let second = try BuiltProject([items, categories], records: records)
    #expect(
      try first.directory.bytes(of: "output.sqlite") == second.directory.bytes(of: "output.sqlite"))
  }
}
