internal import SeedFiles
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// A build into a schema that is given or ruled: the inputs are staged as they stand, fitted to the
/// tables, and then converted row by row.
struct MappedBuild {
  let options: BuildOptions
  let valueRules: ValueRules
  let documents: [InputDocument]
  var pacing = Pacing()

  /// What the build filled.
  struct Result {
    var connection: Connection
    var tables: [PublicationCheck.Table]
    var rowCount: Int64
    var name: String
    /// The tables whose keys are numbers that the build gave the records.
    var numberedTables: Set<String>
  }

  /// The schema and what fills it.
  struct Fitted {
    var schema: TargetSchema
    var mapped: [MappedTable]
    /// Statements that make the schema, where it was inferred.
    var indexes: [String]
    /// What does not fit: values are then looked at all the same, but nothing is made of them.
    var report = MisfitReport()
  }

  /// Fills the database in an empty file.
  ///
  /// - Returns: The connection, with a transaction open.
  /// - Throws: ``BuildError`` with everything that does not fit, ``InputError``, ``SQLiteError``.
  func run(into path: String) throws -> Result {
    do {
      return try fillDatabase(path)
    } catch let error as SQLiteError
      where options.mapping.schema != nil && !error.isDiskFull && !error.isInputOutput
      && !error.cannotOpen && !error.isReadOnly
    {
      // All statements but those of the schema are ours, and known to be right.
      let isEndless = error.isInterrupted
      throw BuildError(
        .input,
        [
          Diagnostic(
            .error,
            isEndless
              ? "a trigger of the schema goes on without an end"
              : "SQLite refuses the schema: \(error.message)",
            at: options.mapping.schema.map { SourceLocation(file: $0.value) },
            hint: isEndless
              ? "give its recursion a condition or a LIMIT"
              : "functions, collations and virtual tables of an app are not at hand in a build")
        ])
    }
  }

  private func fillDatabase(_ path: String) throws -> Result {
    let staged = try stage()
    let given = try givenSchema()
    if let given { report(given) }
    var fitted = try fit(staged, given)
    for remark in fitted.report.remarks { options.onDiagnostic?(remark) }
    let connection = try BuildConnection.open(
      path, options, pageSize: fitted.schema.pageSize, autoVacuum: fitted.schema.autoVacuum)
    let application = TargetApplication(schema: fitted.schema, connection: connection)
    connection.limitSteps(to: options.mapping.mostSteps)
    let kept = try application.makeTables()
    if !kept.isEmpty { fitted.mapped = try refit(fitted, staged, kept) }
    // A unique index that is there finds a doubled row where it is.
    let unique = fitted.indexes.filter { $0.hasPrefix("CREATE UNIQUE") }
    for index in unique { try connection.execute(index) }
    let counts = try fill(&fitted, staged, connection)
    reportEmptiness(fitted, staged, counts)
    // Indexes of many rows take their time.
    connection.liftStepLimit()
    try application.makeOthers()
    for index in fitted.indexes where !unique.contains(index) { try connection.execute(index) }
    try checkReferences(fitted, staged, connection)
    return Result(
      connection: connection, tables: checks(fitted, counts),
      rowCount: counts.values.reduce(0, +), name: SourceName(documents.first?.name ?? "").stem,
      numberedTables: numberedTables(fitted))
  }

  /// The schema as a script, without filling it.
  ///
  /// - Throws: As ``run(into:)``.
  func schema() throws -> String {
    let staged = try stage()
    let fitted = try fit(staged, try givenSchema())
    try fitted.report.check(in: staged)
    for remark in fitted.report.remarks { options.onDiagnostic?(remark) }
    return (fitted.schema.objects.map(\.sql) + fitted.indexes).map { $0 + ";\n" }.joined()
  }

  private func givenSchema() throws -> TargetSchema? {
    try options.mapping.schema.map {
      try SchemaSource.read($0.value, mostSteps: options.mapping.mostSteps)
    }
  }

  private func stage() throws -> StagedInput {
    SQLite.configureForBulkLoad()
    let loaded = try InputLoading(
      options: options, documents: documents, rules: valueRules, isRaw: true, pacing: pacing
    ).run(path: nil, truncate: {})
    return StagedInput(loaded, documents: documents)
  }

  // MARK: Fitting

