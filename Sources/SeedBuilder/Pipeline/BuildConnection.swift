package import SeedSQLite

/// Opens the database that a build writes.
package enum BuildConnection {
  /// Opens an empty file, or a private database without a path, and begins the one transaction of
  /// the build.
  ///
  /// - Throws: ``SQLiteError``.
  package static func open(_ path: String?, _ options: BuildOptions) throws -> Connection {
    let connection =
      try path.map { try Connection(path: $0, mode: .create) } ?? Connection.temporary()
    // The file has a temporary name and vanishes with any failure: there is nothing to roll back.
    try connection.execute(
      """
      PRAGMA page_size = \(options.pageSize);
      PRAGMA auto_vacuum = \(options.autoVacuum.rawValue);
      PRAGMA encoding = 'UTF-8';
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -6144;
      PRAGMA foreign_keys = OFF;
      BEGIN;
      """)
    return connection
  }
}
