internal import SeedSQLite

/// Makes and changes the tables of a database as the server's schema has them.
///
/// Used inside of a transaction.
internal struct HyperHiveTables {
  internal let catalog: HyperHiveCatalog

  private var connection: Connection { catalog.connection }

  internal init(_ connection: Connection) {
    catalog = HyperHiveCatalog(connection: connection)
  }

  // MARK: The server's schema

  /// Takes over the server's schema.
  ///
  /// Makes tables, adds columns, and forgets the versions of what has changed. A column that is gone
  /// stays, with what it has.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - onWarning: Called for a table that cannot be made because of its name. Only loads of its
  ///     resource fail then.
  /// - Returns: The tables that were made.
  /// - Throws: ``HyperHiveError`` when a type or a key has changed, ``SQLiteError``.
  internal func apply(
    _ schema: HyperHiveSchema, onWarning: (String) -> Void = { _ in }
  ) throws -> [String] {
    try catalog.create()
    var made: [String] = []
    for resource in schema.resources {
      let known = try catalog.tables(ofResource: resource.name)
      let isKnown = try catalog.hasResource(resource.name)
      let before = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
      let locals = Dictionary(
        grouping: try catalog.localTables(ofResource: resource.name), by: \.table)
      let scope = HyperHiveScope(
        resource: resource.name, parameters: HyperHiveParameters(), isCached: false)
      for table in resource.tables {
        if let problem = problem(of: table) {
          onWarning("\(scope.localName(of: table.name)): \(problem)")
          continue
        }
        if let before = before[table.name] {
          try adopt(table, before, resource.name, locals[table.name] ?? [])
        } else if isKnown {
          // Changes of a table that is new here need not bring all of its rows.
          try catalog.dropStates(ofResource: resource.name)
        }
        if let problem = try problem(ofName: scope.localName(of: table.name), in: scope) {
          onWarning("\(scope.localName(of: table.name)): \(problem)")
        } else if try create(table, in: scope) {
          made.append(scope.localName(of: table.name))
        }
      }
      // What was taken from data is still what it was where the schema has nothing to say of it.
      let described = Set(resource.tables.map(\.name))
      let inferred = known.filter { !described.contains($0.name) }
      try catalog.setSchema(
        HyperHiveSchema.Resource(name: resource.name, tables: resource.tables + inferred))
    }
    return made
  }

  /// Why SQLite has no such table; nil if it may have.
  private func problem(of table: HyperHiveTable) -> String? {
    table.columns.count > connection.columnLimit
      ? "the table has \(table.columns.count) columns; SQLite allows \(connection.columnLimit)"
      : nil
  }

  /// Why no load of a scope may have a table of a name; nil if it may.
  private func problem(ofName name: String, in scope: HyperHiveScope) throws -> String? {
    if let owner = try catalog.owner(ofTable: name), owner != (scope.resource, scope.cacheKey) {
      return "the table belongs to the resource \"\(owner.resource)\""
    }
    let folded = name.lowercased()
    return ["sqlite_", "_seed"].contains(where: folded.hasPrefix)
      ? "the name is reserved" : nil
  }

  /// Brings the local forms of a table from one description to the next.
  private func adopt(
    _ table: HyperHiveTable, _ before: HyperHiveTable, _ resource: String,
    _ locals: [HyperHiveCatalog.LocalTable]
  ) throws {
    guard table != before else { return }
    // A table that was taken from data gives way to what the schema says.
    for local in locals where local.isInferred { try drop(local.name) }
    let locals = locals.filter { !$0.isInferred }
    if !locals.isEmpty {
      for column in table.columns {
        if let old = before.columns.first(where: { Self.isSame($0.name, column.name) }),
          old.kind.sqlType != column.kind.sqlType
        {
          throw HyperHiveError(
            .changedType(
              table: table.name, column: column.name, from: old.type, to: column.type),
            place: resource)
        }
      }
      let keys = [before, table].map { $0.columns.filter(\.isKey).map { $0.name.lowercased() } }
      guard keys[0] == keys[1] else {
        throw HyperHiveError(.changedKey(table: table.name), place: resource)
      }
      for local in locals { try addColumns(of: table, to: local.name) }
    }
    // Rows that are there lack the values of what is new.
    try catalog.dropStates(ofResource: resource)
  }

  private func addColumns(of table: HyperHiveTable, to local: String) throws {
    let present = try columnTypes(of: local)
    for column in table.columns {
      if let type = present.first(where: { Self.isSame($0.name, column.name) })?.type {
        guard type == column.kind.sqlType else {
          throw HyperHiveError(
            .changedType(
              table: table.name, column: column.name, from: type, to: column.type), place: local)
        }
        continue
      }
      try connection.execute(
        "ALTER TABLE \(SQLiteName.quoted(local)) ADD COLUMN \(SQLiteName.quoted(column.name)) "
          + column.kind.sqlType)
    }
  }

