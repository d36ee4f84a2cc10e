internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

extension SeedDatabase {
  /// The URI by which an app reads a seed where it lies, without a copy.
  ///
  /// `file:///…/default.sqlite?mode=ro&immutable=1`: SQLite then takes no locks and looks at no
  /// log, which works in a folder that cannot be written to, such as an app's bundle, and leaves
  /// no file there. It is legal only if nobody changes the file while it is open; otherwise
  /// queries give wrong results. So a seed must be a plain, complete database with a rollback
  /// journal and nothing beside it. Give the URI to `sqlite3_open_v2` with `SQLITE_OPEN_URI`, to
  /// GRDB as the path of a `DatabaseQueue`, or to SQLite.swift as `.uri`.
  ///
  /// Reads a few hundred bytes of the file and looks at its neighbours; blocks for as long.
  /// - Parameters:
  ///   - seed: The prebuilt database.
  ///   - unwritable: Whether the file must have no permission to be written to, by anybody. Files
  ///     that `seed build` makes have one unless it is taken away.
  /// - Returns: The URI, with the absolute path of the file.
  /// - Throws: ``SeedError``; with ``SeedError/Reason/notReadableInPlace(_:)``,
  ///   ``SeedError/Reason/unfinishedLog(_:)`` or ``SeedError/Reason/wrongSize(expected:found:)`` it
  ///   says why it is not legal. The seed is to be installed then.
  public static func readOnlyURI(
    for seed: Seed, unwritable: Bool = false
  ) throws(SeedError) -> String {
    try readOnlyURI(for: seed, unwritable: unwritable, files: .live, databases: .live(on: .live))
  }

  internal static func readOnlyURI(
    for seed: Seed, unwritable: Bool, files: FileSystem, databases: DatabaseAccess
  ) throws(SeedError) -> String {
    func refuse(_ why: String) -> SeedError {
      SeedError(.checkSource, seed.path, .notReadableInPlace(why))
    }
    let source = try SeedSource.look(at: seed, on: files, databases)
    if source.isCompressed { throw refuse("it is packed with gzip") }
    // Opened as immutable, the mark would be ignored by some versions of SQLite and an error in
    // others.
    if DatabaseHeader(source.start)?.isWriteAheadLogging == true {
      throw refuse("it is in WAL mode")
    }
    _ = try source.check(nil, on: files)
    for sibling in InstallPlace.siblings {
      let status = try SeedError.at(.checkSource) { () throws(FileError) in
        try files.linkStatus(seed.path + sibling)
      }
      // An empty one, too, shows that somebody writes here.
      if status != nil { throw refuse("\"\(seed.path + sibling)\" lies beside it") }
    }
    if unwritable, source.status.permissions & 0o222 != 0 { throw refuse("it can be written to") }
    let path = try SeedError.at(.checkSource) { () throws(FileError) in
      try files.realPath(seed.path)
    }
    return Connection.immutableURI(of: path)
  }
}
