import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport

@testable import SeedStore

/// A folder with a seed that the test writes in SQL, and a destination in `app`.
struct MergeSeed {
  let bench: InstallBench

  /// The tables of a shop; the seed owns categories and products.
  static let shop = """
    CREATE TABLE category(id INTEGER PRIMARY KEY, title TEXT UNIQUE);
    CREATE TABLE product(code TEXT PRIMARY KEY, name TEXT NOT NULL,
      category INTEGER REFERENCES category(id), favourite INTEGER DEFAULT 0);
    """
  static let shopRows = """
    INSERT INTO category VALUES (1,'tools'),(2,'toys'),(3,'food');
    INSERT INTO product VALUES ('a','Anvil',1,0),('b','Ball',2,0),('c','Cake',3,0);
    """
  static let newRows = """
    INSERT INTO category VALUES (1,'toys'),(2,'tools'),(4,'books');
    INSERT INTO product VALUES ('a','Anvil',1,0),('b','Blue ball',2,0),('d','Dictionary',4,0);
    """

  /// Writes the first seed and installs it.
  init(
    _ sql: String = shop + shopRows,
    owned: [(String, [String])]? = [("category", []), ("product", ["name", "category"])],
    mode: JournalMode = .delete, userVersion: Int = 1
  ) throws {
    bench = try InstallBench()
    try write(sql, owned: owned, version: "1", userVersion: userVersion)
    var options = InstallOptions()
    options.journalMode = mode
    try bench.install(options)
  }

  /// Writes a seed in the place of the former.
  func write(
    _ sql: String,
    owned: [(String, [String])]? = [("category", []), ("product", ["name", "category"])],
    version: String, userVersion: Int = 1
  ) throws {
    try FileSystem.live.unlink(bench.seedPath)
    let connection = try Connection(path: bench.seedPath, mode: .create)
    try connection.execute("BEGIN; PRAGMA user_version = \(userVersion)")
    try connection.execute(sql)
    if let owned {
      try connection.execute(
        "CREATE TABLE _seed_owned(table_name TEXT NOT NULL, column_name TEXT, UNIQUE(table_name, column_name))"
      )
      for (table, columns) in owned {
        for column in columns.isEmpty ? [SQLiteValue.null] : columns.map({ .text($0) }) {
          try connection.run("INSERT INTO _seed_owned VALUES (?, ?)", .text(table), column)
        }
      }
    }
    try SeedStamp(
      name: "shop", version: version, contentSHA256: try ContentDigest.compute(connection),
      tool: "seed test"
    ).write(to: connection)
    try connection.execute("COMMIT")
    try connection.close()
  }

  /// Merges, and expects that it was one.
  @discardableResult
  func merge(files: FileSystem = .live) throws -> MergedRows {
    let outcome = try bench.install(InstallOptions(policy: .merge), files: files).outcome
    guard case .merged(let rows, let backup) = outcome else { throw Unexpected(outcome: outcome) }
    guard backup == bench.directory.path("app/.default.sqlite.previous") else {
      throw Unexpected(outcome: outcome)
    }
    return rows
  }

  struct Unexpected: Error {
    var outcome: InstallOutcome
  }

  /// The lines of a refusal; empty if there was none.
  func refusal() throws -> [String] {
    do {
      _ = try bench.install(InstallOptions(policy: .merge))
    } catch let error as SeedError {
      if error.step == .merge, case .mergeRefused(let lines) = error.reason { return lines }
      throw error
    }
    return []
  }

  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: bench.destination, mode: .readWrite)
    return try connection.rows(sql).map { row in
      row.map { value in
        switch value {
        case .null: "-"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): text
        case .blob(let bytes): "\(bytes)"
        }
      }.joined(separator: " ")
    }
  }
}
