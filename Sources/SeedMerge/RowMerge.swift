package import SeedSQLite

/// Writes rows from outside into a live database, and leaves the app's own data alone.
///
/// Rows come one by one, in sections (``deletion(from:columns:)``, ``upsert(into:columns:)``), or
/// as a whole attached database (``merge(snapshot:removable:)``), in any order; ``finish()`` ends
/// it. What holds then:
///
/// - Other tables and other columns than the declared ones are never written.
/// - A row is updated in place, with `INSERT … ON CONFLICT DO UPDATE`, and only if a value differs
///   in storage class or bytes. It keeps its rowid, its children and the app's columns; a row that
///   does not differ costs no page and no update hook.
/// - A row is deleted at the end, and only if it did not come back and is not to be kept. So an ON DELETE action fires
///   for rows that are really gone, when no declared row refers to them any more.
/// - Unique values may move between rows in any way, swaps and rings too: rows that are in the way
///   are parked, with a value of nobody's in one column of each UNIQUE index, until they get their
///   new values. CHECKs are off for just that statement; triggers and update hooks see it. Where
///   the index is over an expression, the parked value (a random number, else NULL) must give the
///   expression another value; a NOT NULL column under an expression that makes few values of
///   many, such as a first letter, can fail with a UNIQUE error.
/// - What refers to unique values of a snapshot's rows by a foreign key is in the end as if all of
///   them had changed at once: see ``FollowingRows``.
/// - Where a UNIQUE index is over columns of the key alone, nothing can be parked. What takes the
///   place of a row that is to be deleted then waits until that is gone, at the end.
///
/// The caller opens the transaction, with `PRAGMA foreign_keys = ON` before it where they are to
/// be enforced, and ends it: ``commit(_:on:)`` names the rows that break a foreign key. After an
/// error it rolls back. Everything lies in the one transaction; the keys that wait lie in temporary
/// tables, which a rollback removes.
///
/// Confined to the thread of its connection.
package final class RowMerge {
  /// The declared tables.
  package let tables: [DeclaredTable]
  let connection: Connection
  let keys: [PendingKeys]
  private let index: [String: Int]
  /// By table, its name folded, the condition for a row to stay.
  private let keeping: [String: String]
  private var upserts: [RowUpsert] = []
  var counts = MergeCounts()
  private var isFinished = false
  /// The tables of a snapshot without the rows that are left to the app, by the table's number.
  private(set) var views: [Int: String] = [:]
  /// What finds the rows in the way of a snapshot's, table by table.
  private var searches: [ConflictSearch] = []
  /// What keeps foreign keys from changing declared rows by themselves; nil where they may.
  private let references: ReferenceGuard?

  /// Looks at the tables, and begins.
  ///
  /// Defers the foreign keys to the end of the transaction, RESTRICT too.
  ///
  /// - Parameters:
  ///   - tables: What may be written.
  ///   - keeping: By table, an SQL condition; a row that fulfils it stays where it would be deleted,
  ///     with all its values. It is looked at before the row's unique values are parked.
  ///   - holdsReferences: Whether ON UPDATE actions of foreign keys leave the rows of declared tables
  ///     alone, since all of them are brought.
  ///   - connection: The database.
  /// - Throws: ``MergeError`` when a table is not as it is declared; nothing was written then.
  /// - Precondition: The connection is in a transaction.
  package init(
    _ tables: [DeclaredTable], keeping: [String: String] = [:], holdsReferences: Bool = false,
    on connection: Connection
  ) throws(MergeError) {
    precondition(!connection.isInAutocommit, "rows are merged in a transaction of the caller's")
    let reader = try LayoutReader(connection)
    var layouts: [TableLayout] = []
    var index: [String: Int] = [:]
    for table in tables {
      guard index.updateValue(layouts.count, forKey: SQLNames.folded(table.name)) == nil else {
        throw MergeError(.tableNotDeclared, table: table.name)
      }
      layouts.append(try reader.read(table))
    }
    try MergeError.at("") { () throws(SQLiteError) in
      try connection.execute("PRAGMA defer_foreign_keys = ON")
    }
    let conditions = Self.folded(keeping)
    for table in keeping.keys where index[SQLNames.folded(table)] == nil {
      throw MergeError(.tableNotDeclared, table: table)
    }
    var keys: [PendingKeys] = []
    var keep: [Int: String] = [:]
    for (number, layout) in layouts.enumerated() {
      keep[number] = conditions[SQLNames.folded(layout.name)]
      keys.append(PendingKeys(layout, number: number, keep: keep[number], connection))
    }
    let references =
      holdsReferences ? try ReferenceGuard(layouts, keep: keep, connection) : nil
    self.references = references?.isIdle == false ? references : nil
    self.keeping = conditions
    self.tables = tables
    self.connection = connection
    self.keys = keys
    self.index = index
  }

  /// Begins a section of keys whose rows are to be deleted.
  ///
  /// - Parameters:
  ///   - table: A declared table.
  ///   - columns: The columns of the section's rows, those of the key at least.
  /// - Returns: What takes the section's rows.
  /// - Throws: ``MergeError``.
  package func deletion(
    from table: String, columns: [String]
  ) throws(MergeError) -> KeyDeletion {
    let keys = try keys(of: table)
    return try KeyDeletion(
      keys, columns: try self.columns(columns, of: keys.layout), connection)
  }

  /// Notes that all rows of a table are to be deleted but those that come back.
  ///
  /// - Parameter table: A declared table.
  /// - Throws: ``MergeError``.
  package func deleteAll(from table: String) throws(MergeError) {
    let keys = try keys(of: table)
    try keys.forgetAllHeld()
    try keys.add("SELECT \(SQLText.list(keys.layout.key)) FROM \(keys.layout.sql)")
  }

  /// Begins a section of rows that are to be as they are given.
  ///
  /// - Parameters:
  ///   - table: A declared table.
  ///   - columns: The columns of the section's rows, those of the key at least; others keep their
  ///     values, or get their defaults in a new row.
  /// - Returns: What takes the section's rows.
  /// - Throws: ``MergeError``; with ``MergeError/Reason/columnNotGiven(_:)`` when rows were parked
  ///   in a column that the section leaves out.
  package func upsert(
    into table: String, columns: [String]
  ) throws(MergeError) -> RowUpsert {
    let keys = try keys(of: table)
    let columns = try self.columns(columns, of: keys.layout)
    if keys.isUnsettled || keys.count > 0 {
      for parked in keys.parking?.assignments ?? []
      where !columns.contains(where: { $0.name == parked.column.name }) {
        throw MergeError(.columnNotGiven(parked.column.name), table: table)
      }
    }
    try references?.write(keys.number)
    try keys.parkEarlier()
    try keys.settle()
    let upsert = try RowUpsert(keys, columns: columns, references: references, connection)
    upserts.append(upsert)
    return upsert
  }

  /// Finds the rows that a snapshot would write over though no earlier one has brought their keys.
  ///
  /// Those that are as the snapshot has them are none: in all its columns, also in those that are
  /// not written, or a row of another meaning would be noted as the snapshot's. Called before ``merge(snapshot:removable:)``,
  /// and once; temporary tables with the keys stay until the connection is closed.
  ///
  /// - Parameters:
  ///   - schema: The name under which the snapshot is attached.
  ///   - noted: By table, an SQL condition that a row was an earlier snapshot's; the row's columns
  ///     stand behind `t.`. Tables without one are not looked at.
  ///   - initial: By table, the columns of the snapshot that only a new row gets.
  ///   - spares: Whether the merge then leaves these rows as they are.
  ///   - limit: How many keys of each table are told.
  /// - Returns: The keys, by table.
  /// - Throws: ``MergeError``.
  package func takenKeys(
    snapshot schema: String, noted: [String: String], initial: [String: [String]] = [:],
    spares: Bool, limit: Int
  ) throws(MergeError) -> [TakenKeys] {
    let (live, snapshot) = (
      try LayoutReader(connection), try LayoutReader(connection, schema: schema)
    )
    let (conditions, initial) = (Self.folded(noted), Self.folded(initial))
    var found: [TakenKeys] = []
    for (number, table) in tables.enumerated() {
      guard let condition = conditions[SQLNames.folded(table.name)] else { continue }
      var all = table
      all.columns += initial[SQLNames.folded(table.name)] ?? []
      let rows = TakenRows(
        layout: try live.read(all), source: try snapshot.read(all), noted: condition,
        number: number, connection: connection)
      guard let taken = try rows.find(limit: limit) else { continue }
      found.append(taken)
      if spares { views[number] = try rows.makeView() }
    }
    return found
  }

  /// The rows of a table in the snapshot that are not left to the app, as a name in SQL; nil where
  /// it is all of them.
  package func sparedSource(of table: String) -> String? {
    index[SQLNames.folded(table)].flatMap { views[$0] }.map { "temp.\(SQLText.quoted($0))" }
  }

  /// Makes the rows of all declared tables those of an attached database.
  ///
  /// - Parameters:
  ///   - schema: The name under which the snapshot is attached; it has the declared tables with
  ///     the declared columns and keys. It is only read.
  ///   - removable: By table, an SQL condition that a row must fulfil to be deleted if the snapshot
  ///     lacks it; the row's columns stand behind `t.`. Without one each such row is deleted.
  ///   - initial: By table, further columns that a new row gets from the snapshot, and that a row
  ///     that is there keeps.
  ///   - beforeTable: Called before each table, with the number of those that are merged by then.
  /// - Returns: What was done, without the rows that ``finish()`` will delete.
  /// - Throws: ``MergeError``, or what the closure throws; if ``MergeError/isBeforeWriting``,
  ///   nothing was written.
  @discardableResult
  package func merge(
    snapshot schema: String, removable: [String: String] = [:], initial: [String: [String]] = [:],
    beforeTable: (Int) throws -> Void = { _ in }
  ) throws -> MergeCounts {
    let (live, snapshot) = (
      try LayoutReader(connection), try LayoutReader(connection, schema: schema)
    )
    let (conditions, initial) = (Self.folded(removable), Self.folded(initial))
    let actions = try MergeError.at("") { () throws(SQLiteError) in
      try ForeignKeyActions(connection)
    }
    var merges: [SnapshotMerge] = []
    for (table, keys) in zip(tables, keys) {
      let name = SQLNames.folded(table.name)
      var all = table
      all.columns += initial[name] ?? []
      merges.append(
        SnapshotMerge(
          keys: keys, source: try snapshot.read(all).seen(through: views[merges.count]),
          inserted: try live.read(all).columns, removable: conditions[name], keep: keeping[name],
          canGoWithOthers: { [self] in
            let shrinking = self.keys.filter { $0.count > 0 }.map(\.layout.name)
            return actions.tables(goingWith: shrinking).contains(name)
          }, connection: connection))
    }
    searches = merges.map(\.conflictSearch)
    // Rows that follow others by ON UPDATE are written behind these, and so are as the snapshot has
    // them.
    let order = actions.childrenFirst(Array(merges.enumerated())) { $0.element.name }.reversed()
    var merged = MergeCounts()
    for (position, (number, merge)) in order.enumerated() {
      try beforeTable(position)
      do throws(MergeError) {
        try references?.write(number)
        merged += try merge.run()
      } catch {
        throw withAllConflicts(
          error, [searches[number]] + order.dropFirst(position + 1).map { searches[$0.offset] })
      }
    }
    counts += merged
    return merged
  }

  /// Deletes the rows that have not come back, writes those that have waited for it, and forgets the
  /// keys.
  ///
  /// - Parameter schema: The name under which the snapshot is attached, if nothing but a snapshot was
  ///   merged and it is to be looked at what foreign keys have done by themselves: rows that went
  ///   with others are then counted.
  /// - Returns: What the whole merge has done.
  /// - Throws: ``MergeError``; with ``MergeError/Reason/changedByForeignKeys(_:)`` where rows of the
  ///   snapshot would not be there as it has them.
  /// - Precondition: Called once; no section is used afterwards.
  package func finish(comparing schema: String? = nil) throws(MergeError) -> MergeCounts {
    precondition(!isFinished, "a merge is finished once")
    isFinished = true
    if !upserts.isEmpty {
      counts.inserted = nil
      for upsert in upserts {
        counts.written += upsert.written
        counts.unchanged += upsert.unchanged
      }
      upserts = []
    }
    try references?.end()
    // No rows come any more that could want what these have.
    for keys in keys { try keys.settle(where: "0") }
    if let schema {
      try deleteComparing(schema)
    } else {
      for keys in keys { counts.deleted += try keys.deleteRows() }
      try releaseHeld()
    }
    for keys in keys { counts.kept += keys.keptCount }
    for keys in keys { try keys.drop() }
    return counts
  }

  /// Writes what has waited for rows to be gone.
  func releaseHeld() throws(MergeError) {
    for (number, keys) in keys.enumerated() where !keys.held.isEmpty {
      do throws(MergeError) {
        let written = try keys.releaseHeld()
        counts.written += written
        counts.inserted = counts.inserted.map { $0 + written }
      } catch {
        throw withAllConflicts(error, Array(searches.dropFirst(number)))
      }
    }
  }

  /// Ends a transaction in which rows were merged.
  ///
  /// - Parameters:
  ///   - tables: The declared tables.
  ///   - connection: The database.
  /// - Throws: ``MergeError``, with ``MergeError/Reason/foreignKeys(_:)`` when rows refer to rows
  ///   that are not there. The transaction is still open then; the caller rolls it back.
  package static func commit(
    _ tables: [DeclaredTable], on connection: Connection
  ) throws(MergeError) {
    try checkForeignKeys(tables, on: connection)
    try MergeError.at("") { () throws(SQLiteError) in try connection.execute("COMMIT") }
  }

  /// Looks whether a transaction in which rows were merged can be committed.
  ///
  /// Costs nothing when it can: SQLite counts the references that dangle.
  ///
  /// - Parameters:
  ///   - tables: The declared tables.
  ///   - connection: The database.
  /// - Throws: ``MergeError``, with ``MergeError/Reason/foreignKeys(_:)`` when rows refer to rows
  ///   that are not there.
  package static func checkForeignKeys(
    _ tables: [DeclaredTable], on connection: Connection
  ) throws(MergeError) {
    guard connection.hasForeignKeyViolations else { return }
    let violations = try MergeError.at("") { () throws(SQLiteError) in
      try ForeignKeyViolation.find(aroundTables: tables.map(\.name), on: connection)
    }
    throw MergeError(
      violations.isEmpty
        ? .constraint(.foreignKey, message: "FOREIGN KEY constraint failed")
        : .foreignKeys(violations), table: "")
  }

  /// The greatest number of conflicts that an error names, as of dangling references.
  private static let conflictLimit = 100

  /// The error with all rows that are in the way, of this table and of those to come.
  private func withAllConflicts(
    _ first: MergeError, _ searches: [ConflictSearch]
  ) -> MergeError {
    guard case .constraint(let constraint, _) = first.reason,
      constraint == .unique || constraint == .primaryKey
    else { return first }
    var all = first
    do throws(SQLiteError) {
      for search in searches {
        let left = Self.conflictLimit - all.conflicts.count
        let found = try search.conflicts(limit: left)
        // One that cannot be searched for is told as SQLite tells it, and alone.
        if found.isEmpty, all.conflicts.isEmpty { return first }
        all.conflicts += found
      }
      return all
    } catch {
      // The conflict that SQLite has named is what has to be told; the others are an addition.
      return first
    }
  }

  static func folded<Value>(_ values: [String: Value]) -> [String: Value] {
    Dictionary(values.map { (SQLNames.folded($0.key), $0.value) }) { first, _ in first }
  }

  private func keys(of table: String) throws(MergeError) -> PendingKeys {
    precondition(!isFinished, "the merge is finished")
    guard let number = index[SQLNames.folded(table)] else {
      throw MergeError(.tableNotDeclared, table: table)
    }
    return keys[number]
  }

  /// The columns of a section.
  private func columns(
    _ names: [String], of layout: TableLayout
  ) throws(MergeError) -> [LayoutColumn] {
    var columns: [LayoutColumn] = []
    for name in names {
      let column = layout.columns.first { SQLNames.folded($0.name) == SQLNames.folded(name) }
      guard let column, !columns.contains(where: { $0.name == column.name }) else {
        throw MergeError(.columnNotDeclared(name), table: layout.name)
      }
      columns.append(column)
    }
    for part in layout.key where !columns.contains(where: { $0.name == part.name }) {
      throw MergeError(.keyColumnNotGiven(part.name), table: layout.name)
    }
    return columns
  }
}
