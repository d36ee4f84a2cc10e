internal import SeedFiles
internal import SeedFormat

/// Makes the copy of a seed, by the best way that the file system offers.
///
/// From the top: `clonefile`, FICLONE, `copy_file_range`, reading and writing. Each rung is left
/// for the next one when the system says that it cannot do it here.
internal struct Copying {
  internal let source: SeedSource
  internal let expectation: SeedSource.Expectation
  internal let options: InstallOptions
  internal let place: InstallPlace
  internal let files: FileSystem
  internal let watch: InstallWatch

  /// The bytes that are read, written and hashed at once.
  private static let blockByteCount = 1 << 20

  /// - Throws: ``SeedError``; nothing is left behind.
  internal func run(to path: String) throws(SeedError) -> StagedCopy {
    let reader = try SeedError.at(.stage) { () throws(FileError) in
      try files.open(source.path, .read)
    }
    defer { files.close(reader) }
    try checkUnchanged(reader)
    let copy = try copy(reader, to: path)
    do throws(SeedError) {
      try checkUnchanged(reader)
    } catch {
      copy.remove()
      throw error
    }
    return copy
  }

  private func copy(_ reader: Int32, to path: String) throws(SeedError) -> StagedCopy {
    if source.isCompressed {
      let copy = try create(path, .decompressed)
      return try filling(copy) { (writer) throws(SeedError) in try inflate(reader, into: writer) }
    }
    if let copy = try cloneByPath(path) { return try checked(copy) }
    let copy = try create(path, .copied)
    if try clone(reader, into: copy) {
      copy.method = .reflink
      return try checked(copy)
    }
    return try filling(copy) { (writer) throws(SeedError) in
      if wantsDigest { return try hashAndWrite(reader, into: writer) }
      try copyInKernel(reader, into: writer)
    }
  }

  /// Whether the bytes must pass through here.
  private var wantsDigest: Bool {
    expectation.sha256 != nil && options.verification != .header
  }

  private func create(_ path: String, _ method: CopyMethod) throws(SeedError) -> StagedCopy {
    let descriptor = try SeedError.at(.stage) { () throws(FileError) in
      try files.open(path, .createNew(permissions: 0o600))
    }
    let copy = StagedCopy(path: path, method: method, descriptor: descriptor, files: files)
    do throws(FileError) {
      // SQLite opens the copy by its name, whatever the process's mask leaves of the permissions.
      try files.setPermissions(descriptor, path, 0o600)
    } catch {
      copy.remove()
      throw SeedError(.stage, error)
    }
    return copy
  }

  /// Checks for room, fills the copy and compares its digest; removes it if anything fails.
  private func filling(
    _ copy: StagedCopy, _ fill: (StagedCopy) throws(SeedError) -> Void
  ) throws(SeedError) -> StagedCopy {
    do throws(SeedError) {
      try checkSpace()
      try fill(copy)
      return copy
    } catch {
      copy.remove()
      throw error
    }
  }

  private func checkSpace() throws(SeedError) {
    let available: Int64
    do throws(FileError) {
      available = try files.availableByteCount(place.directory)
    } catch {
      // A file system that cannot tell: writing will.
      guard error.isUnsupported else { throw SeedError(.space, error) }
      return
    }
    guard available >= expectation.byteCount else {
      // What the end of a file says that is cut off is no size.
      if source.isCompressed, expectation.declaredByteCount == nil {
        let finding = try source.finding(
          declared: nil, guessed: expectation.byteCount, on: files)
        if case .archiveCutOff = finding.reason { throw finding }
      }
      throw SeedError(
        .space, place.path, .noSpace(needed: expectation.byteCount, available: available))
    }
  }

  /// The seed may be replaced while it is copied, as by an update of the app.
  private func checkUnchanged(_ reader: Int32) throws(SeedError) {
    let status = try SeedError.at(.stage) { () throws(FileError) in
      try files.descriptorStatus(reader, source.path)
    }
    guard status.identity == source.status.identity,
      status.byteCount == source.status.byteCount,
      status.modificationTime == source.status.modificationTime
    else { throw SeedError(.stage, source.path, .sourceChanged) }
  }

  // MARK: Clones

  private func cloneByPath(_ path: String) throws(SeedError) -> StagedCopy? {
    do throws(FileError) {
      try files.cloneFile(source.path, path)
    } catch {
      guard error.isUnsupported else { throw SeedError(.stage, error) }
      return nil
    }
    return try SeedError.at(.stage) { () throws(FileError) in
      do throws(FileError) {
        let descriptor = try files.open(path, .readNoFollow)
        return StagedCopy(path: path, method: .clone, descriptor: descriptor, files: files)
      } catch {
        try files.unlink(path)
        throw error
      }
    }
  }

  private func clone(_ reader: Int32, into copy: StagedCopy) throws(SeedError) -> Bool {
    do throws(FileError) {
      try copy.withOpenDescriptor { (writer) throws(FileError) in
        try files.cloneContents(reader, writer, copy.path)
      }
      return true
    } catch {
      guard error.isUnsupported else { throw SeedError(.stage, error) }
      return false
    }
  }

  /// Reads a clone for its digest, where that is asked for.
  private func checked(_ copy: StagedCopy) throws(SeedError) -> StagedCopy {
    guard let expected = expectation.sha256,
      options.verification == .digest || options.verification == .full
    else { return copy }
    do throws(SeedError) {
      let found = try SeedError.at(.validate) { () throws(FileError) in
        try copy.withOpenDescriptor { (descriptor) throws(FileError) in
          try FileDigest.sha256(of: descriptor, copy.path, files: files).hexadecimal
        }
      }
      try compare(found, expected)
      return copy
    } catch {
      copy.remove()
      throw error
    }
  }

