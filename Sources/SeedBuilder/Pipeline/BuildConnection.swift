package import SeedSQLite

/// Opens the database that a build writes.
package enum BuildConnection {
  /// The page size where nothing says another.
  package static let usualPageSize = 4_096

  /// Opens an empty file, or a private database without a path, and begins the one transaction of
  /// the build.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: The options of the build.
  ///   - pageSize: The page size in bytes if the options name none.
  ///   - autoVacuum: Whether the database shrinks, if the options do not say so.
  /// - Returns: The connection.
  /// - Throws: ``SQLiteError``.
  package static func open(
    _ path: String?, _ options: BuildOptions, pageSize: Int = usualPageSize,
    autoVacuum: AutoVacuum = .none
  ) throws -> Connection {
    let connection =
      try path.map { try Connection(path: $0, mode: .create) } ?? Connection.temporary()
    // The file has a temporary name and vanishes with any failure: there is nothing to roll back.
    try connection.execute(
      """
      PRAGMA page_size = \(options.pageSize ?? pageSize);
      PRAGMA auto_vacuum = \((options.autoVacuum ?? autoVacuum).rawValue);
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
