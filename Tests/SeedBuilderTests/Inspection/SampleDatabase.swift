import SeedBuilder
import SeedFormat
import SeedSQLite
import TestSupport

/// A stamped database in a directory of its own, for one test to look at or to damage.
struct SampleDatabase {
  let directory: TemporaryDirectory
  let path: String

  /// Makes the database from SQL and stamps it.
  init(_ sql: String = Self.schema, isStamped: Bool = true) throws {
    directory = try TemporaryDirectory()
    path = directory.path("sample.sqlite")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(sql)
    if isStamped { try Self.stamp(connection) }
    try connection.close()
  }

  static func stamp(_ connection: Connection) throws {
    let digest = try ContentDigest.compute(connection)
    try SeedStamp(name: "sample", version: "7", contentSHA256: digest, tool: "seed test")
      .write(to: connection)
  }

  /// Changes the database through SQLite.
  func change(_ sql: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(sql)
    try connection.close()
  }

  /// Changes the bytes of the file.
  func damage(_ change: (inout [UInt8]) -> Void) throws {
    var bytes = try directory.bytes(of: "sample.sqlite")
    change(&bytes)
    try directory.write(bytes, to: "sample.sqlite")
  }

  /// The codes of what the verification finds.
  func codes() throws -> [Finding.Code] {
    try Verification.findings(inDatabaseAt: path).map(\.code)
  }

  static let schema = """
    CREATE TABLE category(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'none');
    CREATE TABLE event(id INTEGER PRIMARY KEY, time TEXT, category_id INTEGER
      REFERENCES category(id) ON DELETE CASCADE, twice AS (id * 2));
    CREATE INDEX event_category ON event(category_id, lower(time));
    CREATE UNIQUE INDEX event_time ON event(time) WHERE time IS NOT NULL;
    CREATE TABLE pair(b TEXT, a INT, c ANY, PRIMARY KEY(a, b)) STRICT, WITHOUT ROWID;
    CREATE VIEW recent AS SELECT * FROM event;
    CREATE TRIGGER guard BEFORE DELETE ON event BEGIN SELECT 1; END;
    INSERT INTO category VALUES (1, 'a'), (2, 'b');
    INSERT INTO event(id, time, category_id) VALUES (1, 't1', 1), (2, 't2', 2), (3, NULL, NULL);
    INSERT INTO pair VALUES ('x', 1, 2);
    """
}
