internal import SeedMerge
internal import SeedSQLite

/// Puts the rows of one answer into the tables of a database.
///
/// Used inside of a transaction, which the caller rolls back when anything is thrown.
internal final class AnswerStorage {
  /// What the answer may be.
  internal enum Request: Sendable, Hashable {
    /// The whole was asked for.
    case whole
    /// Changes were asked for; a server may send the whole all the same.
    case delta
  }

  private let tables: HyperHiveTables
  private let scope: HyperHiveScope
  private let request: Request
  /// Sees the rows that go into empty tables.
  private let observer: (any SnapshotObserver)?
  /// The tables that are known, by their names in small letters: SQLite takes both for the same.
  private var described: [String: HyperHiveTable]
  /// The tables, by their names in small letters, whose columns were taken from older rows.
  private var inferred: Set<String>
  /// The tables of the answer, by their local names.
  internal private(set) var names: [String] = []
  internal private(set) var warnings: [String] = []
  internal private(set) var changedRowCount: Int64 = 0
  private var parts: Set<AnswerReader.Part> = []
  /// The tables of the answer, by their names in small letters.
  private var answered: Set<String> = []
  /// Whether there were changes for a table whose columns were taken from its older rows.
  internal private(set) var changesInferredTable = false
  /// The rows of the table that is being read, if it has a key and they are changed.
  private var keyed: KeyedRows?

  /// About how many values go into one statement.
  private static let valuesPerStatement = 400

  internal init(
    _ connection: Connection, scope: HyperHiveScope, request: Request,
    observer: (any SnapshotObserver)? = nil
  ) throws(SQLiteError) {
    self.observer = observer
    tables = HyperHiveTables(connection)
    self.scope = scope
    self.request = request
    let catalog = tables.catalog
    described = Dictionary(
      try catalog.tables(ofResource: scope.resource).map { ($0.name.lowercased(), $0) }
    ) { first, _ in first }
    let locals = try catalog.localTables(ofResource: scope.resource)
    inferred = Set(locals.filter(\.isInferred).map { $0.table.lowercased() })
  }

  private var connection: Connection { tables.catalog.connection }

  /// Reads an answer into the database.
  ///
  /// - Throws: ``HyperHiveError``, ``SQLiteError``, ``JSONProblem`` where it ends early.
  internal func store(_ reader: AnswerReader) throws {
    try reader.run(
      take: { table, part, scanner in
        try take(known(table)?.name ?? table, part, &scanner, reader)
      },
      finish: { table, parts in
        try keyed?.finish()
        keyed = nil
        names.append(scope.localName(of: known(table)?.name ?? table))
        answered.insert(table.lowercased())
        self.parts.formUnion(parts)
      })
    guard !parts.contains(.data) || parts.count == 1 else {
      throw HyperHiveError(
        .malformedAnswer("some tables come whole and some as changes"), place: scope.resource)
    }
    try checkMissingTables()
  }

  private func known(_ table: String) -> HyperHiveTable? { described[table.lowercased()] }

  /// Whether the answer holds changes, not the whole.
  internal var isDelta: Bool {
    request == .delta && !parts.contains(.data)
  }

  /// An answer with the whole that lacks a table would leave old rows beside new ones.
  private func checkMissingTables() throws {
    guard !isDelta else { return }
    let missing = described.filter { !answered.contains($0.key) && !inferred.contains($0.key) }
    if let name = missing.values.map(\.name).min() {
      throw HyperHiveError(
        .malformedAnswer("the answer lacks the table"), place: "table \"\(name)\"")
    }
  }

  private func take(
    _ name: String, _ part: AnswerReader.Part, _ scanner: inout JSONScanner, _ reader: AnswerReader
  ) throws {
    switch part {
    case .data:
      let (table, keepsRows) = try wholeTable(name, scanner, reader)
      if keepsRows {
        try keyedRows(of: table).deleteAll()
        try insert(into: table, &scanner)
      } else {
        try fill(table, &scanner)
      }
    case .deleteIDs, .insertRows:
      guard request == .delta else {
        throw HyperHiveError(
          .malformedAnswer("changes (\"\(part.rawValue)\") where the whole was asked for"),
          place: "table \"\(name)\"")
      }
      let table = try changedTable(name, scanner, reader, part)
      if part == .deleteIDs {
        try delete(from: table, &scanner)
      } else {
        try insert(into: table, &scanner)
      }
    }
  }

  // MARK: Tables

  /// The table that rows of a whole go into: empty, or with rows that hold what is not the server's.
  private func wholeTable(
    _ name: String, _ scanner: JSONScanner, _ reader: AnswerReader
  ) throws -> (table: HyperHiveTable, keepsRows: Bool) {
    let local = scope.localName(of: name)
    if let known = known(name), !inferred.contains(name.lowercased()) {
      if try tables.create(known, in: scope) { return (known, false) }
      // Emptying the table is several times as fast as comparing each row, but takes with it what
      // the app has written into columns of its own, and runs its triggers as if all rows were gone.
      if hasKey(known), try tables.hasMoreColumns(known, local) || tables.hasTriggers(local) {
        return (known, true)
      }
      try connection.execute("DELETE FROM \(SQLiteName.quoted(local))")
      return (known, false)
    }
    return (try inferredTable(name, scanner, reader), false)
  }

  /// The table that changes are for.
  private func changedTable(
    _ name: String, _ scanner: JSONScanner, _ reader: AnswerReader, _ part: AnswerReader.Part
  ) throws -> HyperHiveTable {
    if let known = known(name) {
      if inferred.contains(name.lowercased()) { changesInferredTable = true }
      _ = try tables.create(known, in: scope)
      return known
    }
    guard part == .insertRows else {
      throw HyperHiveError(
        .malformedAnswer(
          "rows are deleted from a table that is not there (byte \(scanner.offset))"),
        place: "table \"\(name)\"")
    }
    return try inferredTable(name, scanner, reader)
  }

