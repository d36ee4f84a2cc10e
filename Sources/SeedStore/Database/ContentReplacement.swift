internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// Replaces the content of a database that may be in use by that of another one.
///
/// By SQLite's backup, which writes all pages in one transaction of the live database: other
/// connections see the old content or the new one, and a process that dies leaves the old one.
/// The decision to replace, and the copy of the old content, are made from a state that is then
/// shown to be the one under the write lock: nothing that was acknowledged in between is lost.
/// Where somebody has written in between, the copy is made once more under the lock, which others
/// wait for: so it comes to an end however much they write.
internal struct ContentReplacement {
  /// What is asked for.
  internal struct Request: Sendable {
    /// The path of the new content.
    internal var source: String
    /// The path of the database whose content is replaced.
    internal var live: String
    /// Where a copy of the old content goes, a path that is absent; none if nil.
    internal var previous: String?
    /// Whether only a database is replaced to which nothing was written since its installation.
    internal var onlyIfPristine: Bool
    /// How long other writers and readers are waited for.
    internal var busyMilliseconds: Int
    /// Called with a share of the pages; throwing ends the replacement without effect.
    internal var onProgress: @Sendable (Double) throws -> Void
    /// Called with the copy of the old content when it is complete.
    internal var onPrevious: @Sendable (_ path: String) throws -> Void
    /// Called with that copy under the write lock, before anything is replaced, and with what tells
    /// later whether it was.
    internal var onLocked: @Sendable (_ path: String, _ note: UpdateNote) throws -> Void
  }

  /// How it ended.
  internal enum Result: Sendable, Equatable {
    case replaced
    /// The database has been written to since it was installed.
    case modified
    /// Text is stored in another encoding, which open connections do not expect to change.
    case encodingDiffers
  }

  /// How often a look at whether it is pristine is repeated when somebody wrote after it.
  private static let attemptLimit = 3
  private static let pagesPerStep: Int32 = 256
  private static let blockByteCount = 1 << 20

  private let request: Request
  private let files: FileSystem

  internal init(_ request: Request, on files: FileSystem) {
    self.request = request
    self.files = files
  }

  /// - Throws: ``SQLiteError``, ``FileError``, or what the closures throw; the live database is then
  ///   as it was.
  internal func run() throws -> Result {
    for _ in 0..<Self.attemptLimit {
      if let result = try attempt() { return result }
    }
    // Written to each time, whatever it was that was written.
    return .modified
  }

