internal import SeedFiles
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
    let previous = place.newStagingPath()
    defer { _ = files.removeDatabase(previous) }
    let (watch, path) = (watch, place.path)
    let request = ContentReplacement.Request(
      source: source, live: path, previous: previous, onlyIfPristine: onlyIfPristine,
      busyMilliseconds: Int(options.lockTimeout.milliseconds),
      onProgress: { _ in try watch.check(.replace, path) },
      onPrevious: { [self] copied in try synchronize(copied) },
      onLocked: { [self] copied, version in try putBeside(copied, version) })
    return try keepingPrevious(.replace) { try databases.replace(request) }
  }

  /// Merges the rows of a newer seed into the installed database.
  internal func merge(from source: String) throws(SeedError) -> ContentMerge.Result {
    let previous = place.newStagingPath()
    defer { _ = files.removeDatabase(previous) }
    let (watch, path) = (watch, place.path)
    let request = ContentMerge.Request(
      source: source, live: path, previous: previous,
      busyMilliseconds: Int(options.lockTimeout.milliseconds),
      onProgress: { _ in try watch.check(.merge, path) },
      onPrevious: { [self] copied, version in
        try synchronize(copied)
        try putBeside(copied, version)
      }, takenKeys: options.takenKeys)
    return try keepingPrevious(.merge) { try databases.merge(request) }
  }

  /// Brings back the content from before the last replacement.
  internal func rollBack() throws(SeedError) {
    try previous.settle()
    let exists = try SeedError.at(.rollback) { () throws(FileError) in try previous.exists() }
    guard exists else { throw SeedError(.rollback, place.path, .nothingToRollBack) }
    guard try DestinationState.probe(place, on: files) != nil else {
      throw SeedError(.rollback, place.path, .destinationMissing(backup: place.previousPath))
    }
    // A log that SQLite would make beside it would stay there for good.
    try SeedError.at(.rollback, database: place.previousPath) { () throws(SQLiteError) in
      try databases.fold(place.previousPath)
    }
    let request = ContentReplacement.Request(
      source: place.previousPath, live: place.path, previous: nil, onlyIfPristine: false,
      busyMilliseconds: Int(options.lockTimeout.milliseconds), onProgress: { _ in },
      onPrevious: { _ in }, onLocked: { _, _ in })
    switch try run(.rollback, { try databases.replace(request) }) {
    case .replaced: break
    case .modified: preconditionFailure("nobody has asked whether it is pristine")
    case .encodingDiffers: throw SeedError(.rollback, place.path, .encodingDiffers)
    }
    try discardPrevious()
  }

  /// Deletes the copy of what was there before the last replacement, if there is one.
  internal func discardPrevious() throws(SeedError) {
    try previous.settle()
    try SeedError.at(.rollback) { () throws(FileError) in try previous.discard() }
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

  private func putBeside(_ copied: String, _ schemaVersion: UInt32) throws(SeedError) {
    try SeedError.at(.keepPrevious) { () throws(FileError) in
      try previous.putBeside(copied, schemaVersion: schemaVersion)
    }
  }
}
