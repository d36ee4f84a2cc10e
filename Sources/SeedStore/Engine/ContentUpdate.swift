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
      onPrevious: { [self] copied in try keep(copied) })
    return try run(.replace) { try databases.replace(request) }
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
      onPrevious: { [self] copied in try keep(copied) })
    return try run(.merge) { try databases.merge(request) }
  }

  /// Brings back the content from before the last replacement.
  internal func rollBack() throws(SeedError) {
    let status = try SeedError.at(.rollback) { () throws(FileError) in
      try files.linkStatus(place.previousPath)
    }
    guard status != nil else { throw SeedError(.rollback, place.path, .nothingToRollBack) }
    let request = ContentReplacement.Request(
      source: place.previousPath, live: place.path, previous: nil, onlyIfPristine: false,
      busyMilliseconds: Int(options.lockTimeout.milliseconds), onProgress: { _ in },
      onPrevious: { _ in })
    switch try run(.rollback, { try databases.replace(request) }) {
    case .replaced: break
    case .modified: preconditionFailure("nobody has asked whether it is pristine")
    case .encodingDiffers: throw SeedError(.rollback, place.path, .encodingDiffers)
    }
    try discardPrevious()
  }

  /// Deletes the copy of what was there before the last replacement, if there is one.
  internal func discardPrevious() throws(SeedError) {
    try SeedError.at(.rollback) { () throws(FileError) in
      guard try files.linkStatus(place.previousPath) != nil else { return }
      try files.unlink(place.previousPath)
      if options.durability != .process {
        try InstallPlace.synchronize(place.directory, on: files)
      }
    }
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

  /// Gives the copy of the old content its name, in place of an older one.
  private func keep(_ copied: String) throws(SeedError) {
    try SeedError.at(.keepPrevious) { () throws(FileError) in
      let descriptor = try files.open(copied, .readNoFollow)
      defer { files.close(descriptor) }
      try files.setPermissions(descriptor, copied, options.permissions)
      if options.durability != .process { try files.synchronize(descriptor, copied) }
      try files.rename(copied, place.previousPath)
      if options.durability != .process {
        try InstallPlace.synchronize(place.directory, on: files)
      }
    }
  }
}
