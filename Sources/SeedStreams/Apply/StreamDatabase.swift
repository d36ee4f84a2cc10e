package import SeedFiles
package import SeedMerge
package import SeedSQLite

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The app's database as a run sees it: where it stands, what the stream may write, and how rows get
/// in.
///
/// It has a connection of its own; the app's other connections, of whatever library, see each
/// checkpoint as a whole. Used by one thread at a time.
package final class StreamDatabase {
  package let path: String
  package let stream: String
  package let connection: Connection
  internal let files: FileSystem
  /// By table, an SQL condition for a row to stay where the stream deletes it.
  private let keeping: [String: String]

  /// How long a lock of another connection is waited for.
  private static let busyMilliseconds = 5000
  /// A write-ahead log larger than this is cut when nobody reads.
  private static let longestLog: Int64 = 16 << 20

  /// Whether the connection is ready for writing.
  private var isPrepared = false

  /// Why a database cannot take part.
  package enum Failure: Error, Sendable {
    case missing
    case notSeeded
    case malformed(String)
    case incompatible(table: String, column: String?)
  }

  /// Opens a database; nothing is written.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - stream: The stream's name.
  ///   - keeping: By table, an SQL condition for a row to stay where the stream deletes it.
  ///   - files: The file system.
  /// - Throws: ``Failure`` with `missing`, ``SeedFiles/FileError``, ``SeedSQLite/SQLiteError``.
  package init(
    path: String, stream: String, keeping: [String: String] = [:], files: FileSystem = .live
  ) throws {
    guard try files.status(path)?.kind == .regular else { throw Failure.missing }
    self.path = path
    self.stream = stream
    self.keeping = keeping
    self.files = files
    connection = try Connection(path: path, mode: .readWriteAttaching)
    connection.setBusyTimeout(milliseconds: Self.busyMilliseconds, isInsistent: true)
  }

  /// Sets what the connection needs for writing, the write-ahead log among it.
  ///
  /// Only before something is written: a database that is only looked at keeps the form in which it
  /// ships, which read-only places can open. The change to the log fails at once when two start at
  /// the same time, whatever the timeout: it is to be repeated like any other lock.
  /// - Throws: ``SeedSQLite/SQLiteError``.
  package func prepare() throws(SQLiteError) {
    guard !isPrepared else { return }
    if try connection.scalarText("PRAGMA journal_mode") != "wal" {
      // Where there can be none, such as on some network file systems, the old mode stays.
      _ = try connection.scalarText("PRAGMA journal_mode = WAL")
    }
    try connection.execute(
      "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384; PRAGMA foreign_keys = ON")
    isPrepared = true
  }

  /// Adds to what the stream may write, as a newer version of the app has it.
  ///
  /// - Parameter declared: Tables and columns; those that are allowed already stay.
  /// - Throws: ``SeedSQLite/SQLiteError``, ``CursorError``, ``Failure``.
  package func declare(_ declared: [DeclaredTable]) throws {
    guard !declared.isEmpty else { return }
    let before = try CursorTables.tables(of: stream, in: connection)
    let after = try union(before, declared)
    guard after != before else { return }
    try prepare()
    try transaction {
      let before = try CursorTables.tables(of: stream, in: connection)
      try CursorTables.create(on: connection)
      try CursorTables.declare(try union(before, declared), for: stream, in: connection)
      try connection.execute("COMMIT")
    }
  }

  private func union(
    _ first: [DeclaredTable], _ second: [DeclaredTable]
  ) throws(Failure) -> [DeclaredTable] {
    var tables = first
    for table in second {
      guard let index = tables.firstIndex(where: { $0.name == table.name }) else {
        tables.append(table)
        continue
      }
      guard tables[index].key == table.key else {
        throw .incompatible(table: table.name, column: nil)
      }
      tables[index].columns += table.columns.filter { !tables[index].columns.contains($0) }
    }
    return tables
  }

  /// Reads where the database stands and what the stream may write.
  ///
  /// - Parameter reset: Why the source is asked for a whole state, if it is.
  /// - Returns: The state.
  /// - Throws: ``Failure``, ``CursorError``, ``SeedSQLite/SQLiteError``.
  package func state(reset: ResetReason? = nil) throws -> StreamState {
    guard let cursor = try CursorTables.cursor(of: stream, in: connection) else {
      throw Failure.notSeeded
    }
    let allowed = try CursorTables.tables(of: stream, in: connection)
    guard !allowed.isEmpty else { throw Failure.notSeeded }
    for table in keeping.keys where !allowed.contains(where: { Self.isSame($0.name, table) }) {
      // A name that is misspelt must not cost the rows.
      throw Failure.incompatible(table: table, column: nil)
    }
    let tables: [StreamTable]
    do {
      tables = try LocalTables.read(allowed, in: connection)
    } catch let failure as LocalTables.Failure {
      throw Failure.incompatible(table: failure.table, column: failure.column)
    }
    return StreamState(
      position: cursor.position, cursor: cursor.cursor, tables: tables,
      allowed: allowed, appliedSchema: cursor.schema, reset: reset)
  }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    PublishedTables.folded(first) == PublishedTables.folded(second)
  }

  /// The SQL condition for a row of a table to stay where the stream deletes it; nil for none.
  internal func condition(toKeep table: String) -> String? {
    keeping.first { Self.isSame($0.key, table) }?.value
  }

  /// The conditions for some tables.
  internal func conditions(toKeep tables: [DeclaredTable]) -> [String: String] {
    var conditions: [String: String] = [:]
    for table in tables { conditions[table.name] = condition(toKeep: table.name) }
    return conditions
  }

  /// Runs something in a transaction that it commits itself; after an error nothing has happened.
  ///
  /// - Parameter body: What to do; it ends the transaction.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, ``SeedSQLite/SQLiteError``.
  internal func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      if !connection.isInAutocommit { try connection.execute("ROLLBACK") }
      return value
    } catch {
      // A failed COMMIT leaves the transaction open; other errors may have ended it.
      if !connection.isInAutocommit { try connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Runs something that reads one state of the database, whatever others write meanwhile.
  ///
  /// - Parameter body: What to do.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, ``SeedSQLite/SQLiteError``.
  internal func readTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    try connection.execute("BEGIN")
    do {
      let value = try body()
      try connection.execute("COMMIT")
      return value
    } catch {
      if !connection.isInAutocommit { try connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Moves the log's content into the file, as far as readers allow, and cuts a long log.
  ///
  /// - Throws: ``SeedSQLite/SQLiteError``, ``SeedFiles/FileError``.
  package func tidy() throws {
    try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    guard let log = try files.status(path + "-wal"), log.byteCount > Self.longestLog else { return }
    connection.setBusyTimeout(milliseconds: 0)
    defer { connection.setBusyTimeout(milliseconds: Self.busyMilliseconds, isInsistent: true) }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The device's clock in milliseconds since 1970, which is shown to people and never compared.
  internal static var nowMilliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
