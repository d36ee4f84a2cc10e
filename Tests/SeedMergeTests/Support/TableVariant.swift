import SeedMerge
import Testing

/// A kind of table, with the rows before and after an update between which values move.
///
/// The column `mine` is the app's. Rows are given as the declared columns of an INSERT.
struct TableVariant: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var schema: String
  var table: DeclaredTable
  /// Values of the declared columns, row by row.
  var old: [String]
  var new: [String]
  /// Whether the rowid is a declared column.
  var declaresRowID = false
  /// Whether there is a rowid by that name.
  var hasRowID = true

  init(
    _ name: String, _ schema: String, table: String = "item", key: [String], columns: [String],
    old: [String], new: [String], declaresRowID: Bool = false, hasRowID: Bool = true
  ) {
    testDescription = name
    self.schema = schema
    self.table = DeclaredTable(name: table, key: key, columns: columns)
    self.old = old
    self.new = new
    self.declaresRowID = declaresRowID
    self.hasRowID = hasRowID
  }

  var quotedTable: String { "\"" + table.name.replacing("\"", with: "\"\"") + "\"" }
  var columnList: String {
    table.columns.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
  }
  var keyList: String {
    table.key.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
  }

  func insert(_ rows: [String]) -> String {
    rows.map { "INSERT INTO \(quotedTable) (\(columnList)) VALUES (\($0));" }.joined()
  }

  static let all: [TableVariant] = [
    TableVariant(
      "integer key", "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "name"], old: ["1,'a'", "2,'b'", "3,'c'"],
      new: ["1,'a'", "2,'B'", "4,'d'"], declaresRowID: true),
    TableVariant(
      "swap", "CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT UNIQUE, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "code"], old: ["1,'a'", "2,'b'", "3,'c'"],
      new: ["1,'b'", "2,'a'", "3,'c'"], declaresRowID: true),
    TableVariant(
      "chain of three",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "code"], old: ["1,'a'", "2,'b'", "3,'c'"],
      new: ["1,'b'", "2,'c'", "3,'a'"], declaresRowID: true),
    TableVariant(
      "a value goes from a row that is gone to one that is new",
      "CREATE TABLE item(id TEXT PRIMARY KEY, code INTEGER UNIQUE, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "code"], old: ["'x',1", "'y',2", "'z',3"],
      new: ["'y',1", "'w',2", "'v',3"]),
    TableVariant(
      "strict, NOT NULL, of each type",
      """
      CREATE TABLE item(id INT NOT NULL UNIQUE, i INTEGER NOT NULL UNIQUE,
      r REAL NOT NULL UNIQUE, t TEXT NOT NULL UNIQUE, b BLOB NOT NULL UNIQUE,
      a ANY NOT NULL UNIQUE, mine TEXT DEFAULT 'd') STRICT
      """, key: ["id"], columns: ["id", "i", "r", "t", "b", "a"],
      old: ["1, 1,1.5,'a',x'01',1", "2, 2,2.5,'b',x'02','1'", "3, 3,3.5,'c',x'03',x'31'"],
      new: ["1, 2,3.5,'b',x'03',x'31'", "2, 3,1.5,'c',x'01',1", "3, 1,2.5,'a',x'02','1'"]),
    TableVariant(
      "checks",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, n INTEGER NOT NULL UNIQUE CHECK(n BETWEEN 1 AND 9),
      s TEXT NOT NULL UNIQUE CHECK(length(s) = 1), mine DEFAULT 'd', CHECK(typeof(s) = 'text'))
      """, key: ["id"], columns: ["id", "n", "s"], old: ["1,1,'a'", "2,2,'b'", "3,3,'c'"],
      new: ["1,2,'c'", "2,1,'b'", "4,3,'a'"], declaresRowID: true),
    TableVariant(
      "composite key, WITHOUT ROWID",
      """
      CREATE TABLE item(a TEXT, b INTEGER, code UNIQUE, mine DEFAULT 'd', PRIMARY KEY(b, a))
      WITHOUT ROWID
      """, key: ["a", "b"], columns: ["a", "b", "code"], old: ["'x',1,1", "'x',2,2", "'y',1,3"],
      new: ["'x',1,2", "'x',2,3", "'y',2,1"], hasRowID: false),
    TableVariant(
      "composite unique index",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, a, b, mine DEFAULT 'd', UNIQUE(a, b))",
      key: ["id"], columns: ["id", "a", "b"], old: ["1,1,1", "2,1,2", "3,2,1", "4,NULL,1"],
      new: ["1,1,2", "2,2,1", "3,1,1", "4,NULL,1"], declaresRowID: true),
    TableVariant(
      "NULL in a unique column",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, code UNIQUE, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "code"], old: ["1,NULL", "2,'b'", "3,NULL", "4,'d'"],
      new: ["1,'b'", "2,NULL", "3,NULL", "5,'d'"], declaresRowID: true),
    TableVariant(
      "key that ignores case",
      "CREATE TABLE item(id TEXT COLLATE NOCASE PRIMARY KEY, code UNIQUE, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "code"], old: ["'a',1", "'b',2", "'c',3"],
      new: ["'A',2", "'b',1", "'C',3"]),
    TableVariant(
      "unique index that ignores case",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT, mine DEFAULT 'd');
      CREATE UNIQUE INDEX code_index ON item(code COLLATE NOCASE)
      """, key: ["id"], columns: ["id", "code"], old: ["1,'a'", "2,'b'"], new: ["1,'B'", "2,'A'"],
      declaresRowID: true),
    TableVariant(
      "partial index",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code, live, mine DEFAULT 'd');
      CREATE UNIQUE INDEX code_index ON item(code) WHERE live
      """, key: ["id"], columns: ["id", "code", "live"],
      old: ["1,'a',1", "2,'a',0", "3,'b',1", "4,'b',0"],
      new: ["1,'a',0", "2,'a',1", "3,'b',0", "4,'b',1"], declaresRowID: true),
    TableVariant(
      "index over an expression",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT NOT NULL, mine DEFAULT 'd');
      CREATE UNIQUE INDEX "an index (of code)" ON item(lower("code") || 'x')
      """, key: ["id"], columns: ["id", "code"], old: ["1,'a'", "2,'b'", "3,'c'"],
      new: ["1,'B'", "2,'C'", "3,'A'"], declaresRowID: true),
    TableVariant(
      "index over a member of JSON",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, data TEXT NOT NULL, mine TEXT DEFAULT 'd') STRICT;
      CREATE UNIQUE INDEX json_index ON item(json_extract(data, '$.code'))
      """, key: ["id"], columns: ["id", "data"],
      old: ["1,'{\"code\":1}'", "2,'{\"code\":2}'", "3,'{\"code\":3}'"],
      new: ["1,'{\"code\":2}'", "2,'{\"code\":1}'", "4,'{\"code\":3}'"], declaresRowID: true),
    TableVariant(
      "index over a generated column",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, "co,de" TEXT, mine DEFAULT 'd',
      up TEXT NOT NULL AS (upper("co,de")) VIRTUAL, up2 AS (up || '2') STORED UNIQUE)
      """, key: ["id"], columns: ["id", "co,de"], old: ["1,'a'", "2,'b'", "3,'c'"],
      new: ["1,'b'", "2,'a'", "4,'c'"], declaresRowID: true),
    TableVariant(
      "the key is a UNIQUE index, the rowid is declared and moves",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, mine DEFAULT 'd')
      """, key: ["code"], columns: ["code", "id"], old: ["'a',1", "'b',2", "'c',3"],
      new: ["'a',2", "'b',1", "'d',3"], declaresRowID: true),
    TableVariant(
      "all key", "CREATE TABLE item(a, b, mine DEFAULT 'd', PRIMARY KEY(a, b))", key: ["a", "b"],
      columns: ["a", "b"], old: ["1,1", "1,2", "2,1"], new: ["1,1", "2,2"]),
    TableVariant(
      "the key is the only declared column, the primary key is the app's",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, code TEXT UNIQUE, mine DEFAULT 'd')",
      key: ["code"], columns: ["code"], old: ["'a'", "'b'"], new: ["'b'", "'c'"]),
    TableVariant(
      "classes",
      "CREATE TABLE item(id PRIMARY KEY, v, n NUMERIC, t TEXT COLLATE NOCASE, mine DEFAULT 'd')",
      key: ["id"], columns: ["id", "v", "n", "t"],
      old: ["1,1,-9223372036854775808,'abc'", "2,0.0,1,'x'", "3.0,'1',2,'y'", "4,x'31',3,'z'"],
      new: [
        "1,1.0,-9223372036854775808.0,'ABC'", "2,0.0,1,'x'", "3,1,2,'y'", "4,'1',3,'Z'",
      ]),
    TableVariant(
      "names that need quotes",
      """
      CREATE TABLE "the ""excluded"" table"("select" INTEGER PRIMARY KEY, "a""b" UNIQUE,
      "t.x" UNIQUE, mine DEFAULT 'd')
      """, table: "the \"excluded\" table", key: ["select"], columns: ["select", "a\"b", "t.x"],
      old: ["1,1,1", "2,2,2"], new: ["1,2,2", "2,1,1"], declaresRowID: true),
    TableVariant(
      "a table called excluded, columns called as the rowid",
      "CREATE TABLE excluded(rowid TEXT PRIMARY KEY, oid UNIQUE, _rowid_, mine DEFAULT 'd')",
      table: "excluded", key: ["rowid"], columns: ["rowid", "oid", "_rowid_"],
      old: ["'a',1,1", "'b',2,2", "'c',3,3"], new: ["'a',2,1", "'b',1,3"], hasRowID: false),
    TableVariant(
      "unique index with a column of the app's",
      "CREATE TABLE item(id INTEGER PRIMARY KEY, code, mine DEFAULT 'd', UNIQUE(code, mine))",
      key: ["id"], columns: ["id", "code"], old: ["1,'a'", "2,'b'"], new: ["1,'b'", "2,'a'"],
      declaresRowID: true),
    TableVariant(
      "unique index over columns of the app's alone",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, code, mine DEFAULT 'd', number UNIQUE)
      """, key: ["id"], columns: ["id", "code"], old: ["1,'a'", "2,'b'"], new: ["1,'b'", "2,'a'"],
      declaresRowID: true),
    TableVariant(
      "a reference to itself, unique",
      """
      CREATE TABLE item(id INTEGER PRIMARY KEY, next INTEGER UNIQUE REFERENCES item(id)
      ON DELETE CASCADE, mine DEFAULT 'd')
      """, key: ["id"], columns: ["id", "next"], old: ["1,NULL", "2,1", "3,2"],
      new: ["1,3", "2,NULL", "3,1"], declaresRowID: true),
  ]
}
