import SeedModel
import SeedSQLite
import TestSupport
import Testing

@testable import SeedBuilder

@Suite struct DatabaseBuildTests {
  private static let hasty = Pacing(batchWordCount: 1, sampleBatchCount: 1)

  @Test func `every kind of contradiction leads to the tables of the whole document`() throws {
    // The plan is made from the first record; each of the others contradicts it in one more way.
    let database = try BuiltDocument(
      """
      <r><v id='1' n='1'><s>1</s><w><i k='1'/></w></v>
      <v id='2' n='x'><s>2</s><w><i k='2'/><i k='3'/></w></v>
      <v id='2' n='2'><s>3</s><s>4</s><w><i k='4'/></w></v>
      <v n='3'><s>5</s><w><i k='5'/></w>text</v>
      <v id='4' n='4'><w a='1'><i k='6'/></w></v></r>
      """, pacing: Self.hasty)
    #expect(
      try database.schema.filter { $0.hasPrefix("CREATE TABLE") } == [
        "CREATE TABLE i (\n  id INTEGER PRIMARY KEY,\n"
          + "  w_id INTEGER NOT NULL REFERENCES w,\n  k INTEGER NOT NULL\n)",
        "CREATE TABLE s (\n  id INTEGER PRIMARY KEY,\n"
          + "  v_id INTEGER NOT NULL REFERENCES v,\n  text INTEGER NOT NULL\n)",
        "CREATE TABLE v (\n  _id INTEGER PRIMARY KEY,\n  id INTEGER,\n"
          + "  n TEXT NOT NULL,\n  text TEXT\n)",
        "CREATE TABLE w (\n  id INTEGER PRIMARY KEY,\n"
          + "  v_id INTEGER NOT NULL REFERENCES v,\n  a INTEGER\n)",
      ])
    #expect(
      try database.rows("SELECT v_id, text FROM s ORDER BY id").map { $0 }
        == [[1, 1], [2, 2], [3, 3], [3, 4], [4, 5]].map { $0.map { .integer($0) } })
    #expect(try database.rows("SELECT count(*) FROM i") == [[.integer(6)]])
    #expect(try database.computedDigest == database.stampedDigest)
  }

  @Test func `a key given up in a table that vanishes is a key again`() throws {
    // `a` is a record with a column until its `id` repeats; what is left of it has good keys.
    let database = try BuiltDocument(
      """
      <r><p k='1'><a><id>1</id></a></p><p k='2'><a><id>1</id></a></p>\
      <p k='3'><a><id>2</id><id>3</id></a></p>\
      <q k='1'><a n='x'><id>8</id></a></q><q k='2'><a n='y'><id>9</id></a></q></r>
      """, pacing: Self.hasty)
    let whole = try BuiltDocument(
      """
      <r><p k='1'><a><id>1</id></a></p><p k='2'><a><id>1</id></a></p>\
      <p k='3'><a><id>2</id><id>3</id></a></p>\
      <q k='1'><a n='x'><id>8</id></a></q><q k='2'><a n='y'><id>9</id></a></q></r>
      """)
    #expect(try database.schema == whole.schema)
    #expect(try database.stampedDigest == whole.stampedDigest)
  }

  @Test func `keys that come after child records are put in their place`() throws {
    let database = try BuiltDocument(
      """
      <r><v><c n='1'/><c n='2'/><id>70</id></v><v><id>60</id><c n='3'/></v>\
      <v><c n='4'/><id>-5</id></v></r>
      """, pacing: Self.hasty)
    #expect(
      try database.rows("SELECT v_id, n FROM c ORDER BY n")
        == [[70, 1], [70, 2], [60, 3], [-5, 4]].map { $0.map { .integer($0) } })
    #expect(
      try database.rows("SELECT id FROM v ORDER BY id")
        == [-5, 60, 70].map { [.integer($0)] })
  }

  @Test(arguments: [512, 4096, 65536])
  func `the page size is the one that is asked for`(pageSize: Int) throws {
    let database = try BuiltDocument("<r><v a='1'/><v a='2'/></r>", pageSize: pageSize)
    #expect(try database.rows("PRAGMA page_size") == [[.integer(Int64(pageSize))]])
    #expect(try database.rows("PRAGMA freelist_count") == [[.integer(0)]])
    #expect(try database.rows("PRAGMA journal_mode") == [[.text("delete")]])
  }

  @Test func `statistics are there when they are asked for`() throws {
    let document = "<r><v a='1'><c b='1'/></v><v a='2'><c b='2'/></v></r>"
    let plain = try BuiltDocument(document)
    let analyzed = try BuiltDocument(document, analyzes: true)
    #expect(try plain.rows("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'") == [])
    #expect(try analyzed.rows("SELECT count(*) FROM sqlite_stat1") == [[.integer(2)]])
    #expect(try analyzed.stampedDigest == plain.stampedDigest)
  }

  @Test func `a document without records gives a database without tables, and a warning`() throws {
    let database = try BuiltDocument("<r><!-- nothing --></r>")
    #expect(database.summary.tableCount == 0)
    #expect(database.summary.rowCount == 0)
    #expect(database.remarks.map(\.severity) == [.warning])
    #expect(try database.schema == [])
  }
}
