internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite
internal import SeedTransport

/// One run from where a database stands to the newest position.
internal final class StreamRun {
  private let context: StreamContext
  private let source: any StreamSource
  private let database: StreamDatabase
  private var outcome = StreamResult.Outcome.current
  /// Why the source is asked for a whole state, if it is.
  private var reset: ResetReason?
  /// How often in a row an object was missing.
  private var missing = 0

  /// How often the head is read anew when an object that it names is missing.
  private static let mostMissing = 3

  internal init(context: StreamContext, source: any StreamSource, database: StreamDatabase) {
    self.context = context
    self.source = source
    self.database = database
  }

  /// Whether a step has reached the newest position.
  private enum Progress {
    case reached(pollAfter: Duration?)
    case stale(StreamPosition, pollAfter: Duration?)
    /// The database has moved, or is known to be elsewhere; ask again.
    case moved
    /// Nothing has changed.
    case fruitless
  }

  /// Goes to the newest position.
  ///
  /// - Parameters:
  ///   - declared: What the stream may write besides.
  ///   - bundle: The path of a database that may be newer.
  /// - Returns: How it ended.
  /// - Throws: Errors of all kinds.
  internal func run(
    declaring declared: [DeclaredTable], bundle: String? = nil
  ) throws -> StreamResult {
    // Reading alone tells whether it is a database of a stream; only then it is changed.
    _ = try repeatingWhileBusy { try self.state() }
    try repeatingWhileBusy { try self.database.declare(declared) }
    if let bundle { try repeatingWhileBusy { try self.merge(bundle) } }
    while true {
      if context.cancellation.isCancelled { throw context.error(.cancelled) }
      switch try attempt() {
      case .reached(let pollAfter):
        try tidy()
        var result = result(outcome, pollAfter: pollAfter)
        result.mayWaitForNewer = context.mayWaitForNewer
        return result
      case .stale(let position, let pollAfter):
        var result = result(outcome == .current ? .stale : outcome, pollAfter: pollAfter)
        result.stalePosition = position
        return result
      case .moved: continue
      case .fruitless:
        try context.attempts.wait(after: context.error(.noProgress), isTransient: true)
      }
    }
  }

  private func result(_ outcome: StreamResult.Outcome, pollAfter: Duration?) -> StreamResult {
    StreamResult(
      outcome: outcome,
      position: context.status.position ?? StreamPosition(epoch: 0, seq: 0, id: ""),
      rows: context.status.rows, kept: context.status.kept, bytes: context.status.bytes,
      requests: context.status.requests,
      pollAfter: pollAfter)
  }

  private func tidy() throws {
    guard outcome != .current else { return }
    do {
      try database.tidy()
    } catch let error as SQLiteError where error.isBusy {
      // A reader is in the way; the log is moved at the next chance.
    }
  }

  private func state() throws -> StreamState {
    let state = try database.state(reset: reset)
    if context.status.position != state.position {
      context.update { $0.position = state.position }
    }
    return state
  }

  /// One look at the source and what follows from it; waits after a failure that may go away.
  private func attempt() throws -> Progress {
    do {
      return try step()
    } catch let error as MissingObject {
      // Perhaps the head is older than what was deleted, or newer than what was uploaded.
      missing += 1
      guard missing <= Self.mostMissing else { throw error }
      context.bypassCaches()
      try context.attempts.wait(after: error, isTransient: true)
      return .moved
    } catch let error where Self.mayGoAway(error) {
      try context.attempts.wait(after: error, isTransient: true)
      return .moved
    }
  }

  /// Whether an error is a lock of others, a file that others have deleted from the cache, or one of
  /// the network that was not waited for yet.
  private static func mayGoAway(_ error: any Error) -> Bool {
    switch error {
    case let error as SQLiteError: error.isBusy
    case let error as MergeError: error.sqlite?.isBusy ?? false
    case CursorError.database(let cause): cause.isBusy
    case let error as FileError: error.isMissing
    case let error as TransportError: error.isTransient
    default: false
    }
  }

  private func repeatingWhileBusy<Value>(_ body: () throws -> Value) throws -> Value {
    while true {
      do {
        return try body()
      } catch let error where Self.mayGoAway(error) {
        try context.attempts.wait(after: error, isTransient: true)
      }
    }
  }

