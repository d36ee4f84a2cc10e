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
      // As in a build without rules: a key that was made for the table, the records around, the
      // rest.
      let parents = target.parentColumns[number]
      let made = target.generatedKeys[number]
      let isMade = { (column: FinalSchema.Column) in column.isKey && column.name == made }
      let columns =
        columns[number].filter(isMade) + columns[number].filter { parents.contains($0.name) }
        + columns[number].filter { !isMade($0) && !parents.contains($0.name) }
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
