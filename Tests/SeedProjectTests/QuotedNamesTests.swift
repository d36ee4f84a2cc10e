import Testing

@testable import SeedProject

@Suite struct QuotedNamesTests {
  @Test(arguments: [
    ("item.category_id", "item", "category_id"), (" a . b ", "a", "b"),
    ("\"a.b\".\"c \"\"d\"\"\"", "a.b", "c \"d\""), ("größe.名", "größe", "名"),
  ])
  func `table and column stand with a dot between them`(
    text: String, table: String, column: String
  ) throws {
    let names = try #require(QuotedNames.column(text))
    #expect(names.table == table)
    #expect(names.column == column)
  }

  @Test(arguments: ["", "a", "a.", ".b", "a.b.c", "a b.c", "\"a.b", "\"\".b", "a.(b)"])
  func `anything else is no column`(text: String) {
    #expect(QuotedNames.column(text) == nil)
  }

  @Test(arguments: [
    ("event(a)", false, "event", ["a"]), (" event ( a , b ) ", false, "event", ["a", "b"]),
    ("unique event(a)", true, "event", ["a"]), ("UNIQUE \"e f\"(\"a,b\")", true, "e f", ["a,b"]),
    ("unique(a)", false, "unique", ["a"]), ("unique unique(a)", true, "unique", ["a"]),
  ])
  func `an index is a table with its columns`(
    text: String, isUnique: Bool, table: String, columns: [String]
  ) throws {
    let index = try #require(QuotedNames.index(text))
    #expect(index.isUnique == isUnique)
    #expect(index.table == table)
    #expect(index.columns == columns)
  }

  @Test(arguments: [
    "", "event", "event()", "event(a", "event a)", "event(a,)", "event(a b)", "a b(c)",
    "event(a) x",
  ])
  func `anything else is no index`(text: String) {
    #expect(QuotedNames.index(text) == nil)
  }
}
