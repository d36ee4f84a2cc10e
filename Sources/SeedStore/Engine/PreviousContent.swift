internal import SeedFiles
internal import SeedSQLite

/// The copy of what the installed database was before its content was last replaced or merged.
///
/// A new copy takes the place of the one before it only with the transaction that makes it true.
/// Until then it stands beside that one, under a name with the schema version that the database has
/// before the transaction and, whatever happens, not after it: whoever comes next sees by that
/// number whether the transaction was, and so which of the two copies it is to keep.
internal struct PreviousContent {
  internal let place: InstallPlace
  internal let files: FileSystem
  internal let databases: DatabaseAccess
  internal let options: InstallOptions

  /// Waits until a copy is on the disk.
  internal func synchronize(_ copied: String) throws(FileError) {
    let descriptor = try files.open(copied, .readNoFollow)
    defer { files.close(descriptor) }
    try files.setPermissions(descriptor, copied, options.permissions)
    if options.durability != .process { try files.synchronize(descriptor, copied) }
  }

  /// Puts a copy beside the previous one, under the write lock of the database.
  internal func putBeside(_ copied: String, schemaVersion: UInt32) throws(FileError) {
    try files.rename(copied, place.pendingPrefix + String(schemaVersion))
    try synchronizeDirectory()
  }

  /// Whether a copy waits for what became of its transaction.
  internal var isPending: Bool {
    do throws(FileError) {
      return try !pending().isEmpty
    } catch {
      // What cannot be looked at is looked at by the next call.
      return true
    }
  }

  /// Names a copy that waits, or deletes it, as its transaction was committed or not.
  ///
  /// One beside no database, or beside one that is damaged, goes on waiting: it is all there is.
  internal func settle() throws(SeedError) {
    let waiting = try SeedError.at(.keepPrevious) { () throws(FileError) in try pending() }
    for (path, schemaVersion) in waiting {
      guard let current = try currentSchemaVersion() else { return }
      try SeedError.at(.keepPrevious) { () throws(FileError) in
        if current == schemaVersion {
          try files.unlink(path)
        } else {
          // The log of the one before would be taken for this one's.
          try removeSiblings(of: place.previousPath)
          try files.rename(path, place.previousPath)
        }
        try synchronizeDirectory()
      }
    }
  }

  /// Whether there is a copy to go back to.
  internal func exists() throws(FileError) -> Bool {
    try files.linkStatus(place.previousPath) != nil
  }

  /// Deletes the copy, if there is one.
  internal func discard() throws(FileError) {
    guard try exists() else { return }
    try removeSiblings(of: place.previousPath)
    try files.unlink(place.previousPath)
    try synchronizeDirectory()
  }

  private func pending() throws(FileError) -> [(path: String, schemaVersion: UInt32)] {
    try files.names(place.directory).compactMap { name in
      let path = InstallPlace.join(place.directory, name)
      return place.pendingNumber(path).map { (path, $0) }
    }
  }

  private func currentSchemaVersion() throws(SeedError) -> UInt32? {
    let isThere = try SeedError.at(.keepPrevious) { () throws(FileError) in
      try files.linkStatus(place.path)?.kind == .regular
    }
    guard isThere else { return nil }
    do throws(SQLiteError) {
      return try databases.schemaVersion(place.path)
    } catch {
      if error.isCorrupt || error.isNotADatabase { return nil }
      throw SeedError(.keepPrevious, place.path, error)
    }
  }

  private func removeSiblings(of path: String) throws(FileError) {
    for sibling in InstallPlace.siblings.map({ path + $0 })
    where try files.linkStatus(sibling) != nil {
      try files.unlink(sibling)
    }
  }

  private func synchronizeDirectory() throws(FileError) {
    if options.durability != .process {
      try InstallPlace.synchronize(place.directory, on: files)
    }
  }
}
