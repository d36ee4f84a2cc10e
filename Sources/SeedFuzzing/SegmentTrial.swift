import SeedMerge
import SeedSQLite
import SeedStreams

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Applies bytes that nobody vouches for to a database, as a segment of its stream.
///
/// They may be refused, and then the database must be as it was: no row and no position of a segment
/// that is not whole. A segment that is taken leads to its end, and is then known as applied.
///
/// `@unchecked` is safe: the fuzzer runs one input after the other.
final class SegmentTrial: @unchecked Sendable {
  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB);
    CREATE TABLE u(k TEXT PRIMARY KEY COLLATE NOCASE, v INTEGER UNIQUE, w NOT NULL) WITHOUT ROWID;
    CREATE TABLE mine(id INTEGER PRIMARY KEY, t REFERENCES t(id) ON DELETE SET NULL);
    """
  private static let rows = """
    INSERT INTO t VALUES(1, 'one', 1.5, x'00ff'), (2, 'two', NULL, NULL), (3, '', 0, 'text');
    INSERT INTO u VALUES('a', 1, 'x'), ('b', 2, 'y'), ('c', NULL, 3);
    INSERT INTO mine VALUES(1, 1), (2, 3);
    """
  /// What comes before an input that brings no header of its own.
  private static let header = Array(
    (#"{"segment":1,"stream":"s","epoch":5,"from":1,"to":3,"ids":["a","b","c"]}"# + "\n").utf8)

  private let database: StreamDatabase
  private let tables: EffectiveTables
  private let cursor: StreamCursor
  private let input: String

  init() throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    input = "\(folder)/\(getpid()).segment"
    let path = "\(folder)/\(getpid()).sqlite"
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(Self.schema)
    try CursorTables.create(on: connection)
    let declared = try ["t", "u"].map {
      try PublishedTables.declaration(of: $0, key: nil, columns: nil, in: connection)
    }
    try CursorTables.declare(declared, for: "s", in: connection)
    cursor = StreamCursor(
      stream: "s", position: StreamPosition(epoch: 5, seq: 1, id: "a"), schema: "")
    try CursorTables.write(cursor, to: connection)
    try connection.close()
    database = try StreamDatabase(path: path, stream: "s")
    try database.prepare()
    try database.connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    tables = EffectiveTables(try database.state().tables)
    try reset()
  }

  private func reset() throws {
    try database.connection.execute(
      "BEGIN; DELETE FROM mine; DELETE FROM t; DELETE FROM u; \(Self.rows)")
    try CursorTables.write(cursor, to: database.connection)
    try database.connection.execute("COMMIT")
  }

  /// All that there is in the database.
  private func contents() throws -> [[SQLiteValue]] {
    try database.connection.rows(
      """
      SELECT 't', quote(id), quote(a), quote(b), quote(c) FROM t UNION ALL
      SELECT 'u', quote(k), quote(v), quote(w), '' FROM u UNION ALL
      SELECT 'mine', quote(id), quote(t), '', '' FROM mine UNION ALL
      SELECT 'position', quote(epoch), quote(seq), quote(id), quote(schema) FROM _seed_stream
      """)
  }

  func run(_ bytes: UnsafeRawBufferPointer) {
    do {
      try apply(bytes)
    } catch {
      fatalError("not refused as a bad segment: \(error)")
    }
  }

  private func apply(_ bytes: UnsafeRawBufferPointer) throws {
    let file = SegmentFile(
      path: input, encoding: .plain, plainByteCount: Int64(try store(bytes)), epoch: 5, from: 1,
      to: 3)
    let before = try contents()
    do {
      guard
        case .applied = try database.apply(
          file, effective: tables, published: [], onRows: { _ in })
      else {
        // Of another history, or of another place in this one.
        guard try contents() == before else { fatalError("what was passed over left something") }
        return
      }
    } catch let error as SegmentError {
      try check(error.description, before)
      return
    } catch let error as MergeError {
      try check(error.message, before)
      return
    } catch let error as StreamDatabase.Failure {
      try check("\(error)", before)
      return
    }
    guard try database.state().position.seq == 3 else { fatalError("it does not lead to its end") }
    guard
      case .alreadyApplied = try database.apply(
        file, effective: tables, published: [], onRows: { _ in })
    else { fatalError("it is not known as applied") }
    guard try database.connection.rows("PRAGMA foreign_key_check").isEmpty else {
      fatalError("a row refers to none")
    }
    try reset()
  }

  private func check(_ words: String, _ before: [[SQLiteValue]]) throws {
    guard !words.isEmpty else { fatalError("a segment was refused without a word") }
    guard try contents() == before else { fatalError("a segment was applied in part: \(words)") }
  }

  /// Writes the input, behind a header that fits unless it has its own.
  private func store(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    let hasHeader = bytes.starts(with: #"{"segment"#.utf8)
    let text = (hasHeader ? [] : Self.header) + bytes
    let file = open(input, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // The inputs are a few kilobytes: a short write means that the folder is full.
    guard file >= 0, text.isEmpty || write(file, text, text.count) == text.count else {
      fatalError("cannot write \(input): \(errno)")
    }
    close(file)
    return text.count
  }
}
