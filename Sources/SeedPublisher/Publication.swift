internal import SeedStreams

/// One run of a publisher that holds the stream's folder.
struct Publication {
  let database: NewDatabase
  let store: ObjectStore
  let options: PublishOptions
  /// Seconds since 1970.
  let now: Int64

  private var folder: StreamFolder { store.folder }
  private var garbage: Garbage {
    Garbage(folder: folder, now: now, keepDays: options.keepDays)
  }
  private var levels: Levels { Levels(fanOut: options.fanOut, limit: options.segmentLimit) }

  /// Publishes what is new.
  func run() throws -> PublishResult {
    try garbage.sweep()
    let head = try folder.head(of: database.stream)
    // Apps that ask for a signature would take nothing from then on.
    if head != nil, options.signingKey == nil, try folder.isSigned() {
      throw StreamPublishError(.signedHead, path: folder.headPath)
    }
    let misplaced = try misplacement(against: head)
    let isExtended = try SchemaCheck.compare(
      head?.tables ?? [], database.schema, path: database.path)
    try database.checkFunctions()
    try database.checkReferences()
    guard let head, !options.startsEpoch else {
      try checkConstraints(against: head)
      return try start(after: head)
    }
    guard let snapshot = head.snapshot else {
      throw StreamPublishError(
        .unusableHead("the head names no snapshot"), path: folder.headPath)
    }
    return try goOn(head, snapshot, isExtended: isExtended, misplaced: misplaced)
  }

  /// A database that says where it stands has to stand at the head: it was made from something else
  /// otherwise.
  ///
  /// - Returns: The error for a database that stands before the head. It is none when the content is
  ///   the head's: then an earlier run was killed between the head and the database's position.
  /// - Throws: ``StreamPublishError`` for a database of another history.
  private func misplacement(
    against head: StreamHead?
  ) throws(StreamPublishError) -> StreamPublishError? {
    guard let position = database.cursor?.position, !options.startsEpoch else { return nil }
    guard let head else {
      throw StreamPublishError(.unknownHistory(position), path: database.path)
    }
    guard position != head.position else { return nil }
    let error = StreamPublishError(
      .otherPosition(database: position, head: head.position), path: database.path)
    guard position.epoch == head.position.epoch, position.seq < head.position.seq else {
      throw error
    }
    return error
  }

  // MARK: A history's beginning

  /// A new history is no new schema: the apps that merge it are the same ones.
  ///
  /// A published state that is damaged cannot be asked; a new history is the way out of that.
  private func checkConstraints(against head: StreamHead?) throws {
    guard let head, let snapshot = head.snapshot else { return }
    let state: PublishedState
    do {
      state = try PublishedState(head, snapshot: snapshot, store: store, beside: database.path)
    } catch let error as StreamPublishError {
      switch error.reason {
      case .unusableObject, .brokenWay, .database, .tables: return
      default: throw error
      }
    }
    _ = try TableConstraints.compare(state, database)
  }

  private func start(after head: StreamHead?) throws -> PublishResult {
    let known = [head?.position, database.cursor?.position].compactMap(\.self)
    let epoch = known.reduce(now) { max($0, $1.epoch + 1) }
    let seq = known.reduce(0) { max($0, $1.seq) } + 1
    // A new history is no new schema: the apps that merge it are the same ones.
    let tables = Self.tables(database.tables, after: head)
    let (id, rows) = try idOfState(of: tables, epoch: epoch)
    let position = StreamPosition(epoch: epoch, seq: seq, id: id)
    let (snapshot, isNew, uncarried) = try SnapshotWriter(database: database, store: store)
      .write(at: position)
    try publish(position, tables, snapshot: snapshot, segments: [], after: head)
    return PublishResult(
      stream: database.stream, position: position, isNew: true, rows: rows,
      writtenBytes: isNew ? snapshot.size : 0, snapshotBytes: snapshot.size, uncarried: uncarried)
  }

