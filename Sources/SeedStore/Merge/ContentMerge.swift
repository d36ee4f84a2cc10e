internal import SeedFormat
internal import SeedMerge
internal import SeedSQLite

/// Makes the rows that a seed owns those of a newer one, in a database that may be in use.
///
/// All of it is one transaction of the live database, under its write lock from the first look on:
/// other connections see the old rows or the new ones, and a process that dies leaves the old ones.
internal struct ContentMerge {
  /// What is asked for.
  internal struct Request: Sendable {
    /// The path of the new seed: a private copy, which nobody changes.
    internal var source: String
    /// The path of the live database.
    internal var live: String
    /// Where a copy of the old content goes, a path that is absent.
    internal var previous: String
    /// How long other writers are waited for.
    internal var busyMilliseconds: Int
    /// Called before each table; throwing ends the merge without effect.
    internal var onProgress: @Sendable (Double) throws -> Void
    /// Called with the copy of the old content, just before the new rows are committed, and with
    /// what tells later whether they were.
    internal var onPrevious: @Sendable (_ path: String, _ note: UpdateNote) throws -> Void
    /// What becomes of rows of the app's own whose keys the seed brings.
    internal var takenKeys: TakenKeyPolicy = .refuse
  }

  /// How it ended.
  internal enum Result: Sendable, Equatable {
    case merged(MergedRows)
    /// The two do not fit, and why: a line for each object. Nothing was changed.
    case refused([String], Lack = .none)
    /// Rows of the app's own have keys that the seed brings; by table. Nothing was changed.
    case keysTaken([TakenKeys])
    /// Somebody else has brought the database to this seed, or a newer one, meanwhile.
    case notNewer
    /// Text is stored in another encoding.
    case encodingDiffers
  }

  /// Whether a refusal is about values that rows do not have.
  internal enum Lack: Sendable, Equatable {
    case none
    /// A column is NOT NULL in one of the two, and rows of the other have no value for it.
    case values
  }

  private static let snapshot = "_seed_new"
  /// How many keys of each table are told.
  private static let keyLimit = 10

  private let request: Request

  internal init(_ request: Request) {
    self.request = request
  }

