internal import SeedMerge

/// Tells a table or column that the database has lost from one that the app has not made yet.
///
/// Both are allowed and not there. What was written so far is known by its digest alone: if that is
/// the digest of what is there and of some that is not, these were there once. Without them the
/// stream would go on, and what the app has now in their place would be left as it is for ever.
internal struct LostTables {
  /// A table, or a column of one, that is allowed and published and not there.
  private struct Missing {
    var table: String
    var column: String?
    /// The table as it would be with it alone.
    var whole: StreamTable
  }

  private let missing: [Missing]
  /// The digest of what was written so far.
  private let applied: String

  /// With more than so many, all together are tried and not each choice of them.
  private static let choiceLimit = 8

  /// Looks what is missing.
  internal init(state: StreamState, published: [StreamTable]) {
    var missing: [Missing] = []
    for table in state.allowed {
      guard let source = published.first(where: { $0.name == table.name }) else { continue }
      let local = state.tables.first { $0.name == table.name }
      let columns = source.columns.filter { column in
        table.columns.contains(column.name)
          && local?.columns.contains { $0.name == column.name } != true
      }
      guard local != nil else {
        let whole = StreamTable(name: table.name, key: table.key, columns: columns)
        missing.append(Missing(table: table.name, whole: whole))
        continue
      }
      for column in columns {
        let whole = StreamTable(name: table.name, key: table.key, columns: [column])
        missing.append(Missing(table: table.name, column: column.name, whole: whole))
      }
    }
    self.missing = missing
    applied = state.appliedSchema
  }

  /// The first that was there when rows were last written.
  ///
  /// - Parameter tables: What is written now.
  /// - Returns: Nil if none was.
  internal func found(beside tables: [StreamTable]) -> (table: String, column: String?)? {
    guard !missing.isEmpty else { return nil }
    var choices = [missing]
    if missing.count <= Self.choiceLimit {
      choices = (1..<1 << missing.count).map { choice in
        missing.enumerated().filter { choice & (1 << $0.offset) != 0 }.map(\.element)
      }
    }
    for chosen in choices {
      if SchemaDigest.compute(Self.adding(chosen, to: tables)) == applied {
        return chosen.first.map { ($0.table, $0.column) }
      }
    }
    return nil
  }

  private static func adding(_ missing: [Missing], to tables: [StreamTable]) -> [StreamTable] {
    var tables = tables
    for item in missing {
      if let index = tables.firstIndex(where: { $0.name == item.table }) {
        tables[index].columns += item.whole.columns
      } else {
        tables.append(item.whole)
      }
    }
    return tables
  }
}
