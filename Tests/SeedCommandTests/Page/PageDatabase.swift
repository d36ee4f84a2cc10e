import SeedBuilder
import SeedSQLite
import TestSupport

@testable import SeedCommand

/// A database in a directory of its own and the page of it.
struct PageDatabase {
  let directory: TemporaryDirectory
  let path: String

  init(_ sql: String, name: String = "sample.sqlite") throws {
    directory = try TemporaryDirectory()
    path = directory.path(name)
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(sql)
    try connection.close()
  }

  /// The page as the command makes it.
  func page() throws -> String {
    let page = DatabasePage(
      try Inspection.contents(ofDatabaseAt: path),
      inputs: RecordedInput.read(besideDatabaseAt: path))
    var text = ""
    page.write { text += $0.text }
    return text
  }

  static let orders = """
    CREATE TABLE "order"(id INTEGER PRIMARY KEY, placed DATETIME NOT NULL, note TEXT DEFAULT 'x');
    CREATE TABLE item(id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL
      REFERENCES "order" ON DELETE CASCADE, parent_id INTEGER REFERENCES item, price REAL);
    CREATE INDEX item_order ON item(order_id);
    CREATE VIEW dear AS SELECT * FROM item
      WHERE price > 100;
    CREATE TRIGGER keep BEFORE DELETE ON "order" BEGIN SELECT raise(ABORT, 'kept'); END;
    INSERT INTO "order" VALUES (1, '2024-03-01T09:30:00Z', 'NULL'), (2, '2024-03-02', NULL),
      (3, '', '\(String(repeating: "A long note. ", count: 20))');
    INSERT INTO item VALUES (1, 1, NULL, 12.5), (2, 1, 1, 300);
    """

  /// Names and values that would break a page which did not escape them.
  static let hostile = """
    CREATE TABLE "<script>alert(1)</script>"("a""b'c<i>" TEXT DEFAULT '</style>',
      "\u{202E}gnp.exe" TEXT, "n\nl\u{1B}[2J" BLOB,
      "\(String(repeating: "w", count: 300))" TEXT REFERENCES "</title>");
    INSERT INTO "<script>alert(1)</script>" VALUES ('</td></table><img src=x onerror=alert(1)>',
      '\u{202E}abc', x'00', '" onload="x');
    CREATE VIEW "v&amp;" AS SELECT '</pre><script>' AS x;
    CREATE TABLE "#x"" onclick=""y"(b REFERENCES "<script>alert(1)</script>");
    """

  /// Some tables, each of which refers to another one and to the first.
  static func tables(_ count: Int) -> String {
    (0..<count).map { index in
      """
      CREATE TABLE table_\(index)(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
        next_id INTEGER REFERENCES table_\(index * 7 % count), first_id REFERENCES table_0);
      """
    }.joined()
  }
}
