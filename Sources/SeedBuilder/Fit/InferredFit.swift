internal import SeedModel
internal import SeedSQLite

/// Fits staged records to a schema that is made for them.
struct InferredFit {
  private let build: MappedBuild
  private let staged: StagedInput
  private let grouping: RecordGrouping

  init(_ build: MappedBuild, _ staged: StagedInput, _ grouping: RecordGrouping) {
    self.build = build
    self.staged = staged
    self.grouping = grouping
  }

  /// Makes the schema.
  ///
  /// - Throws: ``BuildError`` with everything that does not fit, ``SQLiteError``.
  func run(_ report: inout MisfitReport) throws -> MappedBuild.Fitted {
    let rules = build.options.mapping
    var target = InferredTarget(staged, grouping, rules, build.valueRules)
    for name in target.reserved {
      report.add(
        "a table cannot be called \"\(name.value)\"", at: name.location,
        hint: ReservedNames.hint)
    }
    for (first, other) in target.contradictions {
      report.add(
        "column \"\(other.column)\" of \"\(other.table)\" is \(other.type) by this rule and "
          + "\(first.type) by the one at \(first.location?.description ?? "the same place")",
        at: other.location, hint: "say one type in both, or give the records tables of their own")
    }
    try report.check()
    // Keys are found among the columns, and references to them follow from the keys.
    let provisional = try fit(target, MisfitReport()).mapped
    for table in target.schema.tables.indices {
      target.setKey(try key(of: table, target, provisional), of: table)
    }
    target.referToKeys()
    var fitted = try fit(target, report)
    report = fitted.report
    let columns = try types(&target, &fitted.mapped, &report)
    let final = InferredStatements(target, columns)
    var schema = target.schema
    schema.objects = final.objects
    let indexes = IndexStatements(
      report.diagnostics.isEmpty ? rules.indexes : [], schema: schema, &report)
    try report.check()
    return MappedBuild.Fitted(
      schema: schema, mapped: fitted.mapped, indexes: indexes.statements, report: report)
  }

  private func fit(
    _ target: InferredTarget, _ report: MisfitReport
  ) throws -> (mapped: [MappedTable], report: MisfitReport) {
    var fit = SchemaFit(
      staged: staged, schema: target.schema, groups: target.groups,
      rules: build.options.mapping, valueRules: build.valueRules, report: report)
    let mapped = try fit.run()
    return (mapped, fit.report)
  }

  // MARK: Keys

  /// The first column `id` whose values are unique integers in every row.
  private func key(
    of table: Int, _ target: InferredTarget, _ mapped: [MappedTable]
  ) throws -> Int? {
    for index in target.keyCandidates(of: table) {
      let survey = try survey(of: index, in: table, mapped)
      guard survey.statistics.columnType == .integer, survey.isFilled(as: .integer),
        try survey.rowCount == rowCount(of: table, mapped), try isUnique(index, in: table, mapped)
      else { continue }
      return index
    }
    return nil
  }

  private func rowCount(of table: Int, _ mapped: [MappedTable]) throws -> Int {
    var count: Int64 = 0
    for mapping in mapped where mapping.target == table {
      count +=
        try staged.connection.scalarInteger(
          "SELECT count(*) FROM \(rows(of: mapping))") ?? 0
    }
    return Int(count)
  }

  private func rows(of mapping: MappedTable) -> String {
    let list = mapping.places.map(String.init).joined(separator: ",")
    return "\(staged.tables[mapping.staged].sqlName) AS t "
      + "WHERE t.\(StagedInput.placeColumn) IN (\(list))"
  }

  private func isUnique(_ column: Int, in table: Int, _ mapped: [MappedTable]) throws -> Bool {
    let selects = mapped.filter { $0.target == table }.compactMap { mapping in
      mapping.columns.first { $0.target == column }.flatMap { item in
        if case .staged(let sql) = item.source {
          "SELECT \(sql) AS v FROM \(rows(of: mapping))"
        } else {
          nil as String?
        }
      }
    }
    let union = InferredFit.union(of: selects)
    return try staged.connection.scalarInteger(
      "SELECT count(*) = count(DISTINCT v) FROM (\(union))") == 1
  }

  /// So many queries are put into one: SQLite takes no more than 500.
  private static let mostUnited = 400

  /// The rows of all of some queries for a value `v`.
  private static func union(of selects: [String]) -> String {
    var selects = selects
    while selects.count > mostUnited {
      selects = stride(from: 0, to: selects.count, by: mostUnited).map { start in
        let part = selects[start..<min(start + mostUnited, selects.count)]
        return "SELECT v FROM (\(part.joined(separator: " UNION ALL ")))"
      }
    }
    return selects.joined(separator: " UNION ALL ")
  }

  private func survey(
    of column: Int, in table: Int, _ mapped: [MappedTable]
  ) throws -> ColumnSurvey {
    var survey = ColumnSurvey(rules: build.valueRules)
    for mapping in mapped where mapping.target == table {
      for item in mapping.columns where item.target == column {
        try survey.add(item, of: mapping, staged)
      }
    }
    return survey
  }

  // MARK: Types

  /// Decides on the types that are still open, and on NOT NULL.
  private func types(
    _ target: inout InferredTarget, _ mapped: inout [MappedTable], _ report: inout MisfitReport
  ) throws -> [[FinalSchema.Column]] {
    var result: [[FinalSchema.Column]] = []
    for table in target.schema.tables.indices {
      var columns: [FinalSchema.Column] = []
      for index in target.schema.tables[table].columns.indices {
        columns.append(try column(index, in: table, &target, &mapped, &report))
      }
      result.append(columns)
    }
    return result
  }

