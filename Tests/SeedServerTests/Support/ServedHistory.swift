import Foundation
import SeedFiles
import SeedFormat
import SeedSQLite
import SeedStreams
import TestSupport

/// A published stream of one table in a directory, as a publisher leaves it.
///
/// `@unchecked` is safe: the lock guards every variable.
final class ServedHistory: @unchecked Sendable {
  let directory = try? TemporaryDirectory()
  let stream = "catalog"
  private let lock = NSRecursiveLock()
  private var current: StreamHead
  private var allIDs: [String] = []
  private var all: [[Int64: String]] = [[:]]

  static let tables = [
    StreamTable(
      name: "product", key: ["id"],
      columns: [
        StreamColumn(name: "id", affinity: "INTEGER"), StreamColumn(name: "name", affinity: "TEXT"),
      ])
  ]

  /// A history whose first checkpoint, number 1, is empty.
  init(epoch: Int64 = 1_700_000_000) throws {
    current = StreamHead(
      stream: stream, position: StreamPosition(epoch: epoch, seq: 1, id: Self.id(1)),
      pollAfterSeconds: 60, tables: Self.tables)
    allIDs = [Self.id(1)]
    let snapshot = try TemporaryDirectory()
    try writeDatabase(snapshot.path("snapshot"))
    let plain = try snapshot.bytes(of: "snapshot")
    var packed: [UInt8] = []
    let deflation = GzipDeflation()
    plain.withUnsafeBytes { bytes in deflation.deflate(bytes, isLast: true) { packed += $0 } }
    current.snapshot = SnapshotEntry(
      seq: 1, id: Self.id(1), sha256: try add(packed), size: Int64(packed.count),
      plainSize: Int64(plain.count))
    try writeHead()
  }

  var path: String { directory?.path ?? "" }
  var head: StreamHead { lock.withLock { current } }
  var states: [[Int64: String]] { lock.withLock { all } }
  var folder: String { "\(path)/\(StreamLayout.folder(of: stream))" }

  static func id(_ seq: Int64) -> String {
    let digits = String(seq, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  func position(at seq: Int64) -> StreamPosition {
    StreamPosition(epoch: head.position.epoch, seq: seq, id: lock.withLock { allIDs[Int(seq - 1)] })
  }

  /// The path of an object.
  func object(_ sha256: String) -> String { "\(folder)/\(StreamLayout.object(sha256))" }

  /// Publishes a checkpoint; NULL-like rows (nil) are deleted.
  func publish(_ rows: [Int64: String?]) throws {
    try lock.withLock {
      let from = current.position
      var state = all[all.count - 1]
      for (id, name) in rows { state[id] = name }
      all.append(state)
      let to = StreamPosition(epoch: from.epoch, seq: from.seq + 1, id: Self.id(from.seq + 1))
      allIDs.append(to.id)
      current.segments.append(
        try segment(rows, from: from.seq, to: to.seq, ids: [from.id, to.id]))
      current.position = to
      try writeHead()
    }
  }

  /// Has the head list one segment over everything in place of the steps.
  func compact() throws {
    try lock.withLock {
      var rows: [Int64: String?] = [:]
      let last = all[all.count - 1]
      for state in all { for id in state.keys { rows[id] = .some(last[id]) } }
      current.segments = [
        try segment(rows, from: 1, to: current.position.seq, ids: allIDs)
      ]
      try writeHead()
    }
  }

  /// Has the head forget segments.
  func forget(before seq: Int64) throws {
    try lock.withLock {
      current.segments.removeAll { $0.to <= seq }
      try writeHead()
    }
  }

  private func segment(
    _ rows: [Int64: String?], from: Int64, to: Int64, ids: [String]
  ) throws -> SegmentEntry {
    var stored: [UInt8] = []
    let writer = SegmentWriter(
      SegmentHeader(
        stream: stream, epoch: current.position.epoch, from: from, to: to, ids: ids)
    ) { stored += $0 }
    let sorted = rows.sorted { $0.key < $1.key }
    let deleted = sorted.filter { $0.value == nil }
    if !deleted.isEmpty {
      try writer.begin(SegmentSection(table: "product", kind: .delete, columns: ["id"]))
      for row in deleted { try writer.appendRow([.integer(row.key)]) }
    }
    try writer.begin(SegmentSection(table: "product", kind: .upsert, columns: ["id", "name"]))
    for (id, name) in sorted {
      if let name { try writer.appendRow([.integer(id), .text(name)]) }
    }
    let totals = try writer.finish()
    return SegmentEntry(
      from: from, to: to, sha256: try add(stored), size: totals.size,
      plainSize: totals.plainSize, rows: totals.rows)
  }

  /// Writes an object.
  func add(_ bytes: [UInt8]) throws -> String {
    var digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    let sha256 = digest.hexadecimal()
    let name = "\(StreamLayout.folder(of: stream))/\(StreamLayout.object(sha256))"
    try directory?.makeDirectory(String(name.dropLast(65)))
    try directory?.write(bytes, to: name)
    return sha256
  }

  private func writeHead() throws {
    let folder = StreamLayout.folder(of: stream)
    try directory?.makeDirectory(folder)
    try directory?.write(current.encoded, to: "\(folder)/new")
    try FileSystem.live.rename("\(path)/\(folder)/new", "\(path)/\(folder)/\(StreamLayout.head)")
  }

  /// A database at the first checkpoint.
  func writeDatabase(_ path: String) throws {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("CREATE TABLE product(id INTEGER PRIMARY KEY, name TEXT)")
    try CursorTables.create(on: connection)
    try connection.execute(
      "INSERT INTO _seed_stream_table VALUES('catalog', 'product', '[\"id\"]', '[\"id\",\"name\"]')"
    )
    try CursorTables.write(
      StreamCursor(
        stream: stream,
        position: StreamPosition(
          epoch: current.position.epoch, seq: 1, id: Self.id(1)),
        schema: SchemaDigest.compute(Self.tables)), to: connection)
    try connection.close()
  }
}
