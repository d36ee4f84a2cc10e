internal import SeedModel

/// Gives tables and columns their names, by the rules of a build.
///
/// SQLite compares names without regard to the case of ASCII letters, so names that differ in
/// nothing else clash.
internal enum AnswerNaming {
  /// Names tables and their columns.
  ///
  /// - Parameters:
  ///   - tables: The tables.
  ///   - records: The names of all records in their order, those without a table among them.
  static func name(_ tables: inout [AnswerTable], amongRecords records: [QualifiedName]) {
    var taken: Set<String> = []
    var nameOfRecord: [QualifiedName: String] = [:]
    let own = Set(records.filter { !$0.isMadeUp }.map { folded($0.local) })
    // The answer's own names come first; those that are made give way.
    for isMadeUp in [false, true] {
      for record in records where record.isMadeUp == isMadeUp {
        nameOfRecord[record] = freeForObject(record.local, &taken, besides: own)
      }
    }
    for index in tables.indices {
      tables[index].name = nameOfRecord[tables[index].recordName] ?? tables[index].recordName.local
    }
    let names = tables.map(\.name)
    for index in tables.indices { nameColumns(of: &tables[index], names) }
  }

  private static func nameColumns(of table: inout AnswerTable, _ tableNames: [String]) {
    var taken: Set<String> = []
    let own = Set(
      table.columns.compactMap(documentName).filter { !$0.isMadeUp }.map { folded($0.local) })
    for index in table.columns.indices {
      guard let name = documentName(table.columns[index]), !name.isMadeUp else { continue }
      table.columns[index].name = free(name.local, &taken, besides: own)
    }
    for index in table.columns.indices {
      switch table.columns[index].source {
      case .parent(let parent):
        let isOwnKind = tableNames[parent] == table.name
        table.columns[index].name = free(
          isOwnKind ? "parent_id" : tableNames[parent] + "_id", &taken)
      case .value(let name) where name.isMadeUp:
        table.columns[index].name = free(
          taken.contains(folded(name.local)) ? "_" + name.local : name.local, &taken)
      case .value, .child, .generatedKey: break
      }
    }
    if table.hasGeneratedKey {
      table.columns[table.keyColumn].name = free(taken.contains("id") ? "_id" : "id", &taken)
    }
  }

  private static func documentName(_ column: AnswerTable.Column) -> QualifiedName? {
    switch column.source {
    case .value(let name), .child(let name): name
    case .generatedKey, .parent: nil
    }
  }

  /// The name, with a number if it is taken; no name with a number is one of those in `own`.
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
  /// SQLite keeps names that begin with `sqlite_` for itself, and Seed those with `_seed`.
  static func freeForObject(
    _ name: String, _ taken: inout Set<String>, besides own: Set<String> = []
  ) -> String {
    free(name, &taken, besides: own) { candidate in
      let folded = folded(candidate)
      return folded.hasPrefix("sqlite_") || folded.hasPrefix("_seed") ? "_" + candidate : candidate
    }
  }

  /// The name as SQLite compares it: ASCII letters in lower case, all else as it is.
  ///
  /// Spelt out as scalars: equal strings in Swift may differ for SQLite.
  static func folded(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "A"..."Z": result += String(UnicodeScalar(UInt8(scalar.value) | 0x20))
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }
}