  private func column(
    _ index: Int, in table: Int, _ target: inout InferredTarget, _ mapped: inout [MappedTable],
    _ report: inout MisfitReport
  ) throws -> FinalSchema.Column {
    let column = target.schema.tables[table].columns[index]
    var result = FinalSchema.Column(name: column.name, declaredType: column.declaredType)
    result.isKey = column.keyPosition > 0
    result.references =
      target.schema.tables[table].foreignKeys.first {
        $0.columns[0].from == column.name
      }?.table
    let rowCount = try rowCount(of: table, mapped)
    let survey = try survey(of: index, in: table, mapped)
    if column.declaredType.isEmpty {
      let type = constantType(index, in: table, mapped) ?? survey.statistics.columnType
      let remark = ColumnRemark(
        column: column.name, table: target.schema.tables[table].name, rules: build.valueRules
      ).remark(on: survey.statistics, in: document(of: index, in: table, mapped))
      if let remark { report.remark(remark) }
      result.declaredType = type.declaredType
      target.declare(type.declaredType, for: index, of: table)
      for mapping in mapped.indices where mapped[mapping].target == table {
        for item in mapped[mapping].columns.indices
        where mapped[mapping].columns[item].target == index {
          mapped[mapping].columns[item].conversion.rule = .inferred(
            ColumnConverter(type: type, statistics: survey.statistics))
          mapped[mapping].columns[item].conversion.keepsEmptyText =
            type == .text || type == .blob
        }
      }
      if let place = mapped.first(where: { $0.target == table })?.places.first,
        let remark = CommaRemark.remark(
          on: survey.statistics, column: column.name, table: target.schema.tables[table].name,
          in: staged.documents[staged.document(of: place)].name)
      {
        build.options.onDiagnostic?(remark)
      }
      result.isNotNull = survey.rowCount == rowCount && survey.isFilled(as: type)
    } else {
      result.isNotNull =
        survey.rowCount == rowCount && rowCount > 0 && survey.valueCount == rowCount
        && (survey.emptyCount == 0 || keepsEmptyText(index, in: table, mapped))
    }
    if result.references != nil {
      result.isNotNull = try isReferenceFilled(index, in: table, target.schema, mapped)
    }
    if result.isKey { result.isNotNull = false }
    if !result.isKey, result.references == nil {
      result.defaultSQL = defaultSQL(of: index, in: table, mapped)
    }
    return result
  }

  /// What an absent value becomes wherever a row comes from, as SQL.
  ///
  /// The column declares it, so that SQLite can add a NOT NULL column to a database that has rows.
  private func defaultSQL(
    of column: Int, in table: Int, _ mapped: [MappedTable]
  ) -> String? {
    let values = mapped.filter { $0.target == table }.map { mapping -> RuleValue? in
      let item = mapping.columns.first { $0.target == column }
      guard case .value(let value)? = item?.defaultValue else { return nil }
      return value
    }
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return first?.sqlLiteral
  }

  /// The name of the first document with records that have a column.
  private func document(of column: Int, in table: Int, _ mapped: [MappedTable]) -> String {
    let place = mapped.first { mapping in
      mapping.target == table && mapping.columns.contains { $0.target == column }
    }?.places.first
    return place.map { staged.documents[staged.document(of: $0)].name } ?? ""
  }

  /// Whether empty values of a column are values wherever they come from.
  private func keepsEmptyText(_ column: Int, in table: Int, _ mapped: [MappedTable]) -> Bool {
    mapped.filter { $0.target == table }.flatMap(\.columns).allSatisfy {
      $0.target != column || $0.conversion.keepsEmptyText
    }
  }

  private func constantType(
    _ column: Int, in table: Int, _ mapped: [MappedTable]
  ) -> SeedModel.ColumnType? {
    var types: [SeedModel.ColumnType] = []
    for mapping in mapped where mapping.target == table {
      for item in mapping.columns where item.target == column {
        guard case .constant(let value) = item.source else { continue }
        switch value {
        case .plain(.integer): types.append(.integer)
        case .plain(.number): types.append(.real)
        case .plain(.bool): types.append(.boolean(.trueFalse))
        case .plain: types.append(.text)
        case .data: types.append(.blob)
        }
      }
    }
    // Constants of several types stay what they are as texts.
    return types.allSatisfy { $0 == types.first } ? types.first : .text
  }

  private func isReferenceFilled(
    _ column: Int, in table: Int, _ schema: TargetSchema, _ mapped: [MappedTable]
  ) throws -> Bool {
    var hasRows = false
    for mapping in mapped where mapping.target == table {
      guard let item = mapping.columns.first(where: { $0.target == column }) else { return false }
      let sql: String
      switch item.source {
      case .staged(let text), .parentKey(let text, _): sql = text
      case .reference(let rule, let text):
        let keys = NaturalKeySurvey(
          rule: rule, rules: build.options.mapping.references, schema: schema, mapped: mapped)
        guard try keys.areFilled(text, in: mapping, rows: rows(of: mapping), staged) else {
          return false
        }
        sql = text
      case .ordinal, .constant: return false
      }
      let counts = try staged.connection.rows(
        "SELECT count(*), count(\(sql)) FROM \(rows(of: mapping))")
      guard let row = counts.first, row[0] == row[1] else { return false }
      if row[0] != .integer(0) { hasRows = true }
    }
    return hasRows
  }
}
