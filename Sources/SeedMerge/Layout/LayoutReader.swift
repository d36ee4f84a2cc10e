internal import SeedSQLite

/// Reads how a database has a declared table, and refuses what cannot be written by rows.
struct LayoutReader {
  let connection: Connection
  /// The name under which the database is attached.
  let schema: String
  /// The columns to which foreign keys refer, by table, all folded.
  private let referenced: [String: Set<String>]

  /// - Throws: ``MergeError``.
  init(_ connection: Connection, schema: String = "main") throws(MergeError) {
    self.connection = connection
    self.schema = schema
    referenced = try MergeError.at("", schema: schema) { () throws(SQLiteError) in
      try Self.referenced(connection, schema)
    }
  }

  /// The layout of a table.
  ///
  /// - Throws: ``MergeError`` when the table is not as it is declared.
  func read(_ declared: DeclaredTable) throws(MergeError) -> TableLayout {
    try MergeError.at(declared.name, schema: schema) { () throws(SQLiteError) in
      try reading(declared)
    }.get()
  }

  /// A refusal is a result and not an error, so that only SQLite's own errors are thrown.
  private func reading(
    _ declared: DeclaredTable
  ) throws(SQLiteError) -> Result<TableLayout, MergeError> {
    func refuse(_ reason: MergeError.Reason) -> Result<TableLayout, MergeError> {
      .failure(MergeError(reason, table: declared.name, schema: schema))
    }
    let found = try connection.rows(
      """
      SELECT type, wr, strict FROM pragma_table_list
      WHERE schema = ? COLLATE NOCASE AND name = ? COLLATE NOCASE
      """, .text(schema), .text(declared.name))
    guard case .text(let kind)? = found.first?[0], let flags = found.first else {
      return refuse(.noSuchTable)
    }
    guard kind == "table" else { return refuse(.notAnOrdinaryTable(kind: kind)) }
    let (withoutRowID, isStrict) = (flags[1] == .integer(1), flags[2] == .integer(1))
    let indexes = try indexes(declared.name)
    let all = try columns(
      declared.name, isStrict: isStrict, withoutRowID: withoutRowID, indexes)
    var byName: [String: LayoutColumn] = [:]
    for column in all { byName[SQLNames.folded(column.name)] = column }

    var columns: [LayoutColumn] = []
    for name in declared.columns {
      guard let column = byName[SQLNames.folded(name)] else { return refuse(.noSuchColumn(name)) }
      if column.isGenerated { return refuse(.generatedColumn(name)) }
      columns.append(column)
    }
    var key: [LayoutColumn] = []
    for name in declared.key {
      let column = columns.first { SQLNames.folded($0.name) == SQLNames.folded(name) }
      guard let column else {
        return refuse(
          byName[SQLNames.folded(name)] == nil ? .noSuchColumn(name) : .keyColumnNotGiven(name))
      }
      key.append(column)
    }
    guard let collations = collations(of: key, indexes) else {
      return refuse(.keyIsNotUnique(declared.key))
    }
    let others = try uniqueIndexes(
      declared.name, indexes: indexes, all: all, columns: columns, key: key)
    return .success(
      TableLayout(
        name: declared.name, schema: schema, columns: columns, key: key,
        keyCollations: collations, uniqueIndexes: others,
        address: address(all, withoutRowID: withoutRowID, indexes, key: key),
        hasNonNullGeneratedColumn: all.contains { $0.isGenerated && !$0.isNullable },
        conflictClause: SQLNames.hasConflictClause(try sql("table", declared.name))
          ? "OR ABORT " : "",
        hasTriggers: try connection.scalarInteger(
          """
          SELECT 1 FROM \(SQLText.quoted(schema)).sqlite_schema
          WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT 1
          """, .text(declared.name)) != nil))
  }

