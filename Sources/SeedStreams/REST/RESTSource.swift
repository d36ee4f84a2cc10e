internal import SeedFiles
internal import SeedSQLite
package import SeedTransport

/// A stream made of the pages of an API: one walk from its first page to its last one is one
/// checkpoint.
///
/// The position's number counts the walks that brought something; what the API calls its position
/// is in the cursor.
package struct RESTSource: StreamSource {
  private let adapter: RESTAdapter

  /// The stream of an adapter.
  ///
  /// - Parameter adapter: What reads the pages.
  package init(_ adapter: RESTAdapter) {
    self.adapter = adapter
  }

  /// The server of the first page.
  package var origin: HTTPURL? {
    do {
      return try HTTPURL(adapter.firstPage(nil))
    } catch {
      // The run says what is wrong with it, before anything is asked for.
      return nil
    }
  }

  /// Walks through the pages, from where an earlier run was interrupted.
  ///
  /// - Parameters:
  ///   - state: Where the database stands.
  ///   - context: The run.
  /// - Returns: The changes.
  /// - Throws: ``StreamError``, ``SeedTransport/TransportError``, ``SeedFiles/FileError``.
  package func next(
    after state: StreamState, in context: StreamContext
  ) throws -> StreamStep {
    context.update { $0.phase = .checking }
    // An API has no whole states to begin anew with.
    guard state.reset == nil else { throw context.error(.noProgress) }
    try context.cache.prepare()
    let first = try adapted(in: context) { try adapter.firstPage(state.cursor) }
    let schema = try EffectiveTables(state: state, published: [], in: context).digest
    let slot = try SpoolSlot(
      context.cache, key: SpoolKey(url: first, stream: context.stream, schema: schema))
    try slot.sweep(before: state.position)
    if let closed = try ClosedCheckpoint.read(slot, after: state.position) {
      return Self.step(closed, slot, reachesHead: false, pollAfter: nil)
    }
    let walk = try RESTWalk(
      adapter, from: first, state, pages: VerifiedPages(slot, after: state.position), context)
    try walk.run()
    guard walk.hasChanges else {
      try walk.discard()
      return .current(pollAfter: walk.pollAfter)
    }
    return Self.step(
      try walk.close(slot), slot, reachesHead: true, pollAfter: walk.pollAfter)
  }

  private static func step(
    _ closed: ClosedCheckpoint, _ slot: SpoolSlot, reachesHead: Bool, pollAfter: Duration?
  ) -> StreamStep {
    var rest: ClosedCheckpoint? = closed
    return .segments(
      StreamSegments(reachesHead: reachesHead, pollAfter: pollAfter, target: closed.to) {
        defer { rest = nil }
        return try rest?.handOut(slot)
      })
  }

  private func adapted<Value>(
    in context: StreamContext, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      throw context.error(.unsupportedFormat("the adapter: \(error)"))
    }
  }
}
