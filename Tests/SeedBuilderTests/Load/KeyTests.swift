import SeedSQLite
import Testing

@testable import SeedBuilder

@Suite struct KeyTests {
  @Test func `an attribute that is no key leaves a child of its name free to be one`() throws {
    let built = try BuiltDocument(
      "<r><e id='1'><id>5</id></e><e id='1'><id>6</id></e></r>")
    #expect(
      try built.schema == [
        "CREATE TABLE e (\n  id INTEGER NOT NULL,\n  id_2 INTEGER PRIMARY KEY\n)"
      ])
    #expect(
      try built.rows("SELECT id, id_2 FROM e") == [
        [.integer(1), .integer(5)], [.integer(1), .integer(6)],
      ])
  }

  @Test func `child records refer to a key that comes after them`() throws {
    let built = try BuiltDocument(
      "<r><o><i n='a'/><i n='b'/><id>70</id></o><o><i n='c'/><id>60</id></o></r>")
    #expect(
      try built.rows("SELECT n, o_id FROM i ORDER BY n") == [
        [.text("a"), .integer(70)], [.text("b"), .integer(70)], [.text("c"), .integer(60)],
      ])
    #expect(try built.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `a key that is missing once gives way to one in document order`() throws {
    let built = try BuiltDocument("<r><e id='7' x='a'/><e x='b'/></r>")
    #expect(
      try built.rows("SELECT _id, id, x FROM e") == [
        [.integer(1), .integer(7), .text("a")], [.integer(2), .null, .text("b")],
      ])
  }
}