  private func fit(_ staged: StagedInput, _ given: TargetSchema?) throws -> Fitted {
    var report = MisfitReport()
    try EnvelopeCheck(staged: staged).run()
    let grouping = RecordGrouping(staged, report: &report)
    guard let given else { return try InferredFit(self, staged, grouping).run(&report) }
    var fit = SchemaFit(
      staged: staged, schema: given, groups: grouping.groups, rules: options.mapping,
      valueRules: valueRules, report: report)
    let mapped = try fit.run()
    var full = fit.report
    let indexes = IndexStatements(
      full.diagnostics.isEmpty ? options.mapping.indexes : [], schema: given, &full)
    return Fitted(
      schema: given, mapped: mapped, indexes: indexes.statements, report: full)
  }

  /// Fits again when rows that come with the schema have taken the first keys.
  private func refit(
    _ fitted: Fitted, _ staged: StagedInput, _ kept: [Int: Int64]
  ) throws -> [MappedTable] {
    var report = MisfitReport()
    var fit = SchemaFit(
      staged: staged, schema: fitted.schema,
      groups: RecordGrouping(staged, report: &report).groups, rules: options.mapping,
      valueRules: valueRules, report: MisfitReport())
    fit.keptOffsets = kept
    return try fit.run()
  }

  private func report(_ schema: TargetSchema) {
    for remark in schema.remarks { options.onDiagnostic?(remark) }
    for (table, column) in schema.textColumns {
      options.onDiagnostic?(
        Diagnostic(
          .warning,
          "column \"\(column)\" of \"\(table)\" is declared STRING and created as TEXT",
          at: options.mapping.schema.map { SourceLocation(file: $0.value) },
          hint: "SQLite takes STRING for a number type, which turns '007' into 7; declare TEXT"))
    }
  }

  // MARK: Filling

  private func fill(
    _ fitted: inout Fitted, _ staged: StagedInput, _ connection: Connection
  ) throws -> [Int: Int64] {
    var report = fitted.report
    let rules = options.mapping.references
    let order = FillOrder(fitted.mapped, rules: rules, schema: fitted.schema)
    let lookups = ReferenceLookups(
      rules, schema: fitted.schema, mapped: fitted.mapped, connection: connection)
    defer { lookups.close() }
    let deferred = try DeferredReferences(connection: connection)
    var counts: [Int: Int64] = [:]
    var gaps = TableGaps(rules, schema: fitted.schema, isFitted: report.diagnostics.isEmpty)
    for index in order.order where !report.isFull {
      let target = fitted.mapped[index].target
      let untold = gaps.untoldRules(of: fitted.mapped[index])
      let fill = TableFill(
        staged: staged, connection: connection, table: fitted.schema.tables[target],
        mappings: fitted.mapped, number: index, references: lookups,
        deferredRules: order.deferredRules, deferred: deferred,
        untoldRules: untold, isTrial: !gaps.isFitted || !untold.isEmpty)
      let before = report.diagnostics.count
      counts[target, default: 0] += try fill.run(&fitted.mapped[index], &report)
      if fill.isTrial || report.diagnostics.count > before { gaps.tables.insert(target) }
    }
    if !order.deferredRules.isEmpty {
      try deferred.resolve(
        rules, where: { !gaps.isUntold($0) }, schema: fitted.schema, lookups: lookups,
        mapped: fitted.mapped, &report)
    }
    if !report.diagnostics.isEmpty, !report.isFull, order.deferredRules.isEmpty {
      try addReferences(fitted, staged, connection, &report, without: gaps.tables)
    }
    try report.check(in: staged)
    return counts
  }

  /// Adds what can be told of foreign keys while other values do not fit: nothing of those to tables
  /// that lack rows because of it.
  private func addReferences(
    _ fitted: Fitted, _ staged: StagedInput, _ connection: Connection,
    _ report: inout MisfitReport, without gaps: Set<Int>
  ) throws {
    let names = gaps.map { SQLiteText.literal(fitted.schema.tables[$0].name.lowercased()) }
    do {
      try addReferences(
        fitted, staged, connection, &report,
        where: "WHERE lower(c.parent) NOT IN (\(names.joined(separator: ", ")))")
    } catch is SQLiteError {
      // What a foreign key needs may not be made yet; what was found before is worth saying.
    }
  }

