import SeedSQLite

/// The tables of the streams in the tests.
enum Catalog {
  /// A table of the reference publisher.
  struct Table: Sendable {
    var name: String
    var key: [String]
    var columns: [(name: String, affinity: String)]
    /// Columns with a UNIQUE index of their own.
    var uniqueColumns: [String] = []

    var keyPositions: [Int] {
      key.compactMap { part in columns.firstIndex { $0.name == part } }
    }
  }

  static let tables = [
    Table(
      name: "category", key: ["id"], columns: [("id", "INTEGER"), ("title", "TEXT")]),
    Table(
      name: "product", key: ["id"],
      columns: [
        ("id", "INTEGER"), ("name", "TEXT"), ("code", "TEXT"), ("price", "REAL"),
        ("thumb", "BLOB"), ("category", "INTEGER"),
      ], uniqueColumns: ["code"]),
    Table(
      name: "tag", key: ["product", "word"], columns: [("product", "INTEGER"), ("word", "TEXT")]),
  ]

  static let schema = """
    CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE, price REAL, thumb BLOB,
      category INTEGER REFERENCES category(id));
    CREATE TABLE tag(product INTEGER, word TEXT, PRIMARY KEY(product, word)) WITHOUT ROWID;
    """
}

/// The rows of a stream at one checkpoint: by table, by key.
struct CatalogState: Equatable, Sendable {
  var tables: [String: [[SQLiteValue]: [SQLiteValue]]] = [:]

  subscript(table: String) -> [[SQLiteValue]: [SQLiteValue]] {
    get { tables[table] ?? [:] }
    set { tables[table] = newValue }
  }

  /// Puts a row where its key says.
  mutating func put(_ table: Catalog.Table, _ row: [SQLiteValue]) {
    self[table.name][table.keyPositions.map { row[$0] }] = row
  }
}
