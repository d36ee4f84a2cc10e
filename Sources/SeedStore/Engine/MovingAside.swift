internal import SeedFiles

/// Moves files that must not stand beside a new database into a folder of their own.
///
/// SQLite pairs a log with a database by its name alone: beside a new file, the log of an old one
/// would be replayed into it. Nothing is deleted, since it may be all that is left of a user's data.
internal struct MovingAside {
  internal let place: InstallPlace
  internal let files: FileSystem
  internal let durability: Durability

  /// Moves the logs beside an absent destination, and the copies of what it was once: the database
  /// to be is another one, and a rollback of it must not bring them back.
  ///
  /// - Returns: Where they are now.
  internal func moveOrphans() throws(SeedError) -> [String] {
    try SeedError.at(.quarantine) { () throws(FileError) in
      let orphans = try presentSiblings() + presentCopies()
      // A database that has appeared meanwhile owns what lies beside it.
      guard !orphans.isEmpty, try files.linkStatus(place.path) == nil else { return [] }
      return try move(orphans, into: place.newAsidePath("orphaned"))
    }
  }

  /// Moves what stands at the destination, then what lies beside it.
  ///
  /// - Returns: Where the former is now; nil if it has gone meanwhile.
  internal func moveDatabase() throws(SeedError) -> String? {
    try SeedError.at(.quarantine) { () throws(FileError) in
      guard try files.linkStatus(place.path) != nil else { return nil }
      let siblings = try presentSiblings()
      // The database first: if this ends halfway, the rest are orphans, which are dealt with.
      return try move([place.path] + siblings, into: place.newAsidePath("damaged")).first
    }
  }

  private func presentSiblings() throws(FileError) -> [String] {
    var present: [String] = []
    for sibling in InstallPlace.siblings.map({ place.path + $0 }) {
      if try files.linkStatus(sibling) != nil { present.append(sibling) }
    }
    return present
  }

  private func presentCopies() throws(FileError) -> [String] {
    let names = InstallPlace.siblings.map { place.previousPath + $0 } + [place.previousPath]
    return try files.names(place.directory).sorted()
      .map { InstallPlace.join(place.directory, $0) }
      .filter { names.contains($0) || place.waiting($0) != nil }
  }

  private func move(_ paths: [String], into folder: String) throws(FileError) -> [String] {
    try files.makeDirectory(folder, 0o700)
    var moved: [String] = []
    for path in paths {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let target = InstallPlace.join(folder, name)
      try files.rename(path, target)
      moved.append(target)
    }
    if durability != .process {
      try InstallPlace.synchronize(folder, on: files)
      // On the disk before the new database has its name, or the log could come back beside it.
      try InstallPlace.synchronize(place.directory, on: files)
    }
    return moved
  }
}
