package import SeedBuilder
internal import SeedFormat
internal import SeedModel
package import SeedSQLite

/// Checks what Core Data demands of a store, whoever made it.
///
/// Core Data itself looks at the version hashes only when it opens a store; all else shows later, at
/// a fetch or a save, in the app.
package struct StoreVerification: ContentCheck {
  private let model: StoreModel?
  private let now: Int64?

  /// - Parameters:
  ///   - model: The model that the store should be of, if it is known.
  ///   - now: Today in seconds since 1970; nil to ask the clock.
  package init(model: StoreModel? = nil, now: Int64? = nil) {
    self.model = model
    self.now = now
  }

  /// Whether a database is a store: it has the tables of Core Data's accounts.
  ///
  /// Who gives a model means a store in any case.
  package func applies(to connection: Connection) throws(SQLiteError) -> Bool {
    if model != nil { return true }
    return try Self.isStore(connection)
  }

  /// Whether a database has a table that Core Data keeps its accounts in, with two of its columns.
  ///
  /// In a damaged store only one of them may be there, with a column missing; but what merely
  /// has the name is somebody's data, since any document may have such elements.
  static func isStore(_ connection: Connection) throws(SQLiteError) -> Bool {
    for (table, columns) in accounts {
      let found = try connection.rows("SELECT name FROM pragma_table_info(?1)", .text(table))
      let names = found.compactMap { row in
        if case .text(let name) = row[0] { name.uppercased() } else { nil as String? }
      }
      if columns.count(where: names.contains) > 1 { return true }
    }
    return false
  }

  private static let accounts: [(table: String, columns: [String])] = [
    (StoreMetadata.tableName, ["Z_VERSION", "Z_UUID", "Z_PLIST"]),
    (StoreCatalog.primaryKeyTable, ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
  ]

  /// A store need not come from Seed, and Core Data leaves its stores in WAL mode.
  package func appraise(_ finding: Finding) -> Finding? {
    switch finding.code {
    case .stampMissing: return nil
    case .walMode:
      return Finding(
        .walMode, .note, "the store is in WAL mode, as Core Data leaves it",
        hint:
          "run \"PRAGMA journal_mode = DELETE\" on a store that is shipped: it cannot be opened "
          + "in places that can only be read")
    default: return finding
    }
  }

  package func findings(in connection: Connection) throws(SQLiteError) -> [Finding] {
    let catalog = try StoreCatalog(connection)
    let metadata = try MetadataCheck(catalog, connection)
    var findings = metadata.findings
    let comparison = model.map { ModelComparison($0, catalog, hashes: metadata.hashes) }
    findings += comparison?.findings ?? []
    let accounts = AccountCheck(connection: connection, catalog: catalog)
    findings += accounts.entityFindings(hashes: metadata.hashes)
    let shape =
      if let model, comparison?.isSameModel == true {
        StoreShape(model.model, model.layout, catalog)
      } else {
        StoreShape(catalog)
      }
    let queryable = shape.queryable(in: catalog)
    findings += try accounts.keyFindings(queryable)
    let dates = DateRule(now: try today(connection))
    var rows = try RowCheck(
      connection: connection, shape: queryable, catalog: catalog, dates: dates
    ).findings()
    rows = Self.ordered(rows)
    rows += try ConstraintCheck(connection: connection, catalog: catalog).findings(queryable)
    findings += rows.map { Self.advised($0, catalog) }
    findings +=
      model.map { UncheckedPattern.all(of: $0.model) }.map { patterns in
        patterns.map {
          Finding(
            .storePattern, .note, "\($0.location): \($0.message)", hint: UncheckedPattern.hint)
        }
      } ?? []
    return findings + (try FormatCheck(connection: connection, catalog: catalog).findings())
  }

  /// The findings in the order in which they have to be repaired: columns with the entity of a row
  /// referred to are set from that row, and a key decides which one that is.
  private static func ordered(_ findings: [Finding]) -> [Finding] {
    func step(_ code: Finding.Code) -> Int {
      switch code {
      case .storeEntityMissing, .storeEntityWrong: 0
      case .storeReference: 1
      case .storeReferenceEntity: 2
      default: 3
      }
    }
    return findings.enumerated().sorted { one, other in
      (step(one.element.code), one.offset) < (step(other.element.code), other.offset)
    }.map(\.element)
  }

  /// Says what else it takes to change rows by hand where triggers are in the way.
  ///
  /// The statements of hints change columns that run none.
  private static func advised(_ finding: Finding, _ catalog: StoreCatalog) -> Finding {
    let tables = [finding.table, finding.parentTable].compactMap(\.self)
    guard !finding.hint.contains("run: "), tables.contains(where: catalog.hasDerivingTriggers)
    else {
      return finding
    }
    var finding = finding
    finding.hint +=
      "; in sqlite3, say \".dbconfig enable_trigger off\" before, for the triggers call functions "
      + "that only Core Data has, and verify the counts again"
    return finding
  }

  private func today(_ connection: Connection) throws(SQLiteError) -> Int64 {
    if let now { return now }
    return try connection.scalarInteger("SELECT CAST(strftime('%s', 'now') AS INTEGER)") ?? 0
  }
}
