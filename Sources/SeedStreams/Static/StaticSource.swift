internal import SeedFiles
package import SeedTransport

/// A stream of files that any web server, object store or cache serves: a head that changes, and
/// objects that do not.
package struct StaticSource: StreamSource, VerifiableSource {
  private let base: HTTPURL
  private let keys: [[UInt8]]

  /// The stream whose head lies in a folder.
  ///
  /// - Parameters:
  ///   - base: The folder's address; a slash at its end does not matter.
  ///   - keys: The public keys of which one must have signed the head; none for no signature.
  package init(_ base: HTTPURL, keys: [[UInt8]] = []) {
    var base = base
    if !base.path.hasSuffix("/") { base.path += "/" }
    self.base = base
    self.keys = keys
  }

  /// The folder's own server.
  package var origin: HTTPURL? { base }

  /// The address of a file of the stream.
  private func url(_ path: String) -> HTTPURL {
    var url = base
    url.path += path
    return url
  }

  /// Reads the head and says what leads there.
  ///
  /// - Parameters:
  ///   - state: Where the database stands.
  ///   - context: The run.
  /// - Returns: What to do.
  /// - Throws: ``StreamError``, ``SeedTransport/TransportError``, ``SeedFiles/FileError``.
  package func next(
    after state: StreamState, in context: StreamContext
  ) throws -> StreamStep {
    context.update { $0.phase = .checking }
    let request = HeadRequest(url: url(StreamLayout.head), keys: keys, context: context)
    let isBypassing = context.takeBypassesCaches()
    var head = try request.run(isBypassingCaches: isBypassing)
    if head.position.isBehind(state.position), !isBypassing {
      // Perhaps a cache on the way is out of date.
      head = try request.run(isBypassingCaches: true)
    }
    context.update { $0.target = head.position }
    return try step(to: head, from: state, in: context)
  }

  /// Fetches the snapshot and the changes that lead from it to a database's position.
  ///
  /// - Parameters:
  ///   - state: The database.
  ///   - context: The run.
  /// - Returns: The snapshot and the changes.
  /// - Throws: ``StreamError``, ``SeedTransport/TransportError``, ``SeedFiles/FileError``.
  package func published(
    _ state: StreamState, in context: StreamContext
  ) throws -> SnapshotMerge {
    context.update { $0.phase = .checking }
    let head = try HeadRequest(url: url(StreamLayout.head), keys: keys, context: context)
      .run(isBypassingCaches: false)
    var until = head
    until.position = state.position
    // Segments that lead beyond the position are of no use here.
    until.segments.removeAll { $0.to > state.position.seq }
    guard head.position.epoch == state.position.epoch,
      let snapshot = head.snapshot, snapshot.seq <= state.position.seq,
      let path = StreamPath.whole(in: until, reason: .size)
    else { throw context.error(.noProgress) }
    context.update {
      $0.phase = .downloading
      $0.expectedBytes = path.size
      $0.fetchedBytes = 0
    }
    return try merge(snapshot, path, until, pollAfter: nil, in: context)
  }

  private func step(
    to head: StreamHead, from state: StreamState, in context: StreamContext
  ) throws -> StreamStep {
    let pollAfter = head.pollAfterSeconds.map { Duration.seconds(min($0, 86400 * 7)) }
    let position = state.position
    if head.position.isBehind(position) { return .stale(head.position, pollAfter: pollAfter) }
    guard let reason = try resetReason(head, state, in: context) else {
      if head.position == position { return .current(pollAfter: pollAfter) }
      guard let path = StreamPath.behind(position, head) else {
        throw context.error(.noProgress)
      }
      return try step(path, head, pollAfter: pollAfter, in: context)
    }
    guard let path = StreamPath.whole(in: head, reason: reason) else {
      throw context.error(.noProgress)
    }
    return try step(path, head, pollAfter: pollAfter, in: context)
  }

  /// Why changes alone do not lead to the head; nil if they may.
  private func resetReason(
    _ head: StreamHead, _ state: StreamState, in context: StreamContext
  ) throws -> ResetReason? {
    let position = state.position
    let effective = try EffectiveTables(state: state, published: head.tables, in: context)
    if head.position.epoch > position.epoch { return .lineage }
    if head.position.seq == position.seq, head.position.id != position.id { return .lineage }
    if let reset = state.reset { return reset }
    return effective.digest == state.appliedSchema ? nil : .schema
  }

  private func step(
    _ path: StreamPath, _ head: StreamHead, pollAfter: Duration?, in context: StreamContext
  ) throws -> StreamStep {
    try CacheSweep(cache: context.cache).run(
      keeping: path.segments.map(\.sha256) + [path.snapshot?.sha256].compactMap { $0 })
    context.update {
      $0.phase = .downloading
      $0.expectedBytes = path.size
      $0.fetchedBytes = 0
    }
    if let snapshot = path.snapshot {
      return .merge(
        try merge(snapshot, path, head, pollAfter: pollAfter, in: context))
    }
    let queue = ObjectQueue(path.segments.map { item($0) }, in: context)
    var rest = path.segments[...]
    return .segments(
      StreamSegments(
        tables: head.tables, reachesHead: true, pollAfter: pollAfter, target: head.position
      ) {
        guard let entry = rest.popFirst() else { return nil }
        return try fetch(entry, from: queue, of: head, in: context)
      })
  }

  private func item(_ entry: SegmentEntry) -> ObjectQueue.Item {
    ObjectQueue.Item(
      url: url(StreamLayout.object(entry.sha256)), sha256: entry.sha256, size: entry.size,
      plainSize: entry.plainSize)
  }

  private func merge(
    _ snapshot: SnapshotEntry, _ path: StreamPath, _ head: StreamHead, pollAfter: Duration?,
    in context: StreamContext
  ) throws -> SnapshotMerge {
    let position = StreamPosition(
      epoch: head.position.epoch, seq: snapshot.seq, id: snapshot.id)
    let whole = ObjectQueue.Item(
      url: url(StreamLayout.object(snapshot.sha256)), sha256: snapshot.sha256, size: snapshot.size,
      plainSize: snapshot.plainSize)
    let queue = ObjectQueue([whole] + path.segments.map { item($0) }, in: context)
    let file = try queue.next()
    return SnapshotMerge(
      snapshot: SnapshotFile(
        path: file, encoding: .gzip, plainByteCount: snapshot.plainSize, position: position),
      tail: try path.segments.map { try fetch($0, from: queue, of: head, in: context) },
      target: head.position, reason: path.reason ?? .retention, tables: head.tables,
      pollAfter: pollAfter)
  }

  private func fetch(
    _ entry: SegmentEntry, from queue: ObjectQueue, of head: StreamHead, in context: StreamContext
  ) throws -> SegmentFile {
    context.update { $0.phase = .downloading }
    return SegmentFile(
      path: try queue.next(), encoding: .gzip, plainByteCount: entry.plainSize,
      epoch: head.position.epoch,
      from: entry.from, to: entry.to,
      lastID: entry.to == head.position.seq ? head.position.id : nil)
  }
}

extension StreamPosition {
  /// Whether the position is of an older epoch, or has a smaller number in the same one.
  package func isBehind(_ other: StreamPosition) -> Bool {
    (epoch, seq) < (other.epoch, other.seq)
  }
}
