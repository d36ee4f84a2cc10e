package import SeedMerge
package import SeedTransport

/// Where changes and whole states come from: published files, a server, an adapter of an app.
///
/// A source fetches and checks; it never touches the database. It keeps nothing that matters:
/// what it has in the cache may be gone at the next call.
package protocol StreamSource: Sendable {
  /// An address at the server that the app's credentials are for; nil where they go nowhere.
  var origin: HTTPURL? { get }

  /// What there is for a database at a position; called on a thread that may block.
  ///
  /// Called again after the step was taken, unless that reached the newest position. An error that
  /// is transient (``TransportError/isTransient``) and was not repeated with
  /// ``StreamContext/attempts`` leads to another call after a wait.
  ///
  /// - Parameters:
  ///   - state: Where the database stands and what it takes.
  ///   - context: What the run offers: requests, files, repetitions, progress.
  /// - Returns: What to do next.
  /// - Throws: ``StreamError``, ``TransportError``, ``SeedFiles/FileError``, ``SegmentError``.
  func next(after state: StreamState, in context: StreamContext) throws -> StreamStep
}

/// Where a database stands in a stream and what it takes of it.
package struct StreamState: Sendable, Hashable {
  package var position: StreamPosition
  /// What a dynamic source gave with the position.
  package var cursor: String?
  /// The tables and columns that the stream may write and that the database has, with its own
  /// affinities.
  package var tables: [StreamTable]
  /// The tables and columns that the stream may write, be they there or not.
  package var allowed: [DeclaredTable]
  /// The digest of the tables and columns that were applied so far.
  package var appliedSchema: String
  /// Why the changes after the position cannot be applied: the source is asked for a whole state.
  package var reset: ResetReason?

  /// A state from its parts.
  package init(
    position: StreamPosition, cursor: String? = nil, tables: [StreamTable],
    allowed: [DeclaredTable] = [], appliedSchema: String, reset: ResetReason? = nil
  ) {
    self.position = position
    self.cursor = cursor
    self.tables = tables
    self.allowed = allowed
    self.appliedSchema = appliedSchema
    self.reset = reset
  }
}
