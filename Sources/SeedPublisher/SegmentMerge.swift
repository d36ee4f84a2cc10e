internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// Merges segments that follow each other, row by row, as if they were one.
///
/// All of them are read at the same time, in the order of tables and keys, so that memory does not
/// grow with their length.
final class SegmentMerge {
  /// The ids of all checkpoints from the first to the last.
  let ids: [String]
  /// The checkpoint before the first segment.
  private let from: Int64
  private let cursors: [SectionCursor]

  /// Opens segments.
  ///
  /// - Parameters:
  ///   - objects: The segments in their order, each starting where the one before ends.
  ///   - stream: The stream's name.
  ///   - files: The file system.
  /// - Throws: ``StreamPublishError`` when an object is no segment, or one of another history.
  init(_ objects: [StoredObject], stream: String, files: FileSystem) throws {
    let start = objects.first?.file.from ?? 0
    var ids: [String] = []
    var cursors: [SectionCursor] = []
    for object in objects {
      let deletes = try SectionCursor(object, kind: .delete, stream: stream, files: files)
      let known = Int(start + Int64(ids.count) - object.file.from)
      // The checkpoints that both cover have to be the same.
      let common = ids.suffix(max(known, 0))
      guard ids.isEmpty || known > 0 && deletes.ids.prefix(known).elementsEqual(common) else {
        throw StreamPublishError(
          .unusableObject(sha256: object.sha256, "continues another history"),
          path: object.file.path)
      }
      ids += deletes.ids.dropFirst(ids.isEmpty ? 0 : known)
      cursors.append(deletes)
      cursors.append(try SectionCursor(object, kind: .upsert, stream: stream, files: files))
    }
    self.ids = ids
    self.cursors = cursors
    from = start
  }

  /// The id of a checkpoint on the way; nil for others.
  func id(at seq: Int64) -> String? {
    guard seq >= from, seq - from < ids.count else { return nil }
    return ids[Int(seq - from)]
  }

  /// The rows of a table; tables are asked for in the order of their names.
  func rows(of table: PublishedTable, order: KeyOrder, path: String) throws -> MergedRows {
    var open: [SectionCursor] = []
    for cursor in cursors {
      let columns =
        cursor.kind == .delete ? table.table.key : table.table.columns.map(\.name)
      if try cursor.begin(table.table.name, columns: columns) { open.append(cursor) }
    }
    return MergedRows(open, table: table, order: order, path: path)
  }
}

/// The rows of one table in merged segments, key by key.
final class MergedRows {
  /// The current key.
  let key = OwnedCells()
  /// The keys that are listed as deleted, each in every spelling that was, as lines without LF.
  private(set) var deletedKeys: [[UInt8]] = []
  /// Where the row's last values stand; nil when the row is gone.
  private(set) var upsert: SectionCursor?

  private let table: PublishedTable
  private let order: KeyOrder
  private let path: String
  private let cursors: [SectionCursor]
  /// The cursors that stand at the current key and wait to be moved on.
  private var used: [SectionCursor] = []
  private let previous = OwnedCells()

  init(_ cursors: [SectionCursor], table: PublishedTable, order: KeyOrder, path: String) {
    self.cursors = cursors
    self.table = table
    self.order = order
    self.path = path
  }

  /// A value of the row's last values, by the number of the table's column.
  @inline(__always)
  func cell(_ index: Int) -> StoredCell { upsert?.cell(index) ?? .null }

  /// Goes to the next key.
  ///
  /// - Returns: Whether there is one.
  func next() throws -> Bool {
    for cursor in used { try cursor.advance() }
    used.removeAll(keepingCapacity: true)
    deletedKeys.removeAll(keepingCapacity: true)
    upsert = nil
    guard let first = smallest() else { return false }
    if !key.cells.isEmpty {
      previous.set(count: order.count) { key.cells[$0] }
      guard order.compare({ previous.cells[$0] }, { first.cell($0) }) < 0 else {
        throw StreamPublishError(
          .unusableHead("rows of table \"\(table.table.name)\" are not sorted in a segment"),
          path: path)
      }
    }
    key.set(count: order.count) { first.cell($0) }
    var lastDelete: Int64 = .min
    for cursor in cursors where cursor.hasRow && isAtKey(cursor) {
      if cursor.kind == .delete {
        lastDelete = max(lastDelete, cursor.to)
        try takeSpellings(of: cursor)
      } else {
        used.append(cursor)
        if cursor.to > upsert?.to ?? .min { upsert = cursor }
      }
    }
    // A segment's deletes come before its upserts.
    if let found = upsert, found.to < lastDelete { upsert = nil }
    return true
  }

  private func smallest() -> SectionCursor? {
    var smallest: SectionCursor?
    for cursor in cursors where cursor.hasRow {
      guard let found = smallest else {
        smallest = cursor
        continue
      }
      if order.compare({ cursor.cell($0) }, { found.cell($0) }) < 0 { smallest = cursor }
    }
    return smallest
  }

  private func isAtKey(_ cursor: SectionCursor) -> Bool {
    order.compare({ cursor.cell($0) }, { key.cells[$0] }) == 0
  }

  /// Keys that are equal and yet not the same, such as those that differ in case, follow each other.
  private func takeSpellings(of cursor: SectionCursor) throws {
    while cursor.hasRow, isAtKey(cursor) {
      let line = try RowLine.encoded(
        count: order.count, of: table.table, path: path
      ) { cursor.cell($0) }
      if !deletedKeys.contains(line) { deletedKeys.append(line) }
      try cursor.advance()
    }
  }
}
