internal import SeedModel
internal import SeedTransport

/// The ways that lead through published files.
extension DynamicSource {
  /// Asks for a whole state, because changes cannot be applied.
  ///
  /// - Returns: The merge; nil where the server does not carry the columns for whose sake it was
  ///   asked.
  internal func startAnew(
    _ state: StreamState, _ schema: String, in context: StreamContext
  ) throws -> StreamStep? {
    let slot = try SpoolSlot(
      context.cache,
      key: SpoolKey(url: StoredHead.key(of: endpoint), stream: context.stream, schema: schema))
    var nowhere = state
    nowhere.position = DynamicQuery.nowhere
    nowhere.cursor = nil
    guard
      case .reset(var document) = try DynamicExchange(endpoint, nowhere, slot, context)
        .run(waitSeconds: nil, isBypassingCaches: context.takeBypassesCaches())
    else { throw context.error(.noProgress) }
    document.reason = state.reset ?? .schema
    if state.reset == nil {
      let effective = try EffectiveTables(state: state, published: document.tables, in: context)
      guard effective.digest != state.appliedSchema else { return nil }
    }
    return try merge(document, state, schema, isAskedFor: true, in: context)
  }

  /// Fetches the whole state that a server names.
  ///
  /// - Parameters:
  ///   - document: What the server said.
  ///   - state: Where the database stands.
  ///   - schema: The digest of the columns that are written.
  ///   - isAskedFor: Whether this side wants it: then a state of the same position will do.
  ///   - context: The run.
  /// - Returns: The merge, or that the server is behind.
  /// - Throws: ``StreamError``, ``MissingObject``, ``SeedTransport/TransportError``,
  ///   ``SeedFiles/FileError``.
  internal func merge(
    _ document: ResetDocument, _ state: StreamState, _ schema: String, isAskedFor: Bool,
    in context: StreamContext
  ) throws -> StreamStep {
    if let head = document.head, head.isBehind(state.position) {
      return .stale(head, pollAfter: nil)
    }
    guard let snapshot = document.snapshot, let reference = document.snapshotReference else {
      throw context.error(.noProgress)
    }
    let tail = document.tail
    let start = StreamPosition(epoch: document.epoch, seq: snapshot.seq, id: snapshot.id)
    let target = tail == nil ? start : document.head ?? start
    // The position never goes back, and what is at the same place is no way on.
    guard state.position.isBehind(target) || isAskedFor && !target.isBehind(state.position) else {
      throw context.error(.noProgress)
    }
    let entries = target == start ? [] : tail ?? []
    try CacheSweep(cache: context.cache).run(
      keeping: entries.map(\.sha256) + [snapshot.sha256])
    context.update {
      $0.phase = .downloading
      $0.target = target
      $0.expectedBytes = entries.reduce(snapshot.size) { $0.addingClamped($1.size) }
      $0.fetchedBytes = 0
    }
    let base = document.base ?? ""
    let whole = ObjectQueue.Item(
      url: try resolve(reference, in: context), sha256: snapshot.sha256, size: snapshot.size,
      plainSize: snapshot.plainSize)
    let queue = ObjectQueue(
      try [whole] + entries.map { try item($0, base: base, in: context) }, in: context)
    let file = try queue.next()
    return .merge(
      SnapshotMerge(
        snapshot: SnapshotFile(
          path: file, encoding: .gzip, plainByteCount: snapshot.plainSize, position: start),
        tail: try entries.map {
          try fetch($0, from: queue, epoch: target.epoch, head: target, in: context)
        },
        target: target, reason: document.reason, tables: document.tables, reachesHead: false))
  }

  /// Takes the way through published files that a server names in place of changes.
  internal func follow(
    _ line: JSONValue, _ state: StreamState, in context: StreamContext
  ) throws -> StreamStep {
    let listed: [SegmentEntry]
    let tables: [StreamTable]
    do throws(StreamHeadError) {
      let reader = HeadReader(line, path: "")
      listed = try reader.segments()
      tables = try reader.tables()
    } catch {
      throw context.error(.unsupportedFormat("the line with segments: \(error)"))
    }
    guard let base = line["base"]?.stringValue else {
      throw context.error(.unsupportedFormat("the line with segments has no base"))
    }
    let entries = Self.way(from: state.position.seq, in: listed)
    try CacheSweep(cache: context.cache).run(keeping: entries.map(\.sha256))
    context.update {
      $0.phase = .downloading
      $0.expectedBytes = entries.reduce(0) { $0.addingClamped($1.size) }
      $0.fetchedBytes = 0
    }
    let queue = ObjectQueue(
      try entries.map { try item($0, base: base, in: context) }, in: context)
    var rest = entries[...]
    return .segments(
      StreamSegments(tables: tables, reachesHead: false) {
        guard let entry = rest.popFirst() else { return nil }
        return try fetch(entry, from: queue, epoch: state.position.epoch, in: context)
      })
  }

  /// The segments that lead on from a number, as far as they do.
  private static func way(from seq: Int64, in listed: [SegmentEntry]) -> [SegmentEntry] {
    var reached = seq
    var way: [SegmentEntry] = []
    while let best = listed.filter({ $0.from <= reached && reached < $0.to })
      .max(by: { $0.to < $1.to })
    {
      way.append(best)
      reached = best.to
    }
    return way
  }

  private func item(
    _ entry: SegmentEntry, base: String, in context: StreamContext
  ) throws -> ObjectQueue.Item {
    let folder = base.hasSuffix("/") ? base : base + "/"
    return ObjectQueue.Item(
      url: try resolve(folder + StreamLayout.object(entry.sha256), in: context),
      sha256: entry.sha256, size: entry.size, plainSize: entry.plainSize)
  }

  private func fetch(
    _ entry: SegmentEntry, from queue: ObjectQueue, epoch: Int64, head: StreamPosition? = nil,
    in context: StreamContext
  ) throws -> SegmentFile {
    context.update { $0.phase = .downloading }
    return SegmentFile(
      path: try queue.next(), encoding: .gzip, plainByteCount: entry.plainSize, epoch: epoch,
      from: entry.from, to: entry.to, lastID: entry.to == head?.seq ? head?.id : nil)
  }

  /// The address that a server names, relative to its own.
  private func resolve(_ reference: String, in context: StreamContext) throws -> HTTPURL {
    let url: HTTPURL
    do throws(HTTPURL.Problem) {
      url = try endpoint.resolving(reference)
    } catch {
      throw context.error(.refused("the server names an address that is none"))
    }
    guard endpoint.scheme == .http || url.scheme == .https else {
      throw context.error(.refused("the server names an address that is not secure"))
    }
    return url
  }
}
