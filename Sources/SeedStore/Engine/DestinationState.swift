internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// What stands at the destination.
internal enum DestinationState: Equatable {
  case absent
  /// A file that is no usable database, and why.
  case unusable(String)
  /// A database in a format that this SQLite does not know, and its number.
  case unknownFormat(Int)
  /// A database, and which seed it was made from.
  case database(SeedIdentity)

  /// Looks without opening the file but through SQLite.
  internal static func look(
    at place: InstallPlace, on files: FileSystem, _ databases: DatabaseAccess
  ) throws(SeedError) -> DestinationState {
    guard let status = try probe(place, on: files) else { return .absent }
    guard status.byteCount > 0 else { return .unusable("it is empty") }
    let reading = try SeedError.at(.probe, database: place.path) { () throws(SQLiteError) in
      try databases.readLive(place.path)
    }
    switch reading {
    case .unusable(let why): return .unusable(why)
    case .unknownFormat(let number): return .unknownFormat(number)
    case .database(let facts):
      guard facts.objectCount > 0 else { return .unusable("it has no tables") }
      return .database(facts.identity)
    }
  }

  /// The status of the file at the destination; nil if there is none.
  ///
  /// - Throws: ``SeedError`` for what is no file.
  internal static func probe(
    _ place: InstallPlace, on files: FileSystem
  ) throws(SeedError) -> FileStatus? {
    let status = try SeedError.at(.probe) { () throws(FileError) in
      try files.linkStatus(place.path)
    }
    switch status?.kind {
    case nil: return nil
    case .regular: return status
    case .symbolicLink: throw SeedError(.probe, place.path, .isSymbolicLink)
    case .directory: throw SeedError(.probe, place.path, .isDirectory)
    case .other: throw SeedError(.probe, place.path, .notARegularFile)
    }
  }
}
