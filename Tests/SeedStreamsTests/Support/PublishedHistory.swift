import Foundation
import SeedFiles
import SeedSQLite
import SeedStreams
import TestSupport

/// A reference publisher in memory that keeps the state of every checkpoint.
final class PublishedHistory {
  /// Which segments the head lists.
  enum Layout: CaseIterable {
    /// One for each step.
    case steps
    /// Merged by eights.
    case levels
    /// One over everything.
    case single
    /// Merged by threes, which overlap by one step.
    case overlapping
    /// All of the above.
    case mixed
  }

  let stream: String
  let epoch: Int64
  private(set) var tables: [Catalog.Table]
  private(set) var states: [CatalogState]
  private(set) var ids: [String]
  /// The number of the first state.
  let firstSeq: Int64
  private var objects: [String: [UInt8]] = [:]
  private var segmentCache: [String: SegmentEntry] = [:]
  private let schemaSQL: String

  init(
    stream: String = "catalog", epoch: Int64 = 1_700_000_000, firstSeq: Int64 = 1,
    tables: [Catalog.Table] = Catalog.tables, schemaSQL: String = Catalog.schema,
    first: CatalogState = CatalogState(), firstID: String = "0123456789abcdef"
  ) {
    self.stream = stream
    self.epoch = epoch
    self.firstSeq = firstSeq
    self.tables = tables
    self.schemaSQL = schemaSQL
    states = [first]
    ids = [firstID]
  }

  /// The number of the newest checkpoint.
  var seq: Int64 { firstSeq + Int64(states.count) - 1 }
  /// The newest position.
  var position: StreamPosition { position(at: seq) }

  func position(at seq: Int64) -> StreamPosition {
    StreamPosition(epoch: epoch, seq: seq, id: ids[Int(seq - firstSeq)])
  }

  func state(at seq: Int64) -> CatalogState { states[Int(seq - firstSeq)] }

  /// Publishes another checkpoint.
  func publish(_ change: (inout CatalogState) -> Void) {
    var state = states[states.count - 1]
    change(&state)
    states.append(state)
    let (body, _) = body(from: seq - 1, to: seq)
    ids.append(
      String(
        ReferenceEncoding.sha256(Array((ids[ids.count - 1] + body).utf8)).prefix(16)))
  }

  // MARK: Segments

