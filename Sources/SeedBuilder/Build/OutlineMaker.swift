internal import SeedModel

/// Puts what was inferred from inputs into rules for their records.
struct OutlineMaker {
  private let input: StagedInput
  private let plan: LoadPlan
  private let schema: FinalSchema
  private let paths: RulePaths

  init(_ loaded: InputLoading.Loaded, documents: [InputDocument], schema: FinalSchema) {
    input = StagedInput(loaded, documents: documents)
    plan = loaded.loader.plan
    self.schema = schema
    paths = RulePaths(input)
  }

  /// The outline; records that no path tells apart from others are not in it, but named.
  func outline(onDiagnostic: ((Diagnostic) -> Void)?) -> BuildOutline {
    var records: [BuildOutline.Record] = []
    for table in input.tables.indices {
      for place in input.tables[table].places {
        guard let path = paths.path(of: place) else {
          onDiagnostic?(remark(on: place))
          continue
        }
        var rule = RecordRule(path: Located(path))
        rule.table = Located(schema.tables[table].name)
        rule.columns = columns(of: place, in: table)
        records.append(BuildOutline.Record(input: input.document(of: place), rule: rule))
      }
    }
    return BuildOutline(name: input.facts.roots.first.map(name) ?? "", records: records)
  }

  private func name(of place: Int) -> String { input.facts.places[place].name.local }

  private func remark(on place: Int) -> Diagnostic {
    Diagnostic(
      .warning, "no path leads to \"\(input.path(of: place))\" alone, so no rule can name it",
      at: SourceLocation(file: input.documents[input.document(of: place)].name),
      hint: "such records follow from the data")
  }

  // MARK: Columns

  private func columns(of place: Int, in table: Int) -> [ColumnRule] {
    let staged = input.tables[table]
    let isXML = !input.hasNamelessRoot(place)
    return staged.columns.indices.compactMap { index in
      guard input.isOf([place], index, of: table),
        let from = staged.pathText(
          of: index, isXML: isXML && !input.isChild(index, of: place)),
        RulePaths.isPath(from)
      else { return nil }
      var rule = ColumnRule(name: Located(schema.tables[table].columns[index].name))
      rule.from = Located(from)
      let type = plan.tables[table].columns[index].type
      rule.type = Located(type.declared)
      rule.format = type.format.map { Located($0) }
      return rule
    }
  }
}

extension ColumnType {
  /// The type as a rule declares it.
  fileprivate var declared: DeclaredType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .dateTime: .datetime
    case .text: .text
    case .blob: .blob
    }
  }

  /// The pattern of dates that are not in ISO 8601; times behind them need none.
  fileprivate var format: String? {
    switch self {
    case .date(let form) where form != .isoDate && form != .declared: form.pattern
    case .dateTime(let form): form.dateOnly?.pattern
    default: nil
    }
  }
}