  private func columns(
    _ table: String, isStrict: Bool, withoutRowID: Bool, _ indexes: [Index]
  ) throws(SQLiteError) -> [LayoutColumn] {
    let rows = try connection.rows(
      "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?, ?)", .text(table),
      .text(schema))
    let keyCount = rows.count { $0[3] != .integer(0) }
    // A descending INTEGER PRIMARY KEY is none of the rowid's names; it has an index instead.
    let hasKeyIndex = indexes.contains { $0.origin == "pk" }
    let parents = referenced[SQLNames.folded(table)] ?? []
    let children = try connection.rows(
      "SELECT \"from\" FROM pragma_foreign_key_list(?, ?)", .text(table), .text(schema))
    return rows.compactMap { row in
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
      let isKey = row[3] != .integer(0)
      let hidden = row[4]
      let isRowID =
        isKey && keyCount == 1 && !withoutRowID && !hasKeyIndex
        && SQLNames.folded(type) == "integer"
      return LayoutColumn(
        name: name, affinity: Affinity(declaredType: type, isStrict: isStrict),
        hasOneClass: isStrict && SQLNames.folded(type) != "any",
        isNullable: row[2] == .integer(0) && !isRowID && !(isKey && (withoutRowID || isStrict)),
        isGenerated: hidden == .integer(2) || hidden == .integer(3), isRowID: isRowID,
        isReferenced: parents.contains(SQLNames.folded(name))
          || (isKey && parents.contains(Self.primaryKey)),
        isReferring: children.contains {
          if case .text(let from) = $0[0] {
            SQLNames.folded(from) == SQLNames.folded(name)
          } else {
            false
          }
        })
    }
  }

  /// Stands for the primary key, which a foreign key need not name.
  private static let primaryKey = ""

  /// Looks only at tables whose text has the word: asking each of thousands takes a while.
  private static func referenced(
    _ connection: Connection, _ schema: String
  ) throws(SQLiteError) -> [String: Set<String>] {
    let rows = try connection.rows(
      """
      SELECT f."table", f."to" FROM \(SQLText.quoted(schema)).sqlite_schema AS m,
      pragma_foreign_key_list(m.name, ?) AS f
      WHERE m.type = 'table' AND instr(lower(m.sql), 'references') > 0
      """, .text(schema))
    var result: [String: Set<String>] = [:]
    for row in rows {
      guard case .text(let parent) = row[0] else { continue }
      let column = if case .text(let name) = row[1] { SQLNames.folded(name) } else { primaryKey }
      result[SQLNames.folded(parent), default: []].insert(column)
    }
    return result
  }

  /// The collations of the index that keeps a key unique; nil if there is none.
  private func collations(of key: [LayoutColumn], _ indexes: [Index]) -> [String]? {
    guard !key.isEmpty else { return nil }
    if key.count == 1, key[0].isRowID { return ["BINARY"] }
    let names = key.map { SQLNames.folded($0.name) }
    guard let index = indexes.first(where: { $0.isOver(names) }) else { return nil }
    return names.map { name in index.parts.first { $0.name == name }?.collation ?? "BINARY" }
  }

  /// Whether an index is that of the key, or one that compares as it does.
  private func keepsApart(_ index: Index, _ key: [LayoutColumn], _ indexes: [Index]) -> Bool {
    let names = key.map { SQLNames.folded($0.name) }
    guard index.isOver(names) else { return false }
    // Numbers compare alike by every collation.
    if key.count == 1, key[0].isRowID { return true }
    return collations(of: key, indexes) == collations(of: key, [index])
  }

  private func address(
    _ all: [LayoutColumn], withoutRowID: Bool, _ indexes: [Index], key: [LayoutColumn]
  ) -> [String] {
    let names = Set(all.map { SQLNames.folded($0.name) })
    if !withoutRowID {
      if let column = all.first(where: \.isRowID) { return [column.sql] }
      if let name = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) {
        return [name]
      }
      return key.map(\.sql)
    }
    let primary = indexes.first { $0.origin == "pk" }?.parts.compactMap(\.name) ?? []
    return primary.compactMap { name in
      all.first { SQLNames.folded($0.name) == name }?.sql
    }
  }
}

// MARK: Indexes

extension LayoutReader {
  /// A UNIQUE index, or a primary key that is one, as the pragmas tell it.
  struct Index {
    var name: String
    /// `pk`, `u` for a constraint, `c` for a CREATE INDEX.
    var origin: String
    var isPartial: Bool
    /// The columns by their folded names, nil for an expression, and how they are compared.
    var parts: [(name: String?, collation: String)]

    /// Whether the index is over exactly these columns, in whatever order.
    func isOver(_ names: [String]) -> Bool {
      !isPartial && parts.count == names.count && Set(parts.compactMap(\.name)) == Set(names)
    }
  }

  /// The UNIQUE indexes of a table, its primary key's among them.
  ///
  /// - Throws: ``MergeError``.
  func uniqueIndexes(of table: String) throws(MergeError) -> [Index] {
    try MergeError.at(table, schema: schema) { () throws(SQLiteError) in try indexes(table) }
  }

