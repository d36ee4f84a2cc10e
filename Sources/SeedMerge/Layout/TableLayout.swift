/// A declared table as the database has it.
struct TableLayout {
  /// The name as it was declared.
  let name: String
  /// The name under which the database is attached.
  let schema: String
  /// The columns that may be written, in the order of the declaration.
  let columns: [LayoutColumn]
  /// The columns of the key, in the order of the declaration.
  let key: [LayoutColumn]
  /// How the index of the key compares each of them.
  let keyCollations: [String]
  /// What else keeps values apart.
  let uniqueIndexes: [UniqueIndex]
  /// The columns by which one row is addressed, each in double quotes: the rowid by a name of it
  /// that no column has, else the primary key.
  let address: [String]
  /// Whether a generated column may not be NULL, so that what it follows from had better not be.
  let hasNonNullGeneratedColumn: Bool
  /// What INSERT and UPDATE say where constraints of the table have a conflict clause of their own.
  ///
  /// `ON CONFLICT REPLACE` would delete a row of the app's without a word, `IGNORE` leave out one
  /// that was brought. Empty elsewhere: it would also overrule the clauses inside of triggers, which is why
  /// ``run(on:_:)`` uses it.
  let conflictClause: String
  /// Whether statements on it fire triggers.
  let hasTriggers: Bool

  /// Schema and name as SQL writes them.
  var sql: String { SQLText.quoted(schema) + "." + SQLText.quoted(name) }

  /// The same columns as a temporary view has them, if there is one.
  func seen(through view: String?) -> TableLayout {
    guard let view else { return self }
    return TableLayout(
      name: view, schema: "temp", columns: columns, key: key, keyCollations: keyCollations,
      uniqueIndexes: uniqueIndexes, address: address,
      hasNonNullGeneratedColumn: hasNonNullGeneratedColumn, conflictClause: conflictClause,
      hasTriggers: hasTriggers)
  }

  /// The columns that an upsert sets.
  ///
  /// The key's own are among them where a row may be found by an equal key that is not the same.
  func settable(_ columns: [LayoutColumn]) -> [LayoutColumn] {
    let isKey = Set(key.map(\.name))
    return columns.filter { column in
      guard isKey.contains(column.name) else { return true }
      return !isExact(column)
    }
  }

  /// Whether a column of the key that is equal by its index is the same.
  private func isExact(_ column: LayoutColumn) -> Bool {
    guard let index = key.firstIndex(where: { $0.name == column.name }) else { return false }
    return column.isRowID
      || (SQLNames.folded(keyCollations[index]) == "binary" && !column.keepsClass)
  }

  /// The columns of the key, compared as its index does: `t."k" = p."k" COLLATE "NOCASE"`.
  func keyEquals(_ first: String, _ second: String) -> String {
    zip(key, keyCollations).map { column, collation in
      "\(first).\(column.sql) = \(second).\(column.sql)\(collate(column, collation))"
    }.joined(separator: " AND ")
  }

  /// As ``keyEquals(_:_:)``, and the same in class and bytes.
  func keyIs(_ first: String, _ second: String) -> String {
    var conditions = [keyEquals(first, second)]
    for column in key where !isExact(column) {
      conditions.append("NOT (\(SQLText.differs(column, first, second)))")
    }
    return conditions.joined(separator: " AND ")
  }

  /// The columns of the key as one value that is compared as its index does.
  func keyValue(of table: String) -> String {
    SQLText.row(
      zip(key, keyCollations).map { column, collation in
        "\(table).\(column.sql)\(collate(column, collation))"
      })
  }

  private func collate(_ column: LayoutColumn, _ collation: String) -> String {
    column.isRowID ? "" : " COLLATE \(SQLText.quoted(collation))"
  }

  /// The address of a row, as one value.
  func addressValue(of table: String) -> String {
    SQLText.row(address.map { "\(table).\($0)" })
  }

  /// The condition that a row has, in one of the UNIQUE indexes whose values nothing can be set to
  /// stand aside, the values of a row that is brought.
  ///
  /// What such an index holds besides the columns that are brought, expressions and columns of the
  /// app's, cannot be compared: the condition then holds for more rows.
  ///
  /// - Parameters:
  ///   - columns: The columns that are brought.
  ///   - source: A query or table in SQL that has the rows.
  /// - Returns: The condition on `t`; nil where the table has no such index.
  func standsInTheWay(of columns: [LayoutColumn], from source: String) -> String? {
    var conditions: [String] = []
    for index in uniqueIndexes {
      guard case .nothing = index.parkable else { continue }
      let parts = index.parts.filter { part in columns.contains { $0.name == part.column.name } }
      guard !parts.isEmpty else { return "1" }
      let value = SQLText.row(
        parts.map { "t.\($0.column.sql)\(collate($0.column, $0.collation))" })
      let names = SQLText.list(parts.map(\.column), of: "s")
      conditions.append("\(value) IN (SELECT \(names) FROM \(source) AS s)")
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
  }

  /// Whether rows of the table can stand in each other's way by more than their key.
  var parks: Bool {
    uniqueIndexes.contains { if case .nothing = $0.parkable { false } else { true } }
  }
}
