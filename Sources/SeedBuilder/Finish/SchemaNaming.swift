internal import SeedModel

/// Gives tables, columns and indexes their names.
///
/// SQLite compares names without regard to the case of ASCII letters, so names that differ in
/// nothing else clash.
struct SchemaNaming {
  private let plan: LoadPlan
  /// Whether each column of each table has a value in every row.
  private let isFilled: [[Bool]]

  init(plan: LoadPlan, isFilled: [[Bool]]) {
    self.plan = plan
    self.isFilled = isFilled
  }

  func schema() -> FinalSchema {
    let tableNames = nameTables()
    var schema = FinalSchema()
    var taken = Set(tableNames.map { SchemaNaming.folded($0) })
    for (index, table) in plan.tables.enumerated() {
      let columnNames = nameColumns(of: table, tableNames)
      var result = FinalSchema.Table(name: tableNames[index], columns: [])
      for (column, name) in zip(table.columns.indices, columnNames) {
        let definition = self.definition(
          of: column, in: table, named: name, isFilled: isFilled[index][column], tableNames)
        result.columns.append(definition)
        guard definition.references != nil else { continue }
        let indexName = SchemaNaming.freeForObject("\(tableNames[index])_\(name)", &taken)
        result.indexes.append(FinalSchema.Index(name: indexName, column: name, position: column))
      }
      schema.tables.append(result)
    }
    return schema
  }

  private func definition(
    of index: Int, in table: TablePlan, named name: String, isFilled: Bool,
    _ tableNames: [String]
  ) -> FinalSchema.Column {
    let column = table.columns[index]
    var result = FinalSchema.Column(name: name, declaredType: column.type.declaredType)
    if index == table.keyColumn {
      result.isKey = true
      return result
    }
    result.isNotNull = isFilled
    if case .parent(let parent) = column.source { result.references = tableNames[parent] }
    return result
  }

  // MARK: Names

  /// The name of each table.
  func nameTables() -> [String] {
    var taken: Set<String> = []
    let spelled = SchemaNaming.spellings(of: plan.tables.map(\.name))
    var names = Array(repeating: "", count: plan.tables.count)
    let own = plan.tables.map(\.name).filter { !$0.isMadeUp }
      .map { SchemaNaming.folded(spelled[$0] ?? $0.local) }
    // The document's own names come first; those that we make give way.
    for isMadeUp in [false, true] {
      for (index, table) in plan.tables.enumerated() where table.name.isMadeUp == isMadeUp {
        names[index] = SchemaNaming.freeForObject(
          spelled[table.name] ?? table.name.local, &taken, besides: Set(own))
      }
    }
    return names
  }

  /// The names of a table's columns.
  func nameColumns(of table: TablePlan, _ tableNames: [String]) -> [String] {
    var names = Array(repeating: "", count: table.columns.count)
    var taken: Set<String> = []
    let spelled = SchemaNaming.spellings(of: table.columns.compactMap(\.source.documentName))
    let own = Set(
      table.columns.compactMap(\.source.documentName).filter { !$0.isMadeUp }
        .map { SchemaNaming.folded(spelled[$0] ?? $0.local) })
    // The document's own names come first; those that we make give way.
    for (index, column) in table.columns.enumerated() {
      guard let name = column.source.documentName, !name.isMadeUp else { continue }
      names[index] = SchemaNaming.free(spelled[name] ?? name.local, &taken, besides: own)
    }
    for (index, column) in table.columns.enumerated() {
      switch column.source {
      case .text: names[index] = SchemaNaming.free("text", &taken)
      case .parent(let parent):
        let isOwnKind = plan.tables[parent].name == table.name
        names[index] = SchemaNaming.free(
          isOwnKind ? "parent_id" : tableNames[parent] + "_id", &taken)
      case .attribute(let name) where name.isMadeUp:
        names[index] = SchemaNaming.free(
          taken.contains(SchemaNaming.folded(name.local)) ? "_" + name.local : name.local, &taken)
      case .attribute, .child, .generatedKey, .line, .place: break
      }
    }
    if table.hasGeneratedKey {
      let name = taken.contains("id") ? "_id" : "id"
      names[table.keyColumn] = SchemaNaming.free(name, &taken)
    }
    return names
  }

  /// How each name is spelt: with its prefix only where two names would otherwise be the same.
  private static func spellings(of names: [QualifiedName]) -> [QualifiedName: String] {
    let byLocal = Dictionary(grouping: Set(names)) { folded($0.local) }
    var result: [QualifiedName: String] = [:]
    for name in names {
      let clashes = (byLocal[folded(name.local)]?.count ?? 0) > 1
      result[name] = clashes ? name.prefix.map { "\($0):\(name.local)" } : name.local
    }
    return result
  }

  /// The name, with a number if it is taken.
  ///
  /// No name with a number is one of those in `own`: who has that name has to keep it, so that a
  /// name in a schema means the same values as in the document.
  private static func free(
    _ name: String, _ taken: inout Set<String>, besides own: Set<String> = [],
    spelling: (String) -> String = { $0 }
  ) -> String {
    var candidate = spelling(name)
    var number = 1
    while number > 1 && own.contains(folded(candidate))
      || !taken.insert(folded(candidate)).inserted
    {
      number += 1
      candidate = spelling("\(name)_\(number)")
    }
    return candidate
  }

  /// The name for a table or an index, with a number if it is taken.
  ///
  /// SQLite keeps names that begin with `sqlite_` for itself, and the stamp those with `_seed`.
  /// A plain `sqlite` is allowed, but not with a number or a column behind it.
  static func freeForObject(
    _ name: String, _ taken: inout Set<String>, besides own: Set<String> = []
  ) -> String {
    free(name, &taken, besides: own) { candidate in
      let folded = folded(candidate)
      return folded.hasPrefix("sqlite_") || folded.hasPrefix("_seed") ? "_" + candidate : candidate
    }
  }

  /// Whether two names are written with the same bytes.
  static func isSame(_ a: String, _ b: String) -> Bool {
    // The first comparison is quick, but takes strings for equal of which only the meaning is.
    a == b && a.utf8.elementsEqual(b.utf8)
  }

  /// The name as SQLite compares it: ASCII letters in lower case, all else as it is.
  ///
  /// Spelt out byte by byte, as scalars: equal strings in Swift may differ for SQLite.
  static func folded(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "A"..."Z": result += String(UnicodeScalar(UInt8(scalar.value) | 0x20))
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }
}