  private func inferredTable(
    _ name: String, _ scanner: JSONScanner, _ reader: AnswerReader
  ) throws -> HyperHiveTable {
    var survey = JSONScanner(at: scanner.offset, reader.read)
    var table = HyperHiveTable(
      name: name, columns: try HyperHiveColumnSurvey.columns(&survey, table: name))
    warnings.append(
      "table \"\(name)\" is not in the server's schema; its columns are called "
        + "\(HyperHiveRules.undeclaredColumnName(0)) and so on")
    if table.columns.isEmpty {
      table.columns = [
        HyperHiveColumn(
          name: HyperHiveRules.undeclaredColumnName(0), type: "ANY", isKey: false)
      ]
    }
    // What was taken from older rows may not fit the new ones; where it does, indexes and triggers
    // of the app's stay.
    let local = scope.localName(of: name)
    if inferred.contains(name.lowercased()) {
      if try tables.isAsInferred(table, local) {
        try connection.execute("DELETE FROM \(SQLiteName.quoted(local))")
      } else {
        try tables.drop(local)
      }
    }
    _ = try tables.create(table, in: scope, isInferred: true)
    try tables.catalog.setColumns(of: table, resource: scope.resource)
    described[name.lowercased()] = table
    inferred.insert(name.lowercased())
    return table
  }

  // MARK: Rows

  private func reading(_ table: HyperHiveTable, requiresID: Bool) -> RowReading {
    let required = requiresID ? HyperHiveRules.idColumns(of: table) : []
    return RowReading(table: table.name, columns: table.columns, required: Set(required))
  }

  private func capacity(_ table: HyperHiveTable) -> Int {
    max(1, Self.valuesPerStatement / table.columns.count)
  }

  private func hasKey(_ table: HyperHiveTable) -> Bool {
    table.columns.contains(where: \.isKey)
  }

  /// What changes the rows of a table with a key.
  private func keyedRows(of table: HyperHiveTable) throws -> KeyedRows {
    let rows =
      try keyed ?? KeyedRows(table, name: scope.localName(of: table.name), connection)
    keyed = rows
    return rows
  }

  private func unkeyedRows(of table: HyperHiveTable) throws -> UnkeyedRows {
    try UnkeyedRows(table, name: scope.localName(of: table.name), connection)
  }

  /// Fills an empty table; of rows with the same id the last one stays.
  private func fill(_ table: HyperHiveTable, _ scanner: inout JSONScanner) throws {
    startObserving(table)
    let inserts = try BulkInsert(
      into: SQLiteName.quoted(scope.localName(of: table.name)),
      columns: table.columns.map { SQLiteName.quoted($0.name) }, rowCapacity: capacity(table),
      connection: connection)
    let batch = RowBatch(columnCount: table.columns.count, capacity: capacity(table)) {
      values, count in
      if try inserts.insert(values, rowCount: count) {
        self.observer?.take(values, rowCount: count)
        return
      }
      self.observer?.discard()
      // Some row has an id that is taken: all of these once more, in their order. Without a key it
      // is an index of the app's that refuses it, and that says which.
      if self.hasKey(table) {
        try self.keyedRows(of: table).replace(values, rowCount: count)
      } else {
        try self.unkeyedRows(of: table).insert(values, rowCount: count)
      }
    }
    changedRowCount += try reading(table, requiresID: hasKey(table)).rows(&scanner, into: batch)
  }

  private func startObserving(_ table: HyperHiveTable) {
    guard let observer else { return }
    let keys = table.columns.indices.filter { table.columns[$0].isKey }
    // A key of one integer is the rowid; the rows of all other tables are numbered.
    let isRowID = keys.count == 1 && table.columns[keys[0]].kind == .integer
    observer.start(
      scope.localName(of: table.name), types: table.columns.map(\.kind.sqlType),
      keyColumn: isRowID ? keys[0] : nil)
    let names = Set(table.columns.map { $0.name.lowercased() })
    // Columns of these names hide the number of a row.
    if !isRowID, names.isSuperset(of: ["rowid", "_rowid_", "oid"]) { observer.discard() }
  }

  /// Inserts rows in place of those that have their ids.
  private func insert(into table: HyperHiveTable, _ scanner: inout JSONScanner) throws {
    let write: (UnsafePointer<BoundValue>, Int) throws -> Void
    if hasKey(table) {
      let rows = try keyedRows(of: table)
      write = { try rows.replace($0, rowCount: $1) }
    } else {
      let rows = try unkeyedRows(of: table)
      write = { try rows.replace($0, rowCount: $1) }
    }
    let batch = RowBatch(
      columnCount: table.columns.count, capacity: capacity(table), write: write)
    changedRowCount += try reading(table, requiresID: true).rows(&scanner, into: batch)
  }

  private func delete(from table: HyperHiveTable, _ scanner: inout JSONScanner) throws {
    let ids = HyperHiveRules.idColumns(of: table).map { table.columns[$0] }
    let write: (UnsafePointer<BoundValue>, Int) throws -> Void
    if hasKey(table) {
      let rows = try keyedRows(of: table)
      write = { try rows.delete($0, count: $1) }
    } else {
      let rows = try unkeyedRows(of: table)
      write = { try rows.delete($0, count: $1) }
    }
    let batch = RowBatch(
      columnCount: ids.count, capacity: Self.valuesPerStatement, write: write)
    let reading = RowReading(table: table.name, columns: ids, required: Set(ids.indices))
    changedRowCount += try reading.ids(&scanner, into: batch)
  }
}
