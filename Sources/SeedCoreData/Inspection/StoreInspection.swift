internal import SeedBuilder
internal import SeedFormat
internal import SeedModel
package import SeedSQLite

/// Describes a Core Data store by its entities.
package struct StoreInspection {
  private let store: StoreModel?

  /// - Parameter model: The model of the store, if it is known.
  package init(model: StoreModel? = nil) {
    store = model
  }

  /// The report on a database; nil if it is no store.
  ///
  /// - Throws: ``SQLiteError`` when the database cannot be read.
  package func report(on connection: Connection) throws(SQLiteError) -> StoreReport? {
    guard try StoreVerification.isStore(connection) else { return nil }
    let catalog = try StoreCatalog(connection)
    let metadata = try MetadataCheck(catalog, connection)
    var notes = metadata.findings.map(\.message)
    let comparison = store.map { ModelComparison($0, catalog, hashes: metadata.hashes) }
    notes += comparison?.findings.map(\.message) ?? []
    let members = metadata.members
    let version = members["NSPersistenceFrameworkVersion"]?.integer
    let counts = try RowCounts(catalog, connection)
    notes += counts.notes
    let entities: [StoreReport.Entity]
    let isModelKnown = comparison?.isSameModel == true
    if let store, isModelKnown {
      entities = ModelEntities(store: store, counts: counts).entities
    } else {
      entities =
        CatalogEntities(catalog: catalog, counts: counts, frameworkVersion: version).entities
    }
    return StoreReport(
      uuid: metadata.uuid, frameworkVersion: version,
      modelIdentifiers: (members["NSStoreModelVersionIdentifiers"]?.array ?? []).compactMap(
        \.string
      )
      .filter { !$0.isEmpty },
      hashesVersion: members["NSStoreModelVersionHashesVersion"]?.integer,
      checksum: members["NSStoreModelVersionChecksumKey"]?.string
        ?? metadata.hashes.map { EntityHashes($0).checksum },
      isModelKnown: isModelKnown, entities: entities,
      otherTables: otherTables(entities, catalog), notes: notes)
  }

  /// The tables that no entity and no relationship has.
  private func otherTables(
    _ entities: [StoreReport.Entity], _ catalog: StoreCatalog
  ) -> [StoreReport.OtherTable] {
    let told = Set(
      entities.map { $0.table.uppercased() }
        + entities.flatMap(\.relationships).compactMap { $0.table?.uppercased() })
    let own: Set<String> = [
      StoreMetadata.tableName, StoreCatalog.primaryKeyTable, "Z_MODELCACHE", "ACHANGE",
      "ATRANSACTION", "ATRANSACTIONSTRING",
    ]
    return catalog.tableNames.filter { !told.contains($0.uppercased()) }.map { name in
      // CloudKit's tables have a prefix of their own.
      StoreReport.OtherTable(
        name: name,
        isCoreData: own.contains(name.uppercased()) || name.uppercased().hasPrefix("ANSCK"))
    }
  }
}

/// How many objects each entity has.
struct RowCounts {
  private var counts: [Int64: Int64] = [:]
  private var countedTables: Set<String> = []
  /// What could not be counted.
  private(set) var notes: [String] = []

  /// - Throws: ``SQLiteError``.
  init(_ catalog: StoreCatalog, _ connection: Connection) throws(SQLiteError) {
    for root in catalog.roots {
      let table = ColumnNames.column(root.name)
      let faults = catalog.faults(ofEntityTable: table)
      guard faults.isEmpty else {
        notes += faults
        continue
      }
      let ids = Set(catalog.ids(ofKind: root.id))
      var others: Int64 = 0
      let statement = try connection.prepare(
        "SELECT Z_ENT, count(*) FROM \(SQLiteName.quoted(table)) GROUP BY 1")
      while try statement.step() {
        if statement.columnType(0) == .integer, ids.contains(statement.integer(0)) {
          counts[statement.integer(0)] = statement.integer(1)
        } else {
          others += statement.integer(1)
        }
      }
      countedTables.insert(table)
      if others > 0 {
        notes.append("\(others) \(others == 1 ? "row" : "rows") of \"\(table)\" are of no entity")
      }
    }
  }

  /// The objects of an entity; nil if its table cannot be counted.
  func count(_ id: Int64, in table: String) -> Int64? {
    countedTables.contains(table) ? counts[id] ?? 0 : nil
  }
}