  /// - Throws: ``SQLiteError``, or what the closures throw; the live database is then as it was.
  internal func run() throws -> Result {
    let facts = try prepareSource()
    guard facts.stamp != nil else {
      return .refused(["the seed has no stamp; build it with \"seed build\""])
    }
    let live = try Connection(path: request.live, mode: .readWrite, attachesURIs: true)
    live.setBusyTimeout(milliseconds: request.busyMilliseconds, isInsistent: true)
    try live.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
      PRAGMA foreign_keys = ON
      """)
    // Reads the schema, and with it the header.
    _ = try live.scalarInteger("SELECT count(*) FROM sqlite_schema")
    let encoding = DatabaseHeader(try live.fileStart(byteCount: DatabaseHeader.byteCount))?
      .textEncoding
    guard encoding == nil || encoding == facts.header?.textEncoding else {
      return .encodingDiffers
    }
    try live.attachImmutable(request.source, as: Self.snapshot)
    // References may dangle until all tables have their rows.
    try live.execute("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
    let result: Result
    do {
      result = try merge(facts, into: live)
      if result.isMerged {
        try live.execute("COMMIT")
      } else if !live.isInAutocommit {
        // A trigger's RAISE(ROLLBACK) has done it already.
        try live.execute("ROLLBACK")
      }
    } catch {
      if !live.isInAutocommit { try live.execute("ROLLBACK") }
      throw error
    }
    try live.close()
    return result
  }

  /// Reads the new seed, and makes sure that it can be read as a file that nobody changes.
  private func prepareSource() throws(SQLiteError) -> DatabaseFacts {
    let source = try Connection(path: request.source, mode: .readWrite)
    // The mark of a log, which some versions of SQLite do not read from an immutable file.
    try source.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
    let start = try source.fileStart(byteCount: DatabaseFacts.startByteCount)
    let facts = try DatabaseFacts(start: start, from: source)
    try source.close()
    return facts
  }

  private func merge(_ facts: DatabaseFacts, into live: Connection) throws -> Result {
    let installed = try DatabaseFacts(
      start: live.fileStart(byteCount: DatabaseFacts.startByteCount), from: live)
    guard SeedRelation(of: facts.identity, to: installed.identity) == .newer else {
      return .notNewer
    }
    for schema in ["main", Self.snapshot] where try isCoreDataStore(schema, live) {
      return .refused([Self.coreDataRefusal])
    }
    guard let ownership = try Ownership.read(Self.snapshot, on: live) else {
      return .refused([Self.ownershipRefusal])
    }
    // Before anything is written, and under the lock: it is the state that the merge begins with.
    try copyLive(to: request.previous)
    do {
      return try merge(facts, ownership, into: live)
    } catch let error as MergeError {
      if case .constraint(.notNull, _) = error.reason {
        let missing = MissingValues(connection: live, snapshot: Self.snapshot)
        let lines = try missing.lines(of: error.table)
        return .refused(lines.isEmpty ? Self.refusal(error) ?? [] : lines, .values)
      }
      if let line = Self.refusal(error) { return .refused(line) }
      throw error.sqlite ?? error
    }
  }

  private func merge(
    _ facts: DatabaseFacts, _ ownership: Ownership, into live: Connection
  ) throws -> Result {
    let schemaVersion = try live.scalarInteger("PRAGMA main.schema_version") ?? 0
    let base = try SeedBase.read(on: live)
    var update = SchemaUpdate(live, snapshot: Self.snapshot, base: base)
    let streams = try StreamHandover(live, snapshot: Self.snapshot)
    try update.run(ownership, excluding: streams.tables)
    if update.refusals.isEmpty {
      let lines = streams.refusals(update.tables)
      guard lines.isEmpty else { return .refused(lines) }
    }
    var searches = try SearchTables(
      live, snapshot: Self.snapshot, base: base, merged: update.tables)
    let unfit =
      update.refusals + searches.refusals
      + (update.refusals.isEmpty ? try unfit(update.tables, live) : [])
    guard unfit.isEmpty else {
      return .refused(unfit, update.lacksDefault ? .values : .none)
    }

    let merge = try RowMerge(update.tables, on: live)
    var removable: [String: String] = [:]
    var noted: [String: String] = [:]
    for table in update.tables {
      let isApps = update.appTables.contains(table.name.folded)
      noted[table.name] = isApps ? "0" : base?.removableRows(of: table)
      removable[table.name] = noted[table.name] ?? "0"
    }
    let taken = try takenKeys(merge, noted, update.initial)
    guard taken.isEmpty else { return .keysTaken(taken) }
    let total = Double(max(update.tables.count, 1))
    try merge.merge(
      snapshot: Self.snapshot, removable: removable, initial: update.initial,
      beforeTable: { try request.onProgress(Double($0) / total) })
    let counts = try merge.finish(comparing: Self.snapshot)
    let withheld = try merge.withheldRows(snapshot: Self.snapshot, noted: noted)
    try update.makeIndexes()
    try searches.rebuild(after: counts)
    let late = update.refusals + searches.refusals
    guard late.isEmpty else { return .refused(late) }
    try RowMerge.checkForeignKeys(update.tables + update.gifts, on: live)
    try writeRecords(facts, base, update.amendments + searches.amendments, live)
    try streams.write(update.tables)
    for rows in withheld {
      try SeedBase.renewRows(of: rows.table, from: rows.source, on: live)
    }
    for table in update.tables where !withheld.contains(where: { $0.table == table }) {
      guard let source = merge.sparedSource(of: table.name) else { continue }
      // What was left to the app is not the seed's at the next merge, either.
      try SeedBase.renewRows(of: table, from: source, on: live)
    }
    try request.onProgress(1)
    try request.onPrevious(
      request.previous,
      UpdateNote(
        schemaVersion: UInt32(truncatingIfNeeded: schemaVersion),
        identifier: try InstallRecord.read(from: live)?.identifier))
    return .merged(
      MergedRows(
        inserted: counts.inserted ?? 0, updated: counts.updated ?? counts.written,
        deleted: counts.deleted, cascaded: max(counts.cascaded, 0),
        unchanged: counts.unchanged - withheld.reduce(0) { $0 + $1.missingCount }))
  }

  /// The keys of rows of the app's own that stand in the way.
  private func takenKeys(
    _ merge: RowMerge, _ noted: [String: String], _ initial: [String: [String]]
  ) throws(MergeError) -> [TakenKeys] {
    guard request.takenKeys != .seed else { return [] }
    let taken = try merge.takenKeys(
      snapshot: Self.snapshot, noted: noted, initial: initial,
      spares: request.takenKeys == .app, limit: Self.keyLimit)
    return request.takenKeys == .app ? [] : taken
  }

  /// What of the database cannot take rows, a line for each table.
  private func unfit(_ tables: [DeclaredTable], _ live: Connection) throws -> [String] {
    var lines: [String] = []
    for table in tables {
      do throws(MergeError) {
        _ = try RowMerge([table], on: live)
      } catch {
        guard let line = Self.refusal(error) else { throw error.sqlite ?? error }
        lines += line
      }
    }
    return lines
  }

  /// An error in lines for people; nil for one that is no fault of the two databases.
  private static func refusal(_ error: MergeError) -> [String]? {
    switch error.reason {
    // SQLITE_ERROR: a foreign key, trigger or expression that makes no sense for the schema.
    case .database where error.sqlite?.primaryCode == 1:
      [(error.table.isEmpty ? "" : "table \"\(error.table)\": ") + (error.sqlite?.message ?? "")]
    // What a trigger or a foreign key would put into the app's columns.
    case .database where error.sqlite?.isMismatch == true:
      ["table \"\(error.table)\": \(error.sqlite?.message ?? error.message)"]
    case .database: nil
    case .foreignKeys(let violations): violations.map(\.description)
    case .changedByForeignKeys(let tables): MergeError.lines(tables)
    case .constraint where !error.conflicts.isEmpty:
      error.conflicts.map(\.description)
    default: ["table \"\(error.table)\": \(error.message)"]
    }
  }

  private func isCoreDataStore(
    _ schema: String, _ live: Connection
  ) throws(SQLiteError) -> Bool {
    try live.scalarInteger(
      """
      SELECT count(*) FROM \(SQLiteName.quoted(schema)).sqlite_schema
      WHERE type = 'table' AND name = '\(StoreMetadata.tableName)'
      """) == 1
  }

  private static let coreDataRefusal = """
    the database is a Core Data store, whose rows have no keys of their own (Z_PK is numbered anew by \
    each build) and whose schema has no place to declare any
    """
  private static let ownershipRefusal = """
    the seed declares no table as its own; name them under "owned" in seed.json
    """

  // MARK: Records

  /// Writes down that the database is at the new seed.
  private func writeRecords(
    _ facts: DatabaseFacts, _ base: SeedBase?, _ amendments: [SeedBase.Amendment],
    _ live: Connection
  ) throws {
    try SeedBase.makeTables(on: live)
    let notes = [SeedBase.baseTable, SeedBase.rowTable]
    let merge = try RowMerge(notes, on: live)
    try merge.merge(snapshot: Self.snapshot)
    _ = try merge.finish()
    try SeedBase.amend(amendments, on: live)
    try writeOwnership(live)
    try facts.stamp?.replace(in: live)
    // A new identifier tells, once this is committed, that it was. No change counter is 0: whether
    // it is pristine is for the digest to say.
    try InstallRecord(identifier: InstallRecord.newIdentifier(), changeCounter: 0).write(to: live)
    let version = try live.scalarInteger("PRAGMA main.user_version")
    // An app that counts up by itself goes on to do so.
    if let header = facts.header, version == base?.userVersion {
      try live.execute("PRAGMA main.user_version = \(header.userVersion)")
    }
  }

  private func writeOwnership(_ live: Connection) throws(SQLiteError) {
    let snapshot = "\(SQLiteName.quoted(Self.snapshot))._seed_owned"
    guard try Ownership.read("main", on: live) != Ownership.read(Self.snapshot, on: live) else {
      return
    }
    try live.execute(
      """
      CREATE TABLE IF NOT EXISTS main._seed_owned(
      table_name TEXT NOT NULL, column_name TEXT, UNIQUE(table_name, column_name));
      DELETE FROM main._seed_owned;
      INSERT INTO main._seed_owned(table_name, column_name)
      SELECT table_name, column_name FROM \(snapshot) ORDER BY rowid
      """)
  }

  /// Copies the live database to a new file.
  ///
  /// By a reader: SQLite copies from no connection that is in a transaction that writes.
  private func copyLive(to path: String) throws(SQLiteError) {
    let live = try Connection(path: request.live, mode: .readWrite)
    live.setBusyTimeout(milliseconds: request.busyMilliseconds)
    let target = try Connection(path: path, mode: .create)
    try target.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    let backup = try Backup(from: live, into: target)
    while try backup.step(pageCount: -1) {}
    try backup.finish()
    try target.close()
    try live.close()
  }
}

extension ContentMerge.Result {
  fileprivate var isMerged: Bool { if case .merged = self { true } else { false } }
}
