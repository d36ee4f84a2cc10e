internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Turns loaded staging tables into the database that is published.
struct Finisher {
  let loader: Loader
  let connection: Connection

  /// Gives tables and columns their final names and constraints, and makes the indexes.
  ///
  /// - Throws: ``SQLiteError``.
  func applySchema() throws -> FinalSchema {
    try resolveLateKeys()
    let schema = finalSchema()
    try connection.setDefensive(false)
    try connection.execute("PRAGMA writable_schema = ON")
    let update = try connection.prepare(
      "UPDATE sqlite_schema SET name = ?1, tbl_name = ?1, sql = ?2 WHERE name = ?3")
    for (index, table) in schema.tables.enumerated() {
      try update.bindText(1, table.name)
      try update.bindText(2, table.createSQL)
      try update.bindText(3, StagingSchema.tableName(index))
      try update.run()
      for item in table.indexes
      where loader.table(index).pointee.indexedColumns.contains(item.position) {
        try rename(item, of: table, index)
      }
    }
    // Reads the schema anew and forbids such writes again.
    try connection.execute("PRAGMA writable_schema = RESET")
    for (index, table) in schema.tables.enumerated() {
      for item in table.indexes
      where !loader.table(index).pointee.indexedColumns.contains(item.position) {
        try connection.execute(table.createSQL(of: item))
      }
    }
    return schema
  }

  /// Gives an index that was kept while rows were loaded its final name.
  private func rename(
    _ index: FinalSchema.Index, of table: FinalSchema.Table, _ tableIndex: Int
  ) throws {
    try connection.run(
      "UPDATE sqlite_schema SET name = ?1, tbl_name = ?2, sql = ?3 WHERE name = ?4",
      .text(index.name), .text(table.name), .text(table.createSQL(of: index)),
      .text(StagingSchema.indexName(tableIndex, index.position)))
  }

  /// The schema under the names and with the constraints that all rows together allow.
  func finalSchema() -> FinalSchema {
    let isFilled = (0..<loader.tableCount).map { index in
      let table = loader.table(index).pointee
      return (0..<table.columnCount).map { column in
        table.rowCount > 0 && table.columns[column].filledCount == table.rowCount
      }
    }
    return SchemaNaming(plan: loader.plan, isFilled: isFilled).schema()
  }

  /// Puts keys in the place of the ordinals that child records got while the keys were unknown.
  private func resolveLateKeys() throws {
    let indices = 0..<loader.tableCount
    for parent in indices where loader.table(parent).pointee.keyComesLate {
      for child in indices {
        let table = loader.table(child)
        for column in table.pointee.parentColumns
        where table.pointee.columns[column].parentTable == parent {
          try connection.execute(
            StagingSchema.resolveLateKeys(of: parent, in: child, column: column))
          table.pointee.isDigested = false
        }
      }
    }
  }

  /// The digests of the tables whose rows were digested while they were loaded, by name.
  func knownDigests(_ schema: FinalSchema) -> [String: (count: Int64, sha256: [UInt8])] {
    var result: [String: (count: Int64, sha256: [UInt8])] = [:]
    loader.finishHashing()
    for (index, table) in schema.tables.enumerated() {
      let loaded = loader.table(index)
      guard loaded.pointee.isDigested else { continue }
      result[table.name] = (loaded.pointee.rowCount, loaded.pointee.digest.finalize())
    }
    return result
  }
}
