internal import SeedFiles
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// The work of one build: readings until the plan holds, then the finish.
struct DatabaseBuild {
  private let options: BuildOptions
  private let rules: ValueRules
  private let documents: [InputDocument]
  var pacing = Pacing()

  /// A wrong plan ends a pass early at most so many times; later passes learn all they can.
  private static let mostEarlyStops = 6
  /// More passes than any document needs: each one learns something for good.
  private static let mostPasses = 60

  /// The result of the passes: a loader whose plan held.
  private struct Loaded {
    var loader: Loader
    var connection: Connection
    var outcome: ReadingPass.Outcome
    var meter: ProgressMeter
  }

  /// Checks the options and opens the inputs.
  ///
  /// - Throws: ``ValueRulesError`` and ``BuildError`` for the options, ``InputError`` for an input.
  init(_ options: BuildOptions) throws {
    self.options = options
    rules = try ValueRules(
      datePattern: options.dateFormat.map { try DatePattern($0) },
      timeZone: options.timeZone.map { try TimeZoneRule(named: $0) })
    for case let encoding? in options.inputs.map(\.encoding)
    where !DocumentReader.knowsEncoding(encoding) {
      throw BuildError(
        .usage,
        [
          Diagnostic(
            .error, "unknown encoding \"\(encoding)\"",
            hint: "use a name such as ISO-8859-1, windows-1252 or UTF-16; \"iconv -l\" lists more")
        ])
    }
    documents = try options.inputs.map { try InputDocument($0, spoolDirectory: nil) }
  }

  /// Builds the database in an empty file.
  ///
  /// - Parameters:
  ///   - path: The empty file.
  ///   - truncate: Empties the file again for another pass.
  ///   - flush: Puts the file on the disk; run while the database is checked.
  /// - Returns: What was made.
  /// - Throws: ``InputError``, ``SQLiteError``, ``PublicationCheck/Failure`` and others.
  func run(
    into path: String, truncate: () throws -> Void, flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary {
    SQLite.configureForBulkLoad()
    let loaded = try load(path: path, truncate: truncate)
    let connection = loaded.connection
    loaded.meter.reportChecking(rowCount: loaded.loader.rowCount)
    let finisher = Finisher(loader: loaded.loader, connection: connection)
    let schema = try finisher.applySchema()
    if options.analyzes { try connection.execute("ANALYZE") }
    try SeedStamp(
      name: loaded.loader.facts.roots.first.map { loaded.loader.facts.places[$0].name.local } ?? "",
      contentSHA256: try ContentDigest.compute(
        connection, knownRows: finisher.knownDigests(schema)),
      tool: ToolVersion.stamp
    ).write(to: connection)
    try connection.execute("COMMIT")
    try loaded.loader.close()
    let flushing = WorkerThread(flush)
    try flushing.start()
    let check = Result {
      try PublicationCheck.run(
        path: path,
        tables: schema.tables.enumerated().map { index, table in
          PublicationCheck.Table(
            name: table.name, rowCount: loaded.loader.table(index).pointee.rowCount,
            indexCount: table.indexes.count,
            hasReferences: table.columns.contains { $0.references != nil })
        })
    }
    try flushing.join()
    try check.get()
    report(loaded, schema)
    return BuildSummary(
      output: options.output, tableCount: schema.tables.count,
      rowCount: loaded.loader.rowCount,
      byteCount: try FileSystem.live.status(path)?.byteCount ?? 0)
  }

  /// Loads into a private database and gives the schema as a script.
  func schema() throws -> String {
    SQLite.configureForBulkLoad()
    let loaded = try load(path: nil, truncate: {})
    let schema = Finisher(loader: loaded.loader, connection: loaded.connection).finalSchema()
    report(loaded, schema)
    return schema.script
  }

  // MARK: Passes

  private func load(path: String?, truncate: () throws -> Void) throws -> Loaded {
    var facts = DocumentFacts(rules: rules)
    var rejectedKeys: Set<LoadPlanner.RejectedKey> = []
    var lateKeys: Set<QualifiedName> = []
    for pass in 1...DatabaseBuild.mostPasses {
      let connection = try openForLoad(path)
      let loader = Loader(
        connection: connection, facts: facts, rejectedKeys: rejectedKeys, lateKeys: lateKeys)
      // What was learnt before makes the plan; only the first pass needs a sample.
      if pass > 1 { try loader.startLoading() }
      let meter = ProgressMeter(options: options, documents: documents, pass: pass)
      let outcome = try ReadingPass(
        documents: documents, loader: loader,
        mayStopEarly: pass <= DatabaseBuild.mostEarlyStops, pacing: pacing,
        onBatch: { meter.report(inputBytesRead: $0, rowCount: loader.rowCount) }
      ).run()
      if outcome.isRevised {
        // Other places and fields will come, under other numbers.
        facts = DocumentFacts(rules: rules)
        rejectedKeys = []
        lateKeys = []
        try loader.close()
        try truncate()
        continue
      }
      loader.synchronizeStatistics()
      if try loader.planHolds() {
        return Loaded(loader: loader, connection: connection, outcome: outcome, meter: meter)
      }
      if loader.structureHolds {
        for case .key(let key) in loader.contradictions { rejectedKeys.insert(key) }
        for case .lateKey(let name) in loader.contradictions { lateKeys.insert(name) }
      } else {
        // The tables will have other rows, of which nothing is known.
        rejectedKeys = []
        lateKeys = []
      }
      facts = loader.facts
      facts.restartCounts()
      try loader.close()
      try truncate()
    }
    throw InternalFault("no plan held after \(DatabaseBuild.mostPasses) readings")
  }

  private func openForLoad(_ path: String?) throws -> Connection {
    let connection =
      try path.map { try Connection(path: $0, mode: .create) } ?? Connection.temporary()
    // The file has a temporary name and vanishes with any failure: there is nothing to roll back.
    try connection.execute(
      """
      PRAGMA page_size = \(options.pageSize);
      PRAGMA encoding = 'UTF-8';
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -6144;
      PRAGMA foreign_keys = OFF;
      BEGIN;
      """)
    return connection
  }

  private func report(_ loaded: Loaded, _ schema: FinalSchema) {
    guard let onDiagnostic = options.onDiagnostic else { return }
    let remarks = BuildRemarks(
      plan: loaded.loader.plan, facts: loaded.loader.facts, schema: schema,
      documents: documents.map(\.name), undeclaredPrefixes: loaded.outcome.undeclaredPrefixes)
    for remark in remarks.all { onDiagnostic(remark) }
  }
}

/// Something that cannot be, unless the tool is wrong.
struct InternalFault: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}
