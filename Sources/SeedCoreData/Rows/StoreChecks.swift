internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Checks what Core Data checks when objects are saved, once all are there: relationships that are
/// not optional, counts of objects, and values that occur only once.
struct StoreChecks {
  /// Something that is wrong with an object.
  struct Finding {
    var object: ObjectSearch.Key
    var message: String
    var hint: String?
    /// A value to look for in the input.
    var value: String?
    /// The object that came before this one and has what this one must not have, too.
    var other: ObjectSearch.Key?
  }

  let plan: StorePlan
  let connection: Connection
  /// The columns of to-one relationships, not optional, in which some row had nothing at first.
  let missingKeys: Set<StoreRows.KeyColumn>
  private static let mostOfOneKind = 5

  /// What is wrong, at most so much as is shown.
  ///
  /// - Throws: ``SQLiteError``.
  func findings() throws -> [Finding] {
    var findings: [Finding] = []
    for (number, entity) in plan.entities.enumerated() where !entity.layout.isAbstract {
      for relationship in entity.relationships where !relationship.isTransient {
        findings += try check(relationship, of: number)
      }
    }
    for entity in plan.model.entities {
      guard let number = plan.entity(named: entity.name) else { continue }
      for constraint in entity.uniquenessConstraints {
        findings += try check(constraint, of: number)
      }
    }
    return Array(findings.prefix(MisfitReport.mostErrors))
  }

  // MARK: Relationships

  private func check(_ relationship: ModelRelationship, of number: Int) throws -> [Finding] {
    let entity = plan.entities[number]
    guard let place = entity.layout.relationships[relationship.name] else { return [] }
    let table = SQLiteName.quoted(plan.tables[entity.table].name)
    switch place {
    case .own(let key):
      let column = StoreRows.KeyColumn(
        entity: Int64(entity.layout.id), column: plan.tables[entity.table].column(key.column))
      guard relationship.needsObject, missingKeys.contains(column) else { return [] }
      return try findings(
        """
        SELECT Z_PK FROM \(table) WHERE Z_ENT = \(entity.layout.id)
          AND \(SQLiteName.quoted(key.column)) IS NULL
        """, entity
      ) { _ in
        "\(entity.name) has no \(relationship.name), and the relationship is not optional"
      }
    case .inverse(let key):
      return try checkCount(
        of: relationship, entity, table, counted: key.table, column: key.column)
    case .join(let join):
      return try checkCount(
        of: relationship, entity, table, counted: join.table, column: join.sourceColumn)
    }
  }

  private func checkCount(
    of relationship: ModelRelationship, _ entity: EntityPlan, _ table: String, counted: String,
    column: String
  ) throws -> [Finding] {
    let (least, most) = (relationship.leastCount, relationship.maxCount)
    guard least > 0 || most > 0 else { return [] }
    let key = SQLiteName.quoted(column)
    let count = relationship.isOptional ? "n" : "ifnull(n, 0)"
    let condition = "\(count) < \(least)" + (most > 0 ? " OR n > \(most)" : "")
    return try findings(
      """
      SELECT Z_PK, ifnull(n, 0) FROM \(table) LEFT JOIN (SELECT \(key) AS owner, count(*) AS n
        FROM \(SQLiteName.quoted(counted)) WHERE \(key) IS NOT NULL GROUP BY 1) ON owner = Z_PK
      WHERE Z_ENT = \(entity.layout.id) AND (\(condition))
      """, entity
    ) { row in
      let count = row.integer(1)
      if count == 0, relationship.minCount == 0 {
        return "\(entity.name) has no \(relationship.name), and the relationship is not optional"
      }
      let none = relationship.isOptional ? "none or " : ""
      let bound = count < least ? "\(none)at least \(least)" : "at most \(most)"
      return "\(entity.name) has \(count) \(relationship.name), and the model demands \(bound)"
    }
  }

  private func findings(
    _ query: String, _ entity: EntityPlan, _ message: (Statement) -> String
  ) throws -> [Finding] {
    var findings: [Finding] = []
    let rows = try connection.prepare("\(query) ORDER BY Z_PK LIMIT \(Self.mostOfOneKind)")
    while try rows.step() {
      findings.append(
        Finding(
          object: ObjectSearch.Key(table: entity.table, key: rows.integer(0)),
          message: message(rows), hint: nil))
    }
    return findings
  }

  // MARK: Uniqueness

  private func check(_ constraint: UniquenessConstraint, of number: Int) throws -> [Finding] {
    let entity = plan.entities[number]
    let table = plan.tables[entity.table]
    let columns = constraint.names.compactMap { entity.layout.attributes[$0]?.name }
    guard columns.count == constraint.names.count, !columns.isEmpty else { return [] }
    let names = columns.map(SQLiteName.quoted)
    let list = names.joined(separator: ", ")
    let filled = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let same = names.map { "a.\($0) = b.\($0)" }.joined(separator: " AND ")
    let rows = try connection.prepare(
      """
      SELECT a.Z_PK, \(names.map { "a.\($0)" }.joined(separator: ", ")), b.first
      FROM (SELECT \(list), min(Z_PK) AS first FROM \(SQLiteName.quoted(table.name))
        WHERE \(filled) GROUP BY \(list) HAVING count(*) > 1 LIMIT \(Self.mostOfOneKind)) AS b
      JOIN \(SQLiteName.quoted(table.name)) AS a ON \(same) AND a.Z_PK > b.first
      ORDER BY 1 LIMIT \(Self.mostOfOneKind)
      """)
    var findings: [Finding] = []
    let first = Int32(columns.count + 1)
    while try rows.step() {
      let values = columns.indices.map { index -> String in
        rows.columnType(Int32(index + 1)) == .blob ? "…" : rows.text(Int32(index + 1))
      }
      let shown = zip(constraint.names, values).map { "\($0) \"\($1)\"" }.joined(separator: " and ")
      findings.append(
        Finding(
          object: ObjectSearch.Key(table: entity.table, key: rows.integer(0)),
          message: "another \(entity.name) has \(shown) already, which the model wants only once",
          hint: "leave one of the two out, or correct its value",
          value: values.first.flatMap { $0 == "…" ? nil : $0 },
          other: ObjectSearch.Key(table: entity.table, key: rows.integer(first))))
    }
    return findings
  }
}
