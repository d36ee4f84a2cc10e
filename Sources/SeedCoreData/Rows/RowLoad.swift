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
  /// Whether the tables have just the columns of the plan, in its order.
  var hasPlannedColumns = true

  /// More readings than any inputs need: each one learns something for good.
  private static let mostReadings = 60

  /// What was filled.
  struct Loaded {
    var connection: Connection
    /// The tables with what their check takes.
    var tables: [PublicationCheck.Table]
    /// The number of objects of each entity, by name, in the order of the entities.
    var counts: [(entity: String, count: Int64)]
    /// The tables whose rows were digested while they went in, by name.
    var knownRows: [String: TableTally.Rows]
    /// What the readings found out, for one more in search of places.
    fileprivate(set) var learnt: LearntFacts
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
    // They are values of a Transformable.
    for document in documents { document.marksEmptyMembers = true }
    for reading in 1...Self.mostReadings {
      let connection = try BuildConnection.open(path, options)
      try createTables(connection)
      if let filling = try fill(connection, learnt, reading) {
        return try loaded(connection, filling, learnt)
      }
      try connection.close()
      try truncate()
    }
    preconditionFailure("each reading learns something")
  }

  /// What came of a reading: the rows that went in, and the tables that were changed afterwards.
  private struct Filling {
    var rows: StoreRows
    var changedTables: Set<String> = []
  }

  /// One reading; nil when the inputs have to be read again.
  private func fill(
    _ connection: Connection, _ learnt: LearntFacts, _ reading: Int
  ) throws -> Filling? {
    let hasKeys = !options.mapping.references.isEmpty
    if hasKeys { try KeyNotes.createTable(connection) }
    let rows = try StoreRows(
      plan, keyTable: hasKeys ? (KeyNotes.table, KeyNotes.columns) : nil, connection,
      hasPlannedColumns: hasPlannedColumns)
    var filling = Filling(rows: rows)
    var pass = RowPass(load: self, learnt: learnt, rows: rows)
    let meter = ProgressMeter(options: options, documents: documents, pass: reading)
    guard try pass.run({ meter.report(inputBytesRead: $0, rowCount: $1) }) else { return nil }
    guard pass.conversions.settleRuleValues(pass.misfits) else {
      pass.conversions.learn()
      return nil
    }
    RuleCheck(
      plan: plan, mapping: options.mapping, documents: documents, usage: pass.usage,
      misfits: pass.misfits
    ).run()
    pass.conversions.reportAmbiguities(pass.misfits, file: documents.first?.name ?? "")
    try pass.misfits.check(self, learnt)
    meter.reportChecking(rowCount: pass.objectCount)
    if hasKeys {
      filling.changedTables = try KeyResolution(
        plan: plan, rules: options.mapping.references, connection: connection,
        misfits: pass.misfits
      ).run()
      try pass.misfits.check(self, learnt)
    }
    try check(connection, learnt, rows)
    filling.changedTables.formUnion(
      try DerivedValues(plan: plan, connection: connection).fill())
    let digits = pass.conversions.digitRemarks(file: documents.first?.name ?? "")
    for remark in pass.remarks + digits { options.onDiagnostic?(remark) }
    return filling
  }

  /// Checks the objects, and says where those stand that are wrong.
  private func check(
    _ connection: Connection, _ learnt: LearntFacts, _ rows: StoreRows
  ) throws {
    let findings = try StoreChecks(
      plan: plan, connection: connection, missingKeys: rows.missingKeys
    ).findings()
    try refuse(findings, learnt)
  }

  /// Says what is wrong with objects once they are all in.
  ///
  /// - Throws: ``BuildError`` with the places of the objects, if there are any.
  func refuse(_ findings: [StoreChecks.Finding], afterLoading loaded: Loaded) throws {
    try refuse(findings, loaded.learnt)
  }

  private func refuse(_ findings: [StoreChecks.Finding], _ learnt: LearntFacts) throws {
    guard !findings.isEmpty else { return }
    let search = ObjectSearch(findings.map(\.object) + findings.compactMap(\.other))
    var pass = RowPass(load: self, learnt: learnt, rows: nil, search: search)
    _ = try pass.run { _, _ in }
    let misfits = RowMisfits()
    for finding in findings {
      let found = search.places[finding.object]
      let other = finding.other.flatMap { key in
        search.places[key].map { RowMisfits.Other(key, document: $0.document, line: $0.line) }
      }
      misfits.add(
        finding.message, hint: finding.hint,
        at: found.map {
          .input(
            document: $0.document, line: $0.line, value: finding.value.map { Array($0.utf8) },
            object: .stored(finding.object))
        } ?? .known(nil), kind: "\(finding.object)", other: other)
    }
    try misfits.check(self, learnt)
  }

  /// What is known of the tables without reading them again.
  private func loaded(
    _ connection: Connection, _ filling: Filling, _ learnt: LearntFacts
  ) throws -> Loaded {
    let tallies = filling.rows.finishedTallies()
    var loaded = Loaded(
      connection: connection, tables: [], counts: [], knownRows: [:], learnt: learnt)
    for table in plan.layout.tables {
      var rowCount = tallies[table.name]?.count ?? 0
      if !filling.changedTables.contains(table.name) {
        loaded.knownRows[table.name] = tallies[table.name]?.rows
      } else if case .join = table.kind {
        let name = SQLiteName.quoted(table.name)
        rowCount = try connection.scalarInteger("SELECT count(*) FROM \(name)") ?? 0
      }
      loaded.tables.append(
        PublicationCheck.Table(
          name: table.name, rowCount: rowCount,
          indexCount: plan.layout.indexes.count { $0.contains(" ON \(table.name) ") },
          hasReferences: false))
    }
    loaded.counts = plan.layout.entities.compactMap { entity in
      entity.isAbstract ? nil : (entity.name, filling.rows.objectCount(ofEntity: entity.id))
    }
    return loaded
  }
}
