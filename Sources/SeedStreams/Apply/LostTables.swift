internal import SeedMerge

/// Tells a table or column that the database has lost from one that the app has not made yet.
///
/// Both are allowed and not there. What was written so far is known by its digest alone: if that is
/// the digest of what is there and of some that is not, these were there once. Without them the
/// stream would go on, and what the app has now in their place would be left as it is for ever.
internal struct LostTables {
  /// A table, or a column of one, that is allowed and not there.
  private struct Missing {
    var table: String
    var column: String?
    var key: [String]
    /// The columns that are missing with it, each in all forms that it may have had.
    var columns: [[StreamColumn]]
  }

  private let missing: [Missing]
  /// The digest of what was written so far.
  private let applied: String

  /// With more than so many, all together are tried and not each choice of them.
  private static let choiceLimit = 8
  /// More digests are not tried: a source that does not say what it carries leaves the affinities
  /// open.
  private static let trialLimit = 20_000
  private static let affinities = ["TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC"]

  /// Looks what is missing of what a source carries.
  internal init(state: StreamState, published: [StreamTable]) {
    self.init(state) { table in
      published.first { $0.name == table.name }.map { source in
        source.columns.filter { table.columns.contains($0.name) }.map { [$0] }
      }
    }
  }

  /// Looks what is missing where the source does not say what it carries.
  internal init(state: StreamState) {
    self.init(state) { table in
      table.columns.map { name in
        Self.affinities.map { StreamColumn(name: name, affinity: $0) }
      }
    }
  }

  private init(_ state: StreamState, _ columns: (DeclaredTable) -> [[StreamColumn]]?) {
    var missing: [Missing] = []
    for table in state.allowed {
      guard let columns = columns(table) else { continue }
      let local = state.tables.first { $0.name == table.name }
      let absent = columns.filter { forms in
        local?.columns.contains { $0.name == forms.first?.name } != true
      }
      guard local != nil else {
        missing.append(Missing(table: table.name, key: table.key, columns: absent))
        continue
      }
      for forms in absent {
        missing.append(
          Missing(
            table: table.name, column: forms.first?.name, key: table.key, columns: [forms]))
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
    var trials = 0
    for chosen in choices {
      var forms = chosen.map { $0.columns.map { _ in 0 } }
      repeat {
        trials += 1
        guard trials <= Self.trialLimit else { return nil }
        if SchemaDigest.compute(Self.adding(chosen, forms, to: tables)) == applied {
          return chosen.first.map { ($0.table, $0.column) }
        }
      } while Self.advance(&forms, chosen)
    }
    return nil
  }

  /// Goes on to the next forms of the columns, as a counter does; false after the last ones.
  private static func advance(_ forms: inout [[Int]], _ chosen: [Missing]) -> Bool {
    for item in chosen.indices {
      for column in chosen[item].columns.indices {
        forms[item][column] += 1
        if forms[item][column] < chosen[item].columns[column].count { return true }
        forms[item][column] = 0
      }
    }
    return false
  }

  private static func adding(
    _ missing: [Missing], _ forms: [[Int]], to tables: [StreamTable]
  ) -> [StreamTable] {
    var tables = tables
    for (item, forms) in zip(missing, forms) {
      let columns = zip(item.columns, forms).map { $0[$1] }
      if let index = tables.firstIndex(where: { $0.name == item.table }) {
        tables[index].columns += columns
      } else {
        tables.append(StreamTable(name: item.table, key: item.key, columns: columns))
      }
    }
    return tables
  }
}