  /// The lines of a segment behind its header, and the count of its rows.
  private func body(from: Int64, to: Int64) -> (text: String, rows: Int64) {
    var text = ""
    var rows: Int64 = 0
    let last = state(at: to)
    for table in tables {
      var touched: Set<[SQLiteValue]> = []
      var moved: Set<[SQLiteValue]> = []
      for seq in from..<to {
        let (before, after) = (state(at: seq)[table.name], state(at: seq + 1)[table.name])
        for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
          touched.insert(key)
          for column in table.uniqueColumns {
            let position = table.columns.firstIndex { $0.name == column } ?? 0
            if let old = before[key]?[position], let new = after[key]?[position], old != new {
              moved.insert(key)
            }
          }
        }
      }
      let deleted = touched.filter { last[table.name][$0] == nil || moved.contains($0) }
      let upserted = touched.filter { last[table.name][$0] != nil }
      if !deleted.isEmpty {
        text += "{\"table\":\"\(table.name)\",\"delete\":\(ReferenceEncoding.list(table.key))}\n"
        for key in sorted(deleted) { text += ReferenceEncoding.row(key) + "\n" }
      }
      if !upserted.isEmpty {
        let columns = ReferenceEncoding.list(table.columns.map(\.name))
        text += "{\"table\":\"\(table.name)\",\"upsert\":\(columns)}\n"
        for key in sorted(upserted) {
          text += ReferenceEncoding.row(last[table.name][key] ?? []) + "\n"
        }
      }
      rows += Int64(deleted.count + upserted.count)
    }
    return (text + "{\"end\":{\"rows\":\(rows)}}\n", rows)
  }

  private func sorted(_ keys: Set<[SQLiteValue]>) -> [[SQLiteValue]] {
    keys.sorted { "\($0)" < "\($1)" }
  }

  /// The text of a segment.
  func segmentText(from: Int64, to: Int64) -> (text: String, rows: Int64) {
    let (body, rows) = body(from: from, to: to)
    let ids = (from...to).map { self.ids[Int($0 - firstSeq)] }
    let header =
      "{\"segment\":1,\"stream\":\"\(stream)\",\"epoch\":\(epoch),\"from\":\(from),\"to\":\(to),"
      + "\"ids\":\(ReferenceEncoding.list(ids))}\n"
    return (header + body, rows)
  }

  func segment(from: Int64, to: Int64) -> SegmentEntry {
    let name = "\(from)-\(to)"
    if let known = segmentCache[name] { return known }
    let (text, rows) = segmentText(from: from, to: to)
    let entry = add(segment: text, from: from, to: to, rows: rows)
    segmentCache[name] = entry
    return entry
  }

  /// Adds an object with any text as a segment.
  func add(segment text: String, from: Int64, to: Int64, rows: Int64) -> SegmentEntry {
    let packed = ReferenceEncoding.gzip(Array(text.utf8))
    let sha256 = add(object: packed)
    return SegmentEntry(
      from: from, to: to, sha256: sha256, size: Int64(packed.count),
      plainSize: Int64(text.utf8.count), rows: rows)
  }

  /// Adds an object.
  func add(object bytes: [UInt8]) -> String {
    let sha256 = ReferenceEncoding.sha256(bytes)
    objects[StreamLayout.object(sha256)] = bytes
    return sha256
  }

  private func segments(_ layout: Layout) -> [SegmentEntry] {
    func chain(by width: Int64, overlap: Int64 = 0) -> [SegmentEntry] {
      stride(from: firstSeq, to: seq, by: Int(width - overlap)).map {
        segment(from: $0, to: min($0 + width, seq))
      }
    }
    switch layout {
    case .steps: return chain(by: 1)
    case .levels:
      let merged = (seq - firstSeq) / 8 * 8 + firstSeq
      return chain(by: 8).filter { $0.to <= merged }
        + (merged..<seq).map { segment(from: $0, to: $0 + 1) }
    case .single: return seq > firstSeq ? [segment(from: firstSeq, to: seq)] : []
    case .overlapping: return chain(by: 3, overlap: 1)
    case .mixed:
      return segments(.steps) + segments(.levels) + segments(.single) + segments(.overlapping)
    }
  }

  // MARK: Snapshots

  /// A database with the state of a checkpoint and its position.
  func writeDatabase(_ path: String, at seq: Int64) throws {
    let connection = try Connection(path: path, mode: .create)
    try connection.execute(schemaSQL)
    try connection.execute(CursorTables.createSQL)
    try connection.execute("BEGIN")
    let state = state(at: seq)
    for table in tables {
      for row in state[table.name].values.sorted(by: { "\($0)" < "\($1)" }) {
        let places = row.map { _ in "?" }.joined(separator: ",")
        let statement = try connection.prepare(
          "INSERT INTO \(table.name)(\(table.columns.map(\.name).joined(separator: ","))) "
            + "VALUES(\(places))")
        for (index, value) in row.enumerated() { try statement.bind(Int32(index + 1), value) }
        try statement.run()
      }
      try connection.run(
        "INSERT INTO _seed_stream_table VALUES(?, ?, ?, ?)", .text(stream), .text(table.name),
        .text(ReferenceEncoding.list(table.key)),
        .text(ReferenceEncoding.list(table.columns.map(\.name))))
    }
    let position = position(at: seq)
    try connection.run(
      "INSERT INTO _seed_stream VALUES(?, ?, ?, ?, NULL, ?, 0)", .text(stream),
      .integer(position.epoch), .integer(position.seq), .text(position.id),
      .text(SchemaDigest.compute(streamTables)))
    try connection.execute("COMMIT")
    try connection.close()
  }

  /// The object of a snapshot.
  func snapshot(at seq: Int64) throws -> SnapshotEntry {
    let directory = try TemporaryDirectory()
    try writeDatabase(directory.path("full"), at: seq)
    let full = try Connection(path: directory.path("full"), mode: .readOnly)
    try full.run("VACUUM INTO ?", .text(directory.path("snapshot")))
    let plain = try directory.bytes(of: "snapshot")
    let packed = ReferenceEncoding.gzip(plain)
    return SnapshotEntry(
      seq: seq, id: position(at: seq).id, sha256: add(object: packed), size: Int64(packed.count),
      plainSize: Int64(plain.count))
  }

  // MARK: The head

  var streamTables: [StreamTable] {
    tables.map { table in
      StreamTable(
        name: table.name, key: table.key,
        columns: table.columns.map { StreamColumn(name: $0.name, affinity: $0.affinity) })
    }
  }

  /// The head in a layout, with a snapshot of one of the checkpoints.
  func head(_ layout: Layout = .levels, snapshotAt snapshotSeq: Int64? = nil) throws -> StreamHead {
    StreamHead(
      stream: stream, position: position, time: "2026-01-01T00:00:00Z", pollAfterSeconds: 300,
      tables: streamTables, snapshot: try snapshot(at: snapshotSeq ?? firstSeq),
      segments: segments(layout))
  }

  /// The files below the stream's folder, by their paths.
  func files(_ head: StreamHead) -> [String: [UInt8]] {
    var files = objects
    files[StreamLayout.head] = Self.json(of: head)
    return files
  }

  /// A head as text, written a second time.
  static func json(of head: StreamHead) -> [UInt8] {
    let schema = head.tables.map { table in
      let columns = table.columns.map { "\"\($0.name)\":\"\($0.affinity)\"" }
      return "\"\(table.name)\":{\"key\":\(ReferenceEncoding.list(table.key)),"
        + "\"columns\":{\(columns.joined(separator: ","))}}"
    }
    let segments = head.segments.map {
      "{\"from\":\($0.from),\"to\":\($0.to),\"sha256\":\"\($0.sha256)\",\"size\":\($0.size),"
        + "\"plain_size\":\($0.plainSize),\"rows\":\($0.rows)}"
    }
    let snapshot = head.snapshot.map {
      "\"snapshot\":{\"seq\":\($0.seq),\"id\":\"\($0.id)\",\"sha256\":\"\($0.sha256)\","
        + "\"size\":\($0.size),\"plain_size\":\($0.plainSize),\"encoding\":\"gzip\"},"
    }
    let text =
      "{\"format\":1,\"stream\":\"\(head.stream)\",\"epoch\":\(head.position.epoch),"
      + "\"seq\":\(head.position.seq),\"id\":\"\(head.position.id)\",\"poll_after\":300,"
      + "\"schema\":{\(schema.joined(separator: ","))},\(snapshot ?? "")"
      + "\"segments\":[\(segments.joined(separator: ","))]}"
    return Array(text.utf8)
  }
}
