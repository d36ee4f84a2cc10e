internal import SeedFiles
internal import SeedFormat

extension SeedSource {
  /// Checks what a packed seed and its manifest say of the plain one.
  internal func checkArchive(
    _ manifest: SeedManifest?, on files: FileSystem
  ) throws(SeedError) -> Expectation {
    let stored = try storedByteCount(on: files)
    let declared = manifest?.byteCount ?? archive?.byteCount
    // The end of a member has the size modulo 2^32; that of a file that is cut off, anything.
    guard let stored, stored == UInt32(truncatingIfNeeded: declared ?? Int64(stored)),
      declared != nil || isPlausible(stored)
    else {
      throw try finding(declared: declared, guessed: Int64(stored ?? 0), on: files)
    }
    if let manifest, let archive, manifest.sha256 != archive.sha256 {
      throw SeedError(
        .checkSource, path, .wrongDigest(expected: manifest.sha256, found: archive.sha256))
    }
    if archive != nil { try Self.check(identity, manifest, of: path, .checkSource) }
    return Expectation(
      byteCount: declared ?? Int64(stored), sha256: manifest?.sha256 ?? archive?.sha256,
      manifest: manifest, declaredByteCount: declared)
  }

  /// Whether so many bytes can be packed into this file: deflate makes of one at most 1,032.
  private func isPlausible(_ byteCount: UInt32) -> Bool {
    byteCount > 0 && Int64(byteCount) <= status.byteCount * 1032
  }

  /// The last four bytes of the file: the size of what is packed, modulo 2^32.
  ///
  /// Nil for a file that is too short to have an end.
  private func storedByteCount(on files: FileSystem) throws(SeedError) -> UInt32? {
    // A header has ten bytes, an end eight.
    guard status.byteCount >= 18 else { return nil }
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

  /// What is the matter with a file whose end does not say the size that it should.
  ///
  /// Reads and unpacks all of it, into nowhere: only that tells one that is cut off, as by an
  /// interrupted download, from one that is another.
  ///
  /// - Parameters:
  ///   - declared: The size that is known; nil where only the file's end says one.
  ///   - guessed: What the end says.
  ///   - limit: The size of the database by its own header, where that is known; more is not
  ///     unpacked.
  ///   - files: The file system.
  /// - Returns: The error for it.
  /// - Throws: ``SeedError`` when the file cannot be read.
  internal func finding(
    declared: Int64?, guessed: Int64, limit: Int64 = .max, on files: FileSystem
  ) throws(SeedError) -> SeedError {
    let limit = declared ?? limit
    let (given, taken, state) = try SeedError.at(.checkSource) { () throws(FileError) in
      try unpackIntoNowhere(limit: limit, on: files)
    }
    switch state {
    case .unfinished where given <= limit:
      return SeedError(.checkSource, path, .archiveCutOff(unpacked: given, expected: declared))
    case .damaged(let why):
      return SeedError(.checkSource, path, .damagedArchive(why))
    case .ended where taken < status.byteCount:
      return try followed(.checkSource, after: taken, on: files)
    case .ended where given == 0:
      return SeedError(
        .checkSource, path, .notADatabase(looksLike: FileSignature([]).name))
    case .unfinished, .ended:
      let expected = declared ?? (limit < .max ? limit : guessed)
      return SeedError(.checkSource, path, .wrongSize(expected: expected, found: given))
    }
  }

  /// The error for gzip data that ends before the file does.
  internal func followed(
    _ step: InstallStep, after offset: Int64, on files: FileSystem
  ) throws(SeedError) -> SeedError {
    let next = try SeedError.at(step) { () throws(FileError) in
      let descriptor = try files.open(path, .read)
      defer { files.close(descriptor) }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
      defer { buffer.deallocate() }
      return Array(buffer.prefix(try files.readAt(descriptor, path, buffer, offset)))
    }
    return SeedError(
      step, path,
      GzipInflation.isGzip(next)
        ? .archiveOfSeveralMembers : .damagedArchive("something follows its end"))
  }

  /// - Returns: How many bytes there are, at most a block more than the limit, after how many bytes
  ///   of the file, and how it ended.
  private func unpackIntoNowhere(
    limit: Int64, on files: FileSystem
  ) throws(FileError) -> (given: Int64, taken: Int64, state: GzipInflation.State) {
    let descriptor = try files.open(path, .read)
    defer { files.close(descriptor) }
    let reader = GzipFileReader(descriptor, path, files: files)
    while try reader.next() != nil {
      if reader.givenByteCount > limit { break }
    }
    return (reader.givenByteCount, reader.takenByteCount, reader.state)
  }
}
