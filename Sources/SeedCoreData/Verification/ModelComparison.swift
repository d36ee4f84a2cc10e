internal import SeedBuilder
internal import SeedModel

/// Compares a store with the model that it should be of.
struct ModelComparison {
  private(set) var findings: [Finding] = []
  /// How many names of a kind are listed.
  private static let mostNames = 5

  /// Compares hashes first: what is of another model is not compared any further.
  ///
  /// Without hashes, which is a finding of its own, the entities and tables tell.
  init(_ store: StoreModel, _ catalog: StoreCatalog, hashes: [String: [UInt8]]?) {
    if let hashes { compareHashes(store.model, hashes) }
    guard findings.allSatisfy({ $0.severity != .error }) else { return }
    compareEntities(store.layout, catalog)
    guard isSameModel else { return }
    compareTables(store.layout, catalog)
    compareTriggers(store.layout, catalog)
  }

  /// Whether what the model demands can be looked for in the store.
  var isSameModel: Bool {
    !findings.contains {
      $0.severity == .error && [.storeHashes, .storeEntities].contains($0.code)
    }
  }

  // MARK: Hashes

  private mutating func compareHashes(_ model: CoreDataModel, _ hashes: [String: [UInt8]]) {
    let hasher = EntityHasher(model)
    let computed = hasher.hashes()
    let names = model.entities.map(\.name).sorted(by: EntityOrder.isBefore)
    let different = names.filter { name in
      guard let stored = hashes[name], let own = computed[name] else { return false }
      return stored != own
    }
    let missing = names.filter { hashes[$0] == nil }
    let added = hashes.keys.filter { model.entity($0) == nil }.sorted(by: EntityOrder.isBefore)
    let parts = [
      different.isEmpty ? nil : "its version hashes differ for \(Self.list(different))",
      missing.isEmpty ? nil : "it has no \(Self.list(missing))",
      added.isEmpty ? nil : "the model has no \(Self.list(added))",
    ].compactMap(\.self)
    if !parts.isEmpty {
      findings.append(
        Finding(
          .storeHashes,
          "the store is of another model: \(parts.joined(separator: "; "))",
          hint: "give the version of the model that the store is of with --model-version, or build "
            + "the store with this one"))
    }
    let unknown = names.filter { computed[$0] == nil && hashes[$0] != nil }
    if !unknown.isEmpty {
      findings.append(
        Finding(
          .storeHashes, .note,
          "the version hashes of \(Self.list(unknown)) cannot be computed and were not compared",
          hint: "build with --momd, which compares with the compiled model"))
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(mostNames).map { "\"\($0)\"" }.joined(separator: ", ")
    return names.count > mostNames ? "\(shown) and \(names.count - mostNames) more" : shown
  }

  // MARK: Entities

  private mutating func compareEntities(_ layout: StoreLayout, _ catalog: StoreCatalog) {
    guard catalog.table(StoreCatalog.primaryKeyTable) != nil else { return }
    let expected = layout.entities.map { "\($0.id) \($0.name), a sub-entity of \($0.parentID)" }
    let actual = catalog.entities.map { "\($0.id) \($0.name), a sub-entity of \($0.parentID)" }
    for (index, text) in expected.enumerated() {
      guard index >= actual.count || actual[index] != text else { continue }
      let entity = layout.entities[index]
      let place = "entity \(entity.id) has to be \"\(entity.name)\", "
      let parent = entity.parentID == 0 ? "with no parent" : "with parent \(entity.parentID)"
      add(.storeEntities, "\(place)\(parent), and \"Z_PRIMARYKEY\" says otherwise")
      return
    }
    if actual.count > expected.count {
      add(
        .storeEntities,
        "\"Z_PRIMARYKEY\" has entity \"\(catalog.entities[expected.count].name)\", "
          + "which the model has not")
    }
  }

  private mutating func add(_ code: Finding.Code, _ message: String, table: String? = nil) {
    var finding = Finding(code, message, hint: "build the store again")
    finding.table = table ?? (code == .storeEntities ? StoreCatalog.primaryKeyTable : nil)
    findings.append(finding)
  }

  // MARK: Tables

  private mutating func compareTables(_ layout: StoreLayout, _ catalog: StoreCatalog) {
    var gaps: [(table: String, message: String)] = []
    for table in layout.tables {
      guard let found = catalog.table(table.name) else {
        // The tables of entities are looked for without a model, too.
        if case .join(let entity, let relationship) = table.kind {
          gaps.append(
            (
              table.name,
              "there is no table \"\(table.name)\" for the relationship \"\(relationship)\" of "
                + "\"\(entity)\""
            ))
        }
        continue
      }
      for column in table.columns {
        guard let own = found.declaration(column.name) else {
          gaps.append(
            (table.name, "table \"\(table.name)\" has no column \"\(column.name)\""))
          continue
        }
        // Numbers in a column of texts, and the other way round, are not what was stored.
        guard own.uppercased() != column.kind.sql else { continue }
        let type = own.isEmpty ? "without a type" : "\(own)"
        gaps.append(
          (
            table.name,
            "column \"\(column.name)\" of \"\(table.name)\" is declared \(type), and "
              + "\(column.kind.sql) is expected"
          ))
      }
    }
    for (table, message) in gaps.prefix(RowScan.limit) {
      add(.storeTables, message, table: table)
    }
    if gaps.count > RowScan.limit {
      add(.storeTables, "\(gaps.count - RowScan.limit) more tables or columns are missing or wrong")
    }
  }

  // MARK: Triggers

  private mutating func compareTriggers(_ layout: StoreLayout, _ catalog: StoreCatalog) {
    let missing = layout.triggers.filter { statement in
      let words = statement.split(separator: " ", maxSplits: 3)
      return catalog.triggers[words[2].uppercased()] == nil
    }
    for statement in missing.prefix(RowScan.limit) {
      let name = statement.split(separator: " ", maxSplits: 3)[2]
      findings.append(
        Finding(
          .storeTables,
          "there is no trigger \"\(name)\", which keeps a derived attribute right",
          hint: "run: \(statement);"))
    }
    if missing.count > RowScan.limit {
      add(.storeTables, "\(missing.count - RowScan.limit) more triggers are missing")
    }
  }
}
