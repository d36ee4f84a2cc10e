internal import SeedModel
internal import SeedSQLite

/// Checks a finished database before it gets its name.
enum PublicationCheck {
  /// What a check found, in the words of SQLite.
  struct Failure: Error {
    var finding: String
  }

  /// Runs `integrity_check` and `foreign_key_check`, at the same time.
  ///
  /// - Throws: ``Failure``, ``SQLiteError``.
  static func run(path: String, hasForeignKeys: Bool) throws {
    guard hasForeignKeys else { return try checkIntegrity(path: path) }
    let references = WorkerThread { try checkReferences(path: path) }
    try references.start()
    let integrity = Result { try checkIntegrity(path: path) }
    try references.join()
    try integrity.get()
  }

  private static func checkIntegrity(path: String) throws {
    let connection = try Connection(path: path, mode: .immutable)
    let finding = try connection.scalarText("PRAGMA integrity_check(1)")
    guard finding == "ok" else { throw Failure(finding: finding ?? "integrity_check gave nothing") }
  }

  private static func checkReferences(path: String) throws {
    let connection = try Connection(path: path, mode: .immutable)
    try connection.forEachRow("PRAGMA foreign_key_check") { row in
      throw Failure(
        finding: "row \(row.integer(1)) of \(row.text(0)) refers to no row of \(row.text(2))")
    }
  }
}
