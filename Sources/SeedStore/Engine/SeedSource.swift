internal import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// The seed as it lies in the app's bundle.
internal struct SeedSource: Sendable {
  internal let path: String
  internal let status: FileStatus
  /// The beginning of the file.
  internal let start: [UInt8]
  /// What a packed seed says of itself; nil for a plain one, or one packed by another tool.
  internal let archive: ArchiveFacts?
  /// Which seed it is, as far as it says so.
  internal var identity: SeedIdentity
  /// Whether a copy was looked into for what the file does not say of itself.
  internal var isExamined = false

  /// Whether nothing but unpacking it tells which seed it is.
  internal var isUndisclosed: Bool {
    isCompressed && !isExamined && identity.name == nil && identity.contentSHA256 == nil
  }

  internal var isCompressed: Bool { GzipInflation.isGzip(start) }

  /// What the plain database must be.
  internal struct Expectation: Sendable {
    /// Its exact size.
    internal var byteCount: Int64
    /// Whether somebody says so, as opposed to the last bytes of packed data.
    internal var isDeclared = true
    /// The digest of the file, if somebody knows it.
    internal var sha256: String?
    internal var manifest: SeedManifest?
    /// The size that a manifest or a packed seed's own facts say; nil for one that was guessed
    /// from the file's end.
    internal var declaredByteCount: Int64?
  }

  /// Looks at the seed: as much as tells which one it is.
  internal static func look(
    at seed: Seed, on files: FileSystem, _ databases: DatabaseAccess
  ) throws(SeedError) -> SeedSource {
    let path = seed.path
    let status = try SeedError.at(.checkSource) { () throws(FileError) in try files.status(path) }
    switch status?.kind {
    case .regular: break
    case nil: throw SeedError(.checkSource, path, .sourceMissing)
    case .directory: throw SeedError(.checkSource, path, .isDirectory)
    default: throw SeedError(.checkSource, path, .notARegularFile)
    }
    let start = try SeedError.at(.checkSource) { () throws(FileError) in
      try files.bytes(of: path, limit: DatabaseFacts.startByteCount)
    }
    guard let status else { throw SeedError(.checkSource, path, .sourceMissing) }
    if GzipInflation.isGzip(start) {
      let facts = try archiveFacts(path, on: files)
      return SeedSource(
        path: path, status: status, start: start, archive: facts,
        identity: SeedIdentity(
          name: facts?.name, version: facts?.version, contentSHA256: facts?.contentSHA256,
          userVersion: facts?.userVersion ?? 0, applicationID: facts?.applicationID ?? 0)
      ).identified(by: seed, on: files)
    }
    guard let header = DatabaseHeader(start) else {
      throw SeedError(
        .checkSource, path, .notADatabase(looksLike: FileSignature(start).name))
    }
    try check(header, byteCount: status.byteCount, of: path, .checkSource)
    let facts = try SeedError.at(.checkSource, database: path) { () throws(SQLiteError) in
      try databases.readUnused(path)
    }
    return SeedSource(
      path: path, status: status, start: start, archive: nil, identity: facts.identity)
  }

  /// Takes from the manifest what a packed seed of another tool does not say.
  private func identified(by seed: Seed, on files: FileSystem) -> SeedSource {
    guard archive == nil else { return self }
    do throws(SeedError) {
      guard let manifest = try SeedManifest.load(for: seed, on: files) else { return self }
      var source = self
      source.identity.contentSHA256 = manifest.contentSHA256
      source.identity.userVersion = manifest.userVersion
      source.identity.applicationID = manifest.applicationID
      return source
    } catch {
      // One that cannot be read is an error where the seed is copied, and not at each launch.
      return self
    }
  }

  /// Unpacks nothing but the header.
  private static func archiveFacts(
    _ path: String, on files: FileSystem
  ) throws(SeedError) -> ArchiveFacts? {
    // The header of a packed seed is shorter than this; a longer one is another tool's.
    let bytes = try SeedError.at(.checkSource) { () throws(FileError) in
      try files.bytes(of: path, limit: 70_000)
    }
    return ArchiveFacts(archive: bytes)
  }

  /// Checks everything that can be seen before a byte is copied.
  internal func check(
    _ manifest: SeedManifest?, on files: FileSystem
  ) throws(SeedError) -> Expectation {
    if isCompressed { return try checkArchive(manifest, on: files) }
    guard let header = DatabaseHeader(start) else {
      throw SeedError(.checkSource, path, .notADatabase(looksLike: FileSignature(start).name))
    }
    try Self.check(header, byteCount: status.byteCount, of: path, .checkSource)
    try Self.check(identity, manifest, of: path, .checkSource)
    for sibling in ["-wal", "-journal"] {
      if try isUnfinished(path + sibling, on: files) {
        throw SeedError(.checkSource, path, .unfinishedLog(path + sibling))
      }
    }
    if let manifest, manifest.byteCount != status.byteCount {
      throw SeedError(
        .checkSource, path,
        .wrongSize(expected: manifest.byteCount, found: status.byteCount))
    }
    return Expectation(
      byteCount: status.byteCount, sha256: manifest?.sha256, manifest: manifest,
      declaredByteCount: manifest?.byteCount)
  }

  /// Checks a header against the size of the file.
  internal static func check(
    _ header: DatabaseHeader, byteCount: Int64, of path: String, _ step: InstallStep
  ) throws(SeedError) {
    guard header.formatVersion <= 2 else {
      throw SeedError(step, path, .newerFormat(Int(header.formatVersion)))
    }
    guard header.hasValidPageSize else {
      throw SeedError(
        step, path, .notADatabase(looksLike: "a database with a damaged header"))
    }
    let pageSize = Int64(header.pageSize)
    // Without a valid count of pages, whole pages are all that can be asked for.
    let expected = header.expectedByteCount ?? max(byteCount / pageSize, 1) * pageSize
    guard byteCount == expected else {
      throw SeedError(step, path, .wrongSize(expected: expected, found: byteCount))
    }
  }

  /// Compares what a database says of itself with its manifest.
  internal static func check(
    _ identity: SeedIdentity, _ manifest: SeedManifest?, of path: String, _ step: InstallStep
  ) throws(SeedError) {
    guard let manifest else { return }
    func compare(_ what: String, _ expected: String, _ found: String) throws(SeedError) {
      guard expected == found else {
        throw SeedError(
          step, path, .manifestMismatch(what: what, expected: expected, found: found))
      }
    }
    try compare("user_version", "\(manifest.userVersion)", "\(identity.userVersion)")
    try compare("application_id", "\(manifest.applicationID)", "\(identity.applicationID)")
    if let expected = manifest.contentSHA256 {
      try compare("content digest", expected, identity.contentSHA256 ?? "none")
    }
  }

  private func isUnfinished(_ log: String, on files: FileSystem) throws(SeedError) -> Bool {
    try SeedError.at(.checkSource) { () throws(FileError) in
      guard let status = try files.status(log), status.byteCount > 0 else { return false }
      guard log.hasSuffix("-journal") else { return true }
      // A journal kept for reuse (`journal_mode=PERSIST`) starts with zeros; SQLite ignores it.
      return try files.bytes(of: log, limit: 1) != [0]
    }
  }
}
