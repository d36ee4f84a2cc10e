internal import SeedBuilder
internal import SeedModel
internal import SeedSQLite

/// Checks the rows of a store's tables.
struct RowCheck {
  let connection: Connection
  let shape: StoreShape
  let catalog: StoreCatalog
  let dates: DateRule

  /// What is wrong, table by table.
  ///
  /// - Throws: ``SQLiteError``.
  func findings() throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for table in shape.tables { findings += try self.findings(in: table) }
    for join in shape.joins { findings += try self.findings(in: join) }
    return findings
  }

  // MARK: Tables of entities

  private func findings(in table: StoreShape.EntityTable) throws(SQLiteError) -> [Finding] {
    let scan = RowScan(connection: connection, table: table.name, keys: ["Z_PK"])
    var rules = entityRules(of: table)
    rules += table.required.map { rule(for: $0, in: table) }
    rules += table.keys.flatMap { self.rules(for: $0, in: table) }
    rules += ValueRule.rules(for: table, catalog)
    rules += table.dates.flatMap { dates.rules($0) }
    rules += table.counts.map { CountRules.rule(for: $0, in: table) }
    rules += table.derived.map { CountRules.rule(for: $0, in: table) }
    let aggregates = table.dates.map { dates.aggregates($0) }
    let counts = rules.map { RowScan.count($0.condition) }
    let totals = try scan.totals(counts + aggregates.flatMap(\.self))
    var findings: [Finding] = []
    for (rule, count) in zip(rules, totals) {
      findings += try scan.findings(rule, count: count)
    }
    var start = rules.count
    for (date, aggregates) in zip(table.dates, aggregates) {
      let end = start + aggregates.count
      if let finding = dates.finding(date, table: table.name, totals: totals[start..<end]) {
        findings.append(finding)
      }
      start = end
    }
    return findings
  }

  private func entityRules(of table: StoreShape.EntityTable) -> [RowRule] {
    let ids = table.entities.map(\.id)
    let expected = table.entities.prefix(8).map { "\($0.id) for \($0.name)" }
    let list = expected.joined(separator: ", ") + (ids.count > expected.count ? ", …" : "")
    let hint =
      ids.count == 1
      ? "run: UPDATE \(SQLiteName.quotedIfNeeded(table.name)) SET Z_ENT = \(ids[0]);"
      : "set Z_ENT to the number of the object's own entity: \(list)"
    return [
      RowRule(
        code: .storeEntityMissing, condition: "t.Z_ENT IS NULL",
        message: { row, _ in "\(row) has no Z_ENT, so that it is an object of no entity" },
        summary: "have no Z_ENT", hint: hint),
      RowRule(
        code: .storeEntityWrong, condition: "t.Z_ENT NOT IN (\(Self.list(ids)))",
        shown: ["t.Z_ENT"],
        message: { row, shown in
          "\(row) has Z_ENT \(shown[0]), which is \(description(ofEntity: shown[0], in: table))"
        },
        summary: "have the Z_ENT of another entity", hint: hint),
    ]
  }

  /// What a wrong number of an entity means.
  private func description(ofEntity text: String, in table: StoreShape.EntityTable) -> String {
    guard let id = Int64(text), let name = shape.names[id] else { return "no entity" }
    return table.abstractIDs.contains(id)
      ? "\(name), an abstract entity" : "\(name), an entity of another table"
  }

  private func rule(
    for column: StoreShape.RequiredColumn, in table: StoreShape.EntityTable
  ) -> RowRule {
    let isAll = Set(column.owners).isSuperset(of: table.entities.map(\.id))
    let kind = column.isRelationship ? "relationship" : "attribute"
    return RowRule(
      code: .storeRequired,
      condition: "t.\(SQLiteName.quoted(column.column)) IS NULL"
        + (isAll ? "" : " AND t.Z_ENT IN (\(Self.list(column.owners)))"),
      shown: ["t.Z_ENT"],
      message: { row, shown in
        let entity = Int64(shown[0]).flatMap { shape.names[$0] } ?? "object"
        return
          "\(row), of entity \(entity), has no \"\(column.name)\", and the \(kind) is not optional"
      },
      summary: "have no \"\(column.name)\", and the \(kind) is not optional",
      hint: "give every row of \"\(table.name)\" a value in \"\(column.column)\"")
  }

  // MARK: References

  private func rules(
    for key: StoreShape.Key, in table: StoreShape.EntityTable
  ) -> [RowRule] {
    let column = "t.\(SQLiteName.quoted(key.column))"
    var rules: [RowRule] = []
    if let target = key.target {
      rules += targetRules(for: key, column, target)
      if let inverse = key.inverse {
        rules.append(inverseRule(for: key, column, inverse, target, in: table.name))
      }
    }
    if let entityColumn = key.entityColumn {
      rules += pairRules(for: key, column, entityColumn, in: table.name)
      if let target = key.target {
        rules.append(entityRule(for: key, column, entityColumn, target, in: table.name))
      }
    }
    if let order = key.orderColumn {
      rules.append(
        OrderRules.rule(
          for: order, of: key.column, in: table.name, rowID: "Z_PK", relationship: key.name))
      rules.append(
        OrderRules.missing(
          order, condition: "\(column) IS NOT NULL", of: key.column, in: table.name, rowID: "Z_PK",
          shown: [column]
        ) { row, shown in
          "\(row) refers to row \(shown[0]) by \"\(key.name)\" and has no place among the ordered "
            + "objects there"
        })
    }
    return rules
  }

  private func targetRules(
    for key: StoreShape.Key, _ column: String, _ target: StoreShape.Target
  ) -> [RowRule] {
    var rules = [
      RowRule(
        code: .storeReference,
        condition: "\(column) IS NOT NULL AND NOT \(Self.exists(column, target.table))",
        shown: [column],
        message: { row, shown in
          "\(row) refers to row \(shown[0]) of \"\(target.table)\" by \"\(key.name)\", "
            + "which is not there"
        },
        summary: "refer to missing rows of \"\(target.table)\" by \"\(key.name)\"",
        hint: "add the missing rows, or set \"\(key.column)\" to NULL", parentTable: target.table)
    ]
    if let ids = target.ids {
      let entity = Self.entity(column, target.table)
      rules.append(
        RowRule(
          code: .storeReferenceEntity, condition: "\(entity) NOT IN (\(Self.list(ids)))",
          shown: [column, entity],
          message: { row, shown in
            "\(row) refers to row \(shown[0]) of \"\(target.table)\" by \"\(key.name)\", "
              + "which is \(named(shown[1])) and has to be \(target.entity)"
          },
          summary: "refer to rows of another entity than \(target.entity) by \"\(key.name)\"",
          hint: "refer to rows whose Z_ENT is one of \(Self.list(ids))", parentTable: target.table))
    }
    return rules
  }

  /// Both sides of a one-to-one relationship have a key, and Core Data follows either.
  private func inverseRule(
    for key: StoreShape.Key, _ column: String, _ inverse: StoreShape.Inverse,
    _ target: StoreShape.Target, in table: String
  ) -> RowRule {
    let back =
      "(SELECT o.\(SQLiteName.quoted(inverse.column)) FROM \(SQLiteName.quoted(target.table)) AS o "
      + "WHERE o.Z_PK = \(column))"
    let pairing = Pairing(
      table: table, key: key.column, entity: key.entityColumn,
      isRequired: isRequired(key.column, in: table), target: target.table,
      back: inverse.column, backEntity: inverse.entityColumn,
      isBackRequired: isRequired(inverse.column, in: target.table))
    return RowRule(
      code: .storeReference,
      condition: "\(column) IS NOT NULL AND \(Self.exists(column, target.table)) "
        + "AND \(back) IS NOT t.Z_PK",
      shown: [column, back],
      message: { row, shown in
        "\(row) refers to row \(shown[0]) of \"\(target.table)\" by \"\(key.name)\", whose "
          + "\"\(inverse.name)\" leads "
          + (shown[1] == "NULL" ? "to nothing" : "to row \(shown[1])") + " and not back"
      },
      summary: "refer by \"\(key.name)\" to rows that do not lead back by \"\(inverse.name)\"",
      hint: pairing.remedy,
      parentTable: target.table)
  }

  /// Whether a column is never NULL.
  private func isRequired(_ column: String, in table: String) -> Bool {
    shape.tables.first { $0.name == table }?.required.contains { $0.column == column } ?? false
  }

  private func pairRules(
    for key: StoreShape.Key, _ column: String, _ entityColumn: String, in table: String
  ) -> [RowRule] {
    let entity = "t.\(SQLiteName.quoted(entityColumn))"
    let repair =
      key.target.map { Self.repair(of: key, entityColumn, $0, in: table) }
      ?? "set both columns or none"
    return [
      RowRule(
        code: .storeReferenceEntity, condition: "\(column) IS NOT NULL AND \(entity) IS NULL",
        shown: [column],
        message: { row, shown in
          "\(row) refers to row \(shown[0]) by \"\(key.name)\" and does not say of which entity: "
            + "\"\(entityColumn)\" is NULL"
        },
        summary: "have a key in \"\(key.column)\" and no entity in \"\(entityColumn)\"",
        hint: repair, parentTable: key.target?.table),
      RowRule(
        code: .storeReferenceEntity, condition: "\(column) IS NULL AND \(entity) IS NOT NULL",
        shown: [entity],
        message: { row, shown in
          "\(row) has entity \(shown[0]) in \"\(entityColumn)\" and refers to nothing by "
            + "\"\(key.name)\""
        },
        summary: "have an entity in \"\(entityColumn)\" and no key in \"\(key.column)\"",
        hint: repair,
        parentTable: key.target?.table),
    ]
  }

  private func entityRule(
    for key: StoreShape.Key, _ column: String, _ entityColumn: String,
    _ target: StoreShape.Target, in table: String
  ) -> RowRule {
    let entity = "t.\(SQLiteName.quoted(entityColumn))"
    let actual = Self.entity(column, target.table)
    return RowRule(
      code: .storeReferenceEntity, condition: "\(entity) <> \(actual)",
      shown: [column, entity, actual],
      message: { row, shown in
        "\(row) says in \"\(entityColumn)\" that row \(shown[0]) of \"\(target.table)\" is "
          + "\(named(shown[1])), and it is \(named(shown[2]))"
      },
      summary: "have another entity in \"\(entityColumn)\" than the row referred to",
      hint: Self.repair(of: key, entityColumn, target, in: table),
      parentTable: target.table)
  }

  /// How to set an entity column; the names say of which table they are, for a table may refer to
  /// itself.
  private static func repair(
    of key: StoreShape.Key, _ entityColumn: String, _ target: StoreShape.Target, in table: String
  ) -> String {
    let names = [table, entityColumn, target.table, key.column].map(SQLiteName.quotedIfNeeded)
    return "run: UPDATE \(names[0]) SET \(names[1]) = "
      + "(SELECT o.Z_ENT FROM \(names[2]) AS o WHERE o.Z_PK = \(names[0]).\(names[3]));"
  }

  // MARK: Many-to-many relationships

  private func findings(in join: StoreShape.Join) throws(SQLiteError) -> [Finding] {
    let scan = RowScan(connection: connection, table: join.name, keys: join.ends.map(\.column))
    var rules = join.ends.flatMap { self.rules(for: $0) }
    for (column, name, owner) in join.orders {
      if let owner {
        rules.append(
          OrderRules.rule(
            for: column, of: owner, in: join.name, rowID: "rowid", relationship: name))
      }
      rules.append(
        OrderRules.missing(column, of: owner, in: join.name, rowID: "rowid") { row, _ in
          "\(row) has no place in the ordered relationship \"\(name)\""
        })
    }
    let totals = try scan.totals(rules.map { RowScan.count($0.condition) })
    var findings: [Finding] = []
    for (rule, count) in zip(rules, totals) {
      findings += try scan.findings(rule, count: count)
    }
    return findings
  }

  private func rules(for end: StoreShape.End) -> [RowRule] {
    guard let target = end.target else { return [] }
    let column = "t.\(SQLiteName.quoted(end.column))"
    var rules = [
      RowRule(
        code: .storeJoin,
        condition: "\(column) IS NULL OR NOT \(Self.exists(column, target.table))",
        shown: [column],
        message: { row, shown in
          "\(row) links row \(shown[0]) of \"\(target.table)\" by \"\(end.column)\", "
            + "which is not there"
        },
        summary: "link missing rows of \"\(target.table)\" by \"\(end.column)\"",
        hint: "add the missing rows, or delete the links", parentTable: target.table)
    ]
    if let ids = target.ids {
      let entity = Self.entity(column, target.table)
      rules.append(
        RowRule(
          code: .storeJoin, condition: "\(entity) NOT IN (\(Self.list(ids)))",
          shown: [column, entity],
          message: { row, shown in
            "\(row) links row \(shown[0]) of \"\(target.table)\" by \"\(end.column)\", "
              + "which is \(named(shown[1])) and has to be \(target.entity)"
          },
          summary: "link rows of another entity than \(target.entity) by \"\(end.column)\"",
          hint: "link rows whose Z_ENT is one of \(Self.list(ids))", parentTable: target.table))
    }
    return rules
  }

  // MARK: SQL

  private static func exists(_ key: String, _ table: String) -> String {
    "EXISTS (SELECT 1 FROM \(SQLiteName.quoted(table)) AS o WHERE o.Z_PK = \(key))"
  }

  /// The entity of the row with a key; NULL if there is none.
  private static func entity(_ key: String, _ table: String) -> String {
    "(SELECT o.Z_ENT FROM \(SQLiteName.quoted(table)) AS o WHERE o.Z_PK = \(key))"
  }

  private static func list(_ ids: [Int64]) -> String {
    ids.map { String($0) }.joined(separator: ", ")
  }

  /// The number of an entity with its name.
  private func named(_ id: String) -> String {
    guard let name = Int64(id).flatMap({ shape.names[$0] }) else { return id }
    return "\(name) (\(id))"
  }
}
