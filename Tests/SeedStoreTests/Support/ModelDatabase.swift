import SeedFiles
import SeedFormat
import SeedSQLite
import TestSupport

@testable import SeedStore

/// Stands for SQLite over a file system in memory: a database is a header and a mark.
enum ModelDatabase {
  /// A database of two pages as it lies in the bundle.
  static let seed = database(mark: 0)
  /// The same as an installation seals it.
  static let sealed = database(mark: 1)

  private static func database(mark: UInt8) -> [UInt8] {
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 1008)
    bytes[16] = 2  // pages of 512 bytes
    bytes[18] = 1
    bytes[19] = 1
    bytes[27] = 1  // change counter
    bytes[31] = 2  // pages
    bytes[95] = 1  // valid for that change counter
    bytes[1023] = mark
    return bytes
  }

  static func access(_ memory: MemoryFiles) -> DatabaseAccess {
    let stamp = SeedStamp(name: "model", version: "1", contentSHA256: "d", tool: "t")
    let read: @Sendable (String) -> DatabaseFacts = { path in
      let bytes = memory.bytes(at: path) ?? []
      let isDatabase = bytes == seed || bytes == sealed
      return DatabaseFacts(
        start: Array(bytes.prefix(512)), stamp: isDatabase ? stamp : nil, objectCount: 1)
    }
    return DatabaseAccess(
      readLive: { (path) throws(SQLiteError) in
        let facts = read(path)
        return facts.stamp == nil ? .unusable("no database") : .database(facts)
      },
      readUnused: { (path) throws(SQLiteError) in read(path) },
      noteBase: { (_) throws(SQLiteError) in },
      seal: { (path, _) throws(SQLiteError) in memory.change(path, to: sealed) },
      finding: { (_) throws(SQLiteError) in nil },
      mark: { (_) throws(SQLiteError) in UpdateMark(schemaVersion: 0, identifier: nil) },
      fold: { (_) throws(SQLiteError) in },
      structuralFinding: { (_) throws(SQLiteError) in nil },
      renew: { (_, _) throws(SQLiteError) in nil },
      digest: { (_) throws(SQLiteError) in "" },
      replace: { _ in .modified },
      merge: { _ in .notNewer })
  }
}
