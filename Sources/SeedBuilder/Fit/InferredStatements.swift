internal import SeedModel

/// The statements that make the tables of an inferred schema, and the indexes of their references.
struct InferredStatements {
  private(set) var objects: [TargetSchema.Object] = []

  init(_ schema: TargetSchema, _ columns: [[FinalSchema.Column]]) {
    var taken = Set(schema.tables.map { SchemaNaming.folded($0.name) })
    for (table, columns) in zip(schema.tables, columns) {
      // The key comes first when it was made for the table.
      let ordered = columns.filter { $0.isKey } + columns.filter { !$0.isKey }
      let hasOwnKey = columns.first?.isKey == true || columns.last?.isKey != true
      var result = FinalSchema.Table(name: table.name, columns: hasOwnKey ? columns : ordered)
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
