internal import CSQLite

/// The SQLite library of this process.
package enum SQLite {
  /// The version of the linked library, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Turns off SQLite's memory statistics, which cost a mutex at every allocation.
  ///
  /// The setting belongs to the process, so only a program calls this, never a library inside an
  /// app. Calling it again, from any thread, changes nothing.
  /// - Returns: Whether it took effect; false when SQLite was already in use.
  @discardableResult
  package static func configureForBulkLoad() -> Bool { bulkLoadResult == SQLITE_OK }

  /// A global constant is computed once, however many threads ask for it.
  private static let bulkLoadResult = seed_sqlite3_config_no_memory_statistics()
}