  private func compare(_ found: String, _ expected: String) throws(SeedError) {
    guard found == expected else {
      throw SeedError(
        .validate, source.path, .wrongDigest(expected: expected, found: found))
    }
  }

  // MARK: Bytes

  private func copyInKernel(_ reader: Int32, into copy: StagedCopy) throws(SeedError) {
    var done: Int64 = 0
    while done < expectation.byteCount {
      try watch.check(.stage, place.path)
      let count: Int
      do throws(FileError) {
        let wanted = Int(min(Int64(Self.blockByteCount), expectation.byteCount - done))
        count = try copy.withOpenDescriptor { (writer) throws(FileError) in
          let count = try files.copyRange(reader, writer, copy.path, wanted)
          // The disk works while the next block is copied.
          files.startWriteback(writer, done, Int64(count))
          return count
        }
      } catch {
        // Some file systems say no at the first call, and none after it.
        guard error.isUnsupported, done == 0 else { throw SeedError(.stage, error) }
        return try hashAndWrite(reader, into: copy)
      }
      if count == 0 {
        // Old kernels give nothing for some special file systems.
        if done == 0 { return try hashAndWrite(reader, into: copy) }
        throw SeedError(.stage, source.path, .sourceChanged)
      }
      done += Int64(count)
      watch.report(copied: done, of: expectation.byteCount)
    }
  }

  private func hashAndWrite(_ reader: Int32, into copy: StagedCopy) throws(SeedError) {
    let writer = BlockWriter(copy: copy, files: files, isHashing: wantsDigest)
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.blockByteCount, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      try watch.check(.stage, place.path)
      let count = try SeedError.at(.stage) { () throws(FileError) in
        try files.readAt(reader, source.path, buffer, offset)
      }
      if count == 0 { break }
      offset += Int64(count)
      guard offset <= expectation.byteCount else {
        throw SeedError(.stage, source.path, .sourceChanged)
      }
      try writer.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      watch.report(copied: offset, of: expectation.byteCount)
    }
    guard offset == expectation.byteCount else {
      throw SeedError(.stage, source.path, .sourceChanged)
    }
    if let expected = expectation.sha256, wantsDigest {
      try compare(writer.digest(), expected)
    }
  }

  /// The error for more bytes than there should be.
  private func wrongSize(_ found: Int64) throws(SeedError) -> SeedError {
    guard expectation.declaredByteCount == nil else {
      return SeedError(
        .stage, source.path, .wrongSize(expected: expectation.byteCount, found: found))
    }
    return try source.finding(declared: nil, guessed: expectation.byteCount, on: files)
  }

  /// Compares what the database says of its size with what the end of the archive says, before the
  /// disk is filled with more than a block of it.
  private func checkStart(_ bytes: UnsafeRawBufferPointer) throws(SeedError) {
    guard expectation.declaredByteCount == nil,
      let size = DatabaseHeader(Array(bytes.prefix(DatabaseFacts.startByteCount)))?
        .expectedByteCount,
      size != expectation.byteCount
    else { return }
    throw try source.finding(
      declared: nil, guessed: expectation.byteCount, limit: size, on: files)
  }

  private func inflate(_ reader: Int32, into copy: StagedCopy) throws(SeedError) {
    let writer = BlockWriter(copy: copy, files: files, isHashing: wantsDigest)
    let unpacking = GzipFileReader(
      reader, source.path, pieceByteCount: Self.blockByteCount, files: files)
    var given: Int64 = 0
    while true {
      try watch.check(.stage, place.path)
      let piece = try SeedError.at(.stage) { () throws(FileError) in try unpacking.next() }
      guard let piece else { break }
      let isFirst = given == 0
      given = unpacking.givenByteCount
      // Nothing is written beyond the size that the seed declares, whatever is packed.
      guard given <= expectation.byteCount else { throw try wrongSize(given) }
      if isFirst { try checkStart(piece) }
      try writer.write(piece)
      watch.report(copied: given, of: expectation.byteCount)
    }
    switch unpacking.state {
    case .unfinished:
      throw SeedError(
        .stage, source.path,
        .archiveCutOff(unpacked: given, expected: expectation.declaredByteCount))
    case .damaged(let why): throw SeedError(.stage, source.path, .damagedArchive(why))
    case .ended:
      guard unpacking.takenByteCount == source.status.byteCount else {
        throw try source.followed(.stage, after: unpacking.takenByteCount, on: files)
      }
    }
    guard given == expectation.byteCount else {
      throw SeedError(
        .stage, source.path, .wrongSize(expected: expectation.byteCount, found: given))
    }
    if let expected = expectation.sha256, wantsDigest {
      try compare(writer.digest(), expected)
    }
  }
}

/// Writes blocks to a copy, hashing them on the way.
private final class BlockWriter {
  private let copy: StagedCopy
  private let files: FileSystem
  private let isHashing: Bool
  private var hash = SHA256Digest()
  private var offset: Int64 = 0

  init(copy: StagedCopy, files: FileSystem, isHashing: Bool) {
    self.copy = copy
    self.files = files
    self.isHashing = isHashing
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SeedError) {
    guard !bytes.isEmpty else { return }
    try SeedError.at(.stage) { () throws(FileError) in
      try copy.withOpenDescriptor { (descriptor) throws(FileError) in
        try files.writeAll(descriptor, copy.path, bytes)
        // The disk works while the next block is read and hashed.
        files.startWriteback(descriptor, offset, Int64(bytes.count))
      }
    }
    offset += Int64(bytes.count)
    if isHashing { hash.update(bytes) }
  }

  func digest() -> String { hash.hexadecimal() }
}
