internal import SeedModel

/// The statements that make the tables of an inferred schema, and the indexes of their references.
struct InferredStatements {
  private(set) var objects: [TargetSchema.Object] = []

  /// - Parameters:
  ///   - target: The tables.
  ///   - columns: Their columns.
  init(_ target: InferredTarget, _ columns: [[FinalSchema.Column]]) {
    let schema = target.schema
    var taken = Set(schema.tables.map { SchemaNaming.folded($0.name) })
    for (number, table) in schema.tables.enumerated() {
      // A key that was made for the table comes first.
      let made = columns[number].firstIndex {
        $0.isKey && $0.name == target.generatedKeys[number]
      }
      let others = target.orders[number].sorted(columns[number].indices.filter { $0 != made })
      let columns = ([made].compactMap(\.self) + others).map { columns[number][$0] }
      var result = FinalSchema.Table(name: table.name, columns: columns)
      for (position, column) in result.columns.enumerated() where column.references != nil {
        let name = SchemaNaming.freeForObject("\(table.name)_\(column.name)", &taken)
        result.indexes.append(.init(name: name, column: column.name, position: position))
      }
      objects.append(
        .init(kind: .table, name: table.name, table: table.name, sql: result.createSQL))
      objects += result.indexes.map {
        .init(kind: .index, name: $0.name, table: table.name, sql: result.createSQL(of: $0))
      }
    }
  }
}
