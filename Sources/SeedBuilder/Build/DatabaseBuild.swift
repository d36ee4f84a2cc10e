internal import SeedFiles
internal import SeedFormat
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// The work of one build: readings until the plan holds, then the finish.
struct DatabaseBuild: DatabaseMaker {
  private let options: BuildOptions
  private let rules: ValueRules
  private let documents: [InputDocument]
  /// The inputs and options by their digests, if they are recorded.
  let record: BuildRecord?
  var pacing = Pacing()

  /// Checks the options and opens the inputs.
  ///
  /// - Throws: ``ValueRulesError`` and ``BuildError`` for the options, ``InputError`` for an input.
  init(_ options: BuildOptions) throws {
    self.options = options
    rules = try ValueRules(options)
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
    documents = try InputDocument.all(of: options)
    record =
      options.recordsInputs || options.writesManifest
      ? try BuildRecord(options, documents) : nil
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
    if needsMapping { return try runMapped(into: path, flush: flush) }
    let loaded = try load(path: path, truncate: truncate)
    let connection = loaded.connection
    loaded.meter.reportChecking(rowCount: loaded.loader.rowCount)
    let finisher = Finisher(loader: loaded.loader, connection: connection)
    let schema = try finisher.applySchema()
    let contributed = try contribute(to: connection)
    try seal(
      connection,
      name: loaded.loader.facts.roots.first.map { loaded.loader.facts.places[$0].name.local } ?? "",
      knownRows: finisher.knownDigests(schema)
        .merging(TableContribution.knownRows(contributed)) { own, _ in own },
      numberedTables: Set(
        zip(loaded.loader.plan.tables, schema.tables).filter { $0.0.hasGeneratedKey }
          .map(\.1.name)))
    try loaded.loader.close()
    try check(
      path,
      schema.tables.enumerated().map { index, table in
        PublicationCheck.Table(
          name: table.name, rowCount: loaded.loader.table(index).pointee.rowCount,
          indexCount: table.indexes.count,
          hasReferences: table.columns.contains { $0.references != nil })
      } + contributed.map(\.check), flush: flush)
    report(loaded, schema)
    return try summary(
      of: path, tableCount: schema.tables.count + contributed.count,
      rowCount: loaded.loader.rowCount + contributed.reduce(0) { $0 + $1.rowCount })
  }

  /// Whether the build fills a schema, or tables and columns are ruled.
  private var needsMapping: Bool {
    options.alwaysMaps || !options.mapping.isEmpty
      || options.inputs.contains { !$0.records.isEmpty || $0.envelope != nil }
  }

  private func runMapped(
    into path: String, flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary {
    let result = try mappedBuild.run(into: path)
    let contributed = try contribute(to: result.connection)
    try seal(
      result.connection, name: result.name, knownRows: TableContribution.knownRows(contributed),
      numberedTables: result.numberedTables)
    try result.connection.close()
    try check(path, result.tables + contributed.map(\.check), flush: flush)
    return try summary(
      of: path, tableCount: result.tables.count + contributed.count,
      rowCount: result.rowCount + contributed.reduce(0) { $0 + $1.rowCount })
  }

  /// Takes over the tables that come from elsewhere.
  private func contribute(to connection: Connection) throws -> [TableContribution.Table] {
    try options.contributions.flatMap { try $0.fill(connection) }
  }

  private var mappedBuild: MappedBuild {
    MappedBuild(options: options, valueRules: rules, documents: documents, pacing: pacing)
  }

  /// Writes what stands in the database besides the inputs' records, and ends its transaction.
  private func seal(
    _ connection: Connection, name: String,
    knownRows: [String: (count: Int64, sha256: [UInt8])], numberedTables: Set<String> = []
  ) throws {
    if let version = options.userVersion {
      try connection.execute("PRAGMA user_version = \(version)")
    }
    if let id = options.applicationID {
      try connection.execute("PRAGMA application_id = \(id)")
    }
    try OwnershipTable(
      rules: options.mapping.owned, numberedTables: numberedTables,
      onDiagnostic: options.onDiagnostic
    ).write(to: connection)
    if let streams = options.streams {
      try StreamTables(
        declaration: streams, numberedTables: numberedTables, onDiagnostic: options.onDiagnostic
      ).write(to: connection)
    }
    if options.analyzes { try connection.execute("ANALYZE") }
    let name = options.seedName ?? name
    try SeedStamp(
      name: name, version: options.seedVersion,
      contentSHA256: try ContentDigest.compute(connection, knownRows: knownRows),
      tool: ToolVersion.stamp,
      inputsSHA256: try record?.sha256(
        sealing: connection, name: name, version: options.seedVersion)
    ).write(to: connection)
    try connection.execute("COMMIT")
    // An index that was made and dropped, or rows that moved, may have left pages behind.
    if try connection.scalarInteger("PRAGMA freelist_count") ?? 0 > 0 {
      try connection.execute("VACUUM")
    }
  }

  /// Checks the database while it is put on the disk.
  private func check(
    _ path: String, _ tables: [PublicationCheck.Table],
    flush: @escaping @Sendable () throws -> Void
  ) throws {
    try PublicationCheck.run(path: path, tables: tables, flush: flush)
  }

  private func summary(
    of path: String, tableCount: Int, rowCount: Int64
  ) throws -> BuildSummary {
    BuildSummary(
      output: options.output, tableCount: tableCount, rowCount: rowCount,
      byteCount: try FileSystem.live.status(path)?.byteCount ?? 0)
  }

  /// Loads into a private database and gives the schema as a script.
  func schema() throws -> String {
    SQLite.configureForBulkLoad()
    if let contribution = options.contributions.first {
      throw BuildError(
        .usage,
        [
          Diagnostic(
            .error, "the tables of \(contribution.input.name) are known once they are built",
            hint: "build the database, then see \"seed inspect\"")
        ])
    }
    if needsMapping { return try mappedBuild.schema() }
    let loaded = try load(path: nil, truncate: {})
    let schema = Finisher(loader: loaded.loader, connection: loaded.connection).finalSchema()
    report(loaded, schema)
    return schema.script
  }

  /// Loads into a private database and gives the rules by which it was filled.
  func outline() throws -> BuildOutline {
    SQLite.configureForBulkLoad()
    let loaded = try load(path: nil, truncate: {})
    let schema = Finisher(loader: loaded.loader, connection: loaded.connection).finalSchema()
    report(loaded, schema)
    return OutlineMaker(loaded, documents: documents, schema: schema)
      .outline(onDiagnostic: options.onDiagnostic)
  }

  private func load(path: String?, truncate: () throws -> Void) throws -> InputLoading.Loaded {
    try InputLoading(options: options, documents: documents, rules: rules, pacing: pacing)
      .run(path: path, truncate: truncate)
  }

  private func report(_ loaded: InputLoading.Loaded, _ schema: FinalSchema) {
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
