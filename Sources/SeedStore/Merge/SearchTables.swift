internal import SeedMerge
internal import SeedSQLite

/// The virtual tables of a seed, such as indexes for full-text search, in a merge.
///
/// SQLite does not keep them: without triggers an index over another table (`content=`) still has the
/// words of the old rows after a merge, and lacks those of the new ones; one with rows of its own has
/// the old ones. What can be built anew is, rows that nobody has written to are replaced, and all
/// else is refused.
internal struct SearchTables {
  private struct Table {
    var name: String
    /// The definition that it is to have.
    var sql: String
    /// Whether one of another definition is in the way.
    var isReplaced = false
    /// Whether it is made.
    var isMade = false
    var filling: Filling
  }

  private enum Filling {
    /// Built anew from the table that it indexes.
    case rebuilt
    /// The seed's rows.
    case copied
  }

  private let connection: Connection
  private let snapshot: String
  private let base: SeedBase?
  /// What the merge brings; the indexes without changes of their own come only with changed rows.
  private var changed: [Table] = []
  private var stale: [Table] = []
  private let written: Set<String>

  /// Those that cannot be brought, a line for each.
  internal private(set) var refusals: [String] = []
  /// What the note of the new seed takes for the seed's, and is the app's.
  internal private(set) var amendments: [SeedBase.Amendment] = []

  /// Looks what the seed has.
  ///
  /// - Parameters:
  ///   - connection: The database, with the seed attached.
  ///   - snapshot: The name under which the seed is attached.
  ///   - base: What the installed seed had.
  ///   - merged: The tables to be merged.
  /// - Throws: ``SQLiteError``.
  internal init(
    _ connection: Connection, snapshot: String, base: SeedBase?, merged: [DeclaredTable]
  ) throws(SQLiteError) {
    self.connection = connection
    self.snapshot = snapshot
    self.base = base
    written = Set(merged.map(\.name.folded))
    let notes = try SeedBase.read(snapshot, on: connection)?.virtualTables ?? [:]
    for note in notes.values.sorted(by: { $0.name < $1.name }) { try compare(note) }
  }

  private mutating func refuse(_ name: String, _ words: String) {
    refusals.append("virtual table \"\(name)\" \(words)")
  }

  private mutating func compare(_ new: VirtualTableNote) throws(SQLiteError) {
    let name = new.name
    guard SchemaText.makes(.virtualTable, named: name, in: new.sql) else {
      return refuse(name, "is not made by one statement in the seed")
    }
    let isIndex = SchemaText.fullTextContent(in: new.sql) != nil
    let found = try connection.rows(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      .text(name))
    guard case .text(let own)? = found.first?.first else {
      guard isIndex else {
        return refuse(name, "is new in the seed and cannot be filled by a merge")
      }
      changed.append(Table(name: name, sql: new.sql, isMade: true, filling: .rebuilt))
      return
    }
    let old = base?.virtualTables.first { $0.key.folded == name.folded }?.value
    guard let old else {
      if base != nil {
        amendments.append(
          SeedBase.Amendment(table: name, part: SeedBase.virtualPart, columns: nil))
      } else if !SchemaText.isSame(own, new.sql) {
        return refuse(name, "is another one in the database")
      }
      return try keep(name, own)
    }
    if SchemaText.isSame(new.sql, old.sql), isIndex || new.contentSHA256 == old.contentSHA256 {
      // Nothing new but the rows of the table that it indexes.
      return try keep(name, own)
    }
    try bring(new, in: own, instead: old)
  }

  /// Notes an index of any definition over rows that the merge writes, unless triggers keep it.
  private mutating func keep(_ name: String, _ sql: String) throws(SQLiteError) {
    guard let content = SchemaText.fullTextContent(in: sql), try !isKeptByTrigger(name) else {
      return
    }
    let isView = try connection.scalarInteger(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE",
      .text(content))
    guard isView != nil || written.contains(content.folded) else { return }
    stale.append(Table(name: name, sql: sql, filling: .rebuilt))
  }

  /// Brings a table of another definition, or with other rows, than the old seed's.
  private mutating func bring(
    _ new: VirtualTableNote, in own: String, instead old: VirtualTableNote
  ) throws(SQLiteError) {
    let name = new.name
    let isSame = SchemaText.isSame(own, new.sql)
    guard isSame || SchemaText.isSame(own, old.sql) else {
      return refuse(name, "is another one in the database")
    }
    if try isKeptByTrigger(name) {
      if isSame { return }
      return refuse(name, "is another one in the seed, and triggers of the database write to it")
    }
    let isIndex = SchemaText.fullTextContent(in: new.sql) != nil
    let wasIndex = SchemaText.fullTextContent(in: own) != nil
    var isUntouched = wasIndex
    if !wasIndex {
      let present = try VirtualTableNote.digest(of: name, sql: own, on: connection)
      if isSame, present != nil, present == new.contentSHA256 { return }
      isUntouched = present != nil && present == old.contentSHA256
    }
    guard isUntouched else {
      return refuse(
        name,
        "has rows of its own, which are others in the seed and were written to in the database")
    }
    guard isIndex || !SchemaText.isContentless(new.sql) else {
      return refuse(name, "has other words in the seed, and no rows from which they could be taken")
    }
    guard isIndex || new.contentSHA256 != nil else {
      return refuse(name, "has rows of its own, which cannot be read")
    }
    changed.append(
      Table(
        name: name, sql: new.sql, isReplaced: !isSame, isMade: !isSame,
        filling: isIndex ? .rebuilt : .copied))
  }

  private func isKeptByTrigger(_ name: String) throws(SQLiteError) -> Bool {
    let triggers = try connection.rows("SELECT sql FROM main.sqlite_schema WHERE type = 'trigger'")
    return triggers.contains { row in
      if case .text(let sql) = row[0] { SchemaText.names(name, in: sql) } else { false }
    }
  }

  /// Makes the tables that are missing, and gives them and others their content.
  ///
  /// - Parameter hasWritten: Whether the merge has changed rows.
  /// - Throws: ``SQLiteError`` for what is no fault of the tables; that is a refusal.
  internal mutating func rebuild(hasWritten: Bool) throws(SQLiteError) {
    for table in changed + (hasWritten ? stale : []) {
      do throws(SQLiteError) {
        try build(table)
      } catch {
        // SQLITE_ERROR: a tokenizer of the app's, or a content table that is none.
        guard error.primaryCode == 1 || error.isMisuse else { throw error }
        refuse(table.name, "cannot be built: \(error.message)")
      }
    }
  }

  private func build(_ table: Table) throws(SQLiteError) {
    let name = SQLiteName.quoted(table.name)
    if table.isReplaced { try connection.run("DROP TABLE main.\(name)") }
    if table.isMade { try connection.run(table.sql) }
    switch table.filling {
    case .rebuilt: try connection.run("INSERT INTO main.\(name)(\(name)) VALUES ('rebuild')")
    case .copied:
      if !table.isMade { try connection.run("DELETE FROM main.\(name)") }
      var columns = try connection.rows(
        "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0", .text(table.name)
      ).compactMap { row in
        if case .text(let name) = row[0] { SQLiteName.quoted(name) } else { nil as String? }
      }
      if SchemaText.isFullText(table.sql) { columns.insert("rowid", at: 0) }
      let list = columns.joined(separator: ",")
      try connection.run(
        """
        INSERT INTO main.\(name) (\(list))
        SELECT \(list) FROM \(SQLiteName.quoted(snapshot)).\(name)
        """)
    }
  }
}
