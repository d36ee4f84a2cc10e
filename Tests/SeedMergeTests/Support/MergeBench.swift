import Foundation
import SeedMerge
import SeedSQLite
import TestSupport
import Testing

/// A live database in WAL mode, and a way to make snapshots of the same schema.
struct MergeBench {
  let directory: TemporaryDirectory
  let live: Connection
  let schema: String

  init(_ schema: String, rows: String = "") throws {
    directory = try TemporaryDirectory()
    self.schema = schema
    live = try Connection(path: directory.path("live.sqlite"), mode: .create)
    try live.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
    try live.execute(schema)
    try live.execute(rows)
    try live.execute("PRAGMA foreign_keys = ON")
  }

  /// Merges in a transaction, rolled back after an error.
  @discardableResult
  func merge(
    _ tables: [DeclaredTable], keeping: [String: String] = [:], holdsReferences: Bool = false,
    _ body: (RowMerge) throws -> Void
  ) throws -> MergeCounts {
    try live.execute("BEGIN IMMEDIATE")
    do {
      let merge = try RowMerge(
        tables, keeping: keeping, holdsReferences: holdsReferences, on: live)
      try body(merge)
      let counts = try merge.finish()
      try RowMerge.commit(tables, on: live)
      return counts
    } catch {
      try live.execute("ROLLBACK")
      throw error
    }
  }

  /// Makes a database of the same schema, or of another one.
  func snapshot(_ rows: String, schema: String? = nil) throws -> String {
    let path = directory.path("snapshot-\(UUID().uuidString).sqlite")
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
    try connection.execute(schema ?? self.schema)
    try connection.execute(rows)
    try connection.close()
    return path
  }

  /// Merges a snapshot.
  @discardableResult
  func merge(
    _ tables: [DeclaredTable], snapshot path: String, removable: [String: String] = [:],
    holdsReferences: Bool = false, tail: (RowMerge) throws -> Void = { _ in }
  ) throws -> MergeCounts {
    try live.run("ATTACH ? AS snap", .text(path))
    defer { #expect(throws: Never.self) { try live.execute("DETACH snap") } }
    return try merge(tables, holdsReferences: holdsReferences) { merge in
      try merge.merge(snapshot: "snap", removable: removable)
      try tail(merge)
    }
  }

  /// The rows of a query, each as one text.
  func rows(_ sql: String) throws -> [String] {
    try live.rows(sql).map { row in
      row.map { value in
        switch value {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .text(let text): "'\(text)'"
        case .blob(let bytes): "x\(bytes)"
        }
      }.joined(separator: " ")
    }
  }

  /// Empties the log, so that what is written next can be seen in its size.
  func emptyLog() throws {
    try live.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  var logByteCount: Int {
    get throws {
      let path = directory.path("live.sqlite-wal")
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return size ?? -1
    }
  }

  func expectSound() throws {
    #expect(try live.scalarText("PRAGMA integrity_check") == "ok")
    #expect(try live.rows("PRAGMA foreign_key_check") == [])
    #expect(try live.scalarInteger("PRAGMA ignore_check_constraints") == 0)
    #expect(try live.rows("SELECT name FROM temp.sqlite_schema") == [])
  }
}
