internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// Replaces the content of the installed database, and keeps a copy of what it was.
internal struct ContentUpdate {
  internal let place: InstallPlace
  internal let files: FileSystem
  internal let databases: DatabaseAccess
  internal let options: InstallOptions
  internal let watch: InstallWatch

  internal func run(
    from source: String, onlyIfPristine: Bool
  ) throws(SeedError) -> ContentReplacement.Result {
    try self.previous.checkPlace()
    let previous = place.newStagingPath()
    defer { _ = files.removeDatabase(previous) }
    let (watch, path) = (watch, place.path)
    let request = ContentReplacement.Request(
      source: source, live: path, previous: previous, onlyIfPristine: onlyIfPristine,
      busyMilliseconds: Int(options.lockTimeout.milliseconds),
      onProgress: { _ in try watch.check(.replace, path) },
      onPrevious: { [self] copied in try synchronize(copied) },
      onLocked: { [self] copied, note in try putBeside(copied, note) })
    return try keepingPrevious(.replace) { try databases.replace(request) }
  }

  /// Merges the rows of a newer seed into the installed database.
  internal func merge(from source: String) throws(SeedError) -> ContentMerge.Result {
    try self.previous.checkPlace()
    let previous = place.newStagingPath()
    defer { _ = files.removeDatabase(previous) }
    let (watch, path) = (watch, place.path)
    let request = ContentMerge.Request(
      source: source, live: path, previous: previous,
      busyMilliseconds: Int(options.lockTimeout.milliseconds),
      onProgress: { _ in try watch.check(.merge, path) },
      onPrevious: { [self] copied, note in
        try synchronize(copied)
        try putBeside(copied, note)
      }, takenKeys: options.takenKeys)
    return try keepingPrevious(.merge) { try databases.merge(request) }
  }

  /// Brings back the content from before the last replacement.
  ///
  /// One whose process died after it was done is not done again: what was written since would be
  /// lost.
  /// - Parameter lock: The lock that is held; while the content comes back it says that there is
  ///   something to be finished.
  /// - Throws: ``SeedError``.
  internal func rollBack(_ lock: InstallLock? = nil) throws(SeedError) {
    let isDone = try previous.settle()
    let (exists, waiting) = try SeedError.at(.rollback) { () throws(FileError) in
      (try previous.exists(), try previous.firstWaiting())
    }
    if isDone, !exists { return }
    try previous.checkKind()
    let isThere = try DestinationState.probe(place, on: files) != nil
    guard let backup = exists ? place.previousPath : waiting else {
      throw SeedError(.rollback, place.path, isThere ? .nothingToRollBack : .databaseMissing)
    }
    guard isThere else {
      throw SeedError(.rollback, place.path, .destinationMissing(backup: backup))
    }
    do throws(SeedError) {
      guard exists else {
        // It waits since nobody can tell from a damaged database whether it came back.
        guard waiting != nil else { throw SeedError(.rollback, place.path, .nothingToRollBack) }
        throw SeedError(
          .rollback, place.path, .destinationUnusable("it is damaged", backup: backup))
      }
      try bringBack(lock)
    } catch {
      guard error.path == place.path, case .database(let code, let message) = error.reason,
        Self.damage.contains(code & 0xFF)
      else { throw error }
      let copy = try SeedError.at(.rollback) { () throws(FileError) in
        try previous.exists() ? place.previousPath : previous.firstWaiting()
      }
      throw SeedError(
        .rollback, place.path, .destinationUnusable(message, backup: copy ?? backup))
    }
  }

  /// SQLITE_CORRUPT and SQLITE_NOTADB.
  private static let damage: Set<Int32> = [11, 26]

  /// Takes the mark away, unless something is left to be finished by the next call, which sees it.
  private func unmark(_ lock: InstallLock?) {
    guard !previous.isPending else { return }
    // One that stays makes the next caller look once more.
    do throws(FileError) { try lock?.unmark() } catch { return }
  }

