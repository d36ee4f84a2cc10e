package import SeedBuilder
internal import SeedFiles
internal import SeedModel
internal import SeedSQLite

/// Makes a Core Data store for a model, with the objects of the inputs if there are any.
package struct StoreBuild: DatabaseMaker {
  private let options: BuildOptions
  private let store: StoreOptions
  private let model: StoreModel
  private let hashes: EntityHashes
  private let rules: ValueRules
  private let documents: [InputDocument]
  package let record: BuildRecord?

  /// Reads the model.
  ///
  /// - Throws: ``BuildError`` for the model and for options that a store cannot have.
  package init(_ options: BuildOptions, _ store: StoreOptions) throws {
    try Self.check(options)
    var options = options
    let model = try StoreModel(store)
    hashes = try model.hashes(confirmedBy: store.compiled)
    for warning in model.warnings { options.onDiagnostic?(warning) }
    options.autoVacuum = .incremental
    options.mapping.schema = Located(model.path)
    // Where the hashes come from makes no difference to the bytes: they are the same.
    documents = try InputDocument.all(of: options)
    record =
      options.recordsInputs || options.writesManifest
      ? try BuildRecord(options, documents, and: "Core Data \(hashes.digest)\n") : nil
    rules = try ValueRules(options)
    self.options = options
    self.store = store
    self.model = model
  }

  /// Refuses what Core Data decides.
  static func check(_ options: BuildOptions) throws(BuildError) {
    let refused: String? =
      if let size = options.pageSize, size != StoreFile.pageSize {
        "pages of \(size) bytes; Core Data uses \(StoreFile.pageSize)"
      } else if options.userVersion ?? 0 != 0 {
        "a user version; Core Data leaves it 0"
      } else if options.applicationID ?? 0 != 0 {
        "an application id; Core Data leaves it 0"
      } else {
        nil
      }
    guard let refused else { return }
    throw BuildError(
      .usage,
      [Diagnostic(.error, "a Core Data store cannot have \(refused)", hint: "leave it out")])
  }

  package func run(
    into path: String, truncate: () throws -> Void, flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary {
    SQLite.configureForBulkLoad()
    let file = StoreFile(model.layout)
    let loaded = try RowLoad(
      plan: StorePlan(model: model.model, layout: model.layout), options: options, rules: rules,
      documents: documents
    ).run(into: path, truncate: truncate) { try file.createTables($0) }
    let name = options.seedName ?? store.name
    try file.finish(
      loaded.connection,
      StoreFile.Identity(
        hashes: hashes, modelIdentifier: model.model.identifier,
        name: name, version: options.seedVersion,
        inputsSHA256: try record?.sha256(
          sealing: loaded.connection, name: name, version: options.seedVersion,
          willAnalyze: options.analyzes)), knownRows: loaded.knownRows)
    return try Self.publish(loaded, options, model.layout, path, flush: flush)
  }

  /// Ends the transaction of a finished store and checks it while it is put on the disk.
  static func publish(
    _ loaded: RowLoad.Loaded, _ options: BuildOptions, _ layout: StoreLayout, _ path: String,
    flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary {
    let connection = loaded.connection
    if options.analyzes { try connection.execute("ANALYZE") }
    try connection.execute("COMMIT")
    if try connection.scalarInteger("PRAGMA freelist_count") ?? 0 > 0 {
      try connection.execute("VACUUM")
    }
    try connection.close()
    try PublicationCheck.run(path: path, tables: loaded.tables, flush: flush)
    var summary = BuildSummary(
      output: options.output, tableCount: layout.tables.count,
      rowCount: loaded.counts.reduce(0) { $0 + $1.count },
      byteCount: try FileSystem.live.status(path)?.byteCount ?? 0)
    summary.entities = loaded.counts.map { BuildSummary.Entity(name: $0.entity, count: $0.count) }
    return summary
  }
}
