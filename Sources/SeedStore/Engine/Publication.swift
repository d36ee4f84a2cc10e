internal import SeedFiles

/// Gives a copy its name, and never takes that name from another file.
internal struct Publication {
  internal let place: InstallPlace
  internal let files: FileSystem
  internal let lock: InstallLock

  /// - Precondition: The copy is closed.
  /// - Returns: How it was done; nil if the name was taken.
  /// - Throws: ``SeedError``; the copy then still has its temporary name.
  internal func run(_ copy: StagedCopy) throws(SeedError) -> PublishMethod? {
    do throws(FileError) {
      if let method = try attempt({ () throws(FileError) in try renameExclusively(copy) }) {
        return method
      }
      if let method = try attempt({ () throws(FileError) in try link(copy) }) { return method }
      return try lockedRename(copy)
    } catch {
      if error.isTaken { return nil }
      throw SeedError(.publish, error)
    }
  }

  /// Nil when the file system cannot do it this way.
  private func attempt(
    _ body: () throws(FileError) -> PublishMethod
  ) throws(FileError) -> PublishMethod? {
    do throws(FileError) {
      return try body()
    } catch {
      guard error.isUnsupported else { throw error }
      return nil
    }
  }

  private func renameExclusively(_ copy: StagedCopy) throws(FileError) -> PublishMethod {
    try InterruptCleanup.commit { () throws(FileError) in
      try files.renameExclusively(copy.path, place.path)
    }
    copy.wasRenamed()
    return .exclusiveRename
  }

  private func link(_ copy: StagedCopy) throws(FileError) -> PublishMethod {
    // Unlike a rename this can leave both names behind, so the note of the first one has to be on
    // the disk before.
    try lock.synchronizeMark()
    try InstallPlace.synchronize(place.directory, on: files)
    try files.link(copy.path, place.path)
    // The database is there; a second name that stays is tried again, and swept by the next call.
    copy.remove()
    return .link
  }

  private func lockedRename(_ copy: StagedCopy) throws(FileError) -> PublishMethod {
    guard lock.isHeld, lock.isCurrent else {
      throw FileError(.renameExclusively, place.path, code: FileError.unsupported)
    }
    guard try files.linkStatus(place.path) == nil else {
      throw FileError(.rename, place.path, code: FileError.exists)
    }
    try files.rename(copy.path, place.path)
    copy.wasRenamed()
    return .lockedRename
  }
}