  private func bringBack(_ lock: InstallLock?) throws(SeedError) {
    try SeedError.at(.rollback) { () throws(FileError) in try lock?.mark(place.previousPath) }
    defer { unmark(lock) }
    let source = try beginReturn()
    let request = ContentReplacement.Request(
      source: source, live: place.path, previous: nil, onlyIfPristine: false,
      busyMilliseconds: Int(options.lockTimeout.milliseconds), onProgress: { _ in },
      onPrevious: { _ in }, onLocked: { _, _ in })
    try keepingPrevious(.rollback) {
      switch try databases.replace(request) {
      case .replaced: break
      case .modified: preconditionFailure("nobody has asked whether it is pristine")
      case .encodingDiffers: throw SeedError(.rollback, place.path, .encodingDiffers)
      }
    }
  }

  /// Makes sure that the copy can be brought back, and has its name say that it is about to be.
  private func beginReturn() throws(SeedError) -> String {
    let path = place.previousPath
    try previous.checkSize()
    // A log that SQLite would make beside it would stay there for good.
    try SeedError.at(.rollback, database: path) { () throws(SQLiteError) in
      try databases.fold(path)
    }
    let finding = try SeedError.at(.rollback, database: path) { () throws(SQLiteError) in
      try databases.structuralFinding(path)
    }
    if let finding { throw SeedError(.rollback, path, .failedCheck(finding)) }
    let current = try SeedError.at(.rollback, database: place.path) { () throws(SQLiteError) in
      try databases.mark(place.path)
    }
    let pageSize = try requiredPageSize()
    let identifier = try SeedError.at(.rollback, database: path) { () throws(SQLiteError) in
      try databases.renew(path, pageSize)
    }
    return try SeedError.at(.rollback) { () throws(FileError) in
      try previous.beginReturn(
        UpdateNote(schemaVersion: current.schemaVersion, identifier: identifier))
    }
  }

  /// The page size that the content must have to come into the database; nil if any will do.
  ///
  /// SQLite changes that of no database in WAL mode.
  private func requiredPageSize() throws(SeedError) -> Int? {
    let reading = try SeedError.at(.rollback, database: place.path) { () throws(SQLiteError) in
      try databases.readLive(place.path)
    }
    guard case .database(let facts) = reading, let header = facts.header,
      header.isWriteAheadLogging
    else { return nil }
    return header.pageSize
  }

  /// Deletes the copy of what was there before the last replacement, if there is one.
  internal func discardPrevious() throws(SeedError) {
    try previous.settle()
    try previous.checkKind()
    try SeedError.at(.rollback) { () throws(FileError) in try previous.discard() }
  }

  /// Whether there is a database or a copy of what it was.
  internal func hasSubject() throws(SeedError) -> Bool {
    if try DestinationState.probe(place, on: files) != nil { return true }
    return try SeedError.at(.rollback) { () throws(FileError) in
      if try previous.exists() { return true }
      return try previous.firstWaiting() != nil
    }
  }

  private var previous: PreviousContent {
    PreviousContent(place: place, files: files, databases: databases, options: options)
  }

  /// Runs a transaction that has a copy of the old content put beside the one before, and then
  /// keeps that of the two which is the true one.
  private func keepingPrevious<Result>(
    _ step: InstallStep, _ body: () throws -> Result
  ) throws(SeedError) -> Result {
    let result: Result
    do throws(SeedError) {
      result = try run(step, body)
    } catch {
      // What cannot be settled now is by the next call; the reason to tell is the first one.
      do throws(SeedError) { try previous.settle() } catch _ { throw error }
      throw error
    }
    try previous.settle()
    return result
  }

  private func run<Result>(
    _ step: InstallStep, _ body: () throws -> Result
  ) throws(SeedError) -> Result {
    do {
      return try body()
    } catch let error as SeedError {
      throw error
    } catch let error as SQLiteError {
      throw SeedError(step, place.path, error)
    } catch let error as FileError {
      throw SeedError(step, error)
    } catch {
      throw SeedError(step, place.path, .preparationFailed("\(error)"), underlying: error)
    }
  }

  private func synchronize(_ copied: String) throws(SeedError) {
    try SeedError.at(.keepPrevious) { () throws(FileError) in try previous.synchronize(copied) }
  }

  private func putBeside(_ copied: String, _ note: UpdateNote) throws(SeedError) {
    try SeedError.at(.keepPrevious) { () throws(FileError) in
      try previous.putBeside(copied, note)
    }
  }
}
