internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Checks `Z_PRIMARYKEY`: the entities, their tables, and the highest key of each.
struct AccountCheck {
  let connection: Connection
  let catalog: StoreCatalog

  private var name: String { StoreCatalog.primaryKeyTable }

  // MARK: Entities

  /// What is wrong with the rows of entities and with the tables of these.
  func entityFindings(hashes: [String: [UInt8]]?) -> [Finding] {
    guard let table = catalog.table(name) else {
      return [finding(.storeEntities, "there is no table \"\(name)\"")]
    }
    let missing = StoreCatalog.missingColumns(of: table)
    guard missing.isEmpty else {
      return missing.map { finding(.storeEntities, "table \"\(name)\" has no column \"\($0)\"") }
    }
    var findings: [Finding] = []
    var names: Set<String> = []
    for entity in catalog.entities {
      if !names.insert(entity.name).inserted {
        findings.append(finding(.storeEntities, "entity \"\(entity.name)\" has two rows"))
      }
      if catalog.root(of: entity.id) == nil {
        findings.append(
          finding(
            .storeEntities,
            "entity \"\(entity.name)\" has the parent \(entity.parentID), from which no way leads to "
              + "an entity without a parent"))
      }
    }
    for name in (hashes ?? [:]).keys.sorted() where !names.contains(name) {
      findings.append(
        finding(.storeEntities, "entity \"\(name)\" has a version hash and no row"))
    }
    for root in catalog.roots {
      let table = ColumnNames.column(root.name)
      findings += catalog.faults(ofEntityTable: table).map { fault in
        finding(.storeTables, "\(fault), which entity \"\(root.name)\" needs", table: table)
      }
    }
    return Self.limited(findings)
  }

  private func finding(
    _ code: Finding.Code, _ message: String, table: String? = nil
  ) -> Finding {
    var finding = Finding(
      code, message, hint: "build the store again, or let the app write it")
    finding.table = table ?? name
    return finding
  }

  private static func limited(_ findings: [Finding]) -> [Finding] {
    guard findings.count > 4 * RowScan.limit, let first = findings.first else { return findings }
    let shown = findings.prefix(4 * RowScan.limit)
    return shown + [
      Finding(
        first.code, "\(findings.count - shown.count) more entities or tables are wrong",
        hint: first.hint)
    ]
  }

  // MARK: Keys

  /// The tables whose highest key is higher than the one noted, so that the next row that the app
  /// inserts meets one that is there.
  ///
  /// - Throws: ``SQLiteError``.
  func keyFindings(_ shape: StoreShape) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in shape.tables {
      guard let entity = catalog.entity(table.root.id) else { continue }
      let highest =
        try connection.scalarInteger("SELECT max(Z_PK) FROM \(SQLiteName.quoted(table.name))") ?? 0
      guard highest > entity.highestKey ?? 0 else { continue }
      let noted = entity.highestKey.map { "\($0)" } ?? "nothing"
      var finding = Finding(
        .storeHighestKey,
        "Z_MAX of \"\(entity.name)\" is \(noted), and row \(highest) of \"\(table.name)\" is there: "
          + "the app's next new objects would take keys that are in use",
        hint: "run: UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = \(entity.id);")
      finding.table = table.name
      finding.rowID = highest
      findings.append(finding)
    }
    return findings
  }
}