  /// The id of a first checkpoint, from the epoch and all rows; each is looked at on the way.
  private func idOfState(
    of tables: [PublishedTable], epoch: Int64
  ) throws -> (id: String, rows: Int64) {
    var chain = CheckpointChain(after: String(epoch))
    var rows: Int64 = 0
    for table in tables {
      let order = try database.order(of: table)
      let whole = TableDiff(
        table, order: order, old: OldRows(base: nil, changes: nil, order: order),
        new: try database.rows(of: table, order: order), path: database.path)
      let name = SegmentSection(
        table: table.table.name, kind: .upsert, columns: table.table.columns.map(\.name))
      var text = SegmentText()
      text.append(name)
      text.bytes.withUnsafeBytes { chain.update($0) }
      rows += try whole.digest(into: &chain)
    }
    return (chain.id(), rows)
  }

  // MARK: A further checkpoint

  private func goOn(
    _ head: StreamHead, _ snapshot: SnapshotEntry, isExtended hasMoreColumns: Bool,
    misplaced: StreamPublishError?
  ) throws -> PublishResult {
    if hasMoreColumns, let misplaced { throw misplaced }
    let state = try PublishedState(
      head, snapshot: snapshot, store: store, beside: database.path)
    // Only a new snapshot tells later publications what apps ask for from now on.
    let isTighter = try TableConstraints.compare(state, database)
    if isTighter, let misplaced { throw misplaced }
    let isExtended = hasMoreColumns || isTighter
    var tables: [PublishedTable] = []
    for table in Self.tables(database.tables, after: head) {
      tables.append(try state.withOldConstraints(table, path: database.path))
    }
    let body = try changes(from: state, tables, after: head.position.id)
    guard body.rowCount > 0 || isExtended else {
      try note(tables, in: head)
      return PublishResult(
        stream: database.stream, position: head.position, isNew: false, rows: 0, writtenBytes: 0)
    }
    if let misplaced { throw misplaced }
    let id = try body.finish()
    let position = StreamPosition(
      epoch: head.position.epoch, seq: head.position.seq + 1, id: id)
    let step = try StagedObject(in: store)
    let totals = try body.write(
      SegmentHeader(
        stream: database.stream, epoch: position.epoch, from: head.position.seq,
        to: position.seq, ids: [head.position.id, id]), to: step)
    let (segments, written) = try append(
      Self.entry(totals, from: head.position.seq, to: position.seq), step, to: head, tables)
    var result = PublishResult(
      stream: database.stream, position: position, isNew: true, rows: body.rowCount,
      writtenBytes: written, segmentBytes: totals.size)
    var newest = snapshot
    if isExtended
      || levels.needsSnapshot(segments, snapshot: snapshot, head: position.seq)
    {
      let (entry, isNew, uncarried) = try SnapshotWriter(database: database, store: store)
        .write(at: position)
      newest = entry
      result.snapshotBytes = entry.size
      result.uncarried = uncarried
      if isNew { result.writtenBytes += entry.size }
    }
    try publish(
      position, tables, snapshot: newest, segments: levels.trimmed(segments, snapshot: newest),
      after: head)
    return result
  }

  /// Has a head say what a database without other rows is stricter about, which ships as well, and
  /// bear the signature that it is to have.
  private func note(_ tables: [PublishedTable], in head: StreamHead) throws {
    var noted = head
    noted.require(tables)
    let isUnsigned = try options.signingKey.map { try !folder.isSigned(by: $0) } ?? false
    guard noted.required != head.required || isUnsigned else { return }
    try folder.swap(to: noted, signedBy: options.signingKey)
  }

