internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite

extension StreamDatabase {
  /// The name under which a snapshot is attached.
  private static let snapshotName = "_seed_snapshot"

  /// Makes the stream's rows those of a whole state and the changes after it, in one transaction
  /// with the new position.
  ///
  /// Rows that do not differ are not written; the app's own columns, rows and tables stay.
  /// - Parameters:
  ///   - merge: The state and the changes.
  ///   - old: Where the database stood when the source was asked.
  ///   - effective: What is written.
  ///   - onRows: Told how many rows have come since; may throw to end it.
  /// - Returns: What has become of it.
  /// - Throws: As ``apply(_:effective:published:onRows:)`` does.
  package func apply(
    _ merge: SnapshotMerge, from old: StreamPosition, effective: EffectiveTables,
    onRows: @escaping (Int64) throws -> Void
  ) throws -> Outcome {
    let snapshot = try SnapshotDatabase(merge.snapshot, files: files)
    do {
      try snapshot.check(
        position: merge.snapshot.position, stream: stream, tables: effective.tables)
      let outcome = try attached(snapshot) {
        try makingWay { makesWay in
          try transaction {
            try mergeAttached(
              merge, from: old, effective: effective, makesWay: makesWay, onRows: onRows)
          }
        }
      }
      try snapshot.remove()
      return outcome
    } catch {
      try snapshot.remove()
      throw error
    }
  }

  /// Runs something while a snapshot is attached.
  private func attached<Value>(
    _ snapshot: SnapshotDatabase, _ body: () throws -> Value
  ) throws -> Value {
    let uri = Connection.immutableURI(of: snapshot.path)
    try connection.run("ATTACH ? AS \(Self.snapshotName)", .text(uri))
    do {
      let value = try body()
      try connection.execute("DETACH \(Self.snapshotName)")
      return value
    } catch {
      try connection.execute("DETACH \(Self.snapshotName)")
      throw error
    }
  }

  private func mergeAttached(
    _ merge: SnapshotMerge, from old: StreamPosition, effective: EffectiveTables, makesWay: Bool,
    onRows: @escaping (Int64) throws -> Void
  ) throws -> Outcome {
    guard let cursor = try CursorTables.cursor(of: stream, in: connection) else {
      throw Failure.notSeeded
    }
    // Another process has moved it meanwhile, perhaps by the same merge.
    guard cursor.position == old else { return .alreadyApplied }
    let tables = effective.tables.map(\.declared)
    let rowMerge = try RowMerge(
      tables, keeping: conditions(toKeep: tables), holdsReferences: true, on: connection)
    try onRows(try rowMerge.merge(snapshot: Self.snapshotName).written)
    var reached = merge.snapshot.position
    var tailRows: Int64 = 0
    for file in merge.tail {
      let reader = try SegmentReader(file, stream: stream, files: files)
      let header = reader.header
      guard header.epoch == reached.epoch,
        header.id(at: reached.seq, isSparse: file.isSparse) == reached.id,
        let lastID = header.ids.last
      else { throw SegmentError("the changes do not go on from the snapshot") }
      if makesWay { try makeWay(for: file, in: rowMerge, effective, merge.tables, onRows) }
      tailRows += try rows(of: reader, into: rowMerge, effective, merge.tables, onRows)
      reached = StreamPosition(epoch: header.epoch, seq: header.to, id: lastID)
    }
    guard reached == merge.target else {
      throw SegmentError("the changes do not lead to the newest position")
    }
    let counts = try rowMerge.finish()
    try move(from: old, to: merge.target, cursor: merge.cursor, schema: effective.digest)
    try RowMerge.commit(tables, on: connection)
    return .applied(rows: counts.written + counts.deleted, kept: counts.kept)
  }
}
