internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite
internal import SeedTransport

/// Brings one database up to date with one stream, on the calling thread.
internal struct StreamEngine: Sendable {
  internal var stream: String
  internal var path: String
  internal var source: any StreamSource
  internal var options: StreamOptions
  internal var transport: any HTTPTransport
  internal var clock: RetryClock
  internal var files: FileSystem

  /// Goes to the newest position.
  ///
  /// - Parameters:
  ///   - isFollowing: Whether failures that may go away are waited out for ever.
  ///   - knownNewest: Where a source may wait for something newer before it answers.
  ///   - cancellation: Ends it from another thread.
  ///   - onStatus: Told every change.
  /// - Returns: How it ended.
  /// - Throws: ``StreamError``; what was applied before stays, and is whole.
  internal func sync(
    isFollowing: Bool, knownNewest: StreamPosition? = nil, cancellation: HTTPCancellation,
    onStatus: @escaping (StreamStatus) -> Void
  ) throws(StreamError) -> StreamResult {
    var phase = StreamPhase.opening
    var position: StreamPosition?
    do {
      guard try files.status(path)?.kind == .regular else { throw StreamDatabase.Failure.missing }
      let context = try context(
        isFollowing: isFollowing, knownNewest: knownNewest, cancellation: cancellation,
        onStatus: { status in
          phase = status.phase
          position = status.position
          onStatus(status)
        })
      // Told when the connection is closed: whoever waits for it may open the database at once.
      let result = try run(in: context)
      context.update { $0.result = result }
      return result
    } catch {
      throw StreamFailure(
        stream: stream, phase: phase, position: position, path: path, files: files
      ).error(for: error)
    }
  }

  /// Runs with a connection that is closed when this returns.
  private func run(in context: StreamContext) throws -> StreamResult {
    let database = try StreamDatabase(
      path: path, stream: stream, keeping: options.keepRows, files: files)
    let result = try StreamRun(context: context, source: source, database: database)
      .run(declaring: declarations, bundle: options.bundledDatabase)
    try database.connection.close()
    return result
  }

  private var declarations: [DeclaredTable] {
    options.declaring.map { DeclaredTable(name: $0.table, key: $0.key, columns: $0.columns) }
  }

  /// What a run offers to the source.
  internal func context(
    isFollowing: Bool, knownNewest: StreamPosition? = nil, cancellation: HTTPCancellation,
    onStatus: @escaping (StreamStatus) -> Void
  ) throws -> StreamContext {
    let realPath = try files.realPath(path)
    var policy = RetryPolicy(
      retryCount: isFollowing ? .max : max(options.attempts, 1) - 1,
      baseDelay: options.retryDelay, longestRetryAfter: options.longestRetryAfter)
    policy.endsAtLongRetryAfter = !isFollowing
    policy.totalRetryCount = .max
    let context = StreamContext(
      stream: stream,
      cache: try StreamCache(
        stream: stream, database: path, root: options.cacheDirectory, files: files),
      transport: transport,
      credentials: StreamCredentials(stream: stream, hook: options.credentials),
      origin: source.origin, options: options,
      attempts: StreamAttempts(
        policy: policy, clock: clock, path: isFollowing ? options.networkPath : nil,
        cancellation: cancellation),
      resets: .of(stream: stream, database: realPath),
      cancellation: cancellation, knownNewest: knownNewest, onStatus: onStatus)
    report(waitsOf: context)
    return context
  }

  /// Has a run say that it waits, and why.
  private func report(waitsOf context: StreamContext) {
    var phase = StreamPhase.opening
    // The context owns what calls it back, which therefore must not own the context.
    context.attempts.onWait = { [weak context, stream, path, files] error, wait in
      guard let context else { return }
      phase = context.status.phase
      let failure = StreamFailure(
        stream: stream, phase: phase, position: context.status.position, path: path, files: files)
      context.update {
        $0.phase = .waiting
        $0.error = failure.error(for: error)
        $0.nextAttemptAfter = wait
      }
    }
    context.attempts.onResume = { [weak context] in
      context?.update {
        $0.phase = phase
        $0.error = nil
        $0.nextAttemptAfter = nil
      }
    }
  }
}
