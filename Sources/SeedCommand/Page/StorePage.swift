import SeedBuilder
import SeedCoreData

/// Shows the tables of a Core Data store on a page under the names of entities and properties.
enum StorePage {
  /// The contents with other names, and with the relationships as references.
  static func contents(_ contents: DatabaseContents, _ store: StoreReport) -> DatabaseContents {
    let names = Names(store)
    var contents = contents
    for index in contents.report.tables.indices {
      let table = contents.report.tables[index]
      let renamed = names.renamed(table)
      let columns = Dictionary(
        zip(table.columns.map(\.name), renamed.columns.map(\.name)),
        uniquingKeysWith: { first, _ in first })
      contents.report.tables[index] = renamed
      contents.samples[index].columns = contents.samples[index].columns.map { columns[$0] ?? $0 }
    }
    contents.report.notes += store.notes
    return contents
  }

  /// What tables and columns are called.
  private struct Names {
    /// By the name of a table, the entities of its rows, or the relationship.
    private var tables: [String: String] = [:]
    /// By the name of a table and that of a column, the property.
    private var columns: [String: [String: String]] = [:]
    /// The keys of each table.
    private var keys: [String: [TableReport.ForeignKey]] = [:]
    private let coreDataTables: Set<String>

    init(_ store: StoreReport) {
      coreDataTables = Set(store.otherTables.filter(\.isCoreData).map(\.name))
      for entity in store.entities {
        tables[entity.table, default: ""] +=
          (tables[entity.table] == nil ? "" : ", ") + entity.name
        for attribute in entity.attributes {
          guard let column = attribute.column else { continue }
          columns[entity.table, default: [:]][column] = attribute.name
        }
      }
      let homes = Dictionary(
        store.entities.map { ($0.name, $0.table) }, uniquingKeysWith: { first, _ in first })
      for entity in store.entities {
        for relationship in entity.relationships { take(relationship, of: entity, homes) }
      }
    }

    private mutating func take(
      _ relationship: StoreReport.Relationship, of entity: StoreReport.Entity,
      _ homes: [String: String]
    ) {
      guard let table = relationship.table, let column = relationship.columns.first else { return }
      let isJoin = relationship.columns.count > 1
      if isJoin {
        let name = "\(entity.name).\(relationship.name)"
        tables[table] = tables[table].map { "\($0) – \(name)" } ?? name
        columns[table, default: [:]][column] = entity.name
        addKey(column, of: table, to: entity.table)
      } else if !relationship.isToMany {
        columns[table, default: [:]][column] = relationship.name
        if let home = relationship.destination.flatMap({ homes[$0] }) {
          addKey(column, of: table, to: home)
        }
      } else if relationship.inverse == nil {
        addKey(column, of: table, to: entity.table)
      }
    }

    private mutating func addKey(_ column: String, of table: String, to parent: String) {
      keys[table, default: []].append(
        TableReport.ForeignKey(
          columns: [column], parentTable: parent, parentColumns: ["Z_PK"],
          onDelete: "NO ACTION", onUpdate: "NO ACTION"))
    }

    func renamed(_ table: TableReport) -> TableReport {
      var renamed = table
      if coreDataTables.contains(table.name) { renamed.kind = .internal }
      guard let name = tables[table.name] else { return renamed }
      renamed.name = name
      for index in renamed.columns.indices {
        renamed.columns[index].name = column(table.columns[index].name, of: table.name)
      }
      renamed.foreignKeys += (keys[table.name] ?? []).map { key in
        var key = key
        key.columns = key.columns.map { column($0, of: table.name) }
        key.parentTable = tables[key.parentTable] ?? key.parentTable
        return key
      }
      for index in renamed.indexes.indices {
        renamed.indexes[index].columns = renamed.indexes[index].columns.map { name in
          name.map { column($0, of: table.name) }
        }
      }
      return renamed
    }

    private func column(_ name: String, of table: String) -> String {
      columns[table]?[name] ?? name
    }
  }
}
