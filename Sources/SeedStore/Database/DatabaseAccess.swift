internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// What an installation asks of SQLite, as values, so that a test can take SQLite's place.
internal struct DatabaseAccess: Sendable {
  /// What is done to a copy before it gets its name.
  internal struct Sealing: Sendable {
    /// The identifier of the installation.
    internal var identifier: String
    internal var journalMode: JournalMode
    /// The page size of the database whose content is replaced; the copy's own if nil.
    internal var pageSize: Int?
  }

  /// Reads the database at the destination, which others may be using.
  internal var readLive: @Sendable (_ path: String) throws(SQLiteError) -> LiveReading
  /// Reads a database that nobody changes.
  internal var readUnused: @Sendable (_ path: String) throws(SQLiteError) -> DatabaseFacts
  /// Notes in a copy what the seed has brought, if it declares anything as its own.
  internal var noteBase: @Sendable (_ path: String) throws(SQLiteError) -> Void
  /// Writes the record of the installation into a copy, and sets its journal mode.
  internal var seal: @Sendable (_ path: String, Sealing) throws(SQLiteError) -> Void
  /// Checks structure, references and content of a copy; nil when all is well.
  internal var finding: @Sendable (_ path: String) throws(SQLiteError) -> String?
  /// What tells of a database that others may be using whether an update was committed.
  internal var mark: @Sendable (_ path: String) throws(SQLiteError) -> UpdateMark
  /// Brings all of an unused database into its one file.
  internal var fold: @Sendable (_ path: String) throws(SQLiteError) -> Void
  /// What is wrong with the structure of an unused database; nil when all is well.
  internal var structuralFinding: @Sendable (_ path: String) throws(SQLiteError) -> String?
  /// Gives an unused database with a stamp a new identifier, which is returned, and any the page
  /// size, unless that is nil.
  internal var renew: @Sendable (_ path: String, _ pageSize: Int?) throws(SQLiteError) -> String?
  /// The digest over schema and rows of a database that others may be using.
  internal var digest: @Sendable (_ path: String) throws(SQLiteError) -> String
  /// Replaces the content of a database in use.
  internal var replace: @Sendable (ContentReplacement.Request) throws -> ContentReplacement.Result
  /// Makes the seed's rows in a database in use those of a newer seed.
  internal var merge: @Sendable (ContentMerge.Request) throws -> ContentMerge.Result

  /// SQLite itself; a look at a database that others write to waits for as long as is allowed.
  internal static func live(
    on files: FileSystem, waiting: Duration = .seconds(30)
  ) -> DatabaseAccess {
    let reader = LiveReader(files: files, busyMilliseconds: Int(waiting.milliseconds))
    return DatabaseAccess(
      readLive: { (path) throws(SQLiteError) in try reader.read(path) },
      readUnused: readUnusedDatabase,
      noteBase: noteBaseOfCopy,
      seal: sealCopy,
      finding: findingInCopy,
      mark: { (path) throws(SQLiteError) in
        let connection = try Connection(path: path, mode: .readWrite)
        connection.setBusyTimeout(milliseconds: Int(waiting.milliseconds))
        return try UpdateMark(from: connection)
      },
      fold: { (path) throws(SQLiteError) in
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute("PRAGMA journal_mode = DELETE")
        try connection.close()
      },
      structuralFinding: { (path) throws(SQLiteError) in
        let connection = try Connection(path: path, mode: .readOnly)
        do throws(SQLiteError) {
          return try structuralFinding(of: connection)
        } catch {
          // SQLITE_ERROR: a collation or module that only the app's own connection has.
          guard error.primaryCode == 1 else { throw error }
          return try structuralFindingByTable(of: connection)
        }
      },
      renew: renewPrevious,
      digest: { (path) throws(SQLiteError) in
        let connection = try Connection(path: path, mode: .readWrite)
        connection.setBusyTimeout(milliseconds: Int(waiting.milliseconds))
        try connection.execute("BEGIN")
        let digest = try ContentDigest.compute(connection)
        try connection.execute("COMMIT")
        return digest
      },
      replace: { request in try ContentReplacement(request, on: files).run() },
      merge: { request in try ContentMerge(request).run() })
  }

