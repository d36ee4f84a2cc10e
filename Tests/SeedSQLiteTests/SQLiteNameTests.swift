import SeedSQLite
import Testing

@Suite struct SQLiteNameTests {
  static let names = [
    "a", "a\"b", "", " ", "select", "SELECT", "Table", "order", "naïve", "größe", "1a", "a1", "_a",
    "a-b", "a.b", "a'b", "[a]", "`a`", "text", "rowid", "a$b", "\"", "\"\"", "key", "replace",
    "returning", "materialized", "generated",
  ]

  @Test(arguments: names)
  func `a quoted name names a table whatever it is`(name: String) throws {
    let connection = try Connection.inMemory()
    for quoted in [SQLiteName.quoted(name), SQLiteName.quotedIfNeeded(name)] {
      try connection.execute("CREATE TABLE \(quoted) (a); DROP TABLE \(quoted)")
      try connection.execute("CREATE TABLE t (\(quoted) TEXT)")
      #expect(try connection.scalarText("SELECT name FROM pragma_table_info('t')") == name)
      try connection.execute("DROP TABLE t")
    }
  }

  @Test(arguments: [
    ("a\"b", "\"a\"\"b\""), ("select", "\"select\""), ("Order", "\"Order\""), ("event", "event"),
    ("time_stamp", "time_stamp"), ("2nd", "\"2nd\""), ("größe", "\"größe\""), ("", "\"\""),
  ])
  func `a name is quoted only where SQL needs it`(name: String, expected: String) {
    #expect(SQLiteName.quotedIfNeeded(name) == expected)
  }

  @Test(arguments: ["", "it's", "''", "a\0b", "\0", "größe\n\"x\"", "\u{301}'\u{301}"])
  func `a literal is the text`(text: String) throws {
    let connection = try Connection.inMemory()
    #expect(try connection.rows("SELECT \(SQLiteText.literal(text))") == [[.text(text)]])
  }

  @Test func `a quote is doubled in a literal`() {
    #expect(SQLiteText.literal("it's") == "'it''s'")
  }
}
