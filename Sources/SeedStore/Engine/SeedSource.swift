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
  internal let identity: SeedIdentity

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
          userVersion: facts?.userVersion ?? 0, applicationID: facts?.applicationID ?? 0))
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
      byteCount: status.byteCount, sha256: manifest?.sha256, manifest: manifest)
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

  private func checkArchive(
    _ manifest: SeedManifest?, on files: FileSystem
  ) throws(SeedError) -> Expectation {
    let stored = try storedByteCount(on: files)
    let declared = manifest?.byteCount ?? archive?.byteCount
    guard let byteCount = declared ?? stored.map(Int64.init), byteCount > 0 else {
      throw SeedError(
        .checkSource, path, .wrongSize(expected: declared ?? 0, found: Int64(stored ?? 0)))
    }
    // The end of a member has the size modulo 2^32; where the end is missing, any other bytes.
    if let stored, UInt32(truncatingIfNeeded: byteCount) != stored {
      let reason = try SeedError.at(.checkSource) { () throws(FileError) in
        try ArchiveFault(path: path, files: files, expected: byteCount)
          .reason(stored: Int64(stored))
      }
      throw SeedError(.checkSource, path, reason)
    }
    if let manifest, let archive, manifest.sha256 != archive.sha256 {
      throw SeedError(
        .checkSource, path, .wrongDigest(expected: manifest.sha256, found: archive.sha256))
    }
    if archive != nil { try Self.check(identity, manifest, of: path, .checkSource) }
    return Expectation(
      byteCount: byteCount, isDeclared: declared != nil,
      sha256: manifest?.sha256 ?? archive?.sha256, manifest: manifest)
  }

  /// The last four bytes of the file: the size of what is packed, modulo 2^32.
  private func storedByteCount(on files: FileSystem) throws(SeedError) -> UInt32? {
    // A header has ten bytes, an end eight.
    guard status.byteCount >= 18 else {
      throw SeedError(
        .checkSource, path, .damagedArchive("it is cut off after \(status.byteCount) bytes"))
    }
    return try SeedError.at(.checkSource) { () throws(FileError) in
      let descriptor = try files.open(path, .read)
      defer { files.close(descriptor) }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
      defer { buffer.deallocate() }
      guard try files.readAt(descriptor, path, buffer, status.byteCount - 4) == 4 else {
        return nil
      }
      return buffer.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
