package import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// The packed form of a database, `<output>.gz`, which is what an app ships when size counts.
///
/// The header carries what tells which seed it is, so that the app need not unpack it to know. The
/// same database gives the same bytes with the same version of zlib.
package enum ArchiveFile {
  /// What a packed form may replace: others, told by what their header says, not whatever else
  /// somebody packed.
  static let kind = FileKind("a database packed by seed", byteLimit: headerByteLimit) { start in
    ArchiveFacts(archive: start) != nil
  }
  /// More than the longest extra field.
  private static let headerByteLimit = 70_000

  /// Where the packed form of a database lies.
  static func path(beside database: String) -> String { database + ".gz" }

  /// Whether the packed form beside a database is that of the very file, and whole.
  ///
  /// It is unpacked for that: the header alone says nothing of the bytes that follow it.
  static func isCurrent(beside database: String, files: FileSystem = .live) throws -> Bool {
    guard let found = try foundFacts(beside: database, files),
      found == (try facts(databaseAt: database, digest: files.digest(of: database)))
    else { return false }
    return try isWhole(path(beside: database), found, files)
  }

  /// Whether a packed form unpacks to the file that its header tells of.
  private static func isWhole(
    _ path: String, _ facts: ArchiveFacts, _ files: FileSystem
  ) throws(FileError) -> Bool {
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let reader = GzipFileReader(descriptor, path, files: files)
    var digest = SHA256Digest()
    while let piece = try reader.next() {
      if reader.givenByteCount > facts.byteCount { return false }
      digest.update(piece)
    }
    let packedByteCount = try files.descriptorStatus(descriptor, path).byteCount
    return reader.state == .ended && reader.givenByteCount == facts.byteCount
      && reader.takenByteCount == packedByteCount && digest.hexadecimal() == facts.sha256
  }

  /// Whether a packed form lies beside a database that is of another one; what somebody else packed
  /// says nothing of that.
  static func isStale(beside database: String, files: FileSystem = .live) throws -> Bool {
    guard let found = try foundFacts(beside: database, files) else { return false }
    return found != (try facts(databaseAt: database, digest: files.digest(of: database)))
  }

  /// What the packed form beside a database says of it; nil without one of this tool.
  private static func foundFacts(
    beside database: String, _ files: FileSystem
  ) throws(FileError) -> ArchiveFacts? {
    let path = path(beside: database)
    guard try files.status(path)?.kind == .regular else { return nil }
    return ArchiveFacts(archive: try files.bytes(of: path, limit: headerByteLimit))
  }

  /// Packs a database again whose packed form lies beside it and is of the same content, but not of
  /// the very file, as after a position in a stream was written into it.
  ///
  /// - Throws: ``SQLiteError``, ``FileError``, ``PublishError``.
  package static func renew(beside database: String, files: FileSystem = .live) throws {
    let path = path(beside: database)
    guard try files.status(path)?.kind == .regular else { return }
    let digest = try files.digest(of: database)
    let facts = try facts(databaseAt: database, digest: digest)
    guard let found = ArchiveFacts(archive: try files.bytes(of: path, limit: headerByteLimit)),
      found != facts, found.contentSHA256 != nil, found.contentSHA256 == facts.contentSHA256
    else { return }
    let pending = try PendingFile(for: path, replacing: .file(kind), files: files)
    try pending.pack(databaseAt: database, output: database, digest: digest, files: files)
    try pending.publish(isLastStep: false)
  }

  fileprivate static func facts(
    databaseAt path: String, digest: (sha256: [UInt8], byteCount: Int64)
  ) throws -> ArchiveFacts {
    let connection = try Connection(path: path, mode: .immutable)
    var stamp: SeedStamp?
    if case .present(let found) = try SeedStamp.read(from: connection) { stamp = found }
    return ArchiveFacts(
      sha256: SHA256Digest.hexadecimal(digest.sha256), byteCount: digest.byteCount,
      name: stamp?.name, version: stamp?.version, contentSHA256: stamp?.contentSHA256,
      userVersion: Int32(
        truncatingIfNeeded: try connection.scalarInteger("PRAGMA user_version") ?? 0),
      applicationID: Int32(
        truncatingIfNeeded: try connection.scalarInteger("PRAGMA application_id") ?? 0))
  }
}

extension PendingFile {
  /// Packs a finished database into this file.
  ///
  /// - Parameters:
  ///   - path: Where the database lies now.
  ///   - output: Where it will lie.
  ///   - digest: The digest and the size of the file.
  ///   - files: The file system.
  /// - Throws: ``SQLiteError``, ``FileError``, ``PublishError``.
  borrowing func pack(
    databaseAt path: String, output: String, digest: (sha256: [UInt8], byteCount: Int64),
    files: FileSystem = .live
  ) throws {
    let facts = try ArchiveFile.facts(databaseAt: path, digest: digest)
    let name = output.split(separator: "/").last.map(String.init) ?? output
    let deflation = GzipDeflation(name: name, extraField: facts.extraField)
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = try files.readAt(descriptor, path, buffer, offset)
      offset += Int64(count)
      try deflation.deflate(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]), isLast: count == 0
      ) { (bytes) throws(PublishError) in try write(bytes) }
      if count == 0 { return }
    }
  }
}
