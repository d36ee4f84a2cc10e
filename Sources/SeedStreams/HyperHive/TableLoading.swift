internal import SeedFiles
internal import SeedMerge
internal import SeedSQLite
internal import SeedTransport

/// One load of a resource's tables: what to ask for, the transfer, and the transaction.
internal final class TableLoading {
  private let client: HyperHiveClient
  private let scope: HyperHiveScope
  private let options: HyperHiveLoadOptions
  private let database: String
  private let cancellation: HTTPCancellation
  internal private(set) var exchange = HyperHiveExchange()
  private var warnings: [String] = []
  /// Whether the database has the server's schema as it was during this load.
  private var hasLatestSchema = false
  /// The request is another one after the first round, and so not a repetition.
  private var transactionID: String?

  /// How often a load starts again with the whole, where changes are of no use.
  private static let mostStaleRounds = 2
  /// How often a load starts again because somebody else has ended one meanwhile.
  ///
  /// As many may run at once, and a server may raise the version with each.
  private static let mostOvertakings = 100

  internal init(
    _ client: HyperHiveClient, _ scope: HyperHiveScope, _ options: HyperHiveLoadOptions,
    _ database: String, _ cancellation: HTTPCancellation
  ) {
    self.client = client
    self.scope = scope
    self.options = options
    self.database = database
    self.cancellation = cancellation
    transactionID = options.transactionID
  }

  internal func run() throws -> HyperHiveLoad {
    let connection = try HyperHiveDatabase.open(database, mode: .create)
    try prepareSchema(connection)
    var retries = HyperHiveRetries(
      client.session, count: options.retryCount, interval: options.retryInterval,
      clock: client.clock, cancellation: cancellation)
    var asksForWhole = options.extent == .whole
    var (staleRounds, overtakings) = (0, 0)
    while staleRounds <= Self.mostStaleRounds, overtakings <= Self.mostOvertakings {
      let state = try state(connection)
      let delta = asksForWhole ? .whole : try self.delta(from: state, on: connection)
      switch try load(delta, from: state, on: connection, &retries) {
      case .done(var load):
        load.warnings = warnings + load.warnings
        load.exchange = exchange
        try connection.close()
        return load
      case .isStale:
        asksForWhole = true
        staleRounds += 1
      case .isOvertaken: overtakings += 1
      }
    }
    throw HyperHiveError(
      .malformedAnswer("the rows are changed by somebody else all the time"),
      place: scope.resource)
  }

  /// Changes that end where they begin, or before.
  private struct NoProgress: Error {}

  private enum Round {
    case done(HyperHiveLoad)
    /// The version is of no use; it is forgotten.
    case isStale
    /// Somebody else has loaded the tables meanwhile.
    case isOvertaken
  }

  /// Asks for the schema unless the database has it: it names and types the columns.
  private func prepareSchema(_ connection: Connection) throws {
    let catalog = HyperHiveCatalog(connection: connection)
    if try catalog.exists(), try catalog.hasResource(scope.resource) { return }
    let schema = try client.fetchSchema(options, cancellation, &exchange)
    hasLatestSchema = true
    warnings += schema.warnings
    try HyperHiveDatabase.transaction(on: connection) {
      _ = try HyperHiveTables(connection).apply(schema) { warnings.append($0) }
    }
  }

  /// Takes over the server's schema once more.
  ///
  /// - Returns: Whether the tables of this resource are others now.
  /// - Throws: ``HyperHiveError``, ``TransportError``.
  private func renewSchema(_ connection: Connection) throws -> Bool {
    guard !hasLatestSchema else { return false }
    hasLatestSchema = true
    // What is told of the exchange is told of the tables.
    var exchange = HyperHiveExchange()
    let schema = try client.fetchSchema(options, cancellation, &exchange)
    return try HyperHiveDatabase.transaction(on: connection) {
      let tables = HyperHiveTables(connection)
      let before = try tables.catalog.tables(ofResource: scope.resource)
      _ = try tables.apply(schema)
      return try tables.catalog.tables(ofResource: scope.resource) != before
    }
  }

