import SeedSQLite
import TestSupport

@testable import SeedBuilder

/// Two databases to compare, in a directory of their own.
struct DatabasePair {
  let directory: TemporaryDirectory
  let old: String
  let new: String

  /// Makes the databases: both from the same SQL, then each from its own.
  init(_ both: String = "", old oldSQL: String = "", new newSQL: String = "") throws {
    directory = try TemporaryDirectory()
    old = directory.path("old.sqlite")
    new = directory.path("new.sqlite")
    for (path, sql) in [(old, oldSQL), (new, newSQL)] {
      let connection = try Connection(path: path, mode: .create)
      try connection.execute("PRAGMA user_version = 0; " + both + ";" + sql)
      // Something must be in the file, or it is none.
      try connection.execute("CREATE TABLE IF NOT EXISTS _seed(x)")
      try connection.close()
    }
  }

  /// The difference from the old database to the new one.
  func difference(sampleLimit: Int = DatabaseDiff.defaultSampleLimit) throws -> DatabaseDifference {
    try DatabaseDiff.difference(from: old, to: new, sampleLimit: sampleLimit)
  }

  /// The difference in one table's rows.
  func rows(of table: String) throws -> TableDifference? {
    try difference().tables.first { $0.name == table }
  }
}

extension DiffValue {
  /// A text of which nothing is missing.
  static func text(_ text: String) -> DiffValue {
    .text(Excerpt(content: text, offset: 0, rest: 0, byteCount: text.utf8.count))
  }
}

extension TableDifference {
  /// How many rows were added, removed and changed.
  var counts: [Int64] { [addedCount, removedCount, changedCount] }
}