  private func columnTypes(of local: String) throws -> [(name: String, type: String)] {
    try connection.rows(
      "SELECT name, type FROM pragma_table_info(\(SQLiteText.literal(local)))"
    ).compactMap { row in
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return nil }
      return (name, type)
    }
  }

  // MARK: Local tables

  /// Makes the local form of a table unless it is there.
  ///
  /// - Returns: Whether it was made.
  /// - Throws: ``HyperHiveError`` when somebody else's table has its name, ``SQLiteError``.
  internal func create(
    _ table: HyperHiveTable, in scope: HyperHiveScope, isInferred: Bool = false
  ) throws -> Bool {
    let name = scope.localName(of: table.name)
    if let problem = try problem(of: table) ?? problem(ofName: name, in: scope) {
      throw HyperHiveError(.invalidArgument(problem), place: name)
    }
    if try catalog.owner(ofTable: name) != nil {
      if try !columnTypes(of: name).isEmpty { return false }
      // An app has dropped it, and with it the rows that the version speaks of.
      try catalog.dropState(of: scope)
    } else if try !columnTypes(of: name).isEmpty {
      throw HyperHiveError(
        .invalidArgument("there is a table of this name that no load has made"), place: name)
    }
    try connection.execute(Self.createStatement(table, name: name))
    try catalog.add(
      HyperHiveCatalog.LocalTable(
        name: name, cacheKey: scope.cacheKey, table: table.name, isInferred: isInferred),
      resource: scope.resource)
    return true
  }

  /// Whether a table that a load of a scope has made is gone: an app may have dropped it.
  internal func lacksTable(of scope: HyperHiveScope) throws -> Bool {
    try locals(of: scope).contains { try columnTypes(of: $0.name).isEmpty }
  }

  /// Whether a load of a scope has left rows, whatever is known of them.
  internal func hasRows(of scope: HyperHiveScope) throws -> Bool {
    try locals(of: scope).contains { local in
      guard try !columnTypes(of: local.name).isEmpty else { return false }
      return try connection.scalarInteger(
        "SELECT 1 FROM \(SQLiteName.quoted(local.name)) LIMIT 1") != nil
    }
  }

  /// Empties the tables of a scope that only answers have described, but for some.
  ///
  /// - Returns: What the server calls the tables that were not empty, with the numbers of their rows.
  internal func clearInferred(
    of scope: HyperHiveScope, except names: [String]
  ) throws -> [(name: String, rowCount: Int64)] {
    let kept = Set(names)
    return try locals(of: scope).filter { $0.isInferred && !kept.contains($0.name) }
      .compactMap { local in
        guard try !columnTypes(of: local.name).isEmpty else { return nil }
        try connection.execute("DELETE FROM \(SQLiteName.quoted(local.name))")
        let count = Int64(connection.changes)
        return count > 0 ? (local.table, count) : nil
      }
  }

  private func locals(of scope: HyperHiveScope) throws -> [HyperHiveCatalog.LocalTable] {
    try catalog.localTables(ofResource: scope.resource).filter { $0.cacheKey == scope.cacheKey }
  }

  /// Whether the app has triggers on a table.
  internal func hasTriggers(_ name: String) throws -> Bool {
    try connection.scalarInteger(
      "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
      .text(name)) != nil
  }

  /// Whether the local form of a table has columns that the server's schema does not have.
  internal func hasMoreColumns(_ table: HyperHiveTable, _ name: String) throws -> Bool {
    try columnTypes(of: name).contains { column in
      !table.columns.contains { Self.isSame($0.name, column.name) }
    }
  }

  /// Whether a local table has the columns that were taken from rows, and perhaps the app's behind.
  internal func isAsInferred(_ table: HyperHiveTable, _ name: String) throws -> Bool {
    let present = try columnTypes(of: name)
    let count = table.columns.count
    return present.count >= count
      && zip(present, table.columns).allSatisfy { $0 == ($1.name, $1.kind.sqlType) }
      && !present.dropFirst(count).contains {
        $0.name == HyperHiveRules.undeclaredColumnName(count)
      }
  }

  /// Drops a local table.
  internal func drop(_ name: String) throws {
    try connection.execute("DROP TABLE IF EXISTS \(SQLiteName.quoted(name))")
    try catalog.remove(table: name)
  }

  private static func createStatement(_ table: HyperHiveTable, name: String) -> String {
    let key = table.columns.filter(\.isKey)
    var lines = table.columns.map { column in
      let definition = "\(SQLiteName.quoted(column.name)) \(column.kind.sqlType)"
      guard column.isKey else { return definition }
      if key.count > 1 { return definition + " NOT NULL" }
      // An integer alone is the rowid, which needs no index besides.
      return definition + (column.kind == .integer ? " PRIMARY KEY" : " NOT NULL PRIMARY KEY")
    }
    if key.count > 1 {
      lines.append(
        "PRIMARY KEY (\(key.map { SQLiteName.quoted($0.name) }.joined(separator: ", ")))")
    }
    return "CREATE TABLE \(SQLiteName.quoted(name)) (\n  "
      + lines.joined(separator: ",\n  ") + "\n)"
  }

  private static func isSame(_ first: String, _ second: String) -> Bool {
    first.lowercased() == second.lowercased()
  }
}
