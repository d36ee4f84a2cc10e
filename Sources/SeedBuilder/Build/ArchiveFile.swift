package import SeedFiles
internal import SeedFormat
internal import SeedSQLite

/// The packed form of a database, `<output>.gz`, which is what an app ships when size counts.
///
/// The header carries what tells which seed it is, so that the app need not unpack it to know. The
/// same database gives the same bytes with the same version of zlib.
package enum ArchiveFile {
  /// Where the packed form of a database lies.
  static func path(beside database: String) -> String { database + ".gz" }

  /// Whether the packed form beside a database is that of the very file.
  static func isCurrent(beside database: String, files: FileSystem = .live) throws -> Bool {
    let path = path(beside: database)
    guard try files.status(path)?.kind == .regular else { return false }
    // More than the longest extra field.
    let start = try files.bytes(of: path, limit: 70_000)
    guard let found = ArchiveFacts(archive: start) else { return false }
    return found == (try facts(databaseAt: database, digest: files.digest(of: database)))
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
    guard let found = ArchiveFacts(archive: try files.bytes(of: path, limit: 70_000)),
      found != facts, found.contentSHA256 != nil, found.contentSHA256 == facts.contentSHA256
    else { return }
    let pending = try PendingFile(for: path, replacing: .file(.gzip), files: files)
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
