internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite
package import SeedTransport

extension TableStream {
  /// Compares the stream's rows with those that were published, on the calling thread.
  ///
  /// - Parameters:
  ///   - cancellation: Ends it from another thread.
  ///   - onStatus: Told every change.
  /// - Returns: The tables that differ.
  /// - Throws: ``StreamError``.
  package func verifyBlocking(
    cancellation: HTTPCancellation = HTTPCancellation(),
    onStatus: @escaping (StreamStatus) -> Void = { _ in }
  ) throws(StreamError) -> StreamVerification {
    try engine().verify(cancellation: cancellation, onStatus: onStatus)
  }
}

extension StreamEngine {
  /// Compares the stream's rows with those that were published at the database's position.
  ///
  /// - Throws: ``StreamError``.
  internal func verify(
    cancellation: HTTPCancellation, onStatus: @escaping (StreamStatus) -> Void
  ) throws(StreamError) -> StreamVerification {
    var phase = StreamPhase.opening
    var position: StreamPosition?
    do {
      guard let source = source as? any VerifiableSource else {
        throw StreamError(
          .unsupportedFormat("this kind of source keeps no snapshots to compare with"),
          stream: stream, phase: .opening)
      }
      guard try files.status(path)?.kind == .regular else { throw StreamDatabase.Failure.missing }
      let context = try context(
        isFollowing: false, cancellation: cancellation,
        onStatus: { status in
          phase = status.phase
          position = status.position
          onStatus(status)
        })
      let database = try StreamDatabase(
        path: path, stream: stream, keeping: options.keepRows, files: files)
      let state = try database.state()
      context.update { $0.position = state.position }
      let published = try source.published(state, in: context)
      context.update { $0.phase = .verifying }
      return try StreamVerifier(database: database, state: state, context: context)
        .compare(with: published)
    } catch {
      throw StreamFailure(
        stream: stream, phase: phase, position: position, path: path, files: files
      ).error(for: error)
    }
  }
}

/// A source that can say what the rows at a position are.
package protocol VerifiableSource {
  /// The whole state at a database's position.
  ///
  /// - Parameters:
  ///   - state: The database.
  ///   - context: The run.
  /// - Returns: A snapshot and the changes that lead from it to exactly that position.
  /// - Throws: As ``StreamSource/next(after:in:)`` does, ``StreamError`` with `noProgress` when
  ///   nothing leads there.
  func published(_ state: StreamState, in context: StreamContext) throws -> SnapshotMerge
}

/// Puts a published state together in the cache and compares a database with it.
internal struct StreamVerifier {
  internal var database: StreamDatabase
  internal var state: StreamState
  internal var context: StreamContext

  private static let publishedName = "_seed_published"

  internal func compare(with merge: SnapshotMerge) throws -> StreamVerification {
    let effective = try EffectiveTables(state: state, published: merge.tables, in: context)
    let snapshot = try SnapshotDatabase(merge.snapshot, files: database.files)
    defer { snapshot.removeIgnoringFailure() }
    try snapshot.check(
      position: merge.snapshot.position, stream: database.stream, tables: effective.tables)
    var last = merge.snapshot.position
    for file in merge.tail {
      last = try apply(file, after: last, to: snapshot.path, effective, merge.tables)
    }
    guard last == state.position else { throw context.error(.noProgress) }
    let connection = database.connection
    try connection.run(
      "ATTACH ? AS \(Self.publishedName)", .text(Connection.immutableURI(of: snapshot.path)))
    do {
      // One transaction, so that the app's and other runs' writes do not come in between.
      let differences = try database.readTransaction {
        guard try database.state().position == state.position else {
          throw context.error(.noProgress)
        }
        return try effective.tables.compactMap { try difference(of: $0) }
      }
      try connection.execute("DETACH \(Self.publishedName)")
      return StreamVerification(position: state.position, differences: differences)
    } catch {
      try connection.execute("DETACH \(Self.publishedName)")
      throw error
    }
  }

  /// Applies changes to the unpacked snapshot.
  private func apply(
    _ file: SegmentFile, after position: StreamPosition, to path: String,
    _ effective: EffectiveTables, _ published: [StreamTable]
  ) throws -> StreamPosition {
    let copy = try StreamDatabase(path: path, stream: database.stream, files: database.files)
    // Nothing of it outlives this call.
    try copy.connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    let outcome = try copy.apply(
      file, effective: effective, published: published,
      onRows: { _ in
        if context.cancellation.isCancelled { throw context.error(.cancelled) }
      })
    guard case .applied = outcome else {
      throw SegmentError("the changes do not go on from the snapshot")
    }
    let moved = try copy.state().position
    try copy.connection.close()
    return moved
  }

  private func difference(of table: StreamTable) throws -> StreamVerification.Difference? {
    let name = SQLiteName.quoted(table.name)
    let (mine, theirs) = ("main.\(name)", "\(Self.publishedName).\(name)")
    func join(_ conditions: [String], _ separator: String) -> String {
      conditions.joined(separator: separator)
    }
    let sameKey = join(table.key.map { Self.isSame($0) }, " AND ")
    let sameRow = join(table.columns.map { Self.isSame($0.name) }, " AND ")
    // Behind the subquery, where a name without a table is one of the app's table.
    let notKept = database.condition(toKeep: table.name).map { " AND (\($0)) IS NOT TRUE" } ?? ""
    func count(_ sql: String) throws -> Int64 { try database.connection.scalarInteger(sql) ?? 0 }
    let difference = StreamVerification.Difference(
      table: table.name,
      missing: try count(
        "SELECT count(*) FROM \(theirs) AS b WHERE NOT EXISTS "
          + "(SELECT 1 FROM \(mine) AS a WHERE \(sameKey))"),
      unexpected: try count(
        "SELECT count(*) FROM \(mine) AS a WHERE NOT EXISTS "
          + "(SELECT 1 FROM \(theirs) AS b WHERE \(sameKey))\(notKept)"),
      different: try count(
        "SELECT count(*) FROM \(theirs) AS b JOIN \(mine) AS a ON \(sameKey) WHERE NOT (\(sameRow))"
      ))
    let isEqual = (difference.missing, difference.unexpected, difference.different) == (0, 0, 0)
    return isEqual ? nil : difference
  }

  /// Whether a column has the same value, in storage class and bytes; the sign of a zero does not
  /// count.
  private static func isSame(_ column: String) -> String {
    let name = SQLiteName.quoted(column)
    return "(a.\(name) IS b.\(name) COLLATE BINARY AND typeof(a.\(name)) = typeof(b.\(name)))"
  }
}
