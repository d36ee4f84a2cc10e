internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Fills the tables of a store from the inputs of a build: readings until one was right from its
/// start, then what can be told only when all objects are there.
struct RowLoad {
  let plan: StorePlan
  let options: BuildOptions
  let rules: ValueRules
  let documents: [InputDocument]

  /// More readings than any inputs need: each one learns something for good.
  private static let mostReadings = 60

  /// What was filled.
  struct Loaded {
    var connection: Connection
    /// The tables with what their check takes.
    var tables: [PublicationCheck.Table]
    /// The number of objects of each entity, by name, in the order of the entities.
    var counts: [(entity: String, count: Int64)]
  }

  /// Fills an empty file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - truncate: Empties it again for another reading.
  ///   - createTables: Creates the tables in it.
  /// - Returns: The connection, with a transaction open.
  /// - Throws: ``BuildError`` with everything that does not fit; ``InputError``, ``SQLiteError``.
  func run(
    into path: String, truncate: () throws -> Void, createTables: (Connection) throws -> Void
  ) throws -> Loaded {
    let learnt = LearntFacts()
    for reading in 1...Self.mostReadings {
      let connection = try BuildConnection.open(path, options)
      try createTables(connection)
      if try fill(connection, learnt, reading) {
        return Loaded(
          connection: connection, tables: try tables(connection),
          counts: try counts(connection))
      }
      try connection.close()
      try truncate()
    }
    preconditionFailure("each reading learns something")
  }

  /// One reading; false when the inputs have to be read again.
  private func fill(
    _ connection: Connection, _ learnt: LearntFacts, _ reading: Int
  ) throws -> Bool {
    let hasKeys = !options.mapping.references.isEmpty
    if hasKeys { try KeyNotes.createTable(connection) }
    let rows = try StoreRows(
      plan, keyTable: hasKeys ? (KeyNotes.table, KeyNotes.columns) : nil, connection)
    var pass = RowPass(load: self, learnt: learnt, rows: rows)
    let meter = ProgressMeter(options: options, documents: documents, pass: reading)
    guard try pass.run({ meter.report(inputBytesRead: $0, rowCount: $1) }) else { return false }
    RuleCheck(
      plan: plan, mapping: options.mapping, documents: documents, usage: pass.usage,
      misfits: pass.misfits
    ).run()
    pass.conversions.reportAmbiguities(pass.misfits, file: documents.first?.name ?? "")
    try pass.misfits.check(documents)
    meter.reportChecking(rowCount: pass.objectCount)
    if hasKeys {
      try KeyResolution(
        plan: plan, rules: options.mapping.references, connection: connection,
        misfits: pass.misfits
      ).run()
      try pass.misfits.check(documents)
    }
    try check(connection, learnt)
    try DerivedValues(plan: plan, connection: connection).fill()
    for remark in pass.remarks { options.onDiagnostic?(remark) }
    return true
  }

  /// Checks the objects, and says where those stand that are wrong.
  private func check(_ connection: Connection, _ learnt: LearntFacts) throws {
    let findings = try StoreChecks(plan: plan, connection: connection).findings()
    guard !findings.isEmpty else { return }
    let search = ObjectSearch(findings.map(\.object))
    var pass = RowPass(load: self, learnt: learnt, rows: nil, search: search)
    _ = try pass.run { _, _ in }
    let misfits = RowMisfits()
    for finding in findings {
      let found = search.places[finding.object]
      misfits.add(
        finding.message, hint: finding.hint,
        at: found.map {
          .input(
            document: $0.document, line: $0.line, value: finding.value.map { Array($0.utf8) })
        } ?? .known(nil), kind: "\(finding.object)")
    }
    try misfits.check(documents)
  }

  /// Each table with how many rows and indexes its check has to look at.
  private func tables(_ connection: Connection) throws -> [PublicationCheck.Table] {
    try plan.layout.tables.map { table in
      let name = SQLiteName.quoted(table.name)
      return PublicationCheck.Table(
        name: table.name,
        rowCount: try connection.scalarInteger("SELECT count(*) FROM \(name)") ?? 0,
        indexCount: plan.layout.indexes.count { $0.contains(" ON \(table.name) ") },
        hasReferences: false)
    }
  }

  private func counts(_ connection: Connection) throws -> [(entity: String, count: Int64)] {
    var counts: [Int: Int64] = [:]
    for table in plan.tables {
      try connection.forEachRow(
        "SELECT Z_ENT, count(*) FROM \(SQLiteName.quoted(table.name)) GROUP BY 1"
      ) { counts[Int($0.integer(0))] = $0.integer(1) }
    }
    return plan.layout.entities.compactMap { entity in
      entity.isAbstract ? nil : (entity.name, counts[entity.id] ?? 0)
    }
  }
}