  private func step() throws -> Progress {
    let before = try state()
    switch try source.next(after: before, in: context) {
    case .current(let pollAfter): return .reached(pollAfter: pollAfter)
    case .stale(let position, let pollAfter): return .stale(position, pollAfter: pollAfter)
    case .segments(let segments): return try apply(segments, before)
    case .merge(let merge): return try apply(merge, before)
    }
  }

  private func apply(_ segments: StreamSegments, _ before: StreamState) throws -> Progress {
    if let target = segments.target { context.update { $0.target = target } }
    var state = before
    while let file = try segments.next() {
      try throwIfCancelled()
      try repeatingWhileBusy { try self.database.prepare() }
      context.update { $0.phase = .applying }
      let rowsBefore = context.status.rows
      let effective = try EffectiveTables(state: state, published: segments.tables, in: context)
      let applied: StreamDatabase.Outcome
      do {
        applied = try database.apply(
          file, effective: effective, published: segments.tables, onRows: noteRows)
      } catch {
        // What was rolled back was not done.
        context.update { $0.rows = rowsBefore }
        throw error
      }
      state = try self.state()
      switch applied {
      case .applied(_, let kept):
        context.update { $0.kept += kept }
        if outcome == .current { outcome = .applied }
        missing = 0
        context.attempts.noteProgress()
        context.resets.renew()
        try database.files.removeIfThere(file.path)
      case .alreadyApplied: continue
      case .gap: return state.position == before.position ? .fruitless : .moved
      case .fork:
        guard reset == nil else { return .fruitless }
        reset = .lineage
        return .moved
      }
    }
    if segments.reachesHead { return .reached(pollAfter: segments.pollAfter) }
    return state.position == before.position ? .fruitless : .moved
  }

  private func apply(_ merge: SnapshotMerge, _ before: StreamState) throws -> Progress {
    try throwIfCancelled()
    guard !merge.target.isBehind(before.position) else { throw context.error(.noProgress) }
    let target = ResetBudget.Target(
      epoch: merge.target.epoch, snapshotID: merge.snapshot.position.id)
    guard context.resets.allows(target) else { throw context.error(.resetLoop) }
    try repeatingWhileBusy { try self.database.prepare() }
    context.update {
      $0.phase = .merging
      $0.target = merge.target
    }
    let rowsBefore = context.status.rows
    let effective = try EffectiveTables(state: before, published: merge.tables, in: context)
    do {
      switch try database.apply(
        merge, from: before.position, effective: effective, onRows: noteRows)
      {
      case .applied(let rows, let kept):
        context.update {
          $0.rows = rowsBefore + rows
          $0.kept += kept
        }
        outcome = .merged
        reset = nil
        missing = 0
        context.resets.note(target)
        context.attempts.noteProgress()
        for path in [merge.snapshot.path] + merge.tail.map(\.path)
        where merge.snapshot.encoding == .gzip || path != merge.snapshot.path {
          try database.files.removeIfThere(path)
        }
        _ = try state()
        return merge.reachesHead ? .reached(pollAfter: merge.pollAfter) : .moved
      case .alreadyApplied:
        reset = nil
        return .moved
      case .gap, .fork: return .fruitless
      }
    } catch {
      context.update { $0.rows = rowsBefore }
      throw error
    }
  }

  /// Merges the database that ships with the app, if it is newer.
  private func merge(_ path: String) throws {
    let before = try state()
    guard let bundle = try BundledDatabase(path: path, stream: context.stream) else { return }
    guard before.position.isBehind(bundle.position) else { return }
    try database.declare(bundle.tables.map(\.declared))
    _ = try apply(bundle.merge, try state())
  }

  private func noteRows(_ count: Int64) throws {
    try throwIfCancelled()
    context.update { $0.rows += count }
  }

  private func throwIfCancelled() throws {
    if context.cancellation.isCancelled { throw context.error(.cancelled) }
  }
}

extension FileSystem {
  /// Deletes a file of the cache that is not needed any more.
  fileprivate func removeIfThere(_ path: String) throws(FileError) {
    do throws(FileError) {
      try unlink(path)
    } catch {
      guard error.isMissing else { throw error }
    }
  }
}
