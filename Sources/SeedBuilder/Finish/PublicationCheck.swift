internal import SeedFormat
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Checks a finished database before it gets its name.
///
/// Runs `integrity_check` of every table, with its indexes, and of the schema, and
/// `foreign_key_check`. Two threads share the tables of a large database.
package enum PublicationCheck {
  /// What a check found, in the words of SQLite.
  struct Failure: Error {
    var finding: String
  }

  /// A table with the effort that its check takes.
  package struct Table: Sendable {
    var name: String
    var rowCount: Int64
    var indexCount: Int
    var hasReferences: Bool

    package init(name: String, rowCount: Int64, indexCount: Int, hasReferences: Bool) {
      self.name = name
      self.rowCount = rowCount
      self.indexCount = indexCount
      self.hasReferences = hasReferences
    }

    /// Rows to look at; each index is searched for each of them.
    var effort: Int64 { rowCount * Int64(1 + 2 * indexCount) }
  }

  /// Databases with less to check than this are done before a thread has started.
  private static let smallestSharedEffort: Int64 = 20_000

  /// Checks a database while it is put on the disk.
  ///
  /// - Throws: ``Failure``, ``SQLiteError``, what `flush` throws.
  package static func run(
    path: String, tables: [Table], flush: @escaping @Sendable () throws -> Void
  ) throws {
    let flushing = WorkerThread(flush)
    try flushing.start()
    let check = Result { try run(path: path, tables: tables) }
    try flushing.join()
    try check.get()
  }

  /// - Throws: ``Failure``, ``SQLiteError``.
  static func run(path: String, tables: [Table]) throws {
    let total = tables.reduce(0) { $0 + $1.effort }
    guard total >= smallestSharedEffort else {
      let connection = try Connection(path: path, mode: .immutable)
      try checkIntegrity(connection, pragma: "integrity_check(1)")
      try checkReferences(connection, of: nil)
      return
    }
    let (first, second) = shared(tables)
    let other = WorkerThread { try check(second, path: path) }
    try other.start()
    let result = Result { try check(first, path: path) }
    try other.join()
    try result.get()
  }

  /// Deals the tables out to two threads, the largest first.
  private static func shared(_ tables: [Table]) -> ([Table], [Table]) {
    var shares: ([Table], [Table]) = ([], [])
    var efforts: (Int64, Int64) = (0, 0)
    for table in tables.sorted(by: { $0.effort > $1.effort }) {
      if efforts.0 <= efforts.1 {
        shares.0.append(table)
        efforts.0 += table.effort
      } else {
        shares.1.append(table)
        efforts.1 += table.effort
      }
    }
    return shares
  }

  private static func check(_ tables: [Table], path: String) throws {
    let connection = try Connection(path: path, mode: .immutable)
    // The schema and the stamp, which both threads can afford; a Core Data store has it elsewhere.
    let small =
      try ["sqlite_schema"]
      + connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = '\(SeedStamp.tableName)'"
      ).map { _ in SeedStamp.tableName }
    for name in small + tables.map(\.name) {
      try checkIntegrity(connection, pragma: "integrity_check(\(SQLiteName.quoted(name)))")
    }
    for table in tables where table.hasReferences {
      try checkReferences(connection, of: table.name)
    }
  }

  private static func checkIntegrity(_ connection: Connection, pragma: String) throws {
    let finding = try connection.scalarText("PRAGMA \(pragma)")
    guard finding == "ok" else { throw Failure(finding: finding ?? "\(pragma) gave nothing") }
  }

  private static func checkReferences(_ connection: Connection, of table: String?) throws {
    let argument = table.map { "(\(SQLiteName.quoted($0)))" } ?? ""
    try connection.forEachRow("PRAGMA foreign_key_check\(argument)") { row in
      throw Failure(
        finding: "row \(row.integer(1)) of \(row.text(0)) refers to no row of \(row.text(2))")
    }
  }
}