  /// Says that nothing of the records has come into the database.
  private func reportEmptiness(
    _ fitted: Fitted, _ staged: StagedInput, _ counts: [Int: Int64]
  ) {
    guard counts.values.allSatisfy({ $0 == 0 }) else { return }
    let hasRecords = staged.tables.contains { $0.rowCount > 0 }
    guard hasRecords || fitted.schema.tables.isEmpty else { return }
    let what = fitted.schema.tables.isEmpty ? "no tables" : "no rows"
    options.onDiagnostic?(
      Diagnostic(
        .warning,
        hasRecords
          ? "all records are skipped or left out, so the database has \(what)"
          : "the input has no records, so the database has \(what)",
        at: documents.first.map { SourceLocation(file: $0.name) },
        hint: hasRecords ? "see \"skip\" in seed.json, and --ignore-extra" : nil))
  }

  private func checks(_ fitted: Fitted, _ counts: [Int: Int64]) -> [PublicationCheck.Table] {
    fitted.schema.tables.enumerated().map { number, table in
      PublicationCheck.Table(
        name: table.name, rowCount: counts[number] ?? 0,
        indexCount: fitted.schema.objects.count { $0.kind == .index && $0.table == table.name },
        hasReferences: !table.foreignKeys.isEmpty)
    }
  }

  /// The filled tables with a key that no value of the inputs goes into.
  private func numberedTables(_ fitted: Fitted) -> Set<String> {
    Set(
      fitted.mapped.filter { mapped in
        guard let key = fitted.schema.tables[mapped.target].rowIDAlias else { return false }
        guard let column = mapped.columns.first(where: { $0.target == key }) else { return true }
        if case .ordinal = column.source { return true }
        return false
      }.map { fitted.schema.tables[$0.target].name })
  }

  // MARK: References

  /// Foreign keys are looked at when everything is filled.
  private func checkReferences(
    _ fitted: Fitted, _ staged: StagedInput, _ connection: Connection
  ) throws {
    var report = MisfitReport()
    try addReferences(fitted, staged, connection, &report)
    try report.check(in: staged)
  }

  /// Adds the references to rows that are not there.
  private func addReferences(
    _ fitted: Fitted, _ staged: StagedInput, _ connection: Connection,
    _ report: inout MisfitReport, where condition: String = ""
  ) throws {
    try connection.forEachRow(
      """
      SELECT c."table", c.rowid, c.parent, f."from" FROM pragma_foreign_key_check AS c
      JOIN pragma_foreign_key_list(c."table") AS f ON f.id = c.fkid AND f.seq = 0 \(condition)
      """
    ) { row in
      let (table, parent, column) = (row.text(0), row.text(2), row.text(3))
      guard report.takes(table + column) else { return }
      let value =
        row.columnType(1) == .null
        ? nil
        : try connection.scalarText(
          "SELECT CAST(\(SQLiteName.quoted(column)) AS TEXT) FROM \(SQLiteName.quoted(table)) "
            + "WHERE rowid = ?1", .integer(row.integer(1)))
      report.add(
        Diagnostic(
          .error,
          "column \"\(column)\" of \"\(table)\" refers to \"\(value ?? "")\", which \"\(parent)\" lacks",
          hint: "add the row to \(parent), or correct the value"),
        about: try spot(of: value, column, table, fitted, staged), kind: table + column)
    }
  }

  /// The first record that has a value in a column.
  private func spot(
    of value: String?, _ column: String, _ table: String, _ fitted: Fitted, _ staged: StagedInput
  ) throws -> ValueSpot? {
    guard let value, let target = fitted.schema.table(matching: table) else { return nil }
    for mapping in fitted.mapped where mapping.target == target {
      for item in mapping.columns
      where fitted.schema.tables[target].columns[item.target].name == column {
        guard case .staged(let sql) = item.source else { continue }
        let rows = try staged.connection.rows(
          """
          SELECT t.\(StagedInput.lineColumn), t.\(StagedInput.placeColumn),
            t.\(StagedInput.ordinalColumn)
          FROM \(staged.tables[mapping.staged].sqlName) AS t WHERE \(sql) = ?1 LIMIT 1
          """, .text(value))
        guard case .integer(let line)? = rows.first?[0], case .integer(let place)? = rows.first?[1],
          case .integer(let ordinal)? = rows.first?[2]
        else { continue }
        return ValueSpot(
          line: Int(line), place: Int(place),
          record: ValueSpot.Record(place: Int(place), ordinal: ordinal), fields: item.fields,
          value: Array(value.utf8))
      }
    }
    return nil
  }
}
