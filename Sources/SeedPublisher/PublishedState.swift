internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

/// The state of a stream at its head: the unpacked snapshot with the segments after it.
final class PublishedState {
  private let head: StreamHead
  private let stream: String
  let connection: Connection
  private let isUTF8: Bool
  /// The stream's tables as the snapshot has them.
  let tables: [PublishedTable]
  private let changes: SegmentMerge?
  /// The unpacked snapshot; it goes when nobody reads it any more.
  private let file: WorkFile

  /// Unpacks the snapshot and opens the segments that lead from it to the head.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - snapshot: Its snapshot.
  ///   - store: The objects.
  ///   - path: Beside which file the snapshot is unpacked.
  /// - Throws: ``StreamPublishError`` when an object is missing, damaged or another's.
  init(
    _ head: StreamHead, snapshot: SnapshotEntry, store: ObjectStore, beside path: String
  ) throws {
    self.head = head
    stream = head.stream
    let file = try WorkFile(for: path + ".published", files: store.folder.files)
    try store.unpack(snapshot) { try file.write($0) }
    self.file = file
    let object = store.folder.objectPath(snapshot.sha256)
    (connection, isUTF8) = try StreamPublishError.inDatabase(object) { () throws(SQLiteError) in
      let connection = try Connection(path: file.path, mode: .immutable)
      try connection.execute("PRAGMA trusted_schema = OFF")
      return (connection, try NewDatabase.prepare(connection))
    }
    do {
      let cursor = try CursorTables.cursor(of: stream, in: connection)
      let position = StreamPosition(
        epoch: head.position.epoch, seq: snapshot.seq, id: snapshot.id)
      guard cursor?.position == position else {
        throw StreamPublishError(
          .unusableObject(sha256: snapshot.sha256, "is at another position than the head says"),
          path: object)
      }
      tables = try PublishedTables.tables(of: stream, in: connection)
    } catch let error as CursorError {
      throw StreamPublishError(.tables(.cursor(error)), path: object)
    } catch let error as PublishedTableError {
      throw StreamPublishError(.tables(error), path: object)
    }
    let way = Levels.way(from: snapshot.seq, to: head.position.seq, in: head.segments)
    guard let way else {
      throw StreamPublishError(
        .brokenWay(from: snapshot.seq, to: head.position.seq), path: store.folder.headPath)
    }
    changes = try Self.merge(way, head, store)
  }

  /// Opens the segments of a way, which may overlap: later ones hold the last values.
  private static func merge(
    _ way: [SegmentEntry], _ head: StreamHead, _ store: ObjectStore
  ) throws -> SegmentMerge? {
    guard !way.isEmpty else { return nil }
    var objects: [StoredObject] = []
    for entry in way { objects.append(try store.segment(entry, epoch: head.position.epoch)) }
    let merge = try SegmentMerge(objects, stream: head.stream, files: store.folder.files)
    guard merge.ids.last == head.position.id,
      head.snapshot.map({ merge.id(at: $0.seq) == $0.id }) ?? true
    else {
      throw StreamPublishError(
        .unusableObject(sha256: way.last?.sha256 ?? "", "belongs to another history"),
        path: store.folder.headPath)
    }
    return merge
  }

  /// A table with the UNIQUE indexes and the required columns that it had besides, which apps in the
  /// field still have.
  ///
  /// - Throws: ``StreamPublishError`` when the key was compared in another way.
  func withOldConstraints(
    _ table: PublishedTable, path: String
  ) throws(StreamPublishError) -> PublishedTable {
    guard let old = tables.first(where: { $0.table.name == table.table.name }) else {
      return table
    }
    guard old.keyCollations.map({ $0.uppercased() }) == table.keyCollations.map({ $0.uppercased() })
    else {
      throw StreamPublishError(.keyComparedOtherwise(table: table.table.name), path: path)
    }
    var table = table
    table.uniqueIndexes += old.uniqueIndexes
    // Heads of earlier versions do not list them.
    table.required.formUnion(old.required)
    return table
  }

  /// A table's rows by key; tables are asked for in the order of their names.
  func rows(of table: PublishedTable, order: KeyOrder, path: String) throws -> OldRows {
    let changes = try self.changes?.rows(of: table, order: order, path: path)
    guard let old = tables.first(where: { $0.table.name == table.table.name }) else {
      return OldRows(base: nil, changes: changes, order: order)
    }
    let known = Set(old.table.columns.map(\.name))
    let columns = table.table.columns.map {
      known.contains($0.name) ? SQLiteName.quoted($0.name) : "NULL"
    }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM main.\(SQLiteName.quoted(old.table.name)) \
      ORDER BY \(order.terms(table, isUTF8: isUTF8))
      """
    let statement = try StreamPublishError.inDatabase(file.path) { () throws(SQLiteError) in
      try connection.prepare(sql)
    }
    return OldRows(base: statement, changes: changes, order: order)
  }
}