  /// Nil when others wrote after it was found to be pristine.
  private func attempt() throws -> Result? {
    let reader = try Connection(path: request.live, mode: .readWrite)
    reader.setBusyTimeout(milliseconds: request.busyMilliseconds)
    try reader.execute("BEGIN")
    let header = try self.header(reader)
    if request.onlyIfPristine, try !isPristine(reader, header) { return .modified }
    let source = try Connection(path: request.source, mode: .readOnly)
    guard try self.header(source).textEncoding == header.textEncoding else {
      return .encodingDiffers
    }
    let state = try LiveState(reader)
    // Ends the reading: a reader would keep a writer in rollback mode from its lock.
    try reader.execute("COMMIT")
    if let previous = request.previous {
      try removeStale(previous)
      try copy(reader, to: previous)
      try request.onPrevious(previous)
    }
    let writer = try Connection(path: request.live, mode: .readWrite)
    // Others may write one transaction after the other.
    writer.setBusyTimeout(milliseconds: request.busyMilliseconds, isInsistent: true)
    try writer.execute(
      "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    let backup = try Backup(from: source, into: writer)
    try backup.lock()
    // Now nobody else can write: what is unchanged now stays so.
    if try LiveState(reader) != state {
      if request.onlyIfPristine { return nil }
      if let previous = request.previous {
        try removeStale(previous)
        try copyLocked(by: writer, reader, to: previous)
        try request.onPrevious(previous)
      }
    }
    if let previous = request.previous {
      let identifier = try InstallRecord.read(from: source)?.identifier
      try request.onLocked(
        previous,
        UpdateNote(schemaVersion: try LiveState.schemaVersion(reader), identifier: identifier))
    }
    while try backup.step(pageCount: Self.pagesPerStep) {
      let total = max(backup.pageCount, 1)
      try request.onProgress(Double(total - backup.remainingPageCount) / Double(total))
    }
    try backup.finish()
    try writer.close()
    return .replaced
  }

  private func header(_ connection: Connection) throws(SQLiteError) -> DatabaseHeader {
    // Reads the schema, and with it takes the lock of a reader.
    _ = try connection.scalarInteger("SELECT count(*) FROM sqlite_schema")
    let bytes = try connection.fileStart(byteCount: DatabaseHeader.byteCount)
    guard let header = DatabaseHeader(bytes) else {
      throw SQLiteError(
        code: 26, message: "file is not a database", operation: "read the header",
        path: connection.path)
    }
    return header
  }

  /// Whether nothing was written since the installation.
  private func isPristine(
    _ connection: Connection, _ header: DatabaseHeader
  ) throws(SQLiteError) -> Bool {
    guard case .present(let stamp) = try SeedStamp.read(from: connection),
      let record = try InstallRecord.read(from: connection)
    else { return false }
    // Every transaction in rollback mode counts up; those of a log need not.
    if !header.isWriteAheadLogging, header.changeCounter == record.changeCounter { return true }
    guard try ContentDigest.compute(connection) == stamp.contentSHA256 else { return false }
    return try ShadowContent.isUnchanged(connection)
  }

  /// Deletes a copy that somebody's write has made out of date.
  private func removeStale(_ path: String) throws(FileError) {
    if try files.linkStatus(path) != nil { try files.unlink(path) }
  }

  /// Copies the live database to a new file.
  private func copy(_ live: Connection, to path: String) throws(SQLiteError) {
    let target = try Connection(path: path, mode: .create)
    try target.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
    let backup = try Backup(from: live, into: target)
    while try backup.step(pageCount: -1) {}
    try backup.finish()
    try target.close()
  }

  /// Copies the live database while another connection of this process has its write lock.
  ///
  /// In rollback mode that lock keeps readers out, too. Nothing is written yet, so the file is all
  /// there is, and it is read through the connection with the lock.
  private func copyLocked(by writer: Connection, _ reader: Connection, to path: String) throws {
    let start = try writer.fileStart(byteCount: DatabaseHeader.byteCount)
    if DatabaseHeader(start)?.isWriteAheadLogging == true { return try copy(reader, to: path) }
    let target = try files.open(path, .createNew(permissions: 0o600))
    defer { files.close(target) }
    try writer.forEachFileBlock(byteCount: Self.blockByteCount) { block in
      try files.writeAll(target, path, block)
    }
  }
}

/// What changes with every transaction of a database, whoever commits it.
private enum LiveState: Equatable {
  /// The file's header, whose change counter every transaction in rollback mode counts up.
  ///
  /// Read without a lock: the writer that holds it keeps everyone else from writing.
  case header([UInt8])
  /// SQLite's `data_version`, for a log; a checkpoint changes the header, too, but not this.
  case version(Int64)

  init(_ connection: Connection) throws(SQLiteError) {
    let bytes = try connection.fileStart(byteCount: DatabaseHeader.byteCount)
    if DatabaseHeader(bytes)?.isWriteAheadLogging == true {
      self = .version(try connection.scalarInteger("PRAGMA data_version") ?? 0)
    } else {
      self = .header(bytes)
    }
  }

  /// The schema version of a database that another connection of this process has locked.
  ///
  /// SQLite's backup raises it by one, and nothing but a change of the schema does otherwise.
  static func schemaVersion(_ connection: Connection) throws(SQLiteError) -> UInt32 {
    let bytes = try connection.fileStart(byteCount: DatabaseHeader.byteCount)
    guard DatabaseHeader(bytes)?.isWriteAheadLogging == true else {
      return bytes[40..<44].reduce(0) { $0 << 8 | UInt32($1) }
    }
    return UInt32(
      truncatingIfNeeded: try connection.scalarInteger("PRAGMA schema_version") ?? 0)
  }
}
