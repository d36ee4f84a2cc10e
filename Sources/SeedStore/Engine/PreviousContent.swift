internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// The copy of what the installed database was before its content was last replaced or merged.
///
/// A new copy takes the place of the one before it only with the transaction that makes it true.
/// Until then it stands beside that one, under a name with a note of that transaction: whoever comes
/// next sees by the note whether the transaction was, and so which of the two copies it is to keep.
/// In the same way the copy that is brought back has another name until that is done.
internal struct PreviousContent {
  internal let place: InstallPlace
  internal let files: FileSystem
  internal let databases: DatabaseAccess
  internal let options: InstallOptions

  /// Makes sure that the copy can get its name once the new content is there.
  internal func checkPlace() throws(SeedError) {
    for path in [place.previousPath] + InstallPlace.siblings.map({ place.previousPath + $0 }) {
      let status = try SeedError.at(.keepPrevious) { () throws(FileError) in
        try files.linkStatus(path)
      }
      switch status?.kind {
      case nil, .regular, .symbolicLink: break
      case .directory: throw SeedError(.keepPrevious, path, .isDirectory)
      case .other: throw SeedError(.keepPrevious, path, .notARegularFile)
      }
    }
  }

  /// Waits until a copy is on the disk.
  internal func synchronize(_ copied: String) throws(FileError) {
    let descriptor = try files.open(copied, .readNoFollow)
    defer { files.close(descriptor) }
    try files.setPermissions(descriptor, copied, options.permissions)
    if options.durability != .process { try files.synchronize(descriptor, copied) }
  }

  /// Puts a copy beside the previous one, under the write lock of the database.
  internal func putBeside(_ copied: String, _ note: UpdateNote) throws(FileError) {
    try files.rename(copied, place.waitingPath(.replacing, note))
    try synchronizeDirectory()
  }

  /// Gives the copy the name under which it is brought back.
  ///
  /// - Returns: That path.
  internal func beginReturn(_ note: UpdateNote) throws(FileError) -> String {
    let path = place.waitingPath(.returning, note)
    try removeSiblings(of: place.previousPath)
    try files.rename(place.previousPath, path)
    try synchronizeDirectory()
    return path
  }

  /// Whether a copy waits for what became of its transaction.
  internal var isPending: Bool {
    do throws(FileError) {
      return try !waiting().isEmpty
    } catch {
      // What cannot be looked at is looked at by the next call.
      return true
    }
  }

  /// Names a copy that waits, or deletes it, as its transaction was committed or not.
  ///
  /// One beside no database, or beside one that is damaged, goes on waiting: it is all there is.
  /// - Returns: Whether one of them is found to have been brought back.
  @discardableResult
  internal func settle() throws(SeedError) -> Bool {
    let all = try SeedError.at(.keepPrevious) { () throws(FileError) in try waiting() }
    var hasReturned = false
    for copy in all {
      guard let current = try currentMark() else { return hasReturned }
      let isCommitted = copy.note.isCommitted(current)
      let isToKeep = isCommitted == (copy.kind == .replacing)
      if isCommitted, copy.kind == .returning { hasReturned = true }
      try SeedError.at(.keepPrevious) { () throws(FileError) in
        if isToKeep {
          // The log of the one before would be taken for this one's.
          try removeSiblings(of: place.previousPath)
          try files.rename(copy.path, place.previousPath)
        } else {
          try removeSiblings(of: copy.path)
          try files.unlink(copy.path)
        }
        try synchronizeDirectory()
      }
    }
    return hasReturned
  }

  /// The path of a copy that goes on waiting, if there is one.
  internal func firstWaiting() throws(FileError) -> String? {
    try waiting().first?.path
  }

  /// Whether there is a copy to go back to.
  internal func exists() throws(FileError) -> Bool {
    try files.linkStatus(place.previousPath) != nil
  }

  /// Checks that a regular file stands where the copy is looked for: a link would lead elsewhere, and a
  /// FIFO would be waited for.
  internal func checkKind() throws(SeedError) {
    let path = place.previousPath
    let status = try SeedError.at(.rollback) { () throws(FileError) in try files.linkStatus(path) }
    switch status?.kind {
    case nil, .regular: return
    case .symbolicLink: throw SeedError(.rollback, path, .isSymbolicLink)
    case .directory: throw SeedError(.rollback, path, .isDirectory)
    case .other: throw SeedError(.rollback, path, .notARegularFile)
    }
  }

  /// Checks that the copy is a database, and as long as it says.
  internal func checkSize() throws(SeedError) {
    let path = place.previousPath
    let (status, start) = try SeedError.at(.rollback) { () throws(FileError) in
      (
        try files.linkStatus(path),
        try files.bytes(of: path, limit: DatabaseFacts.startByteCount, mode: .readNoFollow)
      )
    }
    guard let header = DatabaseHeader(start), header.hasValidPageSize else {
      throw SeedError(
        .rollback, path, .notADatabase(looksLike: FileSignature(start).name))
    }
    // What is in a log beside it may not be in the file.
    guard try SeedError.at(.rollback, { () throws(FileError) in try !hasLog(path) }) else { return }
    if let expected = header.expectedByteCount, let found = status?.byteCount, found != expected {
      throw SeedError(.rollback, path, .wrongSize(expected: expected, found: found))
    }
  }

  private func hasLog(_ path: String) throws(FileError) -> Bool {
    for sibling in ["-wal", "-journal"] {
      if try files.linkStatus(path + sibling)?.byteCount ?? 0 > 0 { return true }
    }
    return false
  }

  /// Deletes the copy, if there is one.
  internal func discard() throws(FileError) {
    guard try exists() else { return }
    try removeSiblings(of: place.previousPath)
    try files.unlink(place.previousPath)
    try synchronizeDirectory()
  }

  private func waiting() throws(FileError) -> [(
    path: String, kind: InstallPlace.Waiting, note: UpdateNote
  )] {
    try files.names(place.directory).sorted().compactMap { name in
      let path = InstallPlace.join(place.directory, name)
      return place.waiting(path).map { (path, $0, $1) }
    }
  }

  private func currentMark() throws(SeedError) -> UpdateMark? {
    let isThere = try SeedError.at(.keepPrevious) { () throws(FileError) in
      try files.linkStatus(place.path)?.kind == .regular
    }
    guard isThere else { return nil }
    do throws(SQLiteError) {
      return try databases.mark(place.path)
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
