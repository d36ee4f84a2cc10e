internal import SeedModel
internal import SeedSQLite

/// Computes the attributes that a model derives, as the triggers would have.
struct DerivedValues {
  let plan: StorePlan
  let connection: Connection

  /// - Returns: The names of the tables whose rows have changed.
  /// - Throws: ``SQLiteError``.
  func fill() throws(SQLiteError) -> Set<String> {
    var changed: Set<String> = []
    for (number, entity) in plan.entities.enumerated() {
      for attribute in plan.model.entity(entity.name)?.attributes ?? [] {
        guard let derivation = attribute.derivation,
          let column = entity.layout.attributes[attribute.name],
          let relationship = derivation.split(separator: ".").first,
          let place = entity.layout.relationships[String(relationship)]
        else { continue }
        switch place {
        case .inverse(let key): try count(column, of: number, key.table, key.column)
        case .join(let join): try count(column, of: number, join.table, join.sourceColumn)
        case .own: continue
        }
        changed.insert(entity.layout.table)
      }
    }
    return changed
  }

  private func count(
    _ column: StoreColumn, of number: Int, _ table: String, _ key: String
  ) throws(SQLiteError) {
    let counts = "temp._seed_counts"
    let owner = SQLiteName.quoted(key)
    try connection.execute(
      """
      CREATE TABLE \(counts) (owner INTEGER PRIMARY KEY, n INTEGER);
      INSERT INTO \(counts) SELECT \(owner), count(*) FROM \(SQLiteName.quoted(table))
        WHERE \(owner) IS NOT NULL GROUP BY 1;
      UPDATE \(SQLiteName.quoted(plan.entities[number].layout.table))
        SET \(SQLiteName.quoted(column.name)) =
          ifnull((SELECT n FROM \(counts) WHERE owner = Z_PK), 0)
        WHERE Z_ENT IN (\(plan.ids(ofKind: number)));
      DROP TABLE \(counts);
      """)
  }
}