  /// Looks whether an answer does not fit because the server's schema is another one now.
  ///
  /// - Throws: The error of the answer where the schema cannot be had; that of a changed type.
  private func hasOtherSchema(
    _ misfit: HyperHiveError, _ connection: Connection
  ) throws -> Bool {
    do {
      return try renewSchema(connection)
    } catch let error as HyperHiveError {
      switch error.reason {
      case .changedType, .changedKey: throw error
      default: throw misfit
      }
    } catch {
      throw misfit
    }
  }

  /// What is known of the rows; nil if not all of them can be there.
  private func state(_ connection: Connection) throws -> HyperHiveCatalog.State? {
    let tables = HyperHiveTables(connection)
    let state = try tables.catalog.state(of: scope, server: client.server.identity)
    guard state != nil, try tables.lacksTable(of: scope) else { return state }
    warnings.append("a table was dropped; the whole was loaded")
    try forget(on: connection)
    return nil
  }

  private func delta(
    from state: HyperHiveCatalog.State?, on connection: Connection
  ) throws -> HyperHiveDelta {
    if let version = state?.version, version != HyperHiveRules.nothingLoaded {
      return .since(version)
    }
    if let tag = state?.entityTag, HyperHiveRules.isEntityTag(tag),
      options.extent == .changesIfPossible
    {
      return .sinceTag(tag)
    }
    // Changes since nothing delete nothing: they would leave rows of other parameters, or such as
    // the server has deleted meanwhile, beside their own.
    guard options.extent == .changes, try !HyperHiveTables(connection).hasRows(of: scope) else {
      return .whole
    }
    return .since(HyperHiveRules.nothingLoaded)
  }

  private func load(
    _ delta: HyperHiveDelta, from state: HyperHiveCatalog.State?, on connection: Connection,
    _ retries: inout HyperHiveRetries
  ) throws -> Round {
    let spool = try spool(for: delta)
    defer { transactionID = nil }
    let transfer = HyperHiveTransfer(
      client.session, scope, delta, transactionID: transactionID, spool: spool,
      exchange: exchange)
    let outcome: HyperHiveTransfer.Outcome
    do {
      defer { exchange = transfer.exchange }
      outcome = try transfer.run(&retries)
    } catch let error as HyperHiveError {
      try removeIfEmpty(spool)
      if delta != .whole, case .refused(let status, _) = error.reason,
        HyperHiveRules.isStaleVersion(status: status)
      {
        try spool.remove()
        try forget(on: connection)
        warnings.append("the server does not know the version any more; the whole was loaded")
        return .isStale
      }
      throw error
    } catch {
      try removeIfEmpty(spool)
      throw error
    }
    switch outcome {
    case .unchanged:
      try spool.remove()
      var load = HyperHiveLoad(.unchanged, exchange: exchange)
      load.version = state?.version
      return .done(load)
    case .document(let entityTag, let contentVersion):
      let reached = HyperHiveCatalog.State(
        entityTag: entityTag,
        version: contentVersion.flatMap(HyperHiveRules.version).map(\.reached))
      return try store(
        spool, delta, from: state, reached: reached,
        startsFrom: contentVersion.flatMap(HyperHiveRules.version)?.from, on: connection)
    }
  }

  // MARK: Storing

