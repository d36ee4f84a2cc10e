package import SeedBuilder
internal import SeedFiles
internal import SeedFormat
internal import SeedModel
internal import SeedSQLite

/// Fills the empty store that an app wrote: its schema, metadata and archived model stay as they are.
package struct TemplateBuild: DatabaseMaker {
  private let options: BuildOptions
  private let template: StoreTemplate
  private let plan: StorePlan
  private let load: RowLoad
  package let record: BuildRecord?

  /// Reads the template, and the model if one is given.
  ///
  /// - Throws: ``BuildError`` for a template that is not empty, a model that is not its own, and
  ///   options that a store cannot have; ``InputError``, ``SQLiteError``.
  package init(_ options: BuildOptions, template path: String, model: StoreOptions?) throws {
    try StoreBuild.check(options)
    var options = options
    do {
      template = try StoreTemplate(path)
    } catch let error as SQLiteError where error.isStatementFault {
      throw StoreTemplate.failure(
        "the template cannot be read: \(error.message)", path,
        hint: "have the app write a template without it")
    }
    if let model {
      let store = try StoreModel(model)
      for warning in store.warnings { options.onDiagnostic?(warning) }
      try Self.check(store, template)
      plan = StorePlan(model: store.model, layout: store.layout)
    } else {
      let guessed = try TemplateModel(template)
      plan = StorePlan(model: guessed.model, layout: guessed.layout)
    }
    options.autoVacuum = .incremental
    let documents = try InputDocument.all(of: options)
    let layoutText = plan.layout.tables.map(\.createSQL).joined(separator: "\n")
    record =
      options.recordsInputs || options.writesManifest
      ? try BuildRecord(options, documents, and: "Core Data template\n\(layoutText)\n") : nil
    self.options = options
    let statements = Set(template.objects.map(\.sql))
    load = RowLoad(
      plan: plan, options: options, rules: try ValueRules(options), documents: documents,
      hasPlannedColumns: plan.layout.tables.allSatisfy { statements.contains($0.createSQL) })
  }

  /// Refuses a model that is not the template's.
  private static func check(_ store: StoreModel, _ template: StoreTemplate) throws {
    guard let known = template.metadata.members["NSStoreModelVersionHashes"]?.dictionary else {
      return
    }
    do throws(ModelErrors) {
      _ = try EntityHashes(
        store.model, confirmedBy: known.compactMapValues(\.data), version: store.version,
        file: template.path)
    } catch {
      guard case .otherHashes(let entities, _)? = error.errors.first?.reason else {
        throw BuildError(.input, error.diagnostics)
      }
      throw StoreTemplate.failure(
        "the template is of another model: the version hashes differ for "
          + entities.joined(separator: ", "), template.path,
        hint: "let the app write the template with this version of the model")
    }
    let missing = store.layout.tables.lazy.compactMap { table -> String? in
      guard let found = template.catalog.table(table.name) else { return "table \(table.name)" }
      let column = table.columns.first { found.column($0.name) == nil }
      return column.map { "column \($0.name) of \(table.name)" }
    }.first
    if let missing {
      throw StoreTemplate.failure(
        "the template lacks \(missing), which the model asks for", template.path,
        hint: "let the app write the template with this version of the model")
    }
    // The hashes are of the entities; keys and values go by what the tables say of them.
    let comparison = ModelComparison(store, template.catalog, hashes: nil)
    guard let fault = comparison.findings.first else { return }
    throw StoreTemplate.failure(
      "the template is not as the model has it: \(fault.message)", template.path,
      hint: "let the app write the template with this version of the model")
  }

  package func run(
    into path: String, truncate: () throws -> Void, flush: @escaping @Sendable () throws -> Void
  ) throws -> BuildSummary {
    SQLite.configureForBulkLoad()
    let filled = Set(plan.layout.tables.map(\.name))
    let constraints = TemplateConstraints(template, plan)
    let loaded = try load.run(into: path, truncate: truncate) { connection in
      for object in template.objects where filled.contains(object.name) {
        guard !constraints.makes(object) else { continue }
        try template.run(object, connection)
      }
      for table in constraints.tables { try connection.execute(table.createSQL) }
    }
    let findings = try constraints.move(loaded.connection)
    try load.refuse(findings, afterLoading: loaded)
    try finish(loaded, filled, constraints)
    try load.refuse(try constraints.dangling(loaded.connection), afterLoading: loaded)
    return try StoreBuild.publish(loaded, options, plan.layout, path, flush: flush)
  }

  /// Makes everything else, in the template's order.
  private func finish(
    _ loaded: RowLoad.Loaded, _ filled: Set<String>, _ constraints: TemplateConstraints
  ) throws {
    let connection = loaded.connection
    for object in template.objects
    where !filled.contains(object.name) && !constraints.makes(object) {
      try template.run(object, connection)
      // Before the triggers are there, which have had their part in what the rows are.
      try fill(object, connection)
    }
    try connection.execute(
      "PRAGMA user_version = \(template.userVersion); "
        + "PRAGMA application_id = \(template.applicationID)")
    let name = options.seedName ?? Self.name(template.path)
    let inputs = try record?.sha256(
      sealing: connection, name: name, version: options.seedVersion, willAnalyze: options.analyzes)
    try template.allowing(StoreMetadata.tableName) {
      try StoreFile.writeMetadata(
        template.metadata.members, name: name, version: options.seedVersion, inputsSHA256: inputs,
        knownRows: loaded.knownRows, to: connection)
    }
  }

  /// Fills a table of Core Data's accounts, or one of the app's own.
  private func fill(_ object: StoreTemplate.Object, _ connection: Connection) throws {
    switch object.name {
    case StoreCatalog.primaryKeyTable:
      for entity in template.entities {
        try template.allowing(object.name) { try write(entity, connection) }
      }
    case "Z_MODELCACHE":
      for row in template.modelCache {
        try template.allowing(object.name) {
          try connection.run("INSERT INTO Z_MODELCACHE VALUES (?)", row.first ?? .null)
        }
      }
    default: if template.isKept(object) { try template.copyRows(of: object.name, to: connection) }
    }
  }

  private func write(_ entity: StoreTemplate.Entity, _ connection: Connection) throws {
    var highest = entity.highestKey
    if let planned = plan.layout.entity(id: Int(entity.id)), planned.name == entity.name {
      highest =
        entity.parentID == 0
        ? try connection.scalarInteger("SELECT max(Z_PK) FROM \(planned.table)") ?? 0 : 0
    }
    try connection.run(
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
      .integer(entity.id), .text(entity.name), .integer(entity.parentID), .integer(highest))
  }

  private static func name(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    let stem = file.split(separator: ".").first.map(String.init) ?? ""
    return stem.isEmpty ? "Model" : stem
  }
}