  /// What has changed since the head, as the lines of a segment.
  private func changes(
    from state: PublishedState, _ tables: [PublishedTable], after id: String
  ) throws -> SegmentBody {
    let files = folder.files
    let body = SegmentBody(after: id, files: files)
    for table in tables {
      let order = try database.order(of: table)
      let (deletes, upserts) = (LineSpool(files: files), LineSpool(files: files))
      let diff = TableDiff(
        table, order: order,
        old: try state.rows(of: table, order: order, path: database.path),
        new: try database.rows(of: table, order: order), path: database.path)
      try diff.run(into: deletes, upserts)
      let (name, columns) = (table.table.name, table.table.columns.map(\.name))
      try body.append(
        SegmentSection(table: name, kind: .delete, columns: table.table.key), deletes)
      try body.append(SegmentSection(table: name, kind: .upsert, columns: columns), upserts)
    }
    return body
  }

  /// Stores the new segment, and merged with those before it where it completes levels.
  ///
  /// - Returns: All segments that lead somewhere, and the bytes that were written.
  private func append(
    _ entry: SegmentEntry, _ step: StagedObject, to head: StreamHead, _ tables: [PublishedTable]
  ) throws -> (segments: [SegmentEntry], written: Int64) {
    let known = Levels.outermost(head.segments)
    let starts = levels.mergeStarts(at: entry.to, known)
    var merged: [SegmentEntry] = []
    var written: Int64 = 0
    for start in starts {
      var parts: [StoredObject] = []
      for part in known.sorted(by: { $0.to < $1.to }) where part.from >= start {
        parts.append(try store.segment(part, epoch: head.position.epoch))
      }
      parts.append(
        StoredObject(
          sha256: entry.sha256,
          file: SegmentFile(
            path: step.path, encoding: .gzip, plainByteCount: entry.plainSize,
            epoch: head.position.epoch, from: entry.from, to: entry.to)))
      let object = try StagedObject(in: store)
      let totals = try SegmentCompactor(
        database: database, tables: tables, files: folder.files
      ).merge(parts, epoch: head.position.epoch, into: object)
      let found = Self.entry(totals, from: start, to: entry.to)
      if try object.store(in: store, sha256: found.sha256, size: found.size) {
        written += found.size
      }
      merged.append(found)
    }
    if try step.store(in: store, sha256: entry.sha256, size: entry.size) { written += entry.size }
    // Between merges the short ones stay, for who has missed a publication or two.
    let kept =
      starts.last.map { start in known.filter { $0.from < start } } ?? head.segments
    return (kept + merged.reversed() + [entry], written)
  }

  private static func entry(
    _ totals: SegmentWriter.Totals, from: Int64, to: Int64
  ) -> SegmentEntry {
    SegmentEntry(
      from: from, to: to, sha256: totals.sha256, size: totals.size, plainSize: totals.plainSize,
      rows: totals.rows)
  }

  // MARK: The head

  /// The tables with the columns that were NOT NULL in any database of the head's history: each of
  /// those may be in the field.
  private static func tables(
    _ tables: [PublishedTable], after head: StreamHead?
  ) -> [PublishedTable] {
    tables.map { table in
      var table = table
      table.required.formUnion(head?.required[table.table.name] ?? [])
      return table
    }
  }

  /// Puts the new head in place, once all that it names is there.
  private func publish(
    _ position: StreamPosition, _ tables: [PublishedTable], snapshot: SnapshotEntry,
    segments: [SegmentEntry], after old: StreamHead?
  ) throws {
    var head = StreamHead(
      stream: database.stream, position: position, time: UTCTime.text(now),
      pollAfterSeconds: options.pollAfterSeconds, tables: database.schema, snapshot: snapshot,
      segments: segments)
    head.require(tables)
    head.retired = try garbage.collect(used: Garbage.names(in: head), old: old)
    try folder.swap(to: head, signedBy: options.signingKey)
  }
}

extension StreamHead {
  /// Lists the columns that must have a value.
  fileprivate mutating func require(_ tables: [PublishedTable]) {
    for table in tables where !table.required.isEmpty {
      required[table.table.name] = table.required
    }
  }
}
