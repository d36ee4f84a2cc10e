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
    /// What is set before it is filled.
    var options = SearchOptions()
  }

  /// An index that triggers write to.
  private struct Kept {
    var table: Table
    /// The events at which they write each row.
    var events: Set<String>
    /// Whether it had the words of its rows before the merge.
    var agreed: Bool
  }

  private enum Filling {
    /// Built anew from the table that it indexes.
    case rebuilt
    /// The seed's rows.
    case copied
    /// What it has.
    case none
  }

  private let connection: Connection
  private let snapshot: String
  private let base: SeedBase?
  /// What the merge brings; the indexes without changes of their own come only with changed rows.
  private var changed: [Table] = []
  private var stale: [Table] = []
  private var kept: [Kept] = []
  private let triggers: SearchTriggers
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
    triggers = try SearchTriggers(connection)
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
    let old = base?.virtualTables.first { $0.key.folded == name.folded }?.value
    let found = try connection.rows(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      .text(name))
    guard case .text(let own)? = found.first?.first else {
      // One that the app has dropped does not come back.
      if old != nil { return }
      guard isIndex else {
        return refuse(name, "is new in the seed and cannot be filled by a merge")
      }
      changed.append(
        Table(name: name, sql: new.sql, isMade: true, filling: .rebuilt, options: new.options))
      return
    }
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
      // Nothing new but the rows of the table that it indexes, and perhaps options.
      return try keep(name, own, try options(new, in: own, instead: old))
    }
    try bring(new, in: own, instead: old)
  }

  /// The options that a table is to get: the seed's, unless the app has set others.
  private func options(
    _ new: VirtualTableNote, in own: String, instead old: VirtualTableNote
  ) throws(SQLiteError) -> SearchOptions {
    guard new.options != old.options else { return SearchOptions() }
    let present = try SearchOptions.read(of: new.name, sql: own, on: connection)
    return present == old.options ? new.options : SearchOptions()
  }

  /// Notes an index of any definition over rows that the merge writes.
  private mutating func keep(
    _ name: String, _ sql: String, _ options: SearchOptions = SearchOptions()
  ) throws(SQLiteError) {
    if !options.isEmpty {
      changed.append(Table(name: name, sql: sql, filling: .none, options: options))
    }
    guard let content = SchemaText.fullTextContent(in: sql) else { return }
    let isView = try connection.scalarInteger(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE",
      .text(content))
    guard isView != nil || written.contains(content.folded) else { return }
    let table = Table(name: name, sql: sql, filling: .rebuilt)
    guard triggers.write(to: name) else {
      stale.append(table)
      return
    }
    let events = triggers.events(of: content, writingTo: name)
    // Those that write each row are not asked what they write.
    guard events.count < 3, let agreed = try agrees(table) else { return }
    kept.append(Kept(table: table, events: events, agreed: agreed))
  }

  /// Whether an index has the words of the rows that it indexes; nil where that cannot be told.
  private func agrees(_ table: Table) throws(SQLiteError) -> Bool? {
    let name = SQLiteName.quoted(table.name)
    // Without a rank FTS5 compares nothing but its own tables.
    let check =
      SchemaText.fullTextModule(in: table.sql) == "fts5"
      ? "(\(name), rank) VALUES ('integrity-check', 1)" : "(\(name)) VALUES ('integrity-check')"
    do throws(SQLiteError) {
      try connection.run("INSERT INTO main.\(name)\(check)")
      return true
    } catch {
      if error.isCorrupt { return false }
      // A tokenizer of the app's.
      guard error.primaryCode == 1 || error.isMisuse else { throw error }
      return nil
    }
  }

  /// Whether triggers have not kept an index that had the words of its rows.
  ///
  /// One that had others before is indexed by a rule of the app's own.
  private func isStale(_ kept: Kept, _ counts: MergeCounts) throws(SQLiteError) -> Bool {
    guard kept.agreed else { return false }
    let happened = [
      ("insert", counts.inserted ?? counts.written), ("update", counts.updated ?? counts.written),
      ("delete", counts.deleted + counts.cascaded),
    ]
    if happened.allSatisfy({ kept.events.contains($0.0) || $0.1 == 0 }) { return false }
    return try agrees(kept.table) == false
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
    if triggers.write(to: name) {
      if isSame { return try keep(name, own) }
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
        filling: isIndex ? .rebuilt : .copied,
        options: try options(to: new, in: own, instead: old, isReplaced: !isSame)))
  }

  /// As of a table that stays; one that is made anew also keeps those that the app has set.
  private func options(
    to new: VirtualTableNote, in own: String, instead old: VirtualTableNote, isReplaced: Bool
  ) throws(SQLiteError) -> SearchOptions {
    guard isReplaced else { return try options(new, in: own, instead: old) }
    let present = try SearchOptions.read(of: new.name, sql: own, on: connection)
    return present == old.options ? new.options : present
  }

  /// Makes the tables that are missing, and gives them and others their content.
  ///
  /// - Parameter counts: What the merge has done.
  /// - Throws: ``SQLiteError`` for what is no fault of the tables; that is a refusal.
  internal mutating func rebuild(after counts: MergeCounts) throws(SQLiteError) {
    var all = changed
    if counts.written + counts.deleted > 0 {
      all += stale
      for kept in kept where try isStale(kept, counts) { all.append(kept.table) }
    }
    for table in all {
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
    try table.options.set(for: table.name, on: connection)
    switch table.filling {
    case .none: break
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
