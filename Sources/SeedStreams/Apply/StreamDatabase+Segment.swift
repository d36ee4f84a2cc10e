internal import SeedMerge
internal import SeedSQLite

extension StreamDatabase {
  /// What has become of a file.
  package enum Outcome: Sendable, Hashable {
    /// It was applied, with so many rows; and so many that it deletes have stayed.
    case applied(rows: Int64, kept: Int64)
    /// The database has it already, or something newer: another process was faster.
    case alreadyApplied
    /// The database is not where the file goes on from.
    case gap
    /// The database has another history than the file.
    case fork
  }

  /// Applies changes in one transaction with the new position.
  ///
  /// - Parameters:
  ///   - file: The changes.
  ///   - effective: What is written.
  ///   - published: What the source carries.
  ///   - onRows: Told how many rows have come since; may throw to end it.
  /// - Returns: What has become of the file.
  /// - Throws: ``SegmentError``, ``SeedMerge/MergeError``, ``SeedSQLite/SQLiteError``,
  ///   ``SeedFiles/FileError``, ``Failure``; the database is then as it was.
  package func apply(
    _ file: SegmentFile, effective: EffectiveTables, published: [StreamTable],
    onRows: @escaping (Int64) throws -> Void
  ) throws -> Outcome {
    try makingWay { makesWay in
      try apply(
        file, effective: effective, published: published, makesWay: makesWay, onRows: onRows)
    }
  }

  /// Does something, and once more with all rows making way that change, if a unique value is taken.
  ///
  /// The publisher knows which rows have to make way for each other by the UNIQUE indexes that it has.
  /// The app may have more of them.
  internal func makingWay<Value>(_ body: (_ makesWay: Bool) throws -> Value) throws -> Value {
    do {
      return try body(false)
    } catch let error as MergeError where error.isDuplicate {
      do {
        return try body(true)
      } catch is MergeError {
        throw error
      }
    }
  }

  private func apply(
    _ file: SegmentFile, effective: EffectiveTables, published: [StreamTable], makesWay: Bool,
    onRows: @escaping (Int64) throws -> Void
  ) throws -> Outcome {
    let reader = try SegmentReader(file, stream: stream, files: files)
    let header = reader.header
    return try transaction {
      guard let cursor = try CursorTables.cursor(of: stream, in: connection) else {
        throw Failure.notSeeded
      }
      let position = cursor.position
      if (header.epoch, header.to) <= (position.epoch, position.seq) { return .alreadyApplied }
      guard header.epoch == position.epoch, header.from <= position.seq else { return .gap }
      guard let id = header.id(at: position.seq, isSparse: file.isSparse) else { return .gap }
      guard id == position.id, let lastID = header.ids.last else { return .fork }
      let tables = effective.tables.map(\.declared)
      let merge = try RowMerge(
        tables, keeping: conditions(toKeep: tables), holdsReferences: true, on: connection)
      if makesWay { try makeWay(for: file, in: merge, effective, published, onRows) }
      let rows = try rows(of: reader, into: merge, effective, published, onRows)
      let kept = try merge.finish().kept
      try move(
        from: position,
        to: StreamPosition(epoch: header.epoch, seq: header.to, id: lastID),
        cursor: file.cursor, schema: effective.digest)
      try RowMerge.commit(tables, on: connection)
      return .applied(rows: rows, kept: kept)
    }
  }

  /// Has the rows that a segment changes make way for one another.
  internal func makeWay(
    for file: SegmentFile, in merge: RowMerge, _ effective: EffectiveTables,
    _ published: [StreamTable], _ onRows: @escaping (Int64) throws -> Void
  ) throws {
    let reader = try SegmentReader(file, stream: stream, files: files)
    _ = try rows(
      of: reader, into: merge, effective, published, onlyMakesWay: true,
      // They are counted when they are written.
      { _ in try onRows(0) })
  }

  /// Hands the rows of a segment to a merge, and names a table that must not be written.
  internal func rows(
    of reader: SegmentReader, into merge: RowMerge, _ effective: EffectiveTables,
    _ published: [StreamTable], onlyMakesWay: Bool = false,
    _ onRows: @escaping (Int64) throws -> Void
  ) throws -> Int64 {
    do {
      return try SegmentRows(
        tables: effective.tables, published: published, merge: merge,
        onlyMakesWay: onlyMakesWay, onRows: onRows
      ).run(reader)
    } catch let refusal as SegmentRows.Refusal {
      throw Failure.incompatible(table: refusal.table, column: refusal.column)
    }
  }

  /// Writes the new position in place of the one that the transaction began with.
  internal func move(
    from old: StreamPosition, to new: StreamPosition, cursor: String?, schema: String
  ) throws {
    let isMoved = try CursorTables.advance(
      from: old,
      to: StreamCursor(
        stream: stream, position: new, cursor: cursor, schema: schema,
        appliedAt: Self.nowMilliseconds),
      in: connection)
    // The transaction holds the lock for writing, so only a trigger of the app's can have done this.
    guard isMoved else { throw Failure.malformed("the position has changed meanwhile") }
  }
}

extension StreamTable {
  /// The table as a merge takes it.
  internal var declared: DeclaredTable {
    DeclaredTable(name: name, key: key, columns: columns.map(\.name))
  }
}

extension MergeError {
  /// Whether a row has a value already that another one is to get.
  fileprivate var isDuplicate: Bool {
    switch reason {
    case .constraint(.unique, _), .constraint(.primaryKey, _): true
    default: false
    }
  }
}