  func indexes(_ table: String) throws(SQLiteError) -> [Index] {
    let rows = try connection.rows(
      """
      SELECT name, origin, partial FROM pragma_index_list(?, ?) WHERE "unique" = 1 ORDER BY seq
      """, .text(table), .text(schema))
    var indexes: [Index] = []
    for row in rows {
      guard case .text(let name) = row[0], case .text(let origin) = row[1] else { continue }
      let columns = try connection.rows(
        "SELECT name, coll FROM pragma_index_xinfo(?, ?) WHERE key = 1 ORDER BY seqno",
        .text(name), .text(schema))
      let parts = columns.map { column in
        let name =
          if case .text(let name) = column[0] { SQLNames.folded(name) } else { nil as String? }
        let collation = if case .text(let name) = column[1] { name } else { "BINARY" }
        return (name: name, collation: collation)
      }
      indexes.append(
        Index(name: name, origin: origin, isPartial: row[2] == .integer(1), parts: parts))
    }
    return indexes
  }

  private func uniqueIndexes(
    _ table: String, indexes: [Index], all: [LayoutColumn], columns: [LayoutColumn],
    key: [LayoutColumn]
  ) throws(SQLiteError) -> [UniqueIndex] {
    let keyNames = key.map { SQLNames.folded($0.name) }
    let generated = try generatedSources(table, all)
    var result: [UniqueIndex] = []
    for index in indexes where !keepsApart(index, key, indexes) {
      var expressions: Set<String> = []
      if index.isPartial || index.parts.contains(where: { $0.name == nil }) {
        expressions = SQLNames.namesInside(try sql("index", index.name))
      }
      for part in index.parts {
        if let name = part.name, let names = generated[name] { expressions.formUnion(names) }
      }
      for name in expressions { expressions.formUnion(generated[name] ?? []) }
      result.append(
        uniqueIndex(index, columns: columns, keyNames: keyNames, expressions: expressions))
    }
    // The rowid keeps rows apart without an index.
    if let column = columns.first(where: \.isRowID), keyNames != [SQLNames.folded(column.name)] {
      result.append(
        UniqueIndex(
          parts: [UniqueIndex.Part(column: column, collation: "BINARY")], sources: [column],
          parkable: keyNames.contains(SQLNames.folded(column.name)) ? .nothing : .anyOf([column])))
    }
    return result
  }

  private func uniqueIndex(
    _ index: Index, columns: [LayoutColumn], keyNames: [String], expressions: Set<String>
  ) -> UniqueIndex {
    func isKey(_ column: LayoutColumn) -> Bool {
      keyNames.contains(SQLNames.folded(column.name))
    }
    let parts = index.parts.compactMap { part in
      columns.first { SQLNames.folded($0.name) == part.name }.map {
        UniqueIndex.Part(column: $0, collation: part.collation)
      }
    }
    let read = columns.filter { expressions.contains(SQLNames.folded($0.name)) }
    let plain = parts.map(\.column).filter { !isKey($0) }
    let behind = read.filter { !isKey($0) }
    let others = read.filter { column in !parts.contains { $0.column.name == column.name } }
    return UniqueIndex(
      parts: parts, sources: parts.map(\.column) + others,
      parkable: !plain.isEmpty ? .anyOf(plain) : behind.isEmpty ? .nothing : .allOf(behind))
  }

  /// For each generated column the names in its expression, and in those of other generated
  /// columns there; all folded.
  private func generatedSources(
    _ table: String, _ all: [LayoutColumn]
  ) throws(SQLiteError) -> [String: Set<String>] {
    let generated = all.filter(\.isGenerated)
    guard !generated.isEmpty else { return [:] }
    let text = try sql("table", table)
    var sources: [String: Set<String>] = [:]
    for column in generated {
      sources[SQLNames.folded(column.name)] = SQLNames.namesInDefinition(of: column.name, in: text)
    }
    // One may be computed from another, never in a circle.
    for _ in generated {
      for (name, names) in sources {
        sources[name] = names.reduce(into: names) { $0.formUnion(sources[$1] ?? []) }
      }
    }
    return sources
  }

  private func sql(_ type: String, _ name: String) throws(SQLiteError) -> String {
    try connection.scalarText(
      """
      SELECT sql FROM \(SQLText.quoted(schema)).sqlite_schema
      WHERE type = ? AND name = ? COLLATE NOCASE
      """, .text(type), .text(name)) ?? ""
  }
}
