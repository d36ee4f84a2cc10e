internal import SeedFiles
internal import SeedModel
package import SeedTransport

/// A stream of a server that knows what has changed since a position.
///
/// The server sends changes in pages and checkpoints, each with a digest over its lines. Pages that
/// matched stay in the cache, so that a broken answer goes on behind the last one; a checkpoint that
/// is complete becomes a file that is applied like a published segment.
package struct DynamicSource: StreamSource {
  internal let endpoint: HTTPURL

  /// The stream of an endpoint.
  ///
  /// - Parameter endpoint: The address without the query.
  package init(_ endpoint: HTTPURL) {
    self.endpoint = endpoint
  }

  /// The endpoint's own server.
  package var origin: HTTPURL? { endpoint }

  /// Asks the server, or goes on with what an earlier run has collected.
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
    try context.cache.prepare()
    let schema = try EffectiveTables(state: state, published: [], in: context).digest
    if state.reset != nil || schema != state.appliedSchema,
      let step = try startAnew(state, schema, in: context)
    {
      return step
    }
    let key = SpoolKey(url: StoredHead.key(of: endpoint), stream: context.stream, schema: schema)
    let slot = try SpoolSlot(context.cache, key: key)
    try slot.sweep(before: state.position)
    let ready = try Self.ready(slot, after: state.position)
    if !ready.isEmpty { return segments(ready, slot, ending: nil) }
    return try ask(state, slot, in: context)
  }

  /// The checkpoints that an earlier run has closed, one behind the other.
  private static func ready(
    _ slot: SpoolSlot, after position: StreamPosition
  ) throws(FileError) -> [ClosedCheckpoint] {
    var ready: [ClosedCheckpoint] = []
    while let next = try ClosedCheckpoint.read(slot, after: ready.last?.to ?? position) {
      ready.append(next)
    }
    return ready
  }

  private func segments(
    _ closed: [ClosedCheckpoint], _ slot: SpoolSlot, ending: DynamicAnswer.Ending?
  ) -> StreamStep {
    var rest = closed[...]
    var reachesHead = false
    var pollAfter: Duration?
    if case .end(let isUpToDate, let delay) = ending {
      reachesHead = isUpToDate
      pollAfter = delay
    }
    return .segments(
      StreamSegments(
        reachesHead: reachesHead, pollAfter: pollAfter, target: closed.last?.to
      ) {
        try rest.popFirst()?.handOut(slot)
      })
  }

  /// Asks until something has come that leads on.
  private func ask(
    _ state: StreamState, _ slot: SpoolSlot, in context: StreamContext
  ) throws -> StreamStep {
    var isBypassing = context.takeBypassesCaches()
    var hasMismatched = false
    while true {
      let isWaiting = context.knownNewest == state.position
      let start = context.cache.files.now()
      let exchange = DynamicExchange(endpoint, state, slot, context)
      let outcome: DynamicExchange.Outcome
      do {
        outcome = try exchange.run(
          waitSeconds: isWaiting ? LongPolling.waitSeconds : nil, isBypassingCaches: isBypassing)
      } catch let mismatch as DynamicAnswer.Mismatch {
        guard !hasMismatched else {
          throw context.error(.digestMismatch(object: mismatch.object))
        }
        hasMismatched = true
        isBypassing = true
        continue
      }
      isBypassing = false
      switch outcome {
      case .reset(let document):
        return try merge(document, state, slot.key.schema, isAskedFor: false, in: context)
      case .answer(.redirect(let line), _): return try follow(line, state, in: context)
      case .answer(let ending, let closed) where !closed.isEmpty:
        if case .end(isUpToDate: true, _) = ending { context.noteWaitsForNewer(true) }
        return segments(closed, slot, ending: ending)
      case .answer(.end(isUpToDate: true, let pollAfter), _):
        let elapsed = context.cache.files.now() - start
        // A server that does not wait is asked again in its own time.
        guard isWaiting, elapsed >= LongPolling.shortestWaitMilliseconds else {
          context.noteWaitsForNewer(!isWaiting)
          return .current(pollAfter: pollAfter)
        }
      case .answer(let ending, _):
        // The end is missing, or the server has more and did not send it.
        if ending != nil, exchange.hasProgressed { continue }
        try context.attempts.wait(after: context.error(.noProgress), isTransient: true)
      }
    }
  }
}