  private func store(
    _ spool: HyperHiveSpool, _ delta: HyperHiveDelta, from state: HyperHiveCatalog.State?,
    reached: HyperHiveCatalog.State, startsFrom: Int64?, on connection: Connection
  ) throws -> Round {
    let order = DocumentOrder(delta: delta, before: state, reached: reached)
    if !order.mayStart(from: startsFrom) {
      try spool.remove()
      try forget(on: connection)
      warnings.append("the server's changes are between other versions; the whole was loaded")
      return .isStale
    }
    let round: Round
    var changesInferredTable = false
    do {
      round = try HyperHiveDatabase.transaction(on: connection) {
        let tables = HyperHiveTables(connection)
        let catalog = tables.catalog
        let present = try catalog.state(of: scope, server: client.server.identity)
        guard order.mayFollow(present), try !(order.isSinceNothing && tables.hasRows(of: scope))
        else { return .isOvertaken }
        let storage = try AnswerStorage(
          connection, scope: scope, request: delta == .whole ? .whole : .delta)
        defer { changesInferredTable = storage.changesInferredTable }
        try storage.store(AnswerReader(resource: scope.resource, read: spool.read))
        var warnings = storage.warnings
        var changedRowCount = storage.changedRowCount
        if storage.isDelta {
          guard order.leadsOn(changedRowCount: changedRowCount) else { throw NoProgress() }
        } else {
          // A table that only answers have described is in none any more.
          for (name, count) in try tables.clearInferred(of: scope, except: storage.names) {
            changedRowCount += count
            warnings.append("table \"\(name)\" is not in the answer any more; it is empty now")
          }
        }
        try catalog.setState(reached, of: scope, server: client.server.identity)
        var load = HyperHiveLoad(storage.isDelta ? .delta : .whole, exchange: exchange)
        load.version = reached.version
        load.changedRowCount = changedRowCount
        load.tables = storage.names
        load.warnings = warnings
        return .done(load)
      }
    } catch let error as UnknownRow {
      // The rows here are not those that the changes are about: the next load fetches them all.
      try spool.remove()
      try forget(on: connection)
      throw HyperHiveError(
        .malformedAnswer("the server deletes the row \"\(error.id)\", which is not there"),
        place: "table \"\(error.table)\"")
    } catch is NoProgress {
      try spool.remove()
      try forget(on: connection)
      warnings.append("the server's changes lead to no later version; the whole was loaded")
      return .isStale
    } catch let error as MergeError where error.sqlite != nil {
      throw error
    } catch let error as SQLiteError {
      // The document is as good as it was: a later call takes it from the spool.
      throw error
    } catch let misfit as HyperHiveError {
      let isList = AnswerReader(resource: scope.resource, read: spool.read).isList
      try spool.remove()
      guard case .malformedAnswer = misfit.reason else { throw misfit }
      if try hasOtherSchema(misfit, connection) {
        warnings.append("the server's schema has changed; the whole was loaded")
      } else if changesInferredTable {
        try forget(on: connection)
        warnings.append("changes do not fit the columns of older rows; the whole was loaded")
      } else {
        // Asked for once more, the same changes would fit no better: the next load fetches all
        // rows. What is no list at all tells nothing of the changes.
        if delta != .whole, isList { try forget(on: connection) }
        throw misfit
      }
      return .isStale
    } catch {
      try spool.remove()
      throw error
    }
    try spool.remove()
    return round
  }

  private func forget(on connection: Connection) throws {
    try HyperHiveDatabase.transaction(on: connection) {
      try HyperHiveCatalog(connection: connection).dropState(of: scope)
    }
  }

  // MARK: Files

  private func spool(for delta: HyperHiveDelta) throws -> HyperHiveSpool {
    let identity = HyperHiveTransfer.identity(scope, delta, server: client.server)
    var folder = options.downloadFolder
    if folder == nil, options.resumes { folder = database + ".downloads" }
    if let path = folder, !path.hasPrefix("/") { folder = "./" + path }
    let name = [
      identity.server, identity.resource, identity.parameters, scope.cacheKey,
    ].joined(separator: "\n")
    return try HyperHiveSpool(
      folder: folder, name: "hyperhive-" + MD5Digest.hexadecimal(of: Array(name.utf8)),
      isKept: options.resumes, expected: identity, files: client.files)
  }

  /// Leaves no empty file behind.
  private func removeIfEmpty(_ spool: HyperHiveSpool) throws {
    if !spool.isResumable { try spool.remove() }
  }
}
