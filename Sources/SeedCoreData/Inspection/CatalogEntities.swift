/// The entities of a store as far as the store itself tells of them.
struct CatalogEntities {
  private let catalog: StoreCatalog
  private let counts: RowCounts
  private let shape: StoreShape
  /// Whether an index of a column, named after the column, is always that of a relationship: older
  /// versions of Core Data name those of attributes alike.
  private let isIndexTelling: Bool

  /// The first version of Core Data that names indexes of attributes after their entity is later than
  /// 754, the last one known that does not.
  private static let lastOldVersion: Int64 = 799

  init(catalog: StoreCatalog, counts: RowCounts, frameworkVersion: Int64?) {
    self.catalog = catalog
    self.counts = counts
    shape = StoreShape(catalog)
    isIndexTelling = frameworkVersion ?? 0 > Self.lastOldVersion
  }

  var entities: [StoreReport.Entity] {
    var linked: [String: [StoreReport.Relationship]] = [:]
    for join in shape.joins {
      for (own, other) in [(join.ends[0], join.ends[1]), (join.ends[1], join.ends[0])] {
        guard let owner = own.target?.entity else { continue }
        linked[owner, default: []].append(relationship(of: join, from: own, to: other))
      }
    }
    for table in shape.tables {
      for key in table.keys where key.isReverse {
        guard let owner = key.target?.entity else { continue }
        linked[owner, default: []].append(
          StoreReport.Relationship(
            name: key.name, destination: table.root.name, isToMany: true, isOrdered: false,
            isOptional: nil, inverse: nil, table: table.name, columns: [key.column]))
      }
    }
    return catalog.entities.map { entity in
      let root = catalog.root(of: entity.id)
      let table = ColumnNames.column(root?.name ?? entity.name)
      var result = StoreReport.Entity(
        name: entity.name, id: entity.id, parent: catalog.entity(entity.parentID)?.name,
        isAbstract: nil, hasChildren: catalog.ids(ofKind: entity.id).count > 1, table: table,
        rowCount: counts.count(entity.id, in: table))
      if entity.parentID == 0 { addColumns(to: &result) }
      result.relationships += linked[entity.name] ?? []
      result.relationships.sort { EntityOrder.isBefore($0.name, $1.name) }
      return result
    }
  }

  private func relationship(
    of join: StoreShape.Join, from own: StoreShape.End, to other: StoreShape.End
  ) -> StoreReport.Relationship {
    let order = StoreShape.orderPrefix + other.column.dropFirst("Z_".count)
    return StoreReport.Relationship(
      name: other.name, destination: other.target?.entity, isToMany: true,
      isOrdered: join.orders.contains { $0.column == order }, isOptional: nil, inverse: own.name,
      table: join.name, columns: [own.column, other.column])
  }

  // MARK: Columns

  private func addColumns(to entity: inout StoreReport.Entity) {
    guard let table = catalog.table(entity.table) else { return }
    let keys = shape.tables.first { $0.name == table.name }?.keys ?? []
    let accounts = Set(keys.flatMap { [$0.entityColumn, $0.orderColumn].compactMap(\.self) })
    for (column, type) in table.columns
    where !SystemTables.entityColumns.contains(column.uppercased()) && !accounts.contains(column) {
      let key = keys.first { $0.column == column }
      if key?.isReverse == true { continue }
      if key != nil || isIndexTelling && isIndexed(column, of: table) {
        entity.relationships.append(
          StoreReport.Relationship(
            name: key?.name ?? String(column.dropFirst()), destination: key?.target?.entity,
            isToMany: false, isOrdered: false, isOptional: nil, inverse: nil, table: table.name,
            columns: [column]))
      } else {
        entity.attributes.append(
          StoreReport.Attribute(
            name: String(column.dropFirst()), types: Self.types(ofColumn: type), isOptional: nil,
            derivation: nil, column: column))
      }
    }
  }

  private func isIndexed(_ column: String, of table: StoreCatalog.Table) -> Bool {
    table.indexes.contains { $0.columns == [column] && $0.name == "\(table.name)_\(column)_INDEX" }
  }

  /// The types of attributes that have columns of a declared type.
  private static func types(ofColumn type: String) -> [String] {
    let types: [AttributeType] =
      switch type.uppercased() {
      case "INTEGER": [.integer16, .integer32, .integer64, .boolean]
      case "FLOAT": [.double, .float]
      case "TIMESTAMP": [.date]
      case "DECIMAL": [.decimal]
      case "VARCHAR": [.string, .uri]
      case "BLOB": [.binary, .uuid, .transformable]
      default: []
      }
    return types.isEmpty ? [type] : types.map(\.rawValue)
  }
}
