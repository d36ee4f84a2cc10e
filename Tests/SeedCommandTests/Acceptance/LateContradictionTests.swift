import Foundation
import Testing

/// Something in the last record that contradicts everything before it.
///
/// Every document is longer than any sample that a builder may take of its beginning.
@Suite struct LateContradictionTests {
  #if DEBUG
    static let count = 60_000
  #else
    static let count = 1_000_000
  #endif

  /// `count` records from `record`, then `last`.
  func database(_ record: (Int) -> String, last: String) async throws -> BuiltDatabase {
    var document = "<r>\n"
    for number in 1...Self.count {
      document += record(number)
      document += "\n"
    }
    document += last + "\n</r>\n"
    #expect(document.utf8.count > 2 << 20)
    return try await Workspace().build(document)
  }

  @Test func `one text makes a column of numbers text, digit for digit`() async throws {
    let database = try await database(
      { #"<v number="\#($0)" price="\#($0).50" note="no note"/>"# },
      last: #"<v number="007" price="2.5" note="last"/>"#)
    #expect(
      try await database.rows(
        "SELECT count(*), count(DISTINCT number), min(typeof(number)), min(typeof(price)) FROM v")
        == [["\(Self.count + 1)", "\(Self.count + 1)", "'text'", "'text'"]])
    #expect(
      try await database.column(
        "SELECT count(*) FROM v WHERE note = 'no note' AND number = CAST(id AS TEXT)"
          + " AND price = id || '.50'") == ["\(Self.count)"])
    #expect(
      try await database.rows("SELECT number, price FROM v WHERE note = 'last'")
        == [["'007'", "'2.5'"]])
  }

  @Test func `an attribute that appears in the last record is a column`() async throws {
    let database = try await database(
      { #"<v number="\#($0)" note="a note of no use"/>"# },
      last: #"<v number="0" note="last" late="x"/>"#)
    #expect(
      try await database.column("SELECT name FROM pragma_table_info('v') ORDER BY cid")
        == ["'id'", "'number'", "'note'", "'late'"])
    #expect(
      try await database.rows("SELECT count(*), count(late), max(late) FROM v")
        == [["\(Self.count + 1)", "1", "'x'"]])
  }

  @Test func `an attribute that the last record lacks may be NULL`() async throws {
    let database = try await database(
      { #"<v number="\#($0)" note="a note of no use"/>"# }, last: "<v note='last'/>")
    #expect(
      try await database.definition(of: "v")
        == "CREATE TABLE v (\n  id INTEGER PRIMARY KEY,\n  number INTEGER,\n  note TEXT NOT NULL\n)"
    )
    #expect(
      try await database.rows("SELECT count(*), count(number), max(number) FROM v")
        == [["\(Self.count + 1)", "\(Self.count)", "\(Self.count)"]])
  }

  @Test func `a child that repeats in the last record is a table for all`() async throws {
    let database = try await database(
      { "<v><name>the name of \($0)</name><tag>\($0)</tag></v>" },
      last: "<v><name>last</name><tag>0</tag><tag>-1</tag></v>")
    #expect(
      try await database.rows("SELECT count(*), min(text), max(text) FROM tag")
        == [["\(Self.count + 2)", "-1", "\(Self.count)"]])
    #expect(
      try await database.column(
        "SELECT count(*) FROM tag JOIN v ON v.id = tag.v_id WHERE name = 'the name of ' || text")
        == ["\(Self.count)"])
    #expect(
      try await database.column("SELECT name FROM pragma_table_info('v') ORDER BY cid")
        == ["'id'", "'name'"])
  }

  @Test func `an id that repeats in the last record is no key`() async throws {
    let database = try await database(
      { #"<v id="\#($0)" note="a note of no use"/>"# }, last: #"<v id="1" note="last"/>"#)
    #expect(
      try await database.definition(of: "v")
        == "CREATE TABLE v (\n  _id INTEGER PRIMARY KEY,\n  id INTEGER NOT NULL,\n"
        + "  note TEXT NOT NULL\n)")
    #expect(
      try await database.rows("SELECT count(*), max(_id), count(DISTINCT id) FROM v")
        == [["\(Self.count + 1)", "\(Self.count + 1)", "\(Self.count)"]])
  }
}
