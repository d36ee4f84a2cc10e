internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// Writes one segment for several that follow each other.
///
/// It holds the last values of every row that was touched, and the key of every row that was deleted
/// on the way, also of those born on the way: so it leads from any checkpoint in between to its
/// end.
struct SegmentCompactor {
  let database: NewDatabase
  /// The tables with the UNIQUE indexes that count.
  let tables: [PublishedTable]
  let files: FileSystem

  /// Merges segments, of which the last leads to the database's state.
  ///
  /// - Returns: What the head says of the object.
  func merge(
    _ objects: [StoredObject], epoch: Int64, into target: StagedObject
  ) throws -> SegmentWriter.Totals {
    guard let first = objects.first, let last = objects.last else {
      preconditionFailure("several segments are merged")
    }
    let merge = try SegmentMerge(objects, stream: database.stream, files: files)
    let writer = SegmentWriter(
      SegmentHeader(
        stream: database.stream, epoch: epoch, from: first.file.from, to: last.file.to,
        ids: merge.ids)
    ) { try target.write($0) }
    for table in tables { try append(table, of: merge, to: writer) }
    return try writer.finish()
  }

  private func append(
    _ table: PublishedTable, of merge: SegmentMerge, to writer: SegmentWriter
  ) throws {
    let order = try database.order(of: table)
    let rows = try merge.rows(of: table, order: order, path: database.path)
    let upserts = LineSpool(files: files)
    var hasDeletes = false
    var lookup: Statement?
    while try rows.next() {
      let line = try upsertLine(of: rows, table, order, &lookup)
      for key in try deletedKeys(of: rows, table, order) {
        if !hasDeletes {
          try writer.begin(
            SegmentSection(
              table: table.table.name, kind: .delete, columns: table.table.key))
          hasDeletes = true
        }
        try writer.appendRow(encoded: key)
      }
      guard var line else { continue }
      line.append(0x0A)
      let result = line.withUnsafeBytes { bytes in
        Result { () throws(StreamPublishError) in try upserts.append(bytes, rowCount: 1) }
      }
      try result.get()
    }
    guard upserts.rowCount > 0 else { return }
    try writer.begin(
      SegmentSection(
        table: table.table.name, kind: .upsert, columns: table.table.columns.map(\.name)))
    try upserts.forEachPiece { try writer.append(lines: $0, rowCount: 0) }
    try writer.append(
      lines: UnsafeRawBufferPointer(start: nil, count: 0), rowCount: upserts.rowCount)
  }

  /// A row's last values; nil for one that is gone.
  private func upsertLine(
    of rows: MergedRows, _ table: PublishedTable, _ order: KeyOrder, _ lookup: inout Statement?
  ) throws -> [UInt8]? {
    guard let upsert = rows.upsert else { return nil }
    let count = table.table.columns.count
    if upsert.isComplete {
      return try RowLine.encoded(count: count, of: table.table, path: database.path) {
        rows.cell($0)
      }
    }
    // Written before the table got a column: nothing of the row has changed since, but that.
    let statement = try lookup ?? database.row(of: table, order: order)
    lookup = statement
    return try StreamPublishError.row(of: statement, key: rows.key, path: database.path) {
      try RowLine.encoded(count: count, of: table.table, path: database.path) {
        statement.cell(Int32(truncatingIfNeeded: $0))
      }
    }
  }

  /// The keys to be listed as deleted: all, where the row is gone or a UNIQUE index has it give
  /// way; else those by which the row is not known any more.
  private func deletedKeys(
    of rows: MergedRows, _ table: PublishedTable, _ order: KeyOrder
  ) throws -> [[UInt8]] {
    guard rows.upsert != nil, table.uniqueIndexes.isEmpty else { return rows.deletedKeys }
    guard !rows.deletedKeys.isEmpty else { return [] }
    let key = try RowLine.encoded(count: order.count, of: table.table, path: database.path) {
      rows.cell($0)
    }
    return rows.deletedKeys.filter { $0 != key }
  }
}

extension StreamPublishError {
  /// Runs a query for the row of a key and hands it out.
  static func row<Result>(
    of statement: Statement, key: OwnedCells, path: String, _ body: () throws -> Result
  ) throws -> Result? {
    let found = try inDatabase(path) { () throws(SQLiteError) in
      statement.reset()
      for (index, cell) in key.cells.enumerated() {
        try statement.bind(Int32(index + 1), cell.owned)
      }
      return try statement.step()
    }
    defer { statement.reset() }
    return found ? try body() : nil
  }
}