  private static func noteBaseOfCopy(_ path: String) throws(SQLiteError) {
    let reader = try Connection(path: path, mode: .immutable)
    try reader.execute("PRAGMA trusted_schema = OFF")
    guard try Ownership.read("main", on: reader) != nil else { return }
    try reader.close()
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "PRAGMA trusted_schema = OFF; PRAGMA synchronous = OFF; BEGIN IMMEDIATE")
    try SeedBase.record(on: connection)
    try connection.execute("COMMIT")
    try connection.close()
  }

  private static func readUnusedDatabase(_ path: String) throws(SQLiteError) -> DatabaseFacts {
    let connection = try Connection(path: path, mode: .immutable)
    let start = try connection.fileStart(byteCount: DatabaseFacts.startByteCount)
    guard let header = DatabaseHeader(start), header.hasValidPageSize else {
      return DatabaseFacts(start: start)
    }
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    return try DatabaseFacts(start: start, from: connection)
  }

  private static func sealCopy(_ path: String, _ sealing: Sealing) throws(SQLiteError) {
    let connection = try Connection(path: path, mode: .readWrite)
    // The copy is private, and it is synchronized as a whole when it is complete.
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA synchronous = OFF")
    let usesLog =
      DatabaseHeader(try connection.fileStart(byteCount: 100))?.isWriteAheadLogging == true
    if !usesLog {
      // A journal in memory is not stored in the file, unlike a log, which this would end.
      try connection.execute("PRAGMA journal_mode = MEMORY")
    }
    if let pageSize = sealing.pageSize { try connection.setPageSize(pageSize) }
    if case .present = try SeedStamp.read(from: connection) {
      try connection.execute("BEGIN IMMEDIATE")
      let counter = DatabaseHeader(try connection.fileStart(byteCount: 100))?.changeCounter ?? 0
      // The transaction itself counts up by one. Content that replaces other goes on with the count
      // of that, which the user's transactions could bring to any number noted here; no count is 0.
      let published = sealing.pageSize == nil ? counter &+ 1 : 0
      try InstallRecord(identifier: sealing.identifier, changeCounter: published)
        .write(to: connection)
      try ShadowContent.note(on: connection)
      try connection.execute("COMMIT")
    }
    switch sealing.journalMode {
    case .asBuilt: if usesLog { try connection.execute("PRAGMA journal_mode = WAL") }
    case .delete: try connection.execute("PRAGMA journal_mode = DELETE")
    case .wal: try connection.execute("PRAGMA journal_mode = WAL")
    }
    try connection.close()
  }

  /// What the user has is in no other file, so a death in the midst of it must leave it whole.
  private static func renewPrevious(
    _ path: String, _ pageSize: Int?
  ) throws(SQLiteError) -> String? {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
    if let pageSize { try connection.setPageSize(pageSize) }
    var identifier: String?
    if case .present = try SeedStamp.read(from: connection) {
      let new = InstallRecord.newIdentifier()
      identifier = new
      try connection.execute("BEGIN IMMEDIATE")
      // Whether it is pristine is for the digest to say.
      try InstallRecord(identifier: new, changeCounter: 0).write(to: connection)
      try connection.execute("COMMIT")
    }
    try connection.close()
    return identifier
  }

  private static func structuralFinding(
    of connection: Connection
  ) throws(SQLiteError) -> String? {
    try connection.execute("PRAGMA cell_size_check = ON")
    return try connection.structuralFinding()
  }

  /// As far as it can be told without what only the app has: of a table that needs it, whether all its
  /// pages can be read.
  private static func structuralFindingByTable(
    of connection: Connection
  ) throws(SQLiteError) -> String? {
    let tables = try connection.rows(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    for row in tables {
      guard case .text(let table) = row[0] else { continue }
      let name = SQLiteName.quoted(table)
      do throws(SQLiteError) {
        let finding = try connection.scalarText("PRAGMA main.quick_check(\(name))")
        guard finding == "ok" else { return finding ?? "quick_check gave nothing" }
      } catch {
        guard error.primaryCode == 1 else { throw error }
        _ = try connection.scalarInteger("SELECT count(*) FROM main.\(name) NOT INDEXED")
      }
    }
    return nil
  }

  private static func findingInCopy(_ path: String) throws(SQLiteError) -> String? {
    let connection = try Connection(path: path, mode: .immutable)
    // A seed's schema may be anybody's; it is the app's own only once the app has it.
    try connection.execute("PRAGMA trusted_schema = OFF")
    if let finding = try structuralFinding(of: connection) { return finding }
    let violation = try connection.rows("PRAGMA foreign_key_check").first
    if case .text(let child)? = violation?[0], case .text(let parent)? = violation?[2] {
      return "a row of \(child) refers to no row of \(parent)"
    }
    guard case .present(let stamp) = try SeedStamp.read(from: connection) else { return nil }
    let digest = try ContentDigest.compute(connection)
    return digest == stamp.contentSHA256
      ? nil : "the content has digest \(digest), the stamp says \(stamp.contentSHA256)"
  }
}

extension Connection {
  /// Writes an unused database anew, unless its pages have that size already.
  ///
  /// In WAL mode `VACUUM` leaves the size as it is, so that mode ends.
  fileprivate func setPageSize(_ byteCount: Int) throws(SQLiteError) {
    guard try scalarInteger("PRAGMA page_size") != Int64(byteCount) else { return }
    if try scalarText("PRAGMA journal_mode") == "wal" {
      try execute("PRAGMA journal_mode = DELETE")
    }
    try execute("PRAGMA page_size = \(byteCount); VACUUM")
  }
}
